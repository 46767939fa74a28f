//! Watching: a game's stream as WebSocket and as server-sent events, and an
//! account's own.

mod asking;
mod describe;
mod feed;
mod here;
mod look;
mod own;
pub(crate) mod said;
mod subscriber;
mod told;
mod words;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use store::TableId;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::own::Own;
use self::subscriber::{Known, Subscriber};
use super::games::answer::table_id;
use crate::auth::Caller;
use crate::http::MaybeCaller;
use crate::http::described::{NoGame, READERS, about, open_to};
use crate::http::{ClientAddress, Path, Query};
use crate::play::App;
use crate::problem::Problem;
use crate::stream::events;
use crate::stream::socket::Upgrade;

/// Boards that one socket may carry.
const BOARDS_MAX: usize = 100;

/// Every stream.
pub fn routes() -> OpenApiRouter<App> {
    let streams = OpenApiRouter::new()
        .routes(routes!(stream))
        .routes(routes!(follow))
        .routes(routes!(own))
        .merge(here::routes())
        .merge(describe::routes());
    about("streams", open_to(READERS, streams))
}

/// Where to begin.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct From {
    /// The last version the client has seen: it gets what it missed, then `SYNC`.
    since: Option<String>,
    /// The id of the last line of chat it has seen.
    chat: Option<String>,
}

impl From {
    fn known(&self) -> Known {
        Known {
            since: self.since.as_ref().map(|since| since.parse().ok()),
            chat: self.chat.as_ref().and_then(|chat| chat.parse().ok()),
        }
    }
}

/// Watch a game
///
/// A WebSocket. `STATE` first, then every change in order; with `since` what
/// was missed, then `SYNC`.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/stream",
    params(("id" = String, Path, description = "The game"), From),
    responses(
        (status = 101, description = "A WebSocket"),
        NoGame,
        (status = 426, description = "`upgrade_required`: this is a WebSocket"),
        (status = 429, description = "`too_many_streams`"),
    ),
)]
async fn stream(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(from): Query<From>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let place = app
        .rooms
        .place(caller.as_ref().map(Caller::number), address.0)?;
    let wire = upgrade.wire();
    let subscriber = Subscriber::open(app, table_id(&id)?, caller, from.known(), wire).await?;
    Ok(upgrade.serve(subscriber, place))
}

/// Watch a game without WebSocket
///
/// The same messages as server-sent events; `Last-Event-ID` is
/// `<version>~<chat id>`.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/events",
    params(("id" = String, Path, description = "The game"), From),
    responses(
        (status = 200, description = "Events without end", content_type = "text/event-stream", body = String),
        NoGame,
        (status = 429, description = "`too_many_streams`"),
    ),
)]
async fn follow(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    address: ClientAddress,
    Path(id): Path<String>,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let place = app
        .rooms
        .place(caller.as_ref().map(Caller::number), address.0)?;
    // A browser that comes back says so in a header; it knows better than the address.
    let last = headers
        .get("last-event-id")
        .and_then(|last| last.to_str().ok());
    let from = match last.filter(|last| !last.is_empty()) {
        Some(last) => {
            let (since, chat) = last.split_once('~').unwrap_or((last, ""));
            From {
                since: Some(since.to_owned()),
                chat: Some(chat.to_owned()),
            }
        }
        None => from,
    };
    let subscriber = Subscriber::open(app, table_id(&id)?, caller, from.known(), None).await?;
    Ok(events::serve(subscriber, place))
}

/// Which boards to add.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Boards {
    /// Ids of games, with commas between them.
    games: Option<String>,
}

/// Your own stream
///
/// A WebSocket: challenges, your turn, games that begin and end; with `games`
/// the boards of those games as well. Without a token only the boards.
#[utoipa::path(
    get,
    path = "/v1/stream",
    params(Boards),
    responses(
        (status = 101, description = "A WebSocket"),
        (status = 400, description = "`bad_request`: too many games"),
        (status = 401, description = "`unauthorized`: without a token only `games` can be watched"),
        NoGame,
        (status = 426, description = "`upgrade_required`: this is a WebSocket"),
        (status = 429, description = "`too_many_streams`"),
    ),
)]
async fn own(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    address: ClientAddress,
    Query(boards): Query<Boards>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let games = boards.games.as_deref().unwrap_or_default();
    let ids: Vec<&str> = games.split(',').filter(|id| !id.is_empty()).collect();
    if ids.len() > BOARDS_MAX {
        let detail = format!("games: at most {BOARDS_MAX} boards fit on one socket");
        return Err(Problem::bad_request(detail).with("field", "games"));
    }
    if caller.is_none() && ids.is_empty() {
        let detail = "without a token there is nothing here but the boards in games";
        return Err(Problem::unauthorized(detail));
    }
    let mut tables: Vec<TableId> = Vec::with_capacity(ids.len());
    for id in ids {
        let id = table_id(id)?;
        if !tables.contains(&id) {
            tables.push(id);
        }
    }
    let place = app
        .rooms
        .place(caller.as_ref().map(Caller::number), address.0)?;
    let source = Own::open(app, caller, tables).await?;
    Ok(upgrade.serve(source, place))
}
