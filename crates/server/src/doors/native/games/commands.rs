//! Everything a player may ask of a game besides moving.

use axum::response::Response;
use chess::game::{Command, Offer};
use chess::{Millis, Timestamp};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{settled, show, visible_game};
use super::create;
use super::idempotency::IdempotencyKey;
use super::names::find;
use super::play::{Answering, Play};
use super::sight::as_seen_by;
use super::view::GameView;
use crate::app::App;
use crate::http::ApiError;

/// One handler for a command that takes no body: its name, its path, its
/// documentation, and what it asks of the game.
macro_rules! command {
    ($name:ident, $path:literal, $summary:literal, $refusals:literal, $command:expr) => {
        #[doc = $summary]
        #[utoipa::path(
                                    post,
                                    path = $path,
                                    tag = "play",
                                    params(("id" = String, Path, description = "The game"), IdempotencyKey),
                                    security(("token" = ["play"])),
                                    responses(
                                        (status = 200, description = "The game", body = GameView),
                                        (status = 403, description = "`not_a_player`"),
                                        (status = 404, description = "`game_not_found`"),
                                        (status = 409, description = $refusals),
                                    ),
                                )]
        async fn $name(play: Play) -> Result<Response, ApiError> {
            play.run("", $command).await
        }
    };
}

command!(
    resign,
    "/v1/games/{id}/resign",
    "Resign",
    "`game_not_active`",
    Command::Resign
);
command!(
    abort,
    "/v1/games/{id}/abort",
    "Abort, before both sides have moved",
    "`too_late_to_abort`, `game_not_active`",
    Command::Abort
);
command!(
    cancel,
    "/v1/games/{id}/cancel",
    "Withdraw a game that nobody has joined",
    "`game_not_waiting`",
    Command::Cancel
);
command!(
    offer_draw,
    "/v1/games/{id}/offer-draw",
    "Offer a draw, or accept the one on offer",
    "`too_soon`, `game_not_active`",
    Command::Offer(Offer::Draw)
);
command!(
    accept_draw,
    "/v1/games/{id}/accept-draw",
    "Accept a draw",
    "`no_offer`, `game_not_active`",
    Command::Accept(Offer::Draw)
);
command!(
    decline_draw,
    "/v1/games/{id}/decline-draw",
    "Decline a draw",
    "`no_offer`, `game_not_active`",
    Command::DeclineOffer(Offer::Draw)
);
command!(
    offer_takeback,
    "/v1/games/{id}/offer-takeback",
    "Ask to take back one's last move",
    "`not_allowed`, `offer_pending`, `too_soon`, `game_not_active`",
    Command::Offer(Offer::Takeback)
);
command!(
    accept_takeback,
    "/v1/games/{id}/accept-takeback",
    "Let the opponent take back",
    "`no_offer`, `game_not_active`",
    Command::Accept(Offer::Takeback)
);
command!(
    decline_takeback,
    "/v1/games/{id}/decline-takeback",
    "Decline a takeback",
    "`no_offer`, `game_not_active`",
    Command::DeclineOffer(Offer::Takeback)
);
command!(
    offer_pause,
    "/v1/games/{id}/offer-pause",
    "Offer to stop the clocks",
    "`not_allowed`, `too_soon`, `game_not_active`",
    Command::Offer(Offer::Pause)
);
command!(
    accept_pause,
    "/v1/games/{id}/accept-pause",
    "Agree to stop the clocks",
    "`no_offer`, `game_not_active`",
    Command::Accept(Offer::Pause)
);
command!(
    resume,
    "/v1/games/{id}/resume",
    "Be ready to go on: the clocks run when both are",
    "`not_allowed`, `game_not_active`",
    Command::Resume
);

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(join))
        .routes(routes!(resign))
        .routes(routes!(abort))
        .routes(routes!(decline))
        .routes(routes!(cancel))
        .routes(routes!(offer_draw))
        .routes(routes!(accept_draw))
        .routes(routes!(decline_draw))
        .routes(routes!(claim_draw))
        .routes(routes!(claim_win))
        .routes(routes!(offer_takeback))
        .routes(routes!(accept_takeback))
        .routes(routes!(decline_takeback))
        .routes(routes!(offer_pause))
        .routes(routes!(accept_pause))
        .routes(routes!(resume))
        .routes(routes!(add_time))
        .routes(routes!(invite))
        .routes(routes!(tick))
}

/// Join a game
#[utoipa::path(
    post,
    path = "/v1/games/{id}/join",
    tag = "play",
    params(("id" = String, Path, description = "The game")),
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 200, description = "The game, started", body = GameView),
        (status = 403, description = "`not_invited`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`game_not_waiting`, `own_game`"),
    ),
)]
async fn join(Answering(play): Answering) -> Result<Response, ApiError> {
    play.count()?;
    let Play {
        app, caller, id, ..
    } = play;
    let game = create::join(&app, &caller, id, false).await?;
    show(&app, id, &game, Some(caller.number())).await
}

/// Decline an invitation to play
#[utoipa::path(
    post,
    path = "/v1/games/{id}/decline",
    tag = "play",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 403, description = "`not_invited`"),
        (status = 404, description = "`game_not_found`"),
        (status = 409, description = "`game_not_waiting`"),
    ),
)]
async fn decline(Answering(play): Answering) -> Result<Response, ApiError> {
    play.run("", Command::Decline).await
}

/// When the caller's opponent was last seen (`None`: nobody knows), and for
/// how long someone in this game may be out of sight.
async fn opponent_seen(play: &Play) -> Result<(Option<Timestamp>, Millis), ApiError> {
    let game = visible_game(&play.app, play.id, Some(&play.caller)).await?;
    let seat = game.seat_of(play.caller.number());
    let opponent = seat.and_then(|color| *game.seats().get(!color));
    let seen = opponent.and_then(|player| play.app.games.seen(play.id, player));
    Ok((
        seen.map(|seen| seen.last),
        game.terms().control.speed().grace().unwrap_or_default(),
    ))
}

/// Claim a draw
///
/// By the third occurrence of a position or fifty quiet moves, on one's own
/// move; or because the opponent left.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/claim-draw",
    tag = "play",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    security(("token" = ["play"])),
    responses(
        (status = 200, description = "The game, drawn", body = GameView),
        (status = 409, description = "`nothing_to_claim`, `not_yet`, `game_not_active`"),
    ),
)]
async fn claim_draw(play: Play) -> Result<Response, ApiError> {
    let (seen, grace) = opponent_seen(&play).await?;
    // Someone seen within the grace is here: then only the board can be claimed.
    let opponent_seen = seen.filter(|seen| play.received.since(*seen) >= grace);
    play.run("", Command::ClaimDraw { opponent_seen }).await
}

/// Claim the win of an opponent who left
#[utoipa::path(
    post,
    path = "/v1/games/{id}/claim-win",
    tag = "play",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    security(("token" = ["play"])),
    responses(
        (status = 200, description = "The game, won", body = GameView),
        (status = 409, description = "`not_yet` with `retry_after_seconds`, `game_not_active`"),
    ),
)]
async fn claim_win(play: Play) -> Result<Response, ApiError> {
    let (opponent_seen, _) = opponent_seen(&play).await?;
    play.run("", Command::ClaimWin { opponent_seen }).await
}

/// Time for the opponent.
#[derive(Debug, Deserialize, ToSchema)]
struct AddTime {
    /// 5 to 60.
    seconds: u32,
}

/// Give the opponent time
#[utoipa::path(
    post,
    path = "/v1/games/{id}/add-time",
    tag = "play",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    request_body = AddTime,
    security(("token" = ["play"])),
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 400, description = "`bad_request`: not 5 to 60"),
        (status = 409, description = "`not_allowed`, `game_not_active`"),
    ),
)]
async fn add_time(play: Play<AddTime>) -> Result<Response, ApiError> {
    let seconds = play.body.seconds;
    if !(5..=60).contains(&seconds) {
        return Err(ApiError::bad_request("seconds must be from 5 to 60").with("field", "seconds"));
    }
    let command = Command::AddTime(Millis::from_secs(seconds));
    play.run(&seconds.to_string(), command).await
}

/// Names to invite.
#[derive(Debug, Deserialize, ToSchema)]
struct Invite {
    /// Players' ids.
    names: Vec<String>,
}

/// Invite spectators to a private game
#[utoipa::path(
    post,
    path = "/v1/games/{id}/invite",
    tag = "play",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    request_body = Invite,
    security(("token" = ["play"])),
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 409, description = "`not_allowed`, `game_not_active`"),
    ),
)]
async fn invite(play: Play<Invite>) -> Result<Response, ApiError> {
    play.count()?;
    let names = &play.body.names;
    let people = find(&play.app, "names", names).await?;
    let numbers = people.iter().map(|person| person.number).collect();
    play.carry_out(&names.join(","), Command::Invite(numbers))
        .await
}

/// Ask the server to look at the clock
///
/// Never needed, always safe.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/tick",
    tag = "play",
    params(("id" = String, Path, description = "The game")),
    security(("token" = ["play"])),
    responses((status = 200, description = "The game", body = GameView)),
)]
async fn tick(play: Play) -> Result<Response, ApiError> {
    play.count()?;
    let Play {
        app, caller, id, ..
    } = play;
    let game = visible_game(&app, id, Some(&caller)).await?;
    let host_seen = app
        .games
        .seen(id, game.creator())
        .map_or_else(|| app.now(), |seen| seen.last);
    let command = Command::Tick { host_seen };
    let outcome = app
        .games
        .submit(id, caller.actor(), command, app.now(), None)
        .await?;
    let game = settled(outcome, &caller)?;
    let seen = as_seen_by(&game, Some(caller.number()), app.now());
    show(&app, id, &seen, Some(caller.number())).await
}
