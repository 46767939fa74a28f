//! One's own account.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chess::Timestamp;
use chess::game::Game;
use chess::table::PlayerId;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use store::{Account, ChallengeRule, ListQuery, PlayerRating, ProfileChange};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::view::AccountView;
use crate::auth::Caller;
use crate::auth::own::Passwords;
use crate::doors::native::chat_view::ChatView;
use crate::doors::native::events::webhooks::WebhookView;
use crate::doors::native::notifications::NotificationsView;
use crate::doors::native::players::ratings::{self, Point, RatingView};
use crate::doors::native::social::challenges::ChallengesView;
use crate::doors::native::social::notices::NoticeView;
use crate::doors::native::social::reports::OwnReportView;
use crate::doors::native::tokens::TokenView;
use crate::http::Body;
use crate::http::address::ClientAddress;
use crate::play::names::Names;
use crate::play::{App, accepting, becoming, blocks};
use crate::problem::Problem;
use crate::rooms::Line;
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show, change, delete))
        .routes(routes!(export))
}

/// Your account
#[utoipa::path(
    get,
    path = "/v1/me",
    operation_id = "show_me",
    responses((status = 200, description = "The account of the token", body = Me)),
)]
async fn show(State(app): State<App>, caller: Caller) -> Result<Json<Me>, Problem> {
    let account = app.auth.own_account(&caller).await?;
    Ok(Json(Me::of(&app, account).await?))
}

/// An account, and what its owner chose and is to know.
#[derive(Serialize, ToSchema)]
struct Me {
    #[serde(flatten)]
    account: AccountView,
    /// Which challenges you take.
    challenges: ChallengesView,
    /// What operators decided about you, until you put it away.
    notices: Vec<NoticeView>,
}

impl Me {
    async fn of(app: &App, account: Account) -> Result<Me, Problem> {
        let rule = app.store.challenge_rule(account.number).await?;
        let notices = app.store.notices_of(account.number, true).await?;
        Ok(Me {
            account: account.into(),
            challenges: rule.into(),
            notices: notices.iter().map(NoticeView::from).collect(),
        })
    }
}

/// What to change; whatever is left out stays.
#[derive(Deserialize, ToSchema)]
#[schema(as = AccountChange)]
struct Change {
    /// Another address needs `current_password`, if the account has a password: a new one
    /// can be chosen there. `null` forgets it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    email: Option<Option<String>>,
    /// The client's own settings, kept as they are; replaces those before. One is
    /// also read here: with `seen_watching: true` others may see which games you
    /// watch, at once if it is taken back, with your next stream if it is given.
    #[schema(value_type = Option<Object>)]
    preferences: Option<Map<String, Value>>,
    /// What a guest wants to be called: like a name, and nobody's. They are shown as a
    /// guest all the same. `null`: nothing else than the name they have.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    display_name: Option<Option<String>>,
    /// Which challenges you take; replaces what was chosen before.
    challenges: Option<ChallengesView>,
    /// A new password; needs `current_password`. Every other token is revoked, and letters
    /// that would set another are worth nothing any more.
    #[schema(format = Password)]
    password: Option<String>,
    /// The password so far.
    #[schema(format = Password)]
    current_password: Option<String>,
}

/// Tells a field that is `null` from one that is not there.
fn present<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Deserialize::deserialize(field).map(Some)
}

/// Change your account
///
/// Needs all that a session may do: a token for playing does not change passwords.
#[utoipa::path(
    patch,
    path = "/v1/me",
    operation_id = "change_me",
    request_body = Change,
    responses(
        (status = 200, description = "The account as it is now", body = Me),
        (status = 401, description = "`bad_credentials`: the current password is wrong"),
        (status = 409, description = "`not_allowed`: this account has no password, or is no guest; `username_taken`"),
        (status = 413, description = "`too_large`: more than 8 KiB of preferences"),
        (status = 422, description = "`weak_password`, `bad_username`"),
    ),
)]
async fn change(
    State(app): State<App>,
    caller: Caller,
    ClientAddress(from): ClientAddress,
    Body(change): Body<Change>,
) -> Result<Json<Me>, Problem> {
    let challenges = change.challenges.map(ChallengeRule::from);
    let challenges = challenges.map(accepting::checked).transpose()?;
    let profile = ProfileChange {
        email: change.email,
        preferences: change.preferences.map(|p| Value::Object(p).to_string()),
        display_name: change.display_name,
        ..ProfileChange::default()
    };
    let is_renamed = profile.display_name.is_some();
    let passwords = Passwords {
        current: change.current_password,
        new: change.password,
    };
    let account = app
        .auth
        .change_profile(&app.rates, from, &caller, profile, passwords)
        .await?;
    if is_renamed && account.display_name != caller.person.display_name {
        becoming::renamed(&app, account.number).await;
    }
    if let Some(rule) = challenges {
        app.store.set_challenge_rule(account.number, rule).await?;
    }
    Ok(Json(Me::of(&app, account).await?))
}

/// Delete your account
///
/// The games stay, the name goes; every token is dead at once.
#[utoipa::path(
    delete,
    path = "/v1/me",
    operation_id = "delete_me",
    responses((status = 204, description = "Gone")),
)]
async fn delete(State(app): State<App>, caller: Caller) -> Result<StatusCode, Problem> {
    app.auth.leave(&caller).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Everything that is stored about somebody.
#[derive(Serialize, ToSchema)]
#[schema(as = AccountExport)]
struct Export {
    #[schema(format = DateTime)]
    exported_at: String,
    account: AccountView,
    /// The ids of guests whom you were.
    also_known_as: Vec<String>,
    tokens: Vec<TokenView>,
    /// The ids of all games, newest first: each can be had with its moves at `/v1/games/{id}/pgn`.
    games: Vec<String>,
    /// Everything said around games, game by game.
    chat: Vec<SaidLine>,
    /// Ratings as they are now.
    ratings: BTreeMap<&'static str, RatingView>,
    /// How each of them came about, the newest thousand games.
    rating_history: BTreeMap<&'static str, Vec<Point>>,
    /// Which challenges you take.
    challenges: ChallengesView,
    /// The ids of those whom you block.
    blocks: Vec<String>,
    /// The ids of those whom you follow.
    follows: Vec<String>,
    /// What you said about others.
    reports: Vec<OwnReportView>,
    /// What operators decided about you, whether or not you have put it away.
    notices: Vec<NoticeView>,
    /// What you want to be told of, whether your address is confirmed, and the browsers
    /// in which you are told.
    notifications: NotificationsView,
    /// Where events of your games are sent to.
    webhooks: Vec<WebhookView>,
    /// How you answer in games with days per move.
    conditional_moves: Vec<PlannedView>,
    /// When you were away, or are.
    vacations: Vec<AwayView>,
    /// Who you are elsewhere.
    identities: Vec<IdentityView>,
}

/// Somebody that another service vouches for.
#[derive(Serialize, ToSchema)]
struct IdentityView {
    /// Which service.
    issuer: String,
    /// Who you are there.
    subject: String,
}

/// Conditional moves.
#[derive(Serialize, ToSchema)]
struct PlannedView {
    /// In which game.
    game: String,
    /// The half-moves played in the position that they begin with.
    ply: u32,
    /// Their move, your answer, and so on: a line each.
    lines: Vec<String>,
}

/// A vacation.
#[derive(Serialize, ToSchema)]
struct AwayView {
    #[schema(format = DateTime)]
    since: String,
    #[schema(format = DateTime)]
    until: String,
}

/// Something its owner said.
#[derive(Serialize, ToSchema)]
struct SaidLine {
    /// At which game.
    game: String,
    #[serde(flatten)]
    line: ChatView,
}

/// Export your data
#[utoipa::path(
    get,
    path = "/v1/me/export",
    operation_id = "export_me",
    responses((status = 200, description = "Everything stored about you", body = Export)),
)]
async fn export(State(app): State<App>, caller: Caller) -> Result<Json<Export>, Problem> {
    let account = app.auth.own_account(&caller).await?;
    let tokens = app.auth.tokens_of(caller.number()).await?;
    let who = caller.number();
    let reports = app.store.reports_by(who).await?;
    let follows = app.store.follows_of(who).await?;
    let followed: Vec<PlayerId> = follows.iter().map(|(followed, _)| *followed).collect();
    let mut others: Vec<PlayerId> = reports.iter().map(|report| report.reported).collect();
    others.extend(&followed);
    let names = Names::of(&app, others).await?;
    let notices = app.store.notices_of(who, false).await?;
    let webhooks = app.store.webhooks_of(who).await?;
    let aliases = app.store.aliases_of(who).await?;
    Ok(Json(Export {
        exported_at: rfc3339(app.wall()),
        account: account.into(),
        also_known_as: aliases.iter().map(|alias| alias.id.clone()).collect(),
        tokens: tokens
            .iter()
            .map(|token| TokenView::of(token, &caller))
            .collect(),
        games: games_of(&app, &caller).await?,
        chat: chat_of(&app, &caller, &aliases).await?,
        rating_history: rating_history_of(&app, &caller).await?,
        ratings: ratings::of(&app, caller.number(), Some(caller.number())).await?,
        challenges: app.store.challenge_rule(who).await?.into(),
        blocks: blocks::list(&app, &caller).await?,
        follows: followed.into_iter().map(|who| names.id(who)).collect(),
        reports: reports
            .iter()
            .map(|report| OwnReportView::of(report, &names))
            .collect(),
        notices: notices.iter().map(NoticeView::from).collect(),
        notifications: NotificationsView::of(&app, &caller).await?,
        webhooks: webhooks.iter().map(WebhookView::of).collect(),
        conditional_moves: planned_by(&app, who).await?,
        vacations: away(&app, who).await?,
        identities: identities_of(&app, who).await?,
    }))
}

async fn planned_by(app: &App, who: PlayerId) -> Result<Vec<PlannedView>, Problem> {
    let plans = app.store.plans_by(who).await?.into_iter();
    let planned = plans.map(|plan| PlannedView {
        game: plan.table.to_string(),
        ply: plan.ply,
        lines: plan.lines.lines().map(str::to_owned).collect(),
    });
    Ok(planned.collect())
}

async fn identities_of(app: &App, who: PlayerId) -> Result<Vec<IdentityView>, Problem> {
    let known = app.store.outside_identity(who).await?;
    let view = known.map(|identity| IdentityView {
        issuer: identity.issuer,
        subject: identity.subject,
    });
    Ok(view.into_iter().collect())
}

async fn away(app: &App, who: PlayerId) -> Result<Vec<AwayView>, Problem> {
    let vacations = app.store.vacations_of(who, Timestamp(0)).await?.into_iter();
    let away = vacations.map(|vacation| AwayView {
        since: rfc3339(vacation.began_at),
        until: rfc3339(vacation.ends_at),
    });
    Ok(away.collect())
}

async fn rating_history_of(
    app: &App,
    caller: &Caller,
) -> Result<BTreeMap<&'static str, Vec<Point>>, Problem> {
    let mut histories = BTreeMap::new();
    for PlayerRating { category, .. } in app.store.ratings_of(&[caller.number()]).await? {
        let (me, most) = (caller.number(), ratings::POINTS_MAX);
        let points = ratings::points(app, me, category, most, Some(me)).await?;
        histories.insert(category.name(), points);
    }
    Ok(histories)
}

/// What they said, also as guests.
async fn chat_of(
    app: &App,
    caller: &Caller,
    aliases: &[Account],
) -> Result<Vec<SaidLine>, Problem> {
    let mut chat = Vec::new();
    let aliases = aliases.iter().map(|alias| alias.number);
    for who in [caller.number()].into_iter().chain(aliases) {
        chat.extend(said_by(app, caller, who).await?);
    }
    Ok(chat)
}

async fn said_by(app: &App, caller: &Caller, who: PlayerId) -> Result<Vec<SaidLine>, Problem> {
    const PAGE: u32 = 1_000;
    let mut chat = Vec::new();
    let mut after = None;
    loop {
        let page = app.store.chat_by(who, after, PAGE).await?;
        let is_last = page.len() < PAGE as usize;
        after = page.last().map(|line| (line.table, line.id));
        chat.extend(page.into_iter().filter_map(|stored| {
            let game = stored.table.to_string();
            let line = ChatView::of(&Line::read(stored)?, Some(&caller.person));
            Some(SaidLine { game, line })
        }));
        if is_last {
            return Ok(chat);
        }
    }
}

async fn games_of(app: &App, caller: &Caller) -> Result<Vec<String>, Problem> {
    const PAGE: u32 = 1_000;
    let mut query = ListQuery {
        kind: Some(Game::KIND),
        player: Some(caller.number()),
        viewer: Some(caller.number()),
        limit: PAGE,
        ..ListQuery::default()
    };
    let mut games = Vec::new();
    loop {
        let page = app.store.list(query.clone()).await?;
        games.extend(page.iter().map(|place| place.table.to_string()));
        if page.len() < PAGE as usize {
            return Ok(games);
        }
        query.after = page.last().copied();
    }
}
