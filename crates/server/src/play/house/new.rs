//! A game against a bot, which begins at once.

use bots::Level;
use chess::game::{ColorChoice, Event, Game};
use chess::rating::Category;
use chess::{Color, Timestamp};
use rand::RngExt;

use super::Bot;
use crate::limits::rates::Rate;
use crate::play::asked::{Asked, TO_ANSWER};
use crate::play::keys::Keyed;
use crate::play::look::Sight;
use crate::play::place::{self, has_room_for_more};
use crate::play::terms::{NewGame, Players, cannot_be_rated};
use crate::play::{accepting, ratings};
use crate::problem::Problem;

/// A game that was made, and who plays it for the house.
pub(crate) struct Made {
    pub(crate) sight: Sight,
    /// The bot's id.
    pub(crate) bot: String,
    pub(crate) color: Color,
}

/// The level of that name.
///
/// # Errors
/// `bad_request` with all the names there are.
pub(crate) fn level_named(name: &str) -> Result<Level, Problem> {
    Level::from_name(name).ok_or_else(|| {
        let all = Level::ALL.map(Level::name).join(", ");
        let detail = format!("difficulty must be one of {all}");
        Problem::bad_request(detail).with("field", "difficulty")
    })
}

/// Makes a game against the bot of that level. What is seen is the game as it was made,
/// also when it is asked for again.
///
/// # Errors
/// `missing_scope`, `rate_limited`, `idempotency_mismatch`; `not_accepting` if the caller
/// blocks the bot; `cannot_be_rated`, or whatever else is wrong with the terms.
pub(crate) async fn make(asked: &Asked<'_>, level: Level, new: NewGame) -> Result<Made, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    caller.require_any(TO_ANSWER)?;
    let bot = app.house.of_level(level).ok_or_else(Problem::unavailable)?;
    let keyed = asked.keyed().await?;
    let sight = match &keyed {
        Keyed::Again(first) => asked.again(first).await?,
        _ => match placed(asked, bot, new, &keyed).await {
            Ok(sight) => sight,
            Err(problem) => asked.unless_answered(&keyed, problem).await?,
        },
    };
    let color = sight.game.seat_of(bot.number());
    Ok(Made {
        bot: bot.caller.person.id.clone(),
        color: color.ok_or_else(Problem::unavailable)?,
        sight,
    })
}

async fn placed(
    asked: &Asked<'_>,
    bot: &Bot,
    new: NewGame,
    keyed: &Keyed,
) -> Result<Sight, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    if new.terms.rated {
        let detail = "games against the server's bots are casual";
        return Err(cannot_be_rated(detail).with("field", "rated"));
    }
    app.rates.check(Rate::Creation, caller.number())?;
    has_room_for_more(app, caller.number()).await?;
    accepting::check_blocks(app, caller.number(), bot.number()).await?;
    let game = begun(asked, bot, new, asked.received).await?;
    let (id, game) = place::anywhere(app, &game, keyed).await?;
    Ok(Sight::whole(app, id, &game, Some(caller.number())).of_its_time())
}

/// The game with both seats taken.
async fn begun(
    asked: &Asked<'_>,
    bot: &Bot,
    mut new: NewGame,
    now: Timestamp,
) -> Result<Game, Problem> {
    let own = match &new.players {
        Players::Own { color, .. } => side(*color),
        Players::Named { .. } => Color::White,
    };
    let color = own.fold_wb(ColorChoice::White, ColorChoice::Black);
    new.players = Players::Own {
        color,
        opponent: None,
    };
    let (creator, joiner) = (asked.caller.number(), bot.number());
    let mut game = Game::create(now, new.creation(creator, Some(joiner), Vec::new())?)?;
    let category = Category::of(game.terms());
    let ratings = ratings::at_start(asked.app, creator, joiner, category).await?;
    let joined = Event::Joined {
        player: joiner,
        color: !own,
        ratings: ratings.by_color(!own),
    };
    game.evolve(now, &joined);
    Ok(game)
}

/// The side that somebody gets who wants that one.
fn side(choice: ColorChoice) -> Color {
    let tossed = || match rand::rng().random() {
        true => Color::White,
        false => Color::Black,
    };
    choice.decided().unwrap_or_else(tossed)
}
