//! Everything else that a player may ask of a game.

use chess::Millis;
use chess::game::{Command, DeclineReason};
use store::TableId;

use super::asked::{Asked, TO_ANSWER, settled};
use super::keys::Keyed;
use super::look::Sight;
use super::names::find;
use super::sight::visible;
use crate::auth::Scope;
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// Resigns.
pub(crate) async fn resign(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.play(id, Command::Resign).await
}

/// Calls off a game in which not both have moved.
pub(crate) async fn abort(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.play(id, Command::Abort).await
}

/// Withdraws a game that nobody has joined.
pub(crate) async fn cancel(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(TO_ANSWER, Rate::Command)?;
    asked.carry_out(id, Command::Cancel).await
}

/// Is ready to go on after a pause.
pub(crate) async fn resume(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.play(id, Command::Resume).await
}

/// Declines to play a game, and may say why.
pub(crate) async fn decline(
    asked: &Asked<'_>,
    id: TableId,
    why: Option<DeclineReason>,
) -> Result<Sight, Problem> {
    asked.may(TO_ANSWER, Rate::Command)?;
    asked.carry_out(id, Command::Decline(why)).await
}

/// Gives the opponent time.
pub(crate) async fn add_time(
    asked: &Asked<'_>,
    id: TableId,
    seconds: u32,
) -> Result<Sight, Problem> {
    if !(5..=60).contains(&seconds) {
        return Err(Problem::bad_request("seconds must be from 5 to 60").with("field", "seconds"));
    }
    let command = Command::AddTime(Millis::from_secs(seconds));
    asked.play(id, command).await
}

/// Invites spectators to a private game.
pub(crate) async fn invite(
    asked: &Asked<'_>,
    id: TableId,
    names: &[String],
) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let people = find(asked.app, "names", names).await?;
    let numbers = people.iter().map(|person| person.number).collect();
    asked.carry_out(id, Command::Invite(numbers)).await
}

/// Has the server look at the clock. Anybody who sees the game may ask.
pub(crate) async fn tick(asked: &Asked<'_>, id: TableId) -> Result<Sight, Problem> {
    asked.may(&[Scope::Play], Rate::Command)?;
    let (app, caller) = (asked.app, asked.caller);
    let game = visible(app, id, Some(caller)).await?;
    let host = app.games.seen(id, game.creator());
    let host_seen = host.map_or_else(|| app.now(), |seen| seen.last);
    let outcome = asked.submit(id, Command::Tick { host_seen }, &Keyed::None);
    let game = settled(outcome.await?, caller)?;
    Ok(Sight::of(app, id, &game, Some(caller.number())))
}
