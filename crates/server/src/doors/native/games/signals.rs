//! What a player's client says of how a game is played.

use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::play::Play;
use crate::http::described::NoGame;
use crate::play::{App, signals};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(note))
}

/// Something that a client noticed.
#[derive(Debug, Deserialize, ToSchema)]
struct NewSignal {
    /// What.
    kind: Kind,
    /// After how many half-moves.
    at_ply: Option<u32>,
}

/// What a client can notice: the player looked away from the game, or back at it.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = SignalKind)]
enum Kind {
    FocusLost,
    FocusGained,
}

/// Tell that the player looked away
///
/// By the players of a running game; kept with it for operators, up to 200 of a kind.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/signals",
    operation_id = "signal_game",
    params(("id" = String, Path, description = "The game")),
    request_body = NewSignal,
    responses(
        (status = 204, description = "Kept"),
        (status = 403, description = "`not_a_player`"),
        NoGame,
        (status = 409, description = "`game_not_active`, `too_many_signals`"),
    ),
)]
async fn note(play: Play<NewSignal>) -> Result<StatusCode, Problem> {
    let kind = match play.body.kind {
        Kind::FocusLost => "focus_lost",
        Kind::FocusGained => "focus_gained",
    };
    signals::note(&play.app, &play.caller, play.id, kind, play.body.at_ply).await?;
    Ok(StatusCode::NO_CONTENT)
}
