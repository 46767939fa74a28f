//! Talking at the table over REST.

use axum::Json;
use axum::http::StatusCode;
use axum::response::Response;
use live::room::Audience;
use serde::{Deserialize, Serialize};
use store::BanKind;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{show, table_id};
use super::play::Play;
use super::reading::Reading;
use super::view::GameView;
use crate::doors::native::chat_view::ChatView;
use crate::http::Query;
use crate::http::described::NoGame;
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::names::{Names, find};
use crate::play::room::{self, LastRead, Measure};
use crate::play::sight::as_seen_by;
use crate::problem::Problem;
use crate::rooms::Line;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read, say))
        .routes(routes!(mute))
        .routes(routes!(remove))
}

/// Something to say.
#[derive(Debug, Deserialize, ToSchema)]
struct Words {
    /// One line of at most 500 characters.
    #[schema(example = "Good luck!")]
    text: String,
    /// `room` (default) or `observers`. What observers say is for observers
    /// whatever stands here.
    #[serde(default = "to_room")]
    #[schema(value_type = Option<Hearers>)]
    audience: Hearers,
    /// A moderator's word to everyone, written to the audit trail.
    #[serde(default)]
    notice: bool,
}

/// Whom it is for.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Hearers {
    Room,
    Observers,
}

fn to_room() -> Hearers {
    Hearers::Room
}

/// Say something
///
/// A player speaks to everyone, or only to the observers: the opponent sees
/// that when the game is over. An observer is heard by observers; players see it
/// when the game is over.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/chat",
    params(("id" = String, Path, description = "The game")),
    request_body = Words,
    responses(
        (status = 201, description = "The line", body = ChatView),
        (status = 403, description = "`muted`: in this room, or anywhere, with `why` and `until`"),
        NoGame,
        (status = 422, description = "`bad_chat`: empty, too long, or with control characters"),
        (status = 429, description = "`rate_limited`: more than 5 lines in 10 s"),
    ),
)]
async fn say(play: Play<Words>) -> Result<(StatusCode, Json<ChatView>), Problem> {
    let Play {
        app,
        caller,
        id,
        body: words,
        ..
    } = play;
    let line = if words.notice {
        room::give_notice(&app, id, &caller, &words.text).await?
    } else {
        let audience = match words.audience {
            Hearers::Room => Audience::Room,
            Hearers::Observers => Audience::Observers,
        };
        room::say(&app, id, &caller, &words.text, audience).await?
    };
    let view = ChatView::of(&line, Some(&caller.person));
    Ok((StatusCode::CREATED, Json(view)))
}

/// From where to read on.
#[derive(Debug, Deserialize, IntoParams)]
struct From {
    /// The id of the last line that was read; all that may be read, if left out.
    after: Option<String>,
}

/// What was said.
#[derive(Debug, Serialize, ToSchema)]
struct ChatPage {
    /// The lines, in the order in which they could first be read.
    chat: Vec<ChatView>,
}

/// Read what was said
///
/// What the caller may read of the latest 500 lines. Once the game is over
/// that is everything.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/chat",
    params(("id" = String, Path, description = "The game"), From),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The lines", body = ChatPage),
        (status = 400, description = "`bad_request`: `after` is no id"),
        NoGame,
    ),
)]
async fn read(
    Reading {
        app, caller, id, ..
    }: Reading,
    Query(from): Query<From>,
) -> Result<Json<ChatPage>, Problem> {
    let id = table_id(&id)?;
    let after = from.after.as_deref();
    let after = after.map(|text| room::chat_id("after", text)).transpose()?;
    let after = after.map(LastRead::of);
    let occupant = room::enter(&app, id, caller.as_ref()).await?;
    let read = room::history(&app, id, &occupant.game, &occupant.viewer, after, app.now()).await?;
    let lines = read.new;
    let names = Names::of(&app, lines.iter().map(Line::from)).await?;
    let views = lines
        .iter()
        .map(|line| ChatView::of(line, names.get(line.from())));
    Ok(Json(ChatPage {
        chat: views.collect(),
    }))
}

/// Whom to silence or remove.
#[derive(Debug, Deserialize, ToSchema)]
struct Whom {
    /// Their id.
    name: String,
    /// End it instead.
    #[serde(default)]
    lift: bool,
}

/// Mute an observer
///
/// They may listen and not speak. By the creator; a moderator may also mute a
/// player.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/mute",
    params(("id" = String, Path, description = "The game")),
    request_body = Whom,
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 403, description = "`not_the_creator`"),
        (status = 404, description = "`game_not_found`, `not_found`"),
        (status = 409, description = "`not_allowed`"),
    ),
)]
async fn mute(play: Play<Whom>) -> Result<Response, Problem> {
    moderate(&play, BanKind::Muted).await
}

/// Remove an observer
///
/// They are out of the room: no chat, no stream; and a private game is not
/// there for them at all. By the creator or a moderator; nobody can be removed
/// from a game they play.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/remove",
    params(("id" = String, Path, description = "The game")),
    request_body = Whom,
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 403, description = "`not_the_creator`"),
        (status = 404, description = "`game_not_found`, `not_found`"),
        (status = 409, description = "`not_allowed`"),
    ),
)]
async fn remove(play: Play<Whom>) -> Result<Response, Problem> {
    moderate(&play, BanKind::Removed).await
}

async fn moderate(play: &Play<Whom>, kind: BanKind) -> Result<Response, Problem> {
    let Play {
        app,
        caller,
        id,
        body: whom,
        ..
    } = play;
    let id = *id;
    // First the room: whoever may not know of the game learns nothing.
    app.rates.check(Rate::Command, caller.number())?;
    room::enter(app, id, Some(caller)).await?;
    let found = find(app, "name", std::slice::from_ref(&whom.name)).await?;
    let measure = Measure {
        kind,
        is_lifted: whom.lift,
    };
    let occupant = room::moderate(app, id, caller, &found[0], measure).await?;
    let viewer = Some(caller.number());
    let seen = as_seen_by(&occupant.game, viewer, app.now());
    show(app, id, &seen, viewer).await
}
