//! One's own account.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use chess::game::Game;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use store::{ListQuery, ProfileChange};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::view::AccountView;
use crate::auth::Caller;
use crate::auth::own::NewPassword;
use crate::doors::native::chat_view::ChatView;
use crate::doors::native::tokens::TokenView;
use crate::http::Body;
use crate::http::address::ClientAddress;
use crate::play::App;
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
    responses((status = 200, description = "The account of the token", body = AccountView)),
)]
async fn show(State(app): State<App>, caller: Caller) -> Result<Json<AccountView>, Problem> {
    Ok(Json(app.auth.own_account(&caller).await?.into()))
}

/// What to change; whatever is left out stays.
#[derive(Deserialize, ToSchema)]
#[schema(as = AccountChange)]
struct Change {
    /// `null` forgets it.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    email: Option<Option<String>>,
    /// The client's own settings, kept as they are; replaces those before. One is
    /// also read here: with `seen_watching: true` others may see which games you
    /// watch, at once if it is taken back, with your next stream if it is given.
    #[schema(value_type = Option<Object>)]
    preferences: Option<Map<String, Value>>,
    /// A new password; needs `current_password`. Every other token is revoked.
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
        (status = 200, description = "The account as it is now", body = AccountView),
        (status = 401, description = "`bad_credentials`: the current password is wrong"),
        (status = 409, description = "`not_allowed`: this account has no password"),
        (status = 413, description = "`too_large`: more than 8 KiB of preferences"),
        (status = 422, description = "`weak_password`"),
    ),
)]
async fn change(
    State(app): State<App>,
    caller: Caller,
    ClientAddress(from): ClientAddress,
    Body(change): Body<Change>,
) -> Result<Json<AccountView>, Problem> {
    let profile = ProfileChange {
        email: change.email,
        preferences: change.preferences.map(|p| Value::Object(p).to_string()),
        ..ProfileChange::default()
    };
    let current = change.current_password;
    let password = change.password.map(|new| NewPassword { current, new });
    let account = app
        .auth
        .change_profile(&app.rates, from, &caller, profile, password)
        .await?;
    Ok(Json(account.into()))
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
    tokens: Vec<TokenView>,
    /// The ids of all games, newest first: each can be had with its moves at `/v1/games/{id}/pgn`.
    games: Vec<String>,
    /// Everything said around games, game by game.
    chat: Vec<SaidLine>,
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
    Ok(Json(Export {
        exported_at: rfc3339(app.wall()),
        account: account.into(),
        tokens: tokens
            .iter()
            .map(|token| TokenView::of(token, &caller))
            .collect(),
        games: games_of(&app, &caller).await?,
        chat: chat_of(&app, &caller).await?,
    }))
}

async fn chat_of(app: &App, caller: &Caller) -> Result<Vec<SaidLine>, Problem> {
    const PAGE: u32 = 1_000;
    let mut chat = Vec::new();
    let mut after = None;
    loop {
        let page = app.store.chat_by(caller.number(), after, PAGE).await?;
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
