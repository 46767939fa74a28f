//! The lobby: the games that the caller may join, as a list and as streams.

mod reader;
pub(super) mod words;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use chess::clock::Speed;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::reader::LobbyReader;
use super::games::list::{GamePage, limit, read_cursor, show_page};
use super::games::variant_named;
use crate::auth::Caller;
use crate::http::described::{READERS, about, open_to};
use crate::http::{ClientAddress, MaybeCaller, Query};
use crate::play::App;
use crate::play::lobby::{self, Filter, Viewer};
use crate::problem::Problem;
use crate::stream::events;
use crate::stream::socket::Upgrade;

/// Every call under `/v1/lobby`.
pub fn routes() -> OpenApiRouter<App> {
    let calls = OpenApiRouter::new()
        .routes(routes!(show))
        .routes(routes!(stream))
        .routes(routes!(follow));
    about("lobby", open_to(READERS, calls))
}

/// Which games are wanted.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Wanted {
    /// Only this variant.
    variant: Option<String>,
    /// Only this speed: `ultraBullet`, `bullet`, `blitz`, `rapid`, `classical` or
    /// `correspondence`.
    speed: Option<String>,
    /// Only rated games, or only casual ones.
    rated: Option<bool>,
}

impl Wanted {
    fn read(&self) -> Result<Filter, Problem> {
        Ok(Filter {
            variant: self.variant.as_deref().map(variant_named).transpose()?,
            speed: self.speed.as_deref().map(speed_named).transpose()?,
            rated: self.rated,
        })
    }
}

/// Which part of the list.
#[derive(Debug, Default, Deserialize, IntoParams)]
struct Part {
    /// Where the previous page ended: its `next_cursor`.
    cursor: Option<String>,
    /// How many, 1 to 100; 20 if left out.
    limit: Option<u32>,
}

fn speed_named(name: &str) -> Result<Speed, Problem> {
    Ok(match name {
        "ultraBullet" | "ultra_bullet" => Speed::UltraBullet,
        "bullet" => Speed::Bullet,
        "blitz" => Speed::Blitz,
        "rapid" => Speed::Rapid,
        "classical" => Speed::Classical,
        "correspondence" => Speed::Correspondence,
        _ => {
            let detail = "speed must be ultraBullet, bullet, blitz, rapid, classical or \
                          correspondence";
            return Err(Problem::bad_request(detail).with("field", "speed"));
        }
    })
}

/// List the games that you may join
///
/// Public games that wait for whoever comes, newest first. One's own are not among
/// them; a guest sees no rated ones. Without a token: whatever a registered player
/// may join.
#[utoipa::path(
    get,
    path = "/v1/lobby",
    operation_id = "lobby",
    params(Wanted, Part),
    responses(
        (status = 200, description = "A page of games", body = GamePage),
        (status = 400, description = "`bad_request`: no such variant or speed, or the limit is not 1 to 100"),
    ),
)]
async fn show(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    Query(wanted): Query<Wanted>,
    Query(part): Query<Part>,
) -> Result<Json<GamePage>, Problem> {
    let filter = wanted.read()?;
    let limit = limit(part.limit)?;
    let after = part.cursor.as_deref().map(read_cursor).transpose()?;
    let viewer = Viewer::of(&app, caller.as_ref()).await?;
    let found = lobby::page(&app, &viewer, &filter, after, limit).await?;
    show_page(&app, found).await.map(Json)
}

/// Watch the games that you may join
///
/// A WebSocket. `STATE` first, with the newest 200 of them; then `OPENED` when a game
/// comes to these, and `GONE` when one leaves them. Told at most a few times a second:
/// a game that comes and goes in between is not told. Who falls behind, or misses
/// something, gets `STATE` again, with `resync: true`.
#[utoipa::path(
    get,
    path = "/v1/lobby/stream",
    operation_id = "lobby_stream",
    params(Wanted),
    responses(
        (status = 101, description = "A WebSocket"),
        (status = 400, description = "`bad_request`: no such variant or speed"),
        (status = 426, description = "`upgrade_required`: this is a WebSocket"),
        (status = 429, description = "`too_many_streams`"),
    ),
)]
async fn stream(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    address: ClientAddress,
    Query(wanted): Query<Wanted>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let filter = wanted.read()?;
    let place = app
        .rooms
        .place(caller.as_ref().map(Caller::number), address.0)?;
    let reader = LobbyReader::open(app, caller, filter).await?;
    Ok(upgrade.serve(reader, place))
}

/// Watch the games that you may join, without WebSocket
///
/// The same messages as server-sent events. Who comes back gets `STATE`.
#[utoipa::path(
    get,
    path = "/v1/lobby/events",
    operation_id = "lobby_events",
    params(Wanted),
    responses(
        (status = 200, description = "Events without end", content_type = "text/event-stream", body = String),
        (status = 400, description = "`bad_request`: no such variant or speed"),
        (status = 429, description = "`too_many_streams`"),
    ),
)]
async fn follow(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    address: ClientAddress,
    Query(wanted): Query<Wanted>,
) -> Result<Response, Problem> {
    let filter = wanted.read()?;
    let place = app
        .rooms
        .place(caller.as_ref().map(Caller::number), address.0)?;
    let reader = LobbyReader::open(app, caller, filter).await?;
    Ok(events::serve(reader, place))
}
