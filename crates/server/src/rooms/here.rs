//! Who is at a game, as somebody may know it.

use std::sync::Arc;

use chess::game::{Game, Replay};
use chess::skill::Match;
use chess::table::PlayerId;
use chess::{ByColor, Color, Timestamp};

use super::others::Afar;
use crate::auth::Person;

/// Both players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence(pub ByColor<Option<PlayerHere>>);

impl Presence {
    /// One of them.
    pub fn get(&self, color: Color) -> Option<&PlayerHere> {
        self.0.get(color).as_ref()
    }
}

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerHere {
    /// Who.
    pub player: PlayerId,
    /// Whether a stream of theirs is open, or a request was made within the grace.
    pub is_online: bool,
    /// When their opponent may claim the game, unless they come back.
    pub claim_at: Option<Timestamp>,
}

impl PlayerHere {
    /// Someone of whom it is not told whether they are here.
    pub fn unwatched(player: PlayerId) -> PlayerHere {
        PlayerHere {
            player,
            is_online: true,
            claim_at: None,
        }
    }
}

/// Those who watch a game.
#[derive(Clone, Debug, Default)]
pub struct Audience {
    /// How many.
    pub spectators: usize,
    /// Those of them who agreed to be seen; `None`: not to be told.
    pub observers: Option<Vec<Arc<Person>>>,
}

impl Audience {
    /// Whether whoever was told that has still to be told this.
    pub fn differs_from(&self, told: &Audience) -> bool {
        let now = self.observers.as_deref().unwrap_or_default();
        let then = told.observers.as_deref().unwrap_or_default();
        (self.spectators, now) != (told.spectators, then)
    }
}

/// What those in a room were told last.
#[derive(Default)]
pub struct Notes {
    /// The newest game.
    pub game: Option<Arc<Game>>,
    /// The game as spectators see it, if there is a delay.
    pub past: Option<Replay>,
    /// Who is here, as the players were told and as everybody else was.
    pub presence: [Presence; 2],
    /// Who watches, told likewise.
    pub audience: [Audience; 2],
    /// The newest match of skill chess, and who of its guests is there.
    pub played: Option<(Arc<Match>, ByColor<bool>)>,
    /// What other nodes say.
    pub afar: Afar,
}

impl Notes {
    /// Takes note of a game, unless a newer one is known.
    pub fn take_in(&mut self, game: &Arc<Game>) {
        let known = self.game.as_ref();
        if known.is_none_or(|known| known.version() < game.version()) {
            self.game = Some(Arc::clone(game));
        }
    }

    /// The game as spectators may see it now.
    pub fn seen(&mut self, now: Timestamp) -> Option<Arc<Game>> {
        let game = self.game.as_ref()?;
        let delay = game.spectator_delay();
        if now >= game.last_at() + delay {
            return Some(Arc::clone(game));
        }
        let past = self.past.get_or_insert_with(|| game.replay());
        let then = now.0.saturating_sub(u64::from(delay.0));
        past.follow(game, Timestamp(then));
        Some(Arc::new(past.game().clone()))
    }

    /// The newest game, and the game as spectators may see it now.
    pub fn both(&mut self, now: Timestamp) -> Option<(Arc<Game>, Arc<Game>)> {
        Some((self.game.clone()?, self.seen(now)?))
    }
}
