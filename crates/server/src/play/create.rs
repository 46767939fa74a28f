//! Making a game.

use std::sync::Arc;

use chess::game::{Event, Game};
use chess::rating::Category;
use chess::table::{PlayerId, Table};
use chess::{Color, Timestamp};
use store::{AccountKind, TableId};

use super::asked::{Asked, TO_ANSWER};
use super::keys::Keyed;
use super::look::Sight;
use super::names::find;
use super::place;
use super::ratings;
use super::terms::{NewGame, Players, cannot_be_rated};
use super::{App, accepting, standing};
use crate::auth::{Person, Scope};
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// Why a guest's game is never rated.
pub(super) const FOR_GUESTS: &str = "guests play casual games";

/// Makes a game. What is seen is the game as it was made, also when it is
/// asked for again.
///
/// # Errors
/// `missing_scope`, `rate_limited`, `idempotency_mismatch`; `not_accepting` if the
/// opponent does not take it, `barred` from rated games; or whatever is wrong with the
/// terms.
pub(crate) async fn make(asked: &Asked<'_>, new: NewGame) -> Result<Sight, Problem> {
    let caller = asked.caller;
    let is_named = matches!(new.players, Players::Named { .. });
    if is_named {
        caller.require(Scope::Service)?;
        if asked.key.is_none() {
            let detail = "Idempotency-Key is required when a service starts games";
            return Err(Problem::bad_request(detail).with("field", "Idempotency-Key"));
        }
    } else {
        caller.require_any(TO_ANSWER)?;
    }
    let keyed = asked.keyed().await?;
    if let Keyed::Again(first) = &keyed {
        let sight = asked.again(first).await?;
        return Ok(with_code(sight, &keyed));
    }
    match placed(asked, new, &keyed).await {
        Ok(sight) => Ok(with_code(sight, &keyed)),
        Err(problem) => {
            let sight = asked.unless_answered(&keyed, problem).await?;
            Ok(with_code(sight, &keyed))
        }
    }
}

/// The game, made.
async fn placed(asked: &Asked<'_>, new: NewGame, keyed: &Keyed) -> Result<Sight, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    app.rates.check(Rate::Creation, caller.number())?;
    let game = match &new.players {
        Players::Named { white, black } => {
            let names = [white.clone(), black.clone()];
            started(app, &names, new, asked.received).await?
        }
        Players::Own { .. } => waiting(asked, new).await?,
    };
    let (id, game) = place::anywhere(app, &game, keyed).await?;
    if game.started_at().is_some() {
        // Neither of them asked for it.
        let players = game.players().into_iter().flatten();
        players.for_each(|player| app.unfinished.forget(player));
    }
    Ok(made(asked, id, &game))
}

fn made(asked: &Asked<'_>, id: TableId, game: &Arc<Game>) -> Sight {
    let viewer = Some(asked.caller.number());
    Sight::whole(asked.app, id, game, viewer).of_its_time()
}

/// The code that follows from the key, which is told again even if it is forgotten.
fn with_code(sight: Sight, keyed: &Keyed) -> Sight {
    let code = keyed.seed().map(|seed| place::join_code(seed, sight.id));
    Sight {
        join_code: code.or(sight.join_code),
        ..sight
    }
}

/// A game that waits for its opponent.
async fn waiting(asked: &Asked<'_>, new: NewGame) -> Result<Game, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    place::has_room_for_more(app, caller.number()).await?;
    let opponent = match &new.players {
        Players::Own { opponent, .. } => opponent.as_slice(),
        Players::Named { .. } => &[],
    };
    let opponent = find(app, "opponent_id", opponent).await?.pop();
    let invited = invited(app, &new).await?;
    let both = [Some(&*caller.person), opponent.as_deref()];
    check_rated(&new, both.into_iter().flatten())?;
    if new.terms.rated {
        standing::check_rated(app, caller.number()).await?;
    }
    let opponent = opponent.map(|person| person.number);
    if let Some(opponent) = opponent {
        accepting::check_challenge(app, caller.number(), opponent, &new.terms).await?;
    }
    let creation = new.creation(caller.number(), opponent, invited)?;
    Ok(Game::create(asked.received, creation)?)
}

/// A game between two named accounts that begins at once.
async fn started(
    app: &App,
    names: &[String; 2],
    new: NewGame,
    now: Timestamp,
) -> Result<Game, Problem> {
    let people = find(app, "white, black", names).await?;
    check_rated(&new, people.iter().map(|person| &**person))?;
    if new.terms.rated && people.iter().any(|p| app.house.bot(p.number).is_some()) {
        let detail = "games against the server's bots are casual";
        return Err(cannot_be_rated(detail).with("field", "rated"));
    }
    let invited = invited(app, &new).await?;
    let (white, player) = (people[0].number, people[1].number);
    accepting::check_blocks(app, white, player).await?;
    if new.terms.rated {
        standing::check_rated(app, white).await?;
        standing::check_rated(app, player).await?;
    }
    let mut game = Game::create(now, new.creation(white, Some(player), invited)?)?;
    let color = Color::Black;
    let ratings = ratings::at_start(app, white, player, Category::of(game.terms())).await?;
    game.evolve(
        now,
        &Event::Joined {
            player,
            color,
            ratings: ratings.by_color(color),
        },
    );
    Ok(game)
}

async fn invited(app: &App, new: &NewGame) -> Result<Vec<PlayerId>, Problem> {
    let people = find(app, "invited", &new.invited).await?;
    Ok(people.iter().map(|person| person.number).collect())
}

fn check_rated<'a>(
    new: &NewGame,
    mut people: impl Iterator<Item = &'a Person>,
) -> Result<(), Problem> {
    if new.terms.rated && people.any(is_guest) {
        return Err(cannot_be_rated(FOR_GUESTS).with("field", "rated"));
    }
    Ok(())
}

pub(super) fn is_guest(person: &Person) -> bool {
    person.kind == AccountKind::Guest
}
