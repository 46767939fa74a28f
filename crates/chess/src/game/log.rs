//! The packed history of a game: what is kept in memory, written to the
//! journal and stored in the game's row, byte for byte the same.
//!
//! A plain move takes two bytes and its time since the entry before, as a
//! variable-length number, mostly two more. Bits 4 to 6 of a packed move's
//! high byte are its promotion or drop, which is never 7: so a first byte
//! with these three bits set is no move but the tag of another event.

use shakmaty::packed::PackedUciMove;
use shakmaty::{ByColor, Color};

use super::{ColorChoice, Creation, DrawRule, Ending, Entry, Event, Offer, Terms};
use crate::clock::{ClockStart, DelayKind, Stage, TimeControl};
use crate::rules::{Start, Variant};
use crate::table::PlayerId;
use crate::{Millis, Timestamp};

/// The layout of the creation entry; a later one gets the next number.
const FORMAT: u8 = 1;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Log {
    bytes: Vec<u8>,
}

impl Log {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.capacity()
    }

    /// Appends an entry; `previous` is the time of the entry before it.
    pub(super) fn append(&mut self, previous: Timestamp, at: Timestamp, event: &Event) {
        // Growing by a few moves at a time keeps half a million games small.
        if self.bytes.capacity() - self.bytes.len() < 16 {
            self.bytes.reserve_exact(32);
        }
        write_event(&mut self.bytes, event);
        put(&mut self.bytes, at.0.saturating_sub(previous.0));
    }

    pub(super) fn entries(&self) -> Entries<'_> {
        Entries::new(&self.bytes)
    }

    /// The bytes of all entries after the first `version`.
    pub(super) fn after(&self, version: u32) -> &[u8] {
        let mut entries = self.entries();
        for _ in 0..version {
            if entries.next().is_none() {
                break;
            }
        }
        entries.rest
    }
}

/// Reads entries one after the other; ends with the first that is broken.
pub(super) struct Entries<'a> {
    rest: &'a [u8],
    at: Timestamp,
}

impl<'a> Entries<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Entries<'a> {
        Entries {
            rest: bytes,
            at: Timestamp(0),
        }
    }

    /// Whether everything was read.
    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        let mut rest = self.rest;
        let event = read_event(&mut rest)?;
        let delta = take(&mut rest)?;
        self.at = Timestamp(self.at.0.checked_add(delta)?);
        self.rest = rest;
        Some(Entry { at: self.at, event })
    }
}

mod tag {
    pub(super) const CREATED: u8 = 0;
    pub(super) const JOINED: u8 = 1;
    pub(super) const INVITED: u8 = 2;
    pub(super) const MOVED: u8 = 3;
    pub(super) const ILLEGAL_ATTEMPT: u8 = 4;
    pub(super) const ENDED: u8 = 5;
    pub(super) const OFFERED: u8 = 6;
    pub(super) const OFFER_DECLINED: u8 = 7;
    pub(super) const TAKEN_BACK: u8 = 8;
    pub(super) const PAUSED: u8 = 9;
    pub(super) const RESUME_ASKED: u8 = 10;
    pub(super) const RESUMED: u8 = 11;
    pub(super) const TIME_ADDED: u8 = 12;
    pub(super) const TIME_CREDITED: u8 = 13;
    pub(super) const CLOCK_SET: u8 = 14;
}

const NOT_A_MOVE: u8 = 0x70;

fn write_event(out: &mut Vec<u8>, event: &Event) {
    let mut tagged = |tag: u8, payload: &[u8]| {
        out.push(NOT_A_MOVE | tag);
        out.extend_from_slice(payload);
    };
    match event {
        Event::Moved {
            uci,
            offers_draw: false,
            ending: None,
        } => {
            let [low, high] = uci.to_bytes();
            out.extend_from_slice(&[high, low]);
        }
        Event::Moved {
            uci,
            offers_draw,
            ending,
        } => {
            let [low, high] = uci.to_bytes();
            tagged(
                tag::MOVED,
                &[high, low, u8::from(*offers_draw), maybe_ending(*ending)],
            );
        }
        Event::Created(creation) => {
            tagged(tag::CREATED, &[]);
            write_creation(out, creation);
        }
        Event::Joined { player, color } => {
            tagged(tag::JOINED, &[color_code(*color)]);
            put(out, u64::from(player.number()));
        }
        Event::Invited(players) => {
            tagged(tag::INVITED, &[]);
            write_players(out, players);
        }
        Event::IllegalAttempt { ending } => tagged(tag::ILLEGAL_ATTEMPT, &[maybe_ending(*ending)]),
        Event::Ended { ending, by } => tagged(tag::ENDED, &[ending.code(), maybe_color(*by)]),
        Event::Offered { offer, by } => tagged(tag::OFFERED, &[*offer as u8, color_code(*by)]),
        Event::OfferDeclined { offer, by } => {
            tagged(tag::OFFER_DECLINED, &[*offer as u8, color_code(*by)]);
        }
        Event::TakenBack { plies, by } => {
            tagged(tag::TAKEN_BACK, &[color_code(*by)]);
            put(out, u64::from(*plies));
        }
        Event::Paused { by } => tagged(tag::PAUSED, &[maybe_color(*by)]),
        Event::ResumeAsked { by } => tagged(tag::RESUME_ASKED, &[color_code(*by)]),
        Event::Resumed { by } => tagged(tag::RESUMED, &[maybe_color(*by)]),
        Event::TimeAdded { to, gift } => {
            tagged(tag::TIME_ADDED, &[color_code(*to)]);
            put(out, u64::from(gift.0));
        }
        Event::TimeCredited { credit } => {
            tagged(tag::TIME_CREDITED, &[]);
            put(out, u64::from(credit.0));
        }
        Event::ClockSet { left } => {
            tagged(tag::CLOCK_SET, &[]);
            put(out, u64::from(left.white.0));
            put(out, u64::from(left.black.0));
        }
    }
}

fn read_event(rest: &mut &[u8]) -> Option<Event> {
    let first = byte(rest)?;
    if first & NOT_A_MOVE != NOT_A_MOVE {
        let uci = PackedUciMove::from_bytes([byte(rest)?, first]);
        return Some(Event::Moved {
            uci,
            offers_draw: false,
            ending: None,
        });
    }
    Some(match first & !NOT_A_MOVE {
        tag::MOVED => {
            let (high, low) = (byte(rest)?, byte(rest)?);
            Event::Moved {
                uci: PackedUciMove::from_bytes([low, high]),
                offers_draw: flag(rest)?,
                ending: read_maybe_ending(rest)?,
            }
        }
        tag::CREATED => Event::Created(Box::new(read_creation(rest)?)),
        tag::JOINED => Event::Joined {
            color: read_color(rest)?,
            player: read_player(rest)?,
        },
        tag::INVITED => Event::Invited(read_players(rest)?),
        tag::ILLEGAL_ATTEMPT => Event::IllegalAttempt {
            ending: read_maybe_ending(rest)?,
        },
        tag::ENDED => Event::Ended {
            ending: Ending::from_code(byte(rest)?)?,
            by: read_maybe_color(rest)?,
        },
        tag::OFFERED => Event::Offered {
            offer: read_offer(rest)?,
            by: read_color(rest)?,
        },
        tag::OFFER_DECLINED => Event::OfferDeclined {
            offer: read_offer(rest)?,
            by: read_color(rest)?,
        },
        tag::TAKEN_BACK => {
            let by = read_color(rest)?;
            Event::TakenBack {
                plies: u16::try_from(take(rest)?).ok()?,
                by,
            }
        }
        tag::PAUSED => Event::Paused {
            by: read_maybe_color(rest)?,
        },
        tag::RESUME_ASKED => Event::ResumeAsked {
            by: read_color(rest)?,
        },
        tag::RESUMED => Event::Resumed {
            by: read_maybe_color(rest)?,
        },
        tag::TIME_ADDED => Event::TimeAdded {
            to: read_color(rest)?,
            gift: read_millis(rest)?,
        },
        tag::TIME_CREDITED => Event::TimeCredited {
            credit: read_millis(rest)?,
        },
        tag::CLOCK_SET => Event::ClockSet {
            left: ByColor {
                white: read_millis(rest)?,
                black: read_millis(rest)?,
            },
        },
        _ => return None,
    })
}

fn write_creation(out: &mut Vec<u8>, creation: &Creation) {
    let terms = &creation.terms;
    let flags = u8::from(terms.rated)
        | u8::from(terms.takebacks) << 1
        | u8::from(terms.private) << 2
        | u8::from(terms.draw_rule == DrawRule::Claim) << 3
        | u8::from(terms.clock_start == ClockStart::SecondPly) << 4
        | (creation.color as u8) << 5;
    out.extend_from_slice(&[FORMAT, flags, terms.variant.code(), terms.forfeit_after]);
    put(out, u64::from(terms.spectator_delay));
    put(out, u64::from(creation.creator.number()));
    put(out, creation.opponent.map_or(0, |p| u64::from(p.number())));
    put(
        out,
        creation.rematch_of.map_or(0, |id| id.saturating_add(1)),
    );
    write_control(out, &terms.control);
    match &creation.start {
        Start::Usual => out.push(0),
        Start::Chess960(number) => {
            out.push(1);
            put(out, u64::from(*number));
        }
        Start::Fen(fen) => {
            out.push(2);
            put(out, fen.len() as u64);
            out.extend_from_slice(fen.as_bytes());
        }
    }
    write_players(out, &creation.invited);
}

fn read_creation(rest: &mut &[u8]) -> Option<Creation> {
    if byte(rest)? != FORMAT {
        return None;
    }
    let flags = byte(rest)?;
    let bit = |n: u8| flags >> n & 1 == 1;
    let color = match flags >> 5 {
        0 => ColorChoice::White,
        1 => ColorChoice::Black,
        2 => ColorChoice::Random,
        _ => return None,
    };
    let variant = Variant::from_code(byte(rest)?)?;
    let forfeit_after = byte(rest)?;
    let spectator_delay = u16::try_from(take(rest)?).ok()?;
    let creator = read_player(rest)?;
    let opponent = PlayerId::new(u32::try_from(take(rest)?).ok()?);
    let rematch_of = take(rest)?.checked_sub(1);
    let terms = Terms {
        control: read_control(rest)?,
        variant,
        draw_rule: if bit(3) {
            DrawRule::Claim
        } else {
            DrawRule::Automatic
        },
        clock_start: if bit(4) {
            ClockStart::SecondPly
        } else {
            ClockStart::Join
        },
        rated: bit(0),
        takebacks: bit(1),
        private: bit(2),
        forfeit_after,
        spectator_delay,
    };
    let start = match byte(rest)? {
        0 => Start::Usual,
        1 => Start::Chess960(u16::try_from(take(rest)?).ok()?),
        2 => {
            let length = usize::try_from(take(rest)?).ok()?;
            let (fen, after) = rest.split_at_checked(length)?;
            *rest = after;
            Start::Fen(std::str::from_utf8(fen).ok()?.into())
        }
        _ => return None,
    };
    let invited = read_players(rest)?;
    Some(Creation {
        creator,
        color,
        opponent,
        start,
        terms,
        invited,
        rematch_of,
    })
}

fn write_control(out: &mut Vec<u8>, control: &TimeControl) {
    let mut numbers = |kind: u8, values: &[u32]| {
        out.push(kind);
        for value in values {
            put(out, u64::from(*value));
        }
    };
    match control {
        TimeControl::Unlimited => numbers(0, &[]),
        TimeControl::Correspondence { days } => numbers(1, &[u32::from(*days)]),
        TimeControl::Fischer { initial, increment } => numbers(2, &[initial.0, increment.0]),
        TimeControl::Delay {
            initial,
            delay,
            kind: DelayKind::Us,
        } => {
            numbers(3, &[initial.0, delay.0]);
        }
        TimeControl::Delay {
            initial,
            delay,
            kind: DelayKind::Bronstein,
        } => {
            numbers(4, &[initial.0, delay.0]);
        }
        TimeControl::Stages(stages) => {
            numbers(5, &[stages.len() as u32]);
            for stage in stages.iter() {
                for value in [u32::from(stage.moves), stage.initial.0, stage.increment.0] {
                    put(out, u64::from(value));
                }
            }
        }
    }
}

fn read_control(rest: &mut &[u8]) -> Option<TimeControl> {
    let control = match byte(rest)? {
        0 => TimeControl::Unlimited,
        1 => TimeControl::Correspondence {
            days: u8::try_from(take(rest)?).ok()?,
        },
        2 => TimeControl::Fischer {
            initial: read_millis(rest)?,
            increment: read_millis(rest)?,
        },
        kind @ (3 | 4) => TimeControl::Delay {
            initial: read_millis(rest)?,
            delay: read_millis(rest)?,
            kind: if kind == 3 {
                DelayKind::Us
            } else {
                DelayKind::Bronstein
            },
        },
        5 => {
            let count = take(rest)?;
            let mut stages = Vec::new();
            for _ in 0..count.min(16) {
                stages.push(Stage {
                    moves: u16::try_from(take(rest)?).ok()?,
                    initial: read_millis(rest)?,
                    increment: read_millis(rest)?,
                });
            }
            TimeControl::Stages(Box::new(stages))
        }
        _ => return None,
    };
    control.check().ok().map(|()| control)
}

fn write_players(out: &mut Vec<u8>, players: &[PlayerId]) {
    put(out, players.len() as u64);
    for player in players {
        put(out, u64::from(player.number()));
    }
}

fn read_players(rest: &mut &[u8]) -> Option<Vec<PlayerId>> {
    let count = take(rest)?;
    (0..count).map(|_| read_player(rest)).collect()
}

fn read_player(rest: &mut &[u8]) -> Option<PlayerId> {
    PlayerId::new(u32::try_from(take(rest)?).ok()?)
}

fn read_millis(rest: &mut &[u8]) -> Option<Millis> {
    u32::try_from(take(rest)?).ok().map(Millis)
}

fn color_code(color: Color) -> u8 {
    color.fold_wb(0, 1)
}

fn maybe_color(color: Option<Color>) -> u8 {
    color.map_or(2, color_code)
}

fn maybe_ending(ending: Option<Ending>) -> u8 {
    ending.map_or(u8::MAX, Ending::code)
}

fn read_color(rest: &mut &[u8]) -> Option<Color> {
    read_maybe_color(rest)?
}

fn read_maybe_color(rest: &mut &[u8]) -> Option<Option<Color>> {
    match byte(rest)? {
        0 => Some(Some(Color::White)),
        1 => Some(Some(Color::Black)),
        2 => Some(None),
        _ => None,
    }
}

fn read_maybe_ending(rest: &mut &[u8]) -> Option<Option<Ending>> {
    match byte(rest)? {
        u8::MAX => Some(None),
        code => Ending::from_code(code).map(Some),
    }
}

fn read_offer(rest: &mut &[u8]) -> Option<Offer> {
    Offer::ALL.get(usize::from(byte(rest)?)).copied()
}

fn flag(rest: &mut &[u8]) -> Option<bool> {
    match byte(rest)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn byte(rest: &mut &[u8]) -> Option<u8> {
    rest.split_off_first().copied()
}

/// Writes a number, seven bits a byte, lowest first.
fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn take(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0u64;
    for shift in (0..64).step_by(7) {
        let next = byte(rest)?;
        value |= u64::from(next & 0x7f).checked_shl(shift)?;
        if next < 0x80 {
            return Some(value);
        }
    }
    None
}
