//! Playing again with colours swapped.
//!
//! A rematch is a game of its own whose id follows from the first game's, so
//! that nothing about it needs to be remembered anywhere.

use std::future::Future;
use std::sync::Arc;

use chess::game::{AbortReason, ColorChoice, Creation, Ending, Game, Phase, Refusal};
use chess::rules::{Start, Variant};
use chess::table::PlayerId;
use live::Failure;
use rand::RngExt;
use sha2::{Digest, Sha256};
use store::TableId;

use super::asked::Asked;
use super::join::take_seat;
use super::keys::Keyed;
use super::look::Sight;
use super::place::{self, TRIES, has_room_for_more};
use super::sight::visible;
use super::{App, accepting, standing};
use crate::auth::Scope;
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// How often a rematch of one game may be offered anew after it came to nothing.
const OFFERS_MAX: u8 = 5;

/// Offers a rematch of a finished game, or accepts the one that the opponent
/// has offered: the new game.
///
/// # Errors
/// `not_a_player`; `not_allowed`: the game is not over, or too many were offered.
pub(crate) async fn offer(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let finished = finished(asked, id).await?;
    let place = |rematch, game| place::at(asked.app, rematch, game, &Keyed::None);
    let (rematch, offered) = offered(asked, id, &finished, place).await?;
    Ok(asked.answer(rematch, &Keyed::None, &offered))
}

/// Accepts a rematch: the new game.
///
/// # Errors
/// `not_a_player`, `not_allowed`, `no_offer`.
pub(crate) async fn accept(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    finished(asked, id).await?;
    match standing(asked.app, id).await? {
        Latest::Standing(rematch, game) if game.creator() != asked.caller.number() => {
            let game = take_seat(asked, rematch, false, &Keyed::None).await?;
            Ok(asked.answer(rematch, &Keyed::None, &game))
        }
        _ => Err(Refusal::NoOffer.into()),
    }
}

/// The game that offering a rematch leads to.
async fn offered<F>(
    asked: &Asked<'_>,
    id: TableId,
    finished: &Game,
    place: impl Fn(TableId, Game) -> F,
) -> Result<(TableId, Arc<Game>), Problem>
where
    F: Future<Output = Result<Arc<Game>, Failure>>,
{
    let (app, by) = (asked.app, asked.caller.number());
    for _ in 0..TRIES {
        let rematch = match standing(app, id).await? {
            Latest::Standing(rematch, game) if game.creator() == by => return Ok((rematch, game)),
            Latest::Standing(rematch, _) => {
                let game = take_seat(asked, rematch, false, &Keyed::None).await?;
                return Ok((rematch, game));
            }
            Latest::Free(rematch) => rematch,
            Latest::None => return Err(not_allowed("a rematch was offered too often")),
        };
        app.rates.check(Rate::Creation, by)?;
        has_room_for_more(app, by).await?;
        may_offer(app, finished, by).await?;
        let game = Game::create(app.now(), swapped(id, finished, by)?)?;
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

/// Insists that both may play again: a rematch is no challenge that somebody may have
/// closed the door to, but who blocks an opponent has had enough of them.
async fn may_offer(app: &App, finished: &Game, by: PlayerId) -> Result<(), Problem> {
    for player in finished.seats().iter().flatten() {
        accepting::check_blocks(app, by, *player).await?;
    }
    match finished.terms().rated {
        true => standing::check_rated(app, by).await,
        false => Ok(()),
    }
}

/// The game to be played again, by one of its players.
async fn finished(asked: &Asked<'_>, id: TableId) -> Result<Arc<Game>, Problem> {
    let game = visible(asked.app, id, Some(asked.caller)).await?;
    if game.seat_of(asked.caller.number()).is_none() {
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

/// The rematch of a game that is offered or played, if there is one.
pub(crate) async fn standing_at(app: &App, id: TableId) -> Option<(TableId, Arc<Game>)> {
    match standing(app, id).await {
        Ok(Latest::Standing(rematch, game)) => Some((rematch, game)),
        _ => None,
    }
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
            by: AbortReason::Cancelled | AbortReason::Declined(_) | AbortReason::Expired
        })
    )
}

/// Where the rematches of a game are, in the order in which they are offered.
pub(crate) fn rematches_of(first: TableId) -> Vec<TableId> {
    (0..OFFERS_MAX).map(|n| rematch_id(first, n)).collect()
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
    use chess::{ByColor, Color, Timestamp};

    use super::*;
    use crate::auth::{Caller, Person, Scopes};
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
        game.evolve(
            Timestamp(0),
            &Event::Joined {
                player,
                color,
                ratings: ByColor::default(),
            },
        );
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
        let app = open(settings).await.unwrap();
        let (id, finished, ann) = (TableId::from_random(7), finished(), caller(1));
        let asked = Asked::new(&app, &ann);
        let taken = Cell::new(0);
        let (app_, taken_) = (&app, &taken);
        let place = |rematch, game| async move {
            taken_.set(taken_.get() + 1);
            match taken_.get() {
                1 => Err(Failure::Taken),
                _ => place::at(app_, rematch, game, &Keyed::None).await,
            }
        };
        let (rematch, game) = offered(&asked, id, &finished, place).await.unwrap();
        assert_eq!((game.creator(), taken.get()), (ann.number(), 2));
        let never = |_, _| async { Err(Failure::Taken) };
        let again = offered(&asked, id, &finished, never).await.unwrap();
        assert_eq!(again.0, rematch, "it stands");
        let other = TableId::from_random(8);
        let error = offered(&asked, other, &finished, never).await;
        assert_eq!(error.unwrap_err().kind, Kind::Unavailable);
    }
}
