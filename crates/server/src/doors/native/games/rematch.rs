//! Playing again with colours swapped.
//!
//! A rematch is a game of its own whose id follows from the first game's, so
//! that nothing about it needs to be remembered anywhere.

use std::future::Future;
use std::sync::Arc;

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
use super::play::Play;
use super::view::GameView;
use crate::auth::Caller;
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::keys::Keyed;
use crate::problem::{Kind, Problem};

/// How often a rematch of one game may be offered anew after it came to nothing.
const OFFERS_MAX: u8 = 5;
/// How often a new game is tried to be placed.
const TRIES: usize = 5;

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
async fn offer(play: Play) -> Result<Response, Problem> {
    play.count()?;
    let finished = finished(&play).await?;
    let Play {
        app, caller, id, ..
    } = play;
    let place = |rematch, game| place_at(&app, rematch, game, &Keyed::None);
    let (rematch, offered) = offered(&app, &caller, id, &finished, place).await?;
    show(&app, rematch, &offered, Some(caller.number())).await
}

/// The game that offering a rematch leads to.
async fn offered<F>(
    app: &App,
    caller: &Caller,
    id: TableId,
    finished: &Game,
    place: impl Fn(TableId, Game) -> F,
) -> Result<(TableId, Arc<Game>), Problem>
where
    F: Future<Output = Result<Arc<Game>, Failure>>,
{
    for _ in 0..TRIES {
        let rematch = match standing(app, id).await? {
            Latest::Standing(rematch, game) if game.creator() == caller.number() => {
                return Ok((rematch, game));
            }
            Latest::Standing(rematch, _) => {
                return Ok((rematch, join(app, caller, rematch, false).await?));
            }
            Latest::Free(rematch) => rematch,
            Latest::None => return Err(not_allowed("a rematch was offered too often")),
        };
        app.rates.check(Rate::Creation, caller.number())?;
        has_room_for_more(app, caller.number()).await?;
        let game = Game::create(app.now(), swapped(id, finished, caller.number())?)?;
        match place(rematch, game).await {
            Ok(game) => return Ok((rematch, game)),
            // The opponent has offered at the same moment, or another game has
            // the code that was chosen for this one: a second look tells.
            Err(Failure::Taken) => {}
            Err(failure) => return Err(failure.into()),
        }
    }
    Err(Problem::unavailable())
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
async fn accept(play: Play) -> Result<Response, Problem> {
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
async fn finished(play: &Play) -> Result<Arc<Game>, Problem> {
    let game = visible_game(&play.app, play.id, Some(&play.caller)).await?;
    if game.seat_of(play.caller.number()).is_none() {
        return Err(Refusal::NotAPlayer.into());
    }
    if game.ending().is_none() || game.seats().iter().any(Option::is_none) {
        return Err(not_allowed("a rematch follows a finished game"));
    }
    Ok(game)
}

fn not_allowed(why: &'static str) -> Problem {
    Problem::new(Kind::Conflict, "not_allowed", why)
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

async fn standing(app: &App, first: TableId) -> Result<Latest, Problem> {
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
fn swapped(first: TableId, game: &Game, by: PlayerId) -> Result<Creation, Problem> {
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use chess::clock::TimeControl;
    use chess::game::{Event, Terms, WinReason};
    use chess::{Color, Timestamp};

    use super::*;
    use crate::auth::{Person, Scopes};
    use crate::operate::open;
    use crate::settings::Settings;

    fn caller(number: u32) -> Caller {
        Caller {
            person: Arc::new(Person::ann(number)),
            scopes: Scopes::SESSION,
            token: None,
            is_session: true,
            expires_at: None,
        }
    }

    /// 1 against 2, resigned.
    fn finished() -> Game {
        let terms = Terms::casual(TimeControl::Unlimited);
        let creation = Creation::open(PlayerId::new(1).unwrap(), terms);
        let mut game = Game::create(Timestamp(0), creation).unwrap();
        let (player, color) = (PlayerId::new(2).unwrap(), Color::Black);
        game.evolve(Timestamp(0), &Event::Joined { player, color });
        let (winner, by) = (Color::White, WinReason::Resignation);
        let ending = Ending::Won { winner, by };
        let by = Some(Color::Black);
        game.evolve(Timestamp(1), &Event::Ended { ending, by });
        game
    }

    #[tokio::test]
    async fn a_code_that_another_game_has_does_not_keep_a_rematch_from_being_offered() {
        let settings = Settings {
            store: "memory:".into(),
            ..Settings::default()
        };
        let app = open(settings).unwrap();
        let (id, finished, ann) = (TableId::from_random(7), finished(), caller(1));
        let taken = Cell::new(0);
        let (app_, taken_) = (&app, &taken);
        let place = |rematch, game| async move {
            taken_.set(taken_.get() + 1);
            match taken_.get() {
                1 => Err(Failure::Taken),
                _ => place_at(app_, rematch, game, &Keyed::None).await,
            }
        };
        let (rematch, game) = offered(&app, &ann, id, &finished, place).await.unwrap();
        assert_eq!((game.creator(), taken.get()), (ann.number(), 2));
        let never = |_, _| async { Err(Failure::Taken) };
        let again = offered(&app, &ann, id, &finished, never).await.unwrap();
        assert_eq!(again.0, rematch, "it stands");
        let other = TableId::from_random(8);
        let error = offered(&app, &ann, other, &finished, never).await;
        assert_eq!(error.unwrap_err().status().as_u16(), 503);
    }
}
