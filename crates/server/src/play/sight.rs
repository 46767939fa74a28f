//! Who may see a game, and how much of it.

use std::sync::Arc;

use chess::game::Game;
use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use store::TableId;

use super::{App, room};
use crate::auth::Caller;
use crate::problem::Problem;

/// Whether the caller may know of the game at all; see also
/// [`may_see_it`], which minds who was removed.
pub(crate) fn may_see(game: &Game, caller: Option<&Caller>) -> bool {
    room::belongs(game, caller)
}

/// Whether the caller may know of the game: a private one is not there for
/// somebody who was removed. A public one anybody can look at without a name,
/// so there a removal only closes the room.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub(crate) async fn may_see_it(
    app: &App,
    id: TableId,
    game: &Game,
    caller: Option<&Caller>,
) -> Result<bool, Problem> {
    if !may_see(game, caller) {
        return Ok(false);
    }
    match caller {
        Some(caller) if !game.terms().is_public() => {
            let is_removed = room::is_removed(app, id, game, caller.number());
            Ok(!is_removed.await?)
        }
        _ => Ok(true),
    }
}

/// A game that the caller may know of, as it is. What of it they are shown is
/// [`as_seen_by`].
///
/// # Errors
/// `game_not_found`: there is none, or none for them.
pub(crate) async fn visible(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
) -> Result<Arc<Game>, Problem> {
    let game = app.games.read(id, caller.map(Caller::number)).await?;
    if may_see_it(app, id, &game, caller).await? {
        Ok(game)
    } else {
        Err(Problem::game_not_found())
    }
}

/// Whether that viewer sees the game with a delay, however far it is.
pub(crate) fn is_delayed(game: &Game, viewer: Option<PlayerId>) -> bool {
    game.spectator_delay() > Millis::ZERO && !viewer.is_some_and(|v| game.is_player(v))
}

/// The game as that viewer sees it: players as it is, everyone else as it was
/// before the game's spectator delay, until it is over.
pub fn as_seen_by(game: &Arc<Game>, viewer: Option<PlayerId>, now: Timestamp) -> Arc<Game> {
    let delay = game.spectator_delay();
    if !is_delayed(game, viewer) || now >= game.last_at() + delay {
        return Arc::clone(game);
    }
    let seen = game
        .entries()
        .take_while(|entry| entry.at + delay <= now)
        .count();
    let version = u32::try_from(seen).unwrap_or(u32::MAX).max(1);
    game.as_of(version)
        .map_or_else(|| Arc::clone(game), Arc::new)
}
