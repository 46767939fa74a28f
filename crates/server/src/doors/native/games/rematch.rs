//! Playing again with colours swapped.
//!
//! A rematch is a game of its own whose id follows from the first game's, so
//! that nothing about it needs to be remembered anywhere.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::Response;
use chess::game::{AbortReason, ColorChoice, Creation, Ending, Game, Phase, Refusal};
use chess::rules::{Start, Variant};
use chess::table::PlayerId;
use live::Failure;
use rand::RngExt;
use sha2::{Digest, Sha256};
use store::TableId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::{show, visible_game};
use super::create::{has_room_for_more, join, place_at};
use super::idempotency::Keyed;
use super::play::Play;
use super::view::GameView;
use crate::app::App;
use crate::http::ApiError;
use crate::http::limits::Rate;

/// How often a rematch of one game may be offered anew after it came to nothing.
const OFFERS_MAX: u8 = 5;

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
    tag = "play",
    params(("id" = String, Path, description = "The finished game")),
    security(("token" = ["play"])),
    responses(
        (status = 200, description = "The new game", body = GameView),
        (status = 403, description = "`not_a_player`"),
        (status = 409, description = "`not_allowed`: the game is not over, or too many were offered"),
    ),
)]
async fn offer(play: Play) -> Result<Response, ApiError> {
    play.count()?;
    let finished = finished(&play).await?;
    let Play {
        app, caller, id, ..
    } = play;
    let (rematch, standing) = match standing(&app, id).await? {
        Latest::Standing(rematch, game) if game.creator() == caller.number() => (rematch, game),
        Latest::Standing(rematch, _) => (rematch, join(&app, &caller, rematch, false).await?),
        Latest::Free(rematch) => {
            app.rates.check(Rate::Creation, caller.number())?;
            has_room_for_more(&app, caller.number()).await?;
            let game = Game::create(app.now(), swapped(id, &finished, caller.number())?)?;
            match place_at(&app, rematch, game, &Keyed::None).await {
                Ok(game) => (rematch, game),
                // The opponent offered at the same moment: that is an agreement.
                Err(Failure::Taken) => (rematch, join(&app, &caller, rematch, false).await?),
                Err(failure) => return Err(failure.into()),
            }
        }
        Latest::None => return Err(not_allowed("a rematch was offered too often")),
    };
    show(&app, rematch, &standing, Some(caller.number())).await
}

/// Accept a rematch
///
/// Answers with the new game.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/accept-rematch",
    tag = "play",
    params(("id" = String, Path, description = "The finished game")),
    security(("token" = ["play"])),
    responses(
        (status = 200, description = "The new game, started", body = GameView),
        (status = 403, description = "`not_a_player`"),
        (status = 409, description = "`no_offer`, `not_allowed`"),
    ),
)]
async fn accept(play: Play) -> Result<Response, ApiError> {
    play.count()?;
    finished(&play).await?;
    let Play {
        app, caller, id, ..
    } = play;
    match standing(&app, id).await? {
        Latest::Standing(rematch, game) if game.creator() != caller.number() => {
            let game = join(&app, &caller, rematch, false).await?;
            show(&app, rematch, &game, Some(caller.number())).await
        }
        _ => Err(Refusal::NoOffer.into()),
    }
}

/// The game to be played again, by one of its players.
async fn finished(play: &Play) -> Result<Arc<Game>, ApiError> {
    let game = visible_game(&play.app, play.id, Some(&play.caller)).await?;
    if game.seat_of(play.caller.number()).is_none() {
        return Err(Refusal::NotAPlayer.into());
    }
    if game.ending().is_none() || game.seats().iter().any(Option::is_none) {
        return Err(not_allowed("a rematch follows a finished game"));
    }
    Ok(game)
}

fn not_allowed(why: &'static str) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, "not_allowed", why)
}

/// What has become of the rematch so far.
enum Latest {
    /// Offered, or being played, or played.
    Standing(TableId, Arc<Game>),
    /// Not offered since the last one came to nothing.
    Free(TableId),
    /// Offered too often.
    None,
}

async fn standing(app: &App, first: TableId) -> Result<Latest, ApiError> {
    for attempt in 0..OFFERS_MAX {
        let id = rematch_id(first, attempt);
        match app.games.read(id, None).await {
            Err(Failure::NotFound) => return Ok(Latest::Free(id)),
            Ok(game) if came_to_nothing(&game) => {}
            Ok(game) => return Ok(Latest::Standing(id, game)),
            Err(failure) => return Err(failure.into()),
        }
    }
    Ok(Latest::None)
}

fn came_to_nothing(game: &Game) -> bool {
    matches!(
        game.phase(),
        Phase::Over(Ending::Aborted {
            by: AbortReason::Cancelled | AbortReason::Declined | AbortReason::Expired
        })
    )
}

fn rematch_id(first: TableId, attempt: u8) -> TableId {
    let mut hash = Sha256::new();
    hash.update(b"rematch");
    hash.update(first.number().to_le_bytes());
    hash.update([attempt]);
    let digest: [u8; 32] = hash.finalize().into();
    let (bits, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    TableId::from_random(u64::from_le_bytes(*bits))
}

/// The same terms with colours swapped, offered by `by`.
fn swapped(first: TableId, game: &Game, by: PlayerId) -> Result<Creation, ApiError> {
    let seat = game.seat_of(by).ok_or(Refusal::NotAPlayer)?;
    let creation = game.creation();
    let start = match creation.start {
        // Chess960 again, but from another start.
        Start::Chess960(_) if game.terms().variant == Variant::Chess960 => {
            Start::Chess960(rand::rng().random_range(0..960))
        }
        start => start,
    };
    Ok(Creation {
        creator: by,
        color: seat.fold_wb(ColorChoice::Black, ColorChoice::White),
        opponent: *game.seats().get(!seat),
        start,
        rematch_of: Some(first.number()),
        ..creation
    })
}
