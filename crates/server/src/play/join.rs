//! Taking the empty seat of a game.

use std::net::IpAddr;
use std::sync::Arc;

use chess::Color;
use chess::game::{Command, Game};
use chess::rating::Category;
use chess::table::{PlayerId, State, Table};
use rand::RngExt;
use store::TableId;

use super::asked::{Asked, TO_ANSWER, settled};
use super::create::{FOR_GUESTS, is_guest};
use super::keys::Keyed;
use super::look::Sight;
use super::place::has_room_for_more;
use super::ratings;
use super::room;
use super::sight::may_see;
use super::{App, accepting, standing};
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// Joins a game that the caller sees.
///
/// # Errors
/// `game_not_found`, `not_invited`, `own_game`, `game_not_waiting`, `not_allowed`;
/// `not_accepting` if one of them blocks the other, `barred` from rated games.
pub(crate) async fn by_id(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    on_side(asked, id, None).await
}

/// The same on a certain side, if the game leaves that to chance.
///
/// # Errors
/// As [`by_id`].
pub(crate) async fn on_side(
    asked: &Asked<'_>,
    id: TableId,
    side: Option<Color>,
) -> Result<Sight, Problem> {
    asked.may(TO_ANSWER, Rate::Command)?;
    let keyed = asked.keyed().await?;
    if let Keyed::Again(first) = keyed {
        return asked.again(&first).await;
    }
    match take_side(asked, id, false, side, &keyed).await {
        Ok(game) => Ok(asked.answer(id, &keyed, &game)),
        Err(problem) => asked.unless_answered(&keyed, problem).await,
    }
}

/// Joins the game with that code, in capitals. Whoever tries many codes from
/// one address is stopped. A link may name the game besides: a code is forgotten when it
/// has served, and whoever comes later is told what became of it.
///
/// # Errors
/// As [`by_id`]; `game_not_found` if no game waits under the code; of a game that is
/// named `link_used`, `link_cancelled`.
pub(crate) async fn by_code(
    asked: &Asked<'_>,
    from: IpAddr,
    code: &str,
    named: Option<TableId>,
) -> Result<Sight, Problem> {
    asked.may(TO_ANSWER, Rate::Creation)?;
    let app = asked.app;
    let together = app.rates.together(&app.store, app.now());
    together.look(Rate::WrongCode, &[from.into()]).await?;
    let keyed = asked.keyed().await?;
    if let Keyed::Again(first) = keyed {
        return asked.again(&first).await;
    }
    let Some(id) = app.store.by_join_code(code).await? else {
        // The code is forgotten when somebody joins: it may have been right before.
        let problem = match named {
            Some(id) => match what_became_of(asked, id).await {
                Ok(own) => return Ok(own),
                Err(problem) => problem,
            },
            None => Problem::game_not_found(),
        };
        let answered = asked.unless_answered(&keyed, problem).await;
        if answered.is_err() {
            together.count(Rate::WrongCode, &[from.into()]).await?;
        }
        return answered;
    };
    match take_seat(asked, id, true, &keyed).await {
        Ok(game) => Ok(asked.answer(id, &keyed, &game)),
        Err(problem) => asked.unless_answered(&keyed, problem).await,
    }
}

/// A game whose code has served, for whoever plays it; for others what became of it, and
/// nothing else.
async fn what_became_of(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    let (app, who) = (asked.app, asked.caller.number());
    let game = app.games.newest(id).await?;
    if game.is_player(who) {
        return Ok(Sight::whole(app, id, &game, Some(who)));
    }
    Err(match (game.state(), game.started_at()) {
        (State::Waiting, _) => Problem::game_not_found(),
        (_, Some(_)) => {
            let detail = "somebody else has taken the seat that this link led to";
            Problem::new(Kind::Conflict, "link_used", detail)
        }
        (_, None) => {
            let detail = "the game that this link led to was withdrawn, or waited for too long";
            Problem::new(Kind::Gone, "link_cancelled", detail)
        }
    })
}

pub(super) async fn take_seat(
    asked: &Asked<'_>,
    id: TableId,
    by_code: bool,
    keyed: &Keyed,
) -> Result<Arc<Game>, Problem> {
    take_side(asked, id, by_code, None, keyed).await
}

async fn take_side(
    asked: &Asked<'_>,
    id: TableId,
    by_code: bool,
    side: Option<Color>,
    keyed: &Keyed,
) -> Result<Arc<Game>, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    let waiting = app.games.read(id, None).await?;
    if !by_code && !may_see(&waiting, Some(caller)) {
        return Err(Problem::game_not_found());
    }
    if room::is_removed(app, id, &waiting, caller.number()).await? {
        return Err(Problem::game_not_found());
    }
    if waiting.terms().rated && is_guest(&caller.person) {
        return Err(Problem::new(Kind::Conflict, "not_allowed", FOR_GUESTS));
    }
    // Who has a seat already joins nothing, and hears what a retry hears.
    if waiting.seat_of(caller.number()).is_none() {
        has_room_for_more(app, caller.number()).await?;
        may_meet(app, &waiting, caller.number()).await?;
    }
    let toss = side.unwrap_or_else(|| match rand::rng().random() {
        true => Color::White,
        false => Color::Black,
    });
    let category = Category::of(waiting.terms());
    let command = Command::Join {
        toss,
        by_code,
        ratings: ratings::at_start(app, waiting.creator(), caller.number(), category).await?,
    };
    settled(asked.submit(id, command, keyed).await?, caller)
}

/// Insists that who waits and who comes may play with each other, and this game.
async fn may_meet(app: &App, waiting: &Game, comes: PlayerId) -> Result<(), Problem> {
    let creator = waiting.creator();
    let is_open = waiting.state() == State::Waiting;
    // What is wrong with anything else the game itself says.
    if !is_open || creator == comes {
        return Ok(());
    }
    accepting::check_blocks(app, creator, comes).await?;
    if waiting.terms().rated {
        standing::check_rated(app, comes).await?;
        let creator = standing::check_rated(app, creator).await;
        creator.map_err(|problem| match problem.kind {
            Kind::Forbidden => accepting::not_accepting(),
            _ => problem,
        })?;
    }
    Ok(())
}
