//! Who of a game's players is here, and from when a win may be claimed.

use chess::game::Game;
use chess::table::{PlayerId, Table};
use chess::{ByColor, Color, Timestamp};
use store::TableId;

use crate::app::App;

/// Both players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Presence(ByColor<Option<PlayerHere>>);

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlayerHere {
    /// Who.
    pub(crate) player: PlayerId,
    /// Whether a stream of theirs is open, or a request was made within the grace.
    pub(crate) is_online: bool,
    /// When their opponent may claim the game, unless they come back.
    pub(crate) claim_at: Option<Timestamp>,
}

impl Presence {
    pub(crate) fn get(&self, color: Color) -> Option<&PlayerHere> {
        self.0.get(color).as_ref()
    }
}

/// Who is here now.
pub(crate) fn of(app: &App, id: TableId, game: &Game) -> Presence {
    let here = |player: &Option<PlayerId>| player.map(|player| player_here(app, id, game, player));
    Presence(ByColor {
        white: here(&game.seats().white),
        black: here(&game.seats().black),
    })
}

/// Present with a stream, or within the grace of the game's speed after a
/// request; in correspondence nobody is ever gone. Whoever closed their last
/// stream may be back soon: the opponent learns at once from when it counts.
pub(crate) fn player_here(app: &App, id: TableId, game: &Game, player: PlayerId) -> PlayerHere {
    let nobody_knows = PlayerHere {
        player,
        is_online: true,
        claim_at: None,
    };
    let Some(grace) = game.terms().control.speed().grace() else {
        return nobody_knows;
    };
    let Some(seen) = app.games.seen(id, player) else {
        return PlayerHere {
            is_online: app.rooms.hub().is_here(id, player),
            ..nobody_knows
        };
    };
    let is_online = seen.is_streaming || app.now().since(seen.request) < grace;
    let has_left = !seen.is_streaming && (!is_online || seen.last > seen.request);
    let may_be_claimed = has_left && game.state() == "ACTIVE";
    PlayerHere {
        player,
        is_online,
        claim_at: may_be_claimed.then(|| seen.last + grace),
    }
}
