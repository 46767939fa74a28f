//! Everything a player may ask of a game besides moving.

use axum::response::Response;
use chess::game::{DeclineReason, Offer};
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::answer;
use super::idempotency::IdempotencyKey;
use super::play::Play;
use super::view::GameView;
use crate::http::described::NoGame;
use crate::play::{App, Asked, claims, commands, join, offers};
use crate::problem::Problem;

/// One handler for a command that takes no body: its name, its path, its
/// documentation (in a line, and the rules), its refusals, what it calls, and with what.
macro_rules! command {
    ($name:ident, $path:literal, $summary:literal, $about:literal, $refusals:literal, $command:path $(, $with:expr)?) => {
        #[doc = $summary]
        #[doc = ""]
        #[doc = $about]
        #[utoipa::path(
                                    post,
                                    path = $path,
                                    params(("id" = String, Path, description = "The game"), IdempotencyKey),
                                    responses(
                                        (status = 200, description = "The game", body = GameView),
                                        (status = 403, description = "`not_a_player`"),
                                        NoGame,
                                        (status = 409, description = $refusals),
                                    ),
                                )]
        async fn $name(play: Play) -> Result<Response, Problem> {
            let asked = play.asked("")?;
            answer(&play.app, $command(&asked, play.id $(, $with)?).await?).await
        }
    };
}

command!(
    resign,
    "/v1/games/{id}/resign",
    "Resign",
    "Also while the game is paused.",
    "`game_not_active`",
    commands::resign
);
command!(
    abort,
    "/v1/games/{id}/abort",
    "Abort, before both sides have moved",
    "Nobody wins. Possible until each side has made its first move.",
    "`too_late_to_abort`, `game_not_active`",
    commands::abort
);
command!(
    cancel,
    "/v1/games/{id}/cancel",
    "Withdraw a game that nobody has joined",
    "By its creator.",
    "`game_not_waiting`",
    commands::cancel
);
command!(
    offer_draw,
    "/v1/games/{id}/offer-draw",
    "Offer a draw, or accept the one on offer",
    "Possible once both sides have moved, and again 20 half-moves after one's last offer; also with a move (`offer_draw`). An offer lapses when the opponent moves.",
    "`too_soon`, `game_not_active`",
    offers::offer,
    Offer::Draw
);
command!(
    accept_draw,
    "/v1/games/{id}/accept-draw",
    "Accept a draw",
    "While the opponent's offer stands.",
    "`no_offer`, `game_not_active`",
    offers::accept,
    Offer::Draw
);
command!(
    decline_draw,
    "/v1/games/{id}/decline-draw",
    "Decline a draw",
    "While the opponent's offer stands.",
    "`no_offer`, `game_not_active`",
    offers::decline,
    Offer::Draw
);
command!(
    offer_takeback,
    "/v1/games/{id}/offer-takeback",
    "Ask to take back one's last move",
    "To before it, with the clocks as they were, but for time that was given since; a reply to it goes too. Never in rated games; after a refusal not before the next move.",
    "`not_allowed`, `offer_pending`, `too_soon`, `game_not_active`",
    offers::offer,
    Offer::Takeback
);
command!(
    accept_takeback,
    "/v1/games/{id}/accept-takeback",
    "Let the opponent take back",
    "While the request stands.",
    "`no_offer`, `game_not_active`",
    offers::accept,
    Offer::Takeback
);
command!(
    decline_takeback,
    "/v1/games/{id}/decline-takeback",
    "Decline a takeback",
    "While the request stands.",
    "`no_offer`, `game_not_active`",
    offers::decline,
    Offer::Takeback
);
command!(
    offer_pause,
    "/v1/games/{id}/offer-pause",
    "Offer to stop the clocks",
    "Not in rated games with a clock that counts seconds; after a refusal not before the next move. A paused game is aborted after 30 days.",
    "`not_allowed`, `too_soon`, `game_not_active`",
    offers::offer,
    Offer::Pause
);
command!(
    accept_pause,
    "/v1/games/{id}/accept-pause",
    "Agree to stop the clocks",
    "The clocks stop at once, and only both players together make them run again.",
    "`no_offer`, `game_not_active`",
    offers::accept,
    Offer::Pause
);
command!(
    resume,
    "/v1/games/{id}/resume",
    "Be ready to go on: the clocks run when both are",
    "What a clock showed at the pause is what it goes on with.",
    "`not_allowed`, `game_not_active`",
    commands::resume
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
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 200, description = "The game, started", body = GameView),
        (status = 403, description = "`not_invited`; `not_accepting`: one of you blocks the other; `barred` from rated games, with `why` and `until`"),
        NoGame,
        (status = 409, description = "`game_not_waiting`, `own_game`; `not_allowed`: a guest plays no rated game"),
    ),
)]
async fn join(play: Play) -> Result<Response, Problem> {
    let joined = join::by_id(&play.asked("")?, play.id).await?;
    answer(&play.app, joined).await
}

/// Why not.
#[derive(Debug, Deserialize, ToSchema)]
struct Decline {
    /// `generic`, `later`, `tooFast`, `tooSlow`, `timeControl`, `rated`, `casual`,
    /// `standard`, `variant`, `noBot` or `onlyBot`.
    reason: Option<String>,
}

/// A reason by its name.
pub(super) fn decline_reason(name: &str) -> Result<DeclineReason, Problem> {
    DeclineReason::named(name).ok_or_else(|| {
        let all = DeclineReason::ALL.map(DeclineReason::name).join(", ");
        let detail = format!("reason must be one of {all}");
        Problem::bad_request(detail).with("field", "reason")
    })
}

/// Decline an invitation to play
///
/// The challenger is told, with the reason if one is given.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/decline",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    request_body = Decline,
    security(("token" = ["play"]), ("token" = ["challenge"])),
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 400, description = "`bad_request`: no such reason"),
        (status = 403, description = "`not_invited`"),
        NoGame,
        (status = 409, description = "`game_not_waiting`"),
    ),
)]
async fn decline(play: Play<Decline>) -> Result<Response, Problem> {
    let reason = play.body.reason.as_deref();
    let why = reason.map(decline_reason).transpose()?;
    let asked = play.asked(why.map_or("", DeclineReason::name))?;
    let declined = commands::decline(&asked, play.id, why).await?;
    answer(&play.app, declined).await
}

/// Claim a draw
///
/// By the third occurrence of a position or fifty moves without capture or pawn
/// move, on one's own move; or because the opponent left, as with `claim-win`.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/claim-draw",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    responses(
        (status = 200, description = "The game, drawn", body = GameView),
        (status = 409, description = "`nothing_to_claim`, `not_yet`, `game_not_active`"),
    ),
)]
async fn claim_draw(play: Play) -> Result<Response, Problem> {
    let drawn = claims::draw(&play.asked("")?, play.id).await?;
    answer(&play.app, drawn).await
}

/// Claim the win of an opponent who left
///
/// Who has no stream open and has asked nothing of this game is gone after 10
/// seconds in bullet, 30 in blitz, 60 in rapid and 120 in classical games; with days
/// per move, or without a clock, never. If the claimant could not have mated it is a draw.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/claim-win",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    responses(
        (status = 200, description = "The game, won", body = GameView),
        (status = 409, description = "`not_yet` with `retry_after_seconds`, `game_not_active`"),
    ),
)]
async fn claim_win(play: Play) -> Result<Response, Problem> {
    let won = claims::win(&play.asked("")?, play.id).await?;
    answer(&play.app, won).await
}

/// Time for the opponent.
#[derive(Debug, Deserialize, ToSchema)]
struct AddTime {
    /// How much.
    #[schema(minimum = 5, maximum = 60)]
    seconds: u32,
}

/// Give the opponent time
///
/// 5 to 60 seconds; in casual games, and up to a day on the clock.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/add-time",
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    request_body = AddTime,
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 400, description = "`bad_request`: not 5 to 60"),
        (status = 409, description = "`not_allowed`, `game_not_active`"),
    ),
)]
async fn add_time(play: Play<AddTime>) -> Result<Response, Problem> {
    let seconds = play.body.seconds;
    let asked = play.asked(&seconds.to_string())?;
    let given = commands::add_time(&asked, play.id, seconds).await?;
    answer(&play.app, given).await
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
    params(("id" = String, Path, description = "The game"), IdempotencyKey),
    request_body = Invite,
    responses(
        (status = 200, description = "The game", body = GameView),
        (status = 409, description = "`not_allowed`, `game_not_active`"),
    ),
)]
async fn invite(play: Play<Invite>) -> Result<Response, Problem> {
    let names = &play.body.names;
    let asked = play.asked(&names.join(","))?;
    let invited = commands::invite(&asked, play.id, names).await?;
    answer(&play.app, invited).await
}

/// Ask the server to look at the clock
///
/// Never needed, always safe.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/tick",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The game", body = GameView)),
)]
async fn tick(play: Play) -> Result<Response, Problem> {
    let ticked = commands::tick(&Asked::new(&play.app, &play.caller), play.id).await?;
    answer(&play.app, ticked).await
}
