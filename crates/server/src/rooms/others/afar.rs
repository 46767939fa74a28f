//! What a room here knows of the other nodes.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::table::PlayerId;
use live::Seen;
use live::bus::Subscription;
use live::room::Spoken;
use store::{NodeId, TableId};

use super::word::Here;
use crate::rooms::Rooms;

/// How long what another node said of who is there counts.
const HERE_COUNTS: Duration = Duration::from_secs(12);

/// What a room remembers of the other nodes.
#[derive(Default)]
pub struct Afar {
    /// Listens to what they say of its table, as long as somebody is here.
    pub(super) ear: Option<Subscription>,
    /// Who is there.
    pub(super) here: HashMap<NodeId, (Instant, Here)>,
    /// What was last said of who is here.
    pub(super) said: Option<(Instant, Here)>,
    /// How far those here were told what is said.
    pub(super) spoken: Spoken,
    /// The rematch that those here were told of, and how far that has come.
    rematch: Option<(TableId, u32)>,
}

impl Afar {
    fn fresh(&self) -> impl Iterator<Item = &Here> {
        let here = self.here.values();
        here.filter(|(at, _)| at.elapsed() < HERE_COUNTS)
            .map(|(_, here)| here)
    }

    /// Those here are told of a rematch, or must find out. Whether they were not before.
    pub fn hears_of_rematch(&mut self, id: TableId, version: u32) -> bool {
        // Only that it is offered and that it begins is told.
        let news = Some((id, version.min(2)));
        std::mem::replace(&mut self.rematch, news) != news
    }
}

impl Rooms {
    /// What other nodes know of a player's presence.
    pub fn seen_elsewhere(&self, id: TableId, player: PlayerId) -> Option<Seen> {
        let room = self.0.rooms.get(id)?;
        room.notes(|notes| {
            let here = notes.afar.fresh();
            let seen = here.flat_map(|here| &here.players);
            seen.filter(|seen| seen.player == player.number())
                .map(|seen| Seen {
                    is_streaming: seen.is_streaming,
                    request: Timestamp(seen.request),
                    last: Timestamp(seen.last),
                })
                .reduce(merged)
        })
    }

    /// Who watches at other nodes: how many, and those who agreed to be seen.
    pub fn watchers_elsewhere(&self, id: TableId) -> (usize, Vec<PlayerId>) {
        let Some(room) = self.0.rooms.get(id) else {
            return (0, Vec::new());
        };
        room.notes(|notes| {
            let watchers = notes.afar.fresh().map(|here| here.watchers).sum();
            let shown = notes.afar.fresh().flat_map(|here| here.shown.iter());
            (watchers, shown.filter_map(|n| PlayerId::new(*n)).collect())
        })
    }
}

/// What two nodes know of one player.
pub fn merged(one: Seen, other: Seen) -> Seen {
    Seen {
        is_streaming: one.is_streaming || other.is_streaming,
        request: one.request.max(other.request),
        last: one.last.max(other.last),
    }
}
