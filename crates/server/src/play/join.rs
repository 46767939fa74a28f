//! Taking the empty seat of a game.

use std::net::IpAddr;
use std::sync::Arc;

use chess::Color;
use chess::game::{Command, Game};
use rand::RngExt;
use store::TableId;

use super::asked::{Asked, TO_ANSWER, settled};
use super::create::{FOR_GUESTS, is_guest};
use super::keys::Keyed;
use super::look::Sight;
use super::place::has_room_for_more;
use super::room;
use super::sight::may_see;
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// Joins a game that the caller sees.
///
/// # Errors
/// `game_not_found`, `not_invited`, `own_game`, `game_not_waiting`, `not_allowed`.
pub(crate) async fn by_id(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(TO_ANSWER, Rate::Command)?;
    let keyed = asked.keyed().await?;
    if let Keyed::Again(first) = keyed {
        return asked.again(&first).await;
    }
    match take_seat(asked, id, false, &keyed).await {
        Ok(game) => Ok(asked.answer(id, &keyed, &game)),
        Err(problem) => asked.unless_answered(&keyed, problem).await,
    }
}

/// Joins the game with that code, in capitals. Whoever tries many codes from
/// one address is stopped.
///
/// # Errors
/// As [`by_id`]; `game_not_found` if no game waits under the code.
pub(crate) async fn by_code(asked: &Asked<'_>, from: IpAddr, code: &str) -> Result<Sight, Problem> {
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
        let answered = asked
            .unless_answered(&keyed, Problem::game_not_found())
            .await;
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

pub(super) async fn take_seat(
    asked: &Asked<'_>,
    id: TableId,
    by_code: bool,
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
    }
    let toss = if rand::rng().random() {
        Color::White
    } else {
        Color::Black
    };
    let command = Command::Join { toss, by_code };
    settled(asked.submit(id, command, keyed).await?, caller)
}
