//! Conditional moves, in games with days per move.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::table_id;
use super::play::Play;
use crate::auth::Caller;
use crate::http::Path;
use crate::http::described::NoGame;
use crate::play::App;
use crate::play::correspondence::conditional::{self, Planned};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show, set))
}

/// What to answer if they play this or that.
#[derive(Debug, Deserialize, ToSchema)]
struct NewConditionalMoves {
    /// Lines of moves, in UCI or SAN: their move, your answer, their next move, your answer.
    /// All lines together have at most 1,000 half-moves; none takes them away.
    #[schema(example = json!([["e7e5", "g1f3", "b8c6", "f1b5"], ["c7c5", "g1f3"]]))]
    lines: Vec<Vec<String>>,
}

/// What you answer if they play this or that.
#[derive(Debug, Serialize, ToSchema)]
struct ConditionalMoves {
    /// What is left of the lines, in UCI, beginning with the opponent's move.
    lines: Vec<Vec<String>>,
    /// The half-moves played in the position that they begin with.
    ply: u32,
}

impl From<Planned> for ConditionalMoves {
    fn from(planned: Planned) -> ConditionalMoves {
        ConditionalMoves {
            lines: planned.lines,
            ply: planned.ply,
        }
    }
}

/// Your conditional moves
///
/// Nobody else ever sees them.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/conditional-moves",
    operation_id = "show_conditional_moves",
    params(("id" = String, Path, description = "The game")),
    responses(
        (status = 200, description = "What is left of them", body = ConditionalMoves),
        (status = 403, description = "`not_a_player`"),
        NoGame,
        (status = 409, description = "`not_allowed`: the game is not by days per move"),
    ),
)]
async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<ConditionalMoves>, Problem> {
    let planned = conditional::show(&app, &caller, table_id(&id)?).await?;
    Ok(Json(planned.into()))
}

/// Say how you answer
///
/// In games with days per move, while the opponent is to move. The server plays your answer
/// in the instant they make the move it is for. What the game leaves is dropped, and so is
/// everything after a takeback. An answer turns down a draw that is offered with the move;
/// while the game is paused, or a takeback is asked for, answers wait.
#[utoipa::path(
    put,
    path = "/v1/games/{id}/conditional-moves",
    operation_id = "set_conditional_moves",
    params(("id" = String, Path, description = "The game")),
    request_body = NewConditionalMoves,
    responses(
        (status = 200, description = "As they are now", body = ConditionalMoves),
        (status = 403, description = "`not_a_player`"),
        NoGame,
        (status = 409, description = "`not_allowed`: the game is not by days per move; `wrong_turn`: it is your move; `game_not_active`"),
        (status = 422, description = "`bad_conditional_moves`, with `line` and `half_move`, from 1"),
    ),
)]
async fn set(play: Play<NewConditionalMoves>) -> Result<Json<ConditionalMoves>, Problem> {
    let Play {
        app, caller, body, ..
    } = &play;
    let planned = conditional::set(app, caller, play.id, &body.lines).await?;
    Ok(Json(planned.into()))
}
