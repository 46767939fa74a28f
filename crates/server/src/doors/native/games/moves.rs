//! Making a move.

use std::borrow::Cow;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use chess::rules::Square;
use serde::{Deserialize, Serialize};
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::idempotency::IdempotencyKey;
use super::play::Play;
use super::view::{Sides, clock_views, color_name};
use crate::http::described::NoGame;
use crate::json;
use crate::play::moves::{self, Moved, Order};
use crate::play::{App, Asked};
use crate::problem::{Kind, Problem};

/// What cannot be read as a move.
const BAD_MOVE: &str = "bad_move";

/// More than an answer takes.
const ANSWER_BYTES: usize = 512;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(make_move))
}

/// A move to be made.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct MoveRequest {
    /// UCI (`e2e4`, `e7e8q`), dashed (`e2-e4`) or SAN (`Nf3`, `O-O`). The `x` of a
    /// capture may be left out; with one, something must be captured.
    #[serde(rename = "move")]
    #[schema(example = "e2e4")]
    text: Option<String>,
    /// Instead of `move`, and only with `to`: the square moved from.
    from: Option<String>,
    /// Instead of `move`, and only with `from`: the square moved to.
    to: Option<String>,
    /// With `from` and `to`: what a pawn becomes, `q`, `r`, `b` or `n`.
    promotion: Option<String>,
    /// The half-move this is meant to be; left out: the next.
    ply: Option<u32>,
    /// The last version the client saw; matters after takebacks.
    version: Option<u32>,
    /// Offer a draw with the move; see `offer-draw` for how soon. The answer's
    /// `draw_offer_refused` says if it could not be.
    #[serde(default)]
    offer_draw: bool,
}

/// A move that was accepted.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MoveAnswer {
    /// The half-move.
    ply: u32,
    /// In UCI.
    #[serde(rename = "move")]
    uci: String,
    /// In standard algebraic notation.
    san: String,
    /// The position after it.
    fen: String,
    /// Whose move it is now.
    to_move: &'static str,
    /// Both clocks in whole seconds, as of the move's receipt.
    clock: Option<Sides<u32>>,
    /// Both clocks in milliseconds, as of the move's receipt.
    clock_ms: Option<Sides<u32>>,
    /// The version the move made.
    version: u32,
    /// `ACTIVE` or `COMPLETED`.
    game_state: &'static str,
    /// Whether the side to move is in check.
    check: bool,
    /// How the game ended, if it did.
    result: Option<&'static str>,
    /// Why it ended.
    reason: Option<&'static str>,
    /// `too_soon`: the move counts, but the draw that was to be offered with it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    draw_offer_refused: Option<&'static str>,
}

impl From<Moved> for MoveAnswer {
    fn from(moved: Moved) -> MoveAnswer {
        let Moved {
            report,
            offer_refused,
        } = moved;
        let (clock, clock_ms) = clock_views(report.clocks);
        MoveAnswer {
            ply: report.ply,
            uci: report.uci,
            san: report.san,
            fen: report.fen,
            to_move: color_name(report.to_move),
            clock,
            clock_ms,
            version: report.version,
            game_state: report.state.name(),
            check: report.check,
            result: report.ending.map(|e| e.result()),
            reason: report.ending.map(|e| e.reason()),
            draw_offer_refused: offer_refused.then_some("too_soon"),
        }
    }
}

impl MoveRequest {
    /// All that makes two requests under one key the same.
    pub(crate) fn what(&self) -> String {
        serde_json::to_string(self).expect("a request is plain JSON")
    }

    /// Makes the move.
    pub(crate) async fn make(&self, asked: &Asked<'_>, id: TableId) -> Result<MoveAnswer, Problem> {
        // What is no move is refused when its turn among the guards comes.
        let written = self.written();
        let order = Order {
            text: written.as_ref().map_or("", |text| &**text),
            ply: self.ply,
            version: self.version,
            offers_draw: self.offer_draw,
        };
        match (moves::make(asked, id, &order).await, written) {
            (Ok(moved), _) => Ok(moved.into()),
            (Err(refused), Err(slip)) if refused.code == BAD_MOVE => Err(slip),
            (Err(refused), _) => Err(refused),
        }
    }

    /// The move as one text. Its parts are checked one by one: put together,
    /// half of a move may be another that is whole.
    fn written(&self) -> Result<Cow<'_, str>, Problem> {
        if let Some(text) = &self.text {
            return Ok(text.into());
        }
        let (from, to) = match (&self.from, &self.to) {
            (Some(from), Some(to)) => (from, to),
            (None, None) if self.promotion.is_none() => {
                return Err(slip("move", "move is required, or from and to"));
            }
            (None, _) => return Err(slip("from", "from is required beside to")),
            (_, None) => return Err(slip("to", "to is required beside from")),
        };
        let promotion = self.promotion.as_deref().unwrap_or_default();
        let is_square = |text: &String| text.parse::<Square>().is_ok();
        let is_piece = |c: char| "qrbnkQRBNK".contains(c);
        if !is_square(from) {
            Err(slip("from", "from is a square such as e2"))
        } else if !is_square(to) {
            Err(slip("to", "to is a square such as e4"))
        } else if promotion.len() > 1 || !promotion.chars().all(is_piece) {
            Err(slip("promotion", "promotion is q, r, b or n"))
        } else {
            let text = format!("{from}{to}{promotion}").to_ascii_lowercase();
            Ok(text.into())
        }
    }
}

fn slip(field: &str, detail: &str) -> Problem {
    Problem::new(Kind::Malformed, BAD_MOVE, detail).with("field", field)
}

/// Make a move
///
/// `ply` makes a retry harmless: the same move at the same half-move gets the
/// first answer again, byte for byte. Without `ply`, an `Idempotency-Key` does.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/moves",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    request_body = MoveRequest,
    responses(
        (status = 200, description = "Accepted and durable", body = MoveAnswer),
        (status = 400, description = "`bad_move`: what is missing or no square is in `field`"),
        (status = 403, description = "`not_a_player`"),
        NoGame,
        (status = 409, description = "`stale_ply`, `game_not_active`, `wrong_turn`, `ply_ahead`, `clock_expired`"),
        (status = 422, description = "`illegal_move`; `game_state`, `result` and `reason` if it was one attempt too many"),
    ),
)]
async fn make_move(play: Play<MoveRequest>) -> Result<Response, Problem> {
    let asked = play.asked_with(MoveRequest::what)?;
    let made = play.body.make(&asked, play.id).await?;
    Ok(json::Answer(made, ANSWER_BYTES).into_response())
}

/// The same for a request that was found to be a move without looking for its route.
pub(crate) async fn make_move_in(
    app: &App,
    id: &str,
    request: Request,
) -> Result<Response, Problem> {
    make_move(Play::of(app, id, request).await?).await
}
