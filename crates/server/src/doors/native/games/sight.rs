//! Who may see a game, and how much of it.

use std::sync::Arc;

use chess::game::Game;
use chess::table::{PlayerId, Table};
use chess::{Millis, Timestamp};

use crate::auth::{Caller, Scope};

/// Whether the caller may know of the game at all: private games are for the
/// players, those they invited, and operators.
pub(crate) fn may_see(game: &Game, caller: Option<&Caller>) -> bool {
    if !game.terms().private {
        return true;
    }
    caller.is_some_and(|caller| {
        is_player(game, caller.number())
            || game.invited().contains(&caller.number())
            || caller.scopes.contains(Scope::Admin)
    })
}

pub(crate) fn is_player(game: &Game, player: PlayerId) -> bool {
    game.players().contains(&Some(player))
}

/// How long spectators of the game wait.
pub(crate) fn delay_of(game: &Game) -> Millis {
    Millis::from_secs(u32::from(game.terms().spectator_delay))
}

/// The game as that viewer sees it: players as it is, everyone else as it was
/// before the game's spectator delay, until it is over.
pub fn as_seen_by(game: &Arc<Game>, viewer: Option<PlayerId>, now: Timestamp) -> Arc<Game> {
    let delay = delay_of(game);
    let exempt = delay == Millis::ZERO || viewer.is_some_and(|v| is_player(game, v));
    if exempt || now >= game.last_at() + delay {
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
