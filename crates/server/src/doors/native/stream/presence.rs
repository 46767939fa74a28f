//! Who of a game's players is here, and from when a win may be claimed.

use chess::game::Game;
use chess::table::{PlayerId, Table};
use chess::{ByColor, Color, Millis, Timestamp};
use store::TableId;

use crate::play::App;

/// A player without a stream who has asked for nothing for that long may be
/// gone: that is soon enough to tell their opponent when it will count, and
/// late enough to say nothing of one who plays by requests alone.
const SILENCE: Millis = Millis::from_secs(3);

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

impl PlayerHere {
    /// Someone of whom it is not told whether they are here.
    fn unwatched(player: PlayerId) -> PlayerHere {
        PlayerHere {
            player,
            is_online: true,
            claim_at: None,
        }
    }
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

/// Who is here, as somebody may know it who sees the game like this. Whoever
/// watches with a delay knows who plays and nothing more until they know that
/// the game is over: a coming, a going, and a claim that is no longer to be
/// made would each tell what has just happened.
pub(crate) fn seen_by(app: &App, id: TableId, seen: &Game, viewer: Option<PlayerId>) -> Presence {
    let plays = viewer.is_some_and(|viewer| seen.is_player(viewer));
    if plays || seen.spectator_delay() == Millis::ZERO || seen.ending().is_some() {
        return of(app, id, seen);
    }
    let plays = |player: &Option<PlayerId>| player.map(PlayerHere::unwatched);
    Presence(ByColor {
        white: plays(&seen.seats().white),
        black: plays(&seen.seats().black),
    })
}

/// Present with a stream, or within the grace of the game's speed after a
/// request; in correspondence nobody is ever gone. Whoever closed their last
/// stream, or asks for nothing any more, may be back soon: the opponent learns
/// from the start from when it counts.
pub(crate) fn player_here(app: &App, id: TableId, game: &Game, player: PlayerId) -> PlayerHere {
    let nobody_knows = PlayerHere::unwatched(player);
    let Some(grace) = game.terms().control.speed().grace() else {
        return nobody_knows;
    };
    let Some(seen) = app.games.seen(id, player) else {
        return PlayerHere {
            is_online: app.rooms.hub().is_here(id, player),
            ..nobody_knows
        };
    };
    let now = app.now();
    let is_online = seen.is_streaming || now.since(seen.request) < grace;
    let is_silent = seen.last > seen.request || now.since(seen.last) >= SILENCE;
    let has_left = !seen.is_streaming && is_silent;
    let may_be_claimed = has_left && game.state() == "ACTIVE";
    PlayerHere {
        player,
        is_online,
        claim_at: may_be_claimed.then(|| seen.last + grace),
    }
}
