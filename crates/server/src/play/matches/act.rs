//! Acting in a match, and leaving it.

use std::sync::Arc;

use chess::Timestamp;
use chess::skill::{Action, Command, Deed, Match, Refusal};
use chess::table::{Actor, PlayerId};
use live::{Outcome, With};
use store::TableId;

use super::{came, seat_ownership, unreachable};
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::arbiter::audit;
use crate::play::match_ids::match_id;
use crate::problem::{Kind, Problem};
use crate::rooms::bus::Happened;

/// What became of an action.
pub(crate) enum Done {
    /// It made the latest change.
    Changed,
    /// It was accepted, before or without a change.
    Accepted,
    /// It was accepted, and the guest is gone.
    Left,
    /// It was not done.
    Rejected(&'static str),
}

/// Does what a guest asks at the match where they have a seat: what became of
/// it, and the match now. What cannot be read is rejected with its reason, and
/// counts all the same.
///
/// # Errors
/// `rate_limited`, `seat_ownership`.
pub(crate) async fn act(
    app: &App,
    table: TableId,
    player: PlayerId,
    read: Result<Action, &'static str>,
    received: Timestamp,
) -> Result<(Done, Arc<Match>), Problem> {
    app.rates.check(Rate::Move, player)?;
    let action = match read {
        Ok(action) => action,
        Err(why) => {
            let played = app.matches.read(table, Some(player)).await;
            return Ok((Done::Rejected(why), played.map_err(unreachable)?));
        }
    };
    let (id, deed) = (action.id, action.deed.clone());
    let (who, command) = (Actor::Player(player), Command::Act(action));
    let submitted = app
        .matches
        .submit(table, who, command, received, With::default());
    Ok(match submitted.await.map_err(unreachable)? {
        Outcome::Changed { after, .. } => (Done::Changed, after),
        Outcome::Already { table: played, .. } => {
            // Nothing has changed: the action was done before, or is coming and going.
            let color = played.seat_of(player).ok_or_else(seat_ownership)?;
            let done = match played.version_of(color, id) {
                Some(version) if version == played.version() => Done::Changed,
                Some(_) => Done::Accepted,
                None if deed == Deed::LeaveMatch => {
                    leave(app, table, player);
                    Done::Left
                }
                None => {
                    came(app, table, &played);
                    Done::Accepted
                }
            };
            (done, played)
        }
        Outcome::Refused {
            why: Refusal::SeatOwnership,
            ..
        } => return Err(seat_ownership()),
        Outcome::Refused { why, table } => (Done::Rejected(why.name()), table),
    })
}

/// The guest leaves: their streams end, and the other one is told.
fn leave(app: &App, table: TableId, player: PlayerId) {
    if app.rooms.all().is_here(table, player) {
        app.rooms.publish(table, Happened::Removed(player));
        app.rooms.tell_others_of_removal(table, player);
    } else {
        app.matches.left(table, player);
        app.rooms.publish(table, Happened::Went(Some(player)));
    }
}

/// Calls a match off, for an operator of that name.
///
/// # Errors
/// `game_not_found`; `game_not_active`: it is over already.
pub(crate) async fn abort(app: &App, by: &str, id: TableId) -> Result<Arc<Match>, Problem> {
    let submitted = app.matches.submit(
        id,
        Actor::Operator,
        Command::Abort,
        app.now(),
        With::default(),
    );
    match submitted.await? {
        Outcome::Changed { after, .. } => {
            let target = match_id(id).to_string();
            audit(app, by, "abort", &target, String::new()).await?;
            Ok(after)
        }
        Outcome::Already { table, .. } => Ok(table),
        Outcome::Refused { .. } => {
            let detail = "this match is over already";
            Err(Problem::new(Kind::Conflict, "game_not_active", detail))
        }
    }
}
