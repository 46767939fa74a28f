//! Rooms: making one, finding one, joining one.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use chess::Color;
use chess::skill::{Command, Creation, Match, Uuid};
use chess::table::{Actor, PlayerId};
use live::{Failure, Outcome};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use store::{ListQuery, TableId};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::{Error, ErrorView, Wrong};
use super::guest::{GuestId, Seated, guests_of, read_name};
use super::presence;
use super::snapshot::{GuestView, OnlineMatchSnapshot, time};
use crate::fanout::Item;
use crate::http::MaybeCaller;
use crate::http::{Body, ClientAddress};
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::match_ids;
use crate::problem::Problem;

/// The rooms that are listed, the newest.
const ROOMS_MAX: u32 = 200;
/// How many ids and codes are tried for a new room.
const TRIES: usize = 5;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(join))
        .routes(routes!(list))
}

/// Who makes a room.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewMatch {
    /// The guest's own UUID, which nobody else may know.
    #[serde(rename = "guestID")]
    guest_id: Option<String>,
    /// 1 to 24 characters.
    #[schema(example = "Guest 1A2B")]
    display_name: Option<String>,
}

/// Who joins which room.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct JoinMatch {
    /// In any case.
    #[schema(example = "K7M2QX")]
    room_code: Option<String>,
    /// The guest's own UUID, which nobody else may know.
    #[serde(rename = "guestID")]
    guest_id: Option<String>,
    /// 1 to 24 characters.
    #[schema(example = "Guest 9F0D")]
    display_name: Option<String>,
}

/// The match, and where its events are.
#[derive(Debug, Serialize, ToSchema)]
struct MatchAccess {
    snapshot: OnlineMatchSnapshot,
    #[serde(rename = "webSocketURL")]
    web_socket_url: String,
}

/// A room with a free seat.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RoomView {
    /// The match's UUID.
    id: String,
    room_code: String,
    host: GuestView,
    created_at: String,
    updated_at: String,
}

/// Make a room
///
/// The host plays White. Guests need no account: the `guestID` that a client
/// made for itself is its secret, and others are shown a public id instead.
#[utoipa::path(
    post,
    path = "/v1/matches",
    tag = "matches",
    request_body = NewMatch,
    security(()),
    responses(
        (status = 200, description = "The match, waiting", body = MatchAccess),
        (status = 400, description = "`missingGuestId`, `invalidDisplayName`", body = ErrorView),
        (status = 403, description = "`registrationClosed`: no guests here", body = ErrorView),
        (status = 429, description = "`rateLimited`", body = ErrorView),
    ),
)]
async fn create(
    State(app): State<App>,
    address: ClientAddress,
    headers: HeaderMap,
    body: Result<Body<NewMatch>, Problem>,
) -> Result<Json<MatchAccess>, Error> {
    let Body(new) = body.map_err(|_| Wrong::Payload)?;
    let guest = GuestId::read(new.guest_id.as_deref())?;
    let name = read_name(new.display_name.as_deref())?;
    let player = guest.welcome(&app, address.0, name).await?;
    app.rates.check(Rate::Creation, player)?;
    has_room_for_more(&app, player).await?;
    let (table, played) = place(&app, player).await?;
    let seated = Seated {
        table,
        guest,
        player,
        color: Color::White,
    };
    Ok(Json(access(&app, &headers, &seated, &played).await?))
}

/// Join a room
///
/// By its code, to play Black. Whoever has a seat already comes back to it.
#[utoipa::path(
    post,
    path = "/v1/matches/join",
    tag = "matches",
    request_body = JoinMatch,
    security(()),
    responses(
        (status = 200, description = "The match, being drafted", body = MatchAccess),
        (status = 400, description = "`missingGuestId`, `invalidDisplayName`, `invalidRoomCode`", body = ErrorView),
        (status = 403, description = "`registrationClosed`: no guests here", body = ErrorView),
        (status = 404, description = "`roomNotFound`", body = ErrorView),
        (status = 409, description = "`roomFull`", body = ErrorView),
        (status = 429, description = "`rateLimited`", body = ErrorView),
    ),
)]
async fn join(
    State(app): State<App>,
    address: ClientAddress,
    headers: HeaderMap,
    body: Result<Body<JoinMatch>, Problem>,
) -> Result<Json<MatchAccess>, Error> {
    let Body(join) = body.map_err(|_| Wrong::Payload)?;
    let guest = GuestId::read(join.guest_id.as_deref())?;
    let name = read_name(join.display_name.as_deref())?;
    let code = join.room_code.as_deref().and_then(match_ids::read_code);
    let code = code.ok_or(Wrong::RoomCode)?;
    let (table, played) = by_code(&app, address.0, &code).await?;
    let known = guest.find(&app).await?;
    let is_seated = known.is_some_and(|player| played.seat_of(player).is_some());
    // Nobody becomes a guest in front of a closed door.
    if !is_seated && played.seats().black.is_some() {
        return Err(Wrong::RoomFull.into());
    }
    let player = guest.welcome(&app, address.0, name).await?;
    if !is_seated {
        app.rates.check(Rate::Creation, player)?;
        has_room_for_more(&app, player).await?;
    }
    let who = Actor::Player(player);
    let submitted = app
        .matches
        .submit(table, who, Command::Join, app.now(), None);
    let played = match submitted.await? {
        Outcome::Changed { after, .. } => after,
        Outcome::Already { table, .. } => table,
        Outcome::Refused { why, .. } => return Err(why.into()),
    };
    let color = played.seat_of(player).ok_or(Wrong::SeatOwnership)?;
    app.rooms
        .push(Item::CameToMatch(table, Arc::clone(&played)));
    let seated = Seated {
        table,
        guest,
        player,
        color,
    };
    Ok(Json(access(&app, &headers, &seated, &played).await?))
}

/// List rooms
///
/// Those with a free seat, newest first.
#[utoipa::path(
    get,
    path = "/v1/matches/rooms",
    tag = "matches",
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The rooms", body = Vec<RoomView>),
        (status = 401, description = "`unauthorized`: here nobody reads without a token", body = ErrorView),
    ),
)]
async fn list(
    State(app): State<App>,
    reader: Result<MaybeCaller, Problem>,
) -> Result<Json<Vec<RoomView>>, Error> {
    // Lists are the same for everyone whom the settings let read.
    reader?;
    let waiting = ListQuery {
        kind: Some(Match::KIND),
        state: Some("WAITING".to_owned()),
        limit: ROOMS_MAX,
        ..ListQuery::default()
    };
    let mut rooms = Vec::new();
    for place in app.store.list(waiting).await? {
        let Some(played) = app.matches.listed(place.table, None).await? else {
            continue;
        };
        let guests = guests_of(&app, &played).await?;
        if let (Some(host), "waitingForPlayers") = (&guests.white, played.phase().name()) {
            rooms.push(RoomView {
                id: match_ids::match_id(place.table).to_string(),
                room_code: match_ids::room_code(played.creation().seed),
                host: GuestView::of(host, None),
                created_at: time(played.created_at()),
                updated_at: time(played.last_at()),
            });
        }
    }
    Ok(Json(rooms))
}

/// The room with that code. Whoever tries many is stopped.
async fn by_code(app: &App, from: IpAddr, code: &str) -> Result<(TableId, Arc<Match>), Error> {
    app.rates.look(Rate::WrongCode, from)?;
    let found = match app.store.by_join_code(code).await? {
        Some(table) => match app.matches.read(table, None).await {
            // A game of chess, which has its codes from the same letters.
            Err(Failure::NotFound) => None,
            read => Some((table, read?)),
        },
        None => None,
    };
    if found.is_none() {
        app.rates.count(Rate::WrongCode, from);
    }
    found.ok_or_else(|| Wrong::RoomNotFound.into())
}

async fn has_room_for_more(app: &App, player: PlayerId) -> Result<(), Error> {
    let unfinished = app.store.count_unfinished(player).await?;
    if unfinished >= app.settings.games_per_account {
        return Err(Problem::rate_limited(60).into());
    }
    Ok(())
}

/// Finds the match a free id and a free code, and makes it durable.
async fn place(app: &App, host: PlayerId) -> Result<(TableId, Arc<Match>), Error> {
    for _ in 0..TRIES {
        let table = TableId::from_random(rand::rng().random());
        let seed = Uuid(rand::rng().random());
        let played = Match::create(app.now(), Creation { host, seed });
        let code = match_ids::room_code(seed);
        match app.matches.create(table, played, Some(&code), None).await {
            Err(Failure::Taken) => {}
            placed => return Ok((table, placed?)),
        }
    }
    Err(Problem::unavailable().into())
}

async fn access(
    app: &App,
    headers: &HeaderMap,
    seated: &Seated,
    played: &Match,
) -> Result<MatchAccess, Error> {
    let guests = guests_of(app, played).await?;
    let here = presence::of(app, seated.table, played);
    Ok(MatchAccess {
        snapshot: OnlineMatchSnapshot::of(played, &guests, here, seated),
        web_socket_url: web_socket_url(app, headers, seated),
    })
}

/// Where the server is reached: as the operator says, else as this request did.
fn web_socket_url(app: &App, headers: &HeaderMap, seated: &Seated) -> String {
    let settings = &app.settings;
    let base = match &settings.public_url {
        Some(url) => url.replacen("http", "ws", 1),
        None => {
            let scheme = if settings.is_tls() { "wss" } else { "ws" };
            let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
            let listen = settings.listen.to_string();
            format!("{scheme}://{}", host.unwrap_or(&listen))
        }
    };
    let id = match_ids::match_id(seated.table);
    format!(
        "{base}/v1/matches/{id}/live?guestID={}",
        seated.guest.uuid()
    )
}
