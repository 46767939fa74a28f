//! The ids of chat lines: opaque, ordered, and telling nobody what they may
//! not know.
//!
//! Whoever counts ids must not learn of lines they cannot see. So an id depends
//! only on the time and on lines that everyone who sees it also sees: a line
//! to the room on earlier lines to the room; a player's banter on these and
//! on that player's earlier banter; an observer's line on everything, because
//! observers see everything.
//!
//! And each is larger than those before it, so that "after this id" misses
//! nothing: the parts of an id are ordered as the lines depend on each other,
//! and a line to the room outranks, without knowing of them, all lower lines
//! of its millisecond. Only the two players' banter cannot be ordered within one
//! millisecond, because neither may depend on the other.

use std::fmt;
use std::str::FromStr;

use chess::Timestamp;

/// Names a line among those of its table.
///
/// From the top: 42 bits of milliseconds, 4 that count lines to the room in that
/// millisecond, 5 that count banter since the last of these (the creator's are odd),
/// and 12 that count observers' lines since the last of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChatId(u64);

const ROOM_BITS: u32 = 4;
const BANTER_BITS: u32 = 5;
const OBSERVER_BITS: u32 = 12;
const BANTER_AT: u32 = OBSERVER_BITS;
const ROOM_AT: u32 = BANTER_AT + BANTER_BITS;
const MILLIS_AT: u32 = ROOM_AT + ROOM_BITS;
/// One bit stays free: databases have signed numbers.
const MAX: u64 = (1 << 63) - 1;
const DIGITS: usize = 16;

/// The text is not a chat id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadChatId;

/// Lines that see the same earlier lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strand {
    /// For everyone: what players say to the room, and notices.
    Room,
    /// What the player who made the table says to the observers.
    Creator,
    /// What the other player says to the observers.
    Opponent,
    /// What observers say.
    Observers,
}

impl ChatId {
    /// The id with that number, if it is one.
    pub fn from_number(number: u64) -> Option<ChatId> {
        (number <= MAX).then_some(ChatId(number))
    }

    /// The number inside.
    pub fn number(self) -> u64 {
        self.0
    }

    fn new(millis: u64, room: u64, banter: u64, observers: u64) -> ChatId {
        let id = millis << MILLIS_AT | room << ROOM_AT | banter << BANTER_AT | observers;
        ChatId(id.min(MAX))
    }

    /// No line that is said then or later has a smaller one.
    pub fn first_at(at: Timestamp) -> ChatId {
        ChatId::new(at.0.min(MAX >> MILLIS_AT), 0, 0, 0)
    }

    /// When the line was said, to the millisecond or a little later.
    pub fn said_at(self) -> Timestamp {
        Timestamp(self.millis())
    }

    fn millis(self) -> u64 {
        self.0 >> MILLIS_AT
    }

    fn room(self) -> u64 {
        self.part(ROOM_AT, ROOM_BITS)
    }

    fn banter(self) -> u64 {
        self.part(BANTER_AT, BANTER_BITS)
    }

    fn observers(self) -> u64 {
        self.part(0, OBSERVER_BITS)
    }

    fn part(self, at: u32, bits: u32) -> u64 {
        self.0 >> at & ((1 << bits) - 1)
    }

    fn strand(self) -> Strand {
        match (self.banter(), self.observers()) {
            (0, 0) => Strand::Room,
            (banter, 0) if banter % 2 == 1 => Strand::Creator,
            (_, 0) => Strand::Opponent,
            _ => Strand::Observers,
        }
    }
}

/// The newest id of each strand of one table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChatOrder {
    room: ChatId,
    creator: ChatId,
    opponent: ChatId,
    observers: ChatId,
}

impl ChatOrder {
    /// The order of a table that has lines with these ids.
    pub fn resume(ids: impl IntoIterator<Item = ChatId>) -> ChatOrder {
        let mut order = ChatOrder::default();
        for id in ids {
            let newest = order.newest_mut(id.strand());
            *newest = id.max(*newest);
        }
        order
    }

    /// The id of a line said now at a table that has lines with these ids. Those
    /// before [`ChatId::first_at`] that time make no difference.
    pub fn id_after(
        ids: impl IntoIterator<Item = ChatId>,
        strand: Strand,
        now: Timestamp,
    ) -> ChatId {
        ChatOrder::resume(ids).next(strand, now)
    }

    /// The id of a line said now. The clock may stand still or step back: a
    /// strand's ids grow all the same.
    pub fn next(&mut self, strand: Strand, now: Timestamp) -> ChatId {
        let id = match strand {
            Strand::Room => self.next_room(now),
            Strand::Creator => self.next_banter(self.creator, 1, now),
            Strand::Opponent => self.next_banter(self.opponent, 2, now),
            Strand::Observers => self.next_observers(now),
        };
        *self.newest_mut(strand) = id;
        id
    }

    fn newest_mut(&mut self, strand: Strand) -> &mut ChatId {
        match strand {
            Strand::Room => &mut self.room,
            Strand::Creator => &mut self.creator,
            Strand::Opponent => &mut self.opponent,
            Strand::Observers => &mut self.observers,
        }
    }

    /// The count starts at 1: lines with 0 came before the room's first.
    fn next_room(&self, now: Timestamp) -> ChatId {
        let last = self.room;
        if now.0 > last.millis() {
            ChatId::new(now.0, 1, 0, 0)
        } else if last.room() + 1 < 1 << ROOM_BITS {
            ChatId::new(last.millis(), last.room() + 1, 0, 0)
        } else {
            ChatId::new(last.millis() + 1, 1, 0, 0)
        }
    }

    /// The creator's count 1, 3, 5, ... and the opponent's 2, 4, 6, ... since the last line to
    /// the room.
    fn next_banter(&self, last: ChatId, first: u64, now: Timestamp) -> ChatId {
        let floor = self.room.max(ChatId::new(now.0, 0, 0, 0));
        let is_new = (last.millis(), last.room()) < (floor.millis(), floor.room());
        if is_new {
            ChatId::new(floor.millis(), floor.room(), first, 0)
        } else if last.banter() + 2 < 1 << BANTER_BITS {
            ChatId::new(last.millis(), last.room(), last.banter() + 2, 0)
        } else {
            ChatId::new(last.millis() + 1, 0, first, 0)
        }
    }

    fn next_observers(&self, now: Timestamp) -> ChatId {
        let last = [self.room, self.creator, self.opponent, self.observers]
            .into_iter()
            .fold(ChatId::new(now.0, 0, 0, 0), ChatId::max);
        if last.observers() + 1 < 1 << OBSERVER_BITS {
            ChatId(last.0 + 1)
        } else {
            ChatId::new(last.millis() + 1, 0, 0, 1)
        }
    }
}

/// Of fixed width, so that texts are ordered as the ids are.
impl fmt::Display for ChatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0DIGITS$x}", self.0)
    }
}

impl FromStr for ChatId {
    type Err = BadChatId;

    fn from_str(text: &str) -> Result<ChatId, BadChatId> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != DIGITS || !text.bytes().all(is_digit) {
            return Err(BadChatId);
        }
        let number = u64::from_str_radix(text, 16).map_err(|_| BadChatId)?;
        ChatId::from_number(number).ok_or(BadChatId)
    }
}

impl fmt::Display for BadChatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not the id of a chat line")
    }
}

impl std::error::Error for BadChatId {}

#[cfg(test)]
mod tests {
    use super::*;

    use Strand::{Creator, Observers, Opponent, Room};

    const STRANDS: [Strand; 4] = [Room, Creator, Opponent, Observers];

    /// Strands and times in a reproducible order; the clock stands still mostly,
    /// runs now and then, and sometimes steps back.
    fn traffic(seed: u64) -> impl Iterator<Item = (Strand, Timestamp)> {
        let (mut state, mut now) = (seed | 1, 1_800_000_000_000);
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            match state >> 40 & 15 {
                0 => now += state >> 50 & 3,
                1 => now -= 1,
                _ => {}
            }
            (STRANDS[(state >> 20 & 3) as usize], Timestamp(now))
        })
    }

    #[test]
    fn an_id_is_read_as_it_is_written_and_sorts_as_text() {
        let mut before = String::new();
        for number in [0, 1, 0xabcdef, 1 << 62, MAX] {
            let id = ChatId::from_number(number).unwrap();
            assert_eq!(id.to_string().parse(), Ok(id));
            assert!(id.to_string() > before);
            before = id.to_string();
        }
        assert_eq!(ChatId::from_number(MAX + 1), None);
        for bad in [
            "",
            "0",
            "000000000000000",
            "+000000000000000",
            "00000000000000000",
            "000000000000000A",
            "8000000000000000",
            "00000000000000é",
        ] {
            assert_eq!(bad.parse::<ChatId>(), Err(BadChatId), "{bad}");
        }
    }

    #[test]
    fn no_id_is_given_twice_and_each_lane_grows() {
        for seed in 1..=20 {
            let mut order = ChatOrder::default();
            let mut seen = std::collections::HashSet::new();
            for (strand, now) in traffic(seed).take(5_000) {
                let before = *order.newest_mut(strand);
                let id = order.next(strand, now);
                assert!(id > before, "seed {seed}");
                assert!(seen.insert(id), "seed {seed}");
                assert_eq!(id.strand(), strand, "seed {seed}");
            }
            assert_eq!(ChatOrder::resume(seen), order, "seed {seed}");
        }
    }

    /// What a strand's ids are, if only these strands are spoken in.
    fn ids(of: Strand, among: &[Strand], seed: u64) -> Vec<ChatId> {
        let mut order = ChatOrder::default();
        traffic(seed)
            .take(2_000)
            .filter(|(strand, _)| among.contains(strand))
            .map(|(strand, now)| (strand, order.next(strand, now)))
            .filter(|(strand, _)| *strand == of)
            .map(|(_, id)| id)
            .collect()
    }

    #[test]
    fn an_id_depends_on_no_line_that_its_reader_may_not_see() {
        for seed in 1..=20 {
            assert_eq!(ids(Room, &STRANDS, seed), ids(Room, &[Room], seed));
            assert_eq!(
                ids(Creator, &STRANDS, seed),
                ids(Creator, &[Room, Creator], seed)
            );
            assert_eq!(
                ids(Opponent, &STRANDS, seed),
                ids(Opponent, &[Room, Opponent], seed)
            );
        }
    }

    /// Also within one millisecond, for everyone who sees these strands.
    #[test]
    fn a_later_line_has_a_larger_id() {
        for seen in [[Room, Creator, Observers], [Room, Opponent, Observers]] {
            for seed in 1..=20 {
                let mut order = ChatOrder::default();
                let mut last = ChatId::default();
                let mut latest = Timestamp(0);
                // Few enough for a millisecond's counts, as flood limits see to.
                let mut spoken = 0;
                for (strand, now) in traffic(seed).take(2_000) {
                    if now > latest {
                        (latest, spoken) = (now, 0);
                    }
                    spoken += 1;
                    if !seen.contains(&strand) || spoken > 14 {
                        continue;
                    }
                    let id = order.next(strand, latest);
                    assert!(id > last, "seed {seed}: {strand:?}");
                    last = id;
                }
            }
        }
    }

    #[test]
    fn older_ids_make_no_difference_to_the_next() {
        for seed in 1..=20 {
            let mut order = ChatOrder::default();
            let mut said: Vec<ChatId> = Vec::new();
            for (strand, now) in traffic(seed).take(1_000) {
                let newer = said
                    .iter()
                    .copied()
                    .filter(|id| *id >= ChatId::first_at(now));
                let id = ChatOrder::id_after(newer, strand, now);
                assert_eq!(id, order.next(strand, now), "seed {seed}");
                said.push(id);
            }
        }
    }

    #[test]
    fn the_end_of_time_breaks_nothing() {
        let mut order = ChatOrder::default();
        for strand in STRANDS {
            order.next(strand, Timestamp((1 << 42) - 1));
        }
    }
}
