//! Rooms: making one, finding one, joining one.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::{Error, ErrorView, Wrong};
use super::guest::{GuestId, Seated, guests_of, read_name};
use super::snapshot::{GuestView, OnlineMatchSnapshot, time};
use crate::http::MaybeCaller;
use crate::http::{Body, ClientAddress};
use crate::play::App;
use crate::play::match_ids;
use crate::play::match_presence as presence;
use crate::play::matches::{self, Joined};
use crate::problem::Problem;

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
    request_body = NewMatch,
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
    let made = matches::create(&app, &guest.named(address.0, name)).await?;
    Ok(Json(access(&app, &headers, guest, &made).await?))
}

/// Join a room
///
/// By its code, to play Black. Whoever has a seat already comes back to it.
#[utoipa::path(
    post,
    path = "/v1/matches/join",
    request_body = JoinMatch,
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
    let joined = matches::join(&app, &guest.named(address.0, name), &code).await?;
    Ok(Json(access(&app, &headers, guest, &joined).await?))
}

/// List rooms
///
/// Those with a free seat, newest first.
#[utoipa::path(
    get,
    path = "/v1/matches/rooms",
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
    let mut rooms = Vec::new();
    for (table, played) in matches::open(&app).await? {
        let guests = guests_of(&app, &played).await?;
        if let Some(host) = &guests.white {
            rooms.push(RoomView {
                id: match_ids::match_id(table).to_string(),
                room_code: match_ids::room_code(played.creation().seed),
                host: GuestView::of(host, None),
                created_at: time(played.created_at()),
                updated_at: time(played.last_at()),
            });
        }
    }
    Ok(Json(rooms))
}

async fn access(
    app: &App,
    headers: &HeaderMap,
    guest: GuestId,
    joined: &Joined,
) -> Result<MatchAccess, Error> {
    let played = &joined.played;
    let seated = Seated {
        table: joined.table,
        guest,
        player: joined.player,
        color: joined.color,
    };
    let guests = guests_of(app, played).await?;
    let here = presence::of(app, seated.table, played);
    Ok(MatchAccess {
        snapshot: OnlineMatchSnapshot::of(played, &guests, here, &seated),
        web_socket_url: web_socket_url(app, headers, &seated),
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
