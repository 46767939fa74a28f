//! Playing again with colours swapped.

use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::answer;
use super::play::Play;
use super::view::GameView;
use crate::play::{App, Asked, rematch};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(offer))
        .routes(routes!(accept))
}

/// Offer a rematch
///
/// A new game with colours swapped that waits for the opponent; or, if the
/// opponent has offered one, its acceptance. Answers with the new game.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/offer-rematch",
    params(("id" = String, Path, description = "The finished game")),
    responses(
        (status = 200, description = "The new game", body = GameView),
        (status = 403, description = "`not_a_player`"),
        (status = 409, description = "`not_allowed`: the game is not over, or too many were offered"),
    ),
)]
async fn offer(play: Play) -> Result<Response, Problem> {
    let asked = Asked::new(&play.app, &play.caller);
    let offered = rematch::offer(&asked, play.id).await?;
    answer(&play.app, offered).await
}

/// Accept a rematch
///
/// Answers with the new game.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/accept-rematch",
    params(("id" = String, Path, description = "The finished game")),
    responses(
        (status = 200, description = "The new game, started", body = GameView),
        (status = 403, description = "`not_a_player`"),
        (status = 409, description = "`no_offer`, `not_allowed`"),
    ),
)]
async fn accept(play: Play) -> Result<Response, Problem> {
    let asked = Asked::new(&play.app, &play.caller);
    let accepted = rematch::accept(&asked, play.id).await?;
    answer(&play.app, accepted).await
}
