//! Everything a player does in a game.

use axum::Json;
use chess::game::Offer;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::asking::Asking;
use super::error::{Error, ErrorView};
use super::request::NewMove;
use super::view::GameState;
use crate::play::look::look;
use crate::play::moves::{self, Order};
use crate::play::{App, commands, join, offers};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(join_game))
        .routes(routes!(make_move))
        .routes(routes!(resign))
        .routes(routes!(offer_draw))
        .routes(routes!(accept_draw))
        .routes(routes!(tick))
}

/// One handler for a call that takes no body: its name, its path, the name of its
/// operation, what it does, its refusals, what it calls, and with what.
macro_rules! call {
    ($name:ident, $path:literal, $operation:literal, $summary:literal, $refusals:literal, $command:path $(, $with:expr)?) => {
        #[doc = $summary]
        #[utoipa::path(
            post,
            path = $path,
            operation_id = $operation,
            params(("game_id" = String, Path, description = "The game's UUID")),
            responses(
                (status = 200, description = "The game", body = GameState),
                (status = 403, description = "`not_a_player`, `not_invited`, `missing_scope`", body = ErrorView),
                (status = 404, description = "`game_not_found`", body = ErrorView),
                (status = 409, description = $refusals, body = ErrorView),
            ),
        )]
        async fn $name(asking: Asking) -> Result<Json<GameState>, Error> {
            let sight = $command(&asking.asked(), asking.id $(, $with)?).await?;
            Ok(Json(GameState::of(&asking.app, &sight).await?))
        }
    };
}

call!(
    join_game,
    "/live/v1/games/{game_id}/join",
    "live_join_game",
    "Join a game: it starts, and so do the clocks",
    "`game_not_waiting`, `own_game`, `not_allowed`",
    join::by_id
);
call!(
    resign,
    "/live/v1/games/{game_id}/resign",
    "live_resign",
    "Resign",
    "`game_not_active`",
    commands::resign
);
call!(
    offer_draw,
    "/live/v1/games/{game_id}/offer-draw",
    "live_offer_draw",
    "Offer a draw, or accept the one on offer",
    "`too_soon`, `game_not_active`",
    offers::offer,
    Offer::Draw
);
call!(
    accept_draw,
    "/live/v1/games/{game_id}/accept-draw",
    "live_accept_draw",
    "Accept a draw that is on offer",
    "`no_offer`, `game_not_active`",
    offers::accept,
    Offer::Draw
);
call!(
    tick,
    "/live/v1/games/{game_id}/tick",
    "live_tick",
    "Have the server look at the clocks: never needed, always safe",
    "None",
    commands::tick
);

/// Play a move
#[utoipa::path(
    post,
    path = "/live/v1/games/{game_id}/moves",
    operation_id = "live_play_move",
    params(("game_id" = String, Path, description = "The game's UUID")),
    request_body = NewMove,
    responses(
        (status = 200, description = "The game after it", body = GameState),
        (status = 400, description = "`illegal_move`; `bad_request`: what is no square", body = ErrorView),
        (status = 403, description = "`not_a_player`, `missing_scope`", body = ErrorView),
        (status = 404, description = "`game_not_found`", body = ErrorView),
        (status = 409, description = "`game_not_active`, `wrong_turn`, `clock_expired`", body = ErrorView),
    ),
)]
async fn make_move(asking: Asking<NewMove>) -> Result<Json<GameState>, Error> {
    let Asking {
        app,
        caller,
        id,
        body,
        ..
    } = &asking;
    let (from, to, promotion) = body.read()?;
    let before = look(app, *id, Some(caller)).await?;
    let text = moves::between(&before.game, from, to, promotion);
    let order = Order {
        text: &text,
        ..Order::default()
    };
    let moved = moves::make(&asking.asked(), *id, &order).await;
    moved.map_err(|problem| Error::of_move(problem, &text))?;
    let sight = look(app, *id, Some(caller)).await?;
    Ok(Json(GameState::of(app, &sight).await?))
}
