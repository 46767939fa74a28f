//! A guest's own match: looking at it, and acting in it.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use serde::Deserialize;
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::action;
use super::error::{Error, ErrorView, Wrong};
use super::event::{OnlineMatchEvent, What};
use super::guest::{GuestId, Seated, guests_of};
use super::snapshot::OnlineMatchSnapshot;
use crate::http::extract::AnyJson;
use crate::http::{Path, Query};
use crate::play::matches::{self, Done};
use crate::play::{App, match_ids, match_presence as presence};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show))
        .routes(routes!(act))
}

/// Who asks.
#[derive(Debug, Default, Deserialize, IntoParams)]
pub(super) struct AsGuest {
    /// The guest's own UUID.
    #[serde(rename = "guestID")]
    #[param(rename = "guestID")]
    pub(super) guest_id: Option<String>,
}

/// A request of a guest about a match.
pub(super) struct Asking {
    pub(super) id: String,
    pub(super) guest: GuestId,
}

impl FromRequestParts<App> for Asking {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Asking, Error> {
        let query = Query::<AsGuest>::from_request_parts(parts, app).await;
        let Query(asks) = query.map_err(|_| Wrong::MissingGuest)?;
        let guest = GuestId::read(asks.guest_id.as_deref())?;
        let id = Path::<String>::from_request_parts(parts, app).await;
        let Path(id) = id.map_err(|_| Wrong::MatchNotFound)?;
        Ok(Asking { id, guest })
    }
}

/// Look at a match
///
/// As one of its two guests.
#[utoipa::path(
    get,
    path = "/v1/matches/{matchID}",
    params(("matchID" = String, Path, description = "The match's UUID"), AsGuest),
    responses(
        (status = 200, description = "The match", body = OnlineMatchSnapshot),
        (status = 400, description = "`missingGuestId`", body = ErrorView),
        (status = 403, description = "`seatOwnership`", body = ErrorView),
        (status = 404, description = "`matchNotFound`", body = ErrorView),
    ),
)]
async fn show(
    State(app): State<App>,
    Asking { id, guest }: Asking,
) -> Result<Json<OnlineMatchSnapshot>, Error> {
    let (seated, played) = Seated::find(&app, &id, guest).await?;
    let guests = guests_of(&app, &played).await?;
    let here = presence::of(&app, seated.table, &played);
    let snapshot = OnlineMatchSnapshot::of(&played, &guests, here, &seated);
    Ok(Json(snapshot))
}

/// An action.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes what is read bit by bit")]
#[schema(as = OnlineMatchAction)]
struct ActionView {
    /// The client's UUID for it: the same action twice is done once.
    id: String,
    #[schema(rename = "matchID")]
    match_id: String,
    /// The guest's own UUID.
    #[schema(rename = "actorID")]
    actor_id: String,
    /// The revision that the client saw: must be the latest.
    #[schema(rename = "baseRevision")]
    base_revision: u64,
    /// `joinMatch`, `updateDraftSelection`, `lockDraft`, `makeMove`, `offerDraw`,
    /// `acceptDraw`, `declineDraw`, `resign` or `leaveMatch`.
    #[schema(rename = "type")]
    kind: String,
    /// The client's own time, which decides nothing.
    #[schema(rename = "submittedAt")]
    submitted_at: String,
    /// `{skillID, position}` or `{move: {from, to, promotionPieceName, equippedSkillID}}`;
    /// all others have none.
    payload: Value,
}

/// Act
///
/// Accepted or rejected, the answer has the latest snapshot. An action whose id
/// was accepted before is not done again: it is accepted, also with the latest
/// snapshot. With another action the id is rejected: `actionReused`.
///
/// `leaveMatch` and `joinMatch` say that a guest goes away from their seat and is
/// back. They are accepted and told as `presenceChanged`, whatever `baseRevision`
/// they have, but leave the revision as it is: one guest's coming and going must
/// not make the other's move stale. (To take the free seat, use `/v1/matches/join`.)
/// Only in a room that nobody has joined yet is `leaveMatch` a change like any
/// other: it closes the room, and the match is `finished`, `aborted`.
///
/// `offerDraw` stands as `drawOfferedBy` until the opponent answers with
/// `acceptDraw` (or `offerDraw`: the match is `finished`, `agreement`), with
/// `declineDraw` or with a move; whoever made it withdraws it with `declineDraw`.
/// With nothing to answer: `noDrawOffer`. Before both have moved, and within 20
/// half-moves after one's last offer: `drawOfferTooSoon`.
#[utoipa::path(
    post,
    path = "/v1/matches/{matchID}/actions",
    params(("matchID" = String, Path, description = "The match's UUID")),
    request_body = ActionView,
    responses(
        (status = 200, description = "`actionAccepted`, `finished` or `actionRejected`", body = OnlineMatchEvent),
        (status = 400, description = "`missingGuestId`, `invalidPayload`", body = ErrorView),
        (status = 403, description = "`seatOwnership`", body = ErrorView),
        (status = 404, description = "`matchNotFound`", body = ErrorView),
        (status = 429, description = "`rateLimited`", body = ErrorView),
    ),
)]
async fn act(
    State(app): State<App>,
    id: Result<Path<String>, Problem>,
    body: Result<AnyJson, Problem>,
) -> Result<Json<OnlineMatchEvent>, Error> {
    let received = app.now();
    let Path(id) = id.map_err(|_| Wrong::MatchNotFound)?;
    let AnyJson(body) = body.map_err(|_| Wrong::Payload)?;
    let guest = GuestId::read(action::actor(&body))?;
    let (seated, _) = Seated::find(&app, &id, guest).await?;
    let Seated { table, player, .. } = seated;
    let (action_id, action) = action::read(body, match_ids::match_id(table));
    let (done, played) = matches::act(&app, table, player, action, received).await?;
    let guests = guests_of(&app, &played).await?;
    let mut here = presence::of(&app, table, &played);
    // The one who asks is there, unless they just left.
    *here.get_mut(seated.color) = !matches!(done, Done::Left);
    let what = match (done, action_id) {
        (Done::Rejected(why), _) => What::Rejected(action_id, why),
        (Done::Changed, _) | (_, None) => What::Changed(action_id),
        (Done::Accepted | Done::Left, Some(id)) => What::Accepted(id),
    };
    let event = OnlineMatchEvent::of(what, &played, &guests, here, &seated);
    Ok(Json(event))
}
