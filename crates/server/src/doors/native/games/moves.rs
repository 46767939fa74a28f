//! Making a move.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use chess::Millis;
use chess::game::{Command, Event, Game, MoveCommand, MoveReport};
use chess::rules::{Spelled, Square};
use live::Outcome;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::settled;
use super::idempotency::IdempotencyKey;
use super::play::Play;
use super::view::{Sides, clock_views, color_name};
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::keys::Keyed;
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
struct MoveRequest {
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
struct MoveAnswer {
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

impl From<MoveReport> for MoveAnswer {
    fn from(report: MoveReport) -> MoveAnswer {
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
            game_state: report.state,
            check: report.check,
            result: report.ending.map(|e| e.result()),
            reason: report.ending.map(|e| e.reason()),
            draw_offer_refused: None,
        }
    }
}

impl MoveAnswer {
    /// The answer to a move that was to offer a draw, and is recorded like this.
    /// What was asked is in every retry, what became of it in the record: so a
    /// retry says the same.
    fn with_offer(self, is_asked: bool, recorded: &Event) -> MoveAnswer {
        let is_dropped = matches!(
            recorded,
            Event::Moved {
                offers_draw: false,
                ending: None,
                ..
            }
        );
        MoveAnswer {
            draw_offer_refused: (is_asked && is_dropped).then_some("too_soon"),
            ..self
        }
    }
}

impl MoveRequest {
    fn command(&self, text: String, lag: Millis) -> MoveCommand {
        MoveCommand {
            text,
            ply: self.ply,
            version: self.version,
            offer_draw: self.offer_draw,
            lag,
        }
    }

    /// The move as one text. Its parts are checked one by one: put together,
    /// half of a move may be another that is whole.
    fn written(&self) -> Result<String, Problem> {
        if let Some(text) = &self.text {
            return Ok(text.clone());
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
            Ok(format!("{from}{to}{promotion}").to_ascii_lowercase())
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
    tag = "play",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    request_body = MoveRequest,
    security(("token" = ["play"])),
    responses(
        (status = 200, description = "Accepted and durable", body = MoveAnswer),
        (status = 400, description = "`bad_move`: what is missing or no square is in `field`"),
        (status = 403, description = "`not_a_player`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`stale_ply`, `game_not_active`, `wrong_turn`, `ply_ahead`, `clock_expired`"),
        (status = 422, description = "`illegal_move`; `game_state`, `result` and `reason` if it was one attempt too many"),
    ),
)]
async fn make_move(play: Play<MoveRequest>) -> Result<Response, Problem> {
    play.app.rates.check(Rate::Move, play.caller.number())?;
    let what = serde_json::to_string(&play.body).expect("a request is plain JSON");
    let keyed = play.keyed(&what).await?;
    let Play {
        app,
        caller,
        id,
        body,
        received,
        ..
    } = play;
    if let Keyed::Again(first) = keyed {
        let game = app.games.read(first.table, Some(caller.number())).await?;
        return answered(recorded(&game, first.version), body.offer_draw);
    }
    let lag = app.rooms.lags().of(id, caller.number());
    // What is no move is refused when its turn among the guards comes.
    let written = body.written();
    let text = written.as_ref().map(String::as_str).unwrap_or_default();
    let command = Command::Move(body.command(text.to_owned(), lag));
    let outcome = app
        .games
        .submit(id, caller.actor(), command, received, keyed.remember())
        .await?;
    let made = match outcome {
        Outcome::Changed {
            before,
            after,
            event: event @ Event::Moved { uci, .. },
        } => {
            let board = before.board();
            let played = board.resolve(Spelled::Uci(uci.unpack())).ok();
            played.map(|m| (MoveReport::new(board, m, &after), event))
        }
        Outcome::Already { version, table } => recorded(&table, version),
        other => {
            let refused = settled(other, &caller).err();
            let refused = refused.unwrap_or_else(Problem::unavailable);
            return Err(match written {
                Err(slip) if refused.code == BAD_MOVE => slip,
                _ => refused,
            });
        }
    };
    answered(made, body.offer_draw)
}

fn answered(made: Option<(MoveReport, Event)>, is_offering: bool) -> Result<Response, Problem> {
    let (report, event) = made.ok_or_else(Problem::unavailable)?;
    let made = MoveAnswer::from(report).with_offer(is_offering, &event);
    Ok(answer(&made))
}

/// The move that made a version, as it was reported and as it is recorded.
fn recorded(game: &Game, version: u32) -> Option<(MoveReport, Event)> {
    let index = usize::try_from(version).ok()?.checked_sub(1)?;
    Some((game.report(version)?, game.entries().nth(index)?.event))
}

/// As `Json` would, but into a buffer that need not grow.
fn answer(answer: &MoveAnswer) -> Response {
    let mut json = Vec::with_capacity(ANSWER_BYTES);
    serde_json::to_writer(&mut json, answer).expect("answers are plain JSON");
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}
