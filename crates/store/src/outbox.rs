//! What happened and others may want to be told: written in the transaction of the change,
//! read by those who pass it on.

use std::fmt;
use std::str::FromStr;

use chess::Timestamp;
use chess::table::PlayerId;

use crate::{EventKind, EventKinds, TableId};

/// Where an event stands among all of them. Whoever has read up to a place misses nothing
/// before it, however transactions end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventPlace {
    /// Of the transaction that wrote it; zero where there is one writer.
    pub xid: u64,
    /// Its number: no other event has it.
    pub id: u64,
}

/// The text is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadEventPlace;

impl EventPlace {
    /// Before all of them.
    pub const START: EventPlace = EventPlace { xid: 0, id: 0 };
}

/// Of one length, so that places are in the order of their texts.
impl fmt::Display for EventPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}{:016x}", self.xid, self.id)
    }
}

impl FromStr for EventPlace {
    type Err = BadEventPlace;

    fn from_str(text: &str) -> Result<EventPlace, BadEventPlace> {
        let is_hex = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if text.len() != 32 || !is_hex {
            return Err(BadEventPlace);
        }
        let (xid, id) = text.split_at(16);
        let number = |text| u64::from_str_radix(text, 16).map_err(|_| BadEventPlace);
        let place = EventPlace {
            xid: number(xid)?,
            id: number(id)?,
        };
        // Both are stored as signed numbers.
        match place.xid.max(place.id) <= i64::MAX as u64 {
            true => Ok(place),
            false => Err(BadEventPlace),
        }
    }
}

/// Something that happened. What it was in detail the table at that version knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutboxEvent {
    /// Where it stands.
    pub place: EventPlace,
    /// When it happened.
    pub at: Timestamp,
    /// What.
    pub kind: EventKind,
    /// At which table, if at one.
    pub table: Option<TableId>,
    /// With which version of it.
    pub version: u32,
    /// The report that [`EventKind::PlayerReported`] is about.
    pub report: Option<u64>,
}

/// Which events to read, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutboxQuery {
    /// Those after this place.
    pub after: EventPlace,
    /// Of these kinds.
    pub kinds: EventKinds,
    /// Only of tables that this player made, plays at or is asked to.
    pub player: Option<PlayerId>,
    /// So many are looked at, whether they are wanted or not.
    pub limit: u32,
}

impl OutboxQuery {
    /// All after that place.
    pub fn after(after: EventPlace, limit: u32) -> OutboxQuery {
        OutboxQuery {
            after,
            kinds: EventKinds::ALL,
            player: None,
            limit,
        }
    }
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxPage {
    /// Those that are wanted.
    pub events: Vec<OutboxEvent>,
    /// Up to where was looked: read on from here. The place that was asked for if there
    /// is nothing after it yet.
    pub next: EventPlace,
    /// Whether there may be more already.
    pub is_full: bool,
}

impl OutboxPage {
    /// A page of what was looked at, each with whether it is wanted.
    pub(crate) fn of(query: &OutboxQuery, seen: Vec<(OutboxEvent, bool)>) -> OutboxPage {
        let next = seen.last().map_or(query.after, |(event, _)| event.place);
        let is_full = seen.len() >= query.limit as usize;
        let is_wanted = |(event, is_theirs): (OutboxEvent, bool)| {
            (is_theirs && query.kinds.has(event.kind)).then_some(event)
        };
        OutboxPage {
            events: seen.into_iter().filter_map(is_wanted).collect(),
            next,
            is_full,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_as_they_are_written_and_in_the_order_of_their_texts() {
        let place = |xid, id| EventPlace { xid, id };
        let places = [place(0, 0), place(0, 255), place(1, 0), place(16, 3)];
        for (a, b) in places.iter().zip(&places[1..]) {
            assert!(a.to_string() < b.to_string());
        }
        for place in places {
            assert_eq!(place.to_string().parse(), Ok(place));
        }
        let bad = ["", "7", "zz", &"f".repeat(32), &"+".repeat(32)];
        for text in bad {
            assert_eq!(text.parse::<EventPlace>(), Err(BadEventPlace), "{text}");
        }
    }
}
