//! The packed history of a match: what is kept in memory, written to the
//! journal and stored in the match's row, byte for byte the same.
//!
//! An entry is a tag (its highest bit: Black did it), for actions the client's
//! sixteen bytes, what there is to say about it, and the time since the entry
//! before. A plain move takes about 21 bytes.

use shakmaty::Color;

use super::{Act, BEHAVIOURS, Behaviour, Creation, Ending, Entry, Event, SKILLS, Square, Uuid};
use crate::Timestamp;
use crate::bytes::{byte, put, read_player, take};

/// The layout of the creation entry; a later one gets the next number.
const FORMAT: u8 = 1;

mod tag {
    pub(super) const CREATED: u8 = 0;
    pub(super) const JOINED: u8 = 1;
    pub(super) const SELECTED: u8 = 2;
    pub(super) const LOCKED: u8 = 3;
    pub(super) const MOVED: u8 = 4;
    pub(super) const RESIGNED: u8 = 5;
    pub(super) const ENDED: u8 = 6;
    pub(super) const CLOSED: u8 = 7;
    pub(super) const OFFERED_DRAW: u8 = 8;
    pub(super) const AGREED_TO_DRAW: u8 = 9;
    pub(super) const DECLINED_DRAW: u8 = 10;
    pub(super) const BY_BLACK: u8 = 0x80;
}

/// Beside the square a move starts from: a skill follows; a promotion follows.
const WITH_SKILL: u8 = 0x40;
const WITH_PROMOTION: u8 = 0x80;
/// Beside the square a move leads to: it ended the match.
const WITH_ENDING: u8 = 0x40;

/// What a plain move takes.
pub(super) const MOVE_BYTES: usize = 21;

/// Where nothing is selected.
const NOWHERE: u8 = 64;

/// Writes an entry; `previous` is the time of the entry before it.
pub(super) fn append(out: &mut Vec<u8>, previous: Timestamp, at: Timestamp, event: &Event) {
    match event {
        Event::Created(creation) => {
            out.extend_from_slice(&[tag::CREATED, FORMAT]);
            put(out, u64::from(creation.host.number()));
            out.extend_from_slice(&creation.seed.0);
        }
        Event::Joined { player } => {
            out.push(tag::JOINED);
            put(out, u64::from(player.number()));
        }
        Event::Acted { by, action, act } => write_act(out, *by, *action, act),
        Event::Ended(ending) => out.extend_from_slice(&[tag::ENDED, ending_code(*ending)]),
    }
    put(out, at.0.saturating_sub(previous.0));
}

fn write_act(out: &mut Vec<u8>, by: Color, action: Uuid, act: &Act) {
    let kind = match act {
        Act::Selected { .. } => tag::SELECTED,
        Act::Locked => tag::LOCKED,
        Act::Moved { .. } => tag::MOVED,
        Act::Resigned => tag::RESIGNED,
        Act::Closed => tag::CLOSED,
        Act::OfferedDraw => tag::OFFERED_DRAW,
        Act::AgreedToDraw => tag::AGREED_TO_DRAW,
        Act::DeclinedDraw => tag::DECLINED_DRAW,
    };
    out.push(kind | by.fold_wb(0, tag::BY_BLACK));
    out.extend_from_slice(&action.0);
    match act {
        Act::Locked
        | Act::Resigned
        | Act::Closed
        | Act::OfferedDraw
        | Act::AgreedToDraw
        | Act::DeclinedDraw => {}
        Act::Selected { skill, square } => {
            put(out, place(SKILLS.iter().position(|known| known == skill)));
            out.push(square.map_or(NOWHERE, |square| square.index() as u8));
        }
        Act::Moved {
            from,
            to,
            promotion,
            skill,
            ending,
        } => {
            let flag = |is: bool, bit: u8| if is { bit } else { 0 };
            let with =
                flag(skill.is_some(), WITH_SKILL) | flag(promotion.is_some(), WITH_PROMOTION);
            let ends = flag(ending.is_some(), WITH_ENDING);
            out.extend_from_slice(&[from.index() as u8 | with, to.index() as u8 | ends]);
            out.extend(skill);
            if let Some(becomes) = promotion {
                put(
                    out,
                    place(BEHAVIOURS.iter().position(|known| known == becomes)),
                );
            }
            out.extend(ending.map(ending_code));
        }
    }
}

/// Reads entries one after the other; ends with the first that is broken.
pub(super) struct Entries<'a> {
    /// What is yet to be read, in two parts of whole entries.
    parts: [&'a [u8]; 2],
    at: Timestamp,
}

impl<'a> Entries<'a> {
    pub(super) fn new(parts: [&'a [u8]; 2]) -> Entries<'a> {
        Entries {
            parts,
            at: Timestamp(0),
        }
    }

    /// Those that follow an entry made at `at`.
    pub(super) fn following(added: &'a [u8], at: Timestamp) -> Entries<'a> {
        Entries {
            parts: [added, &[]],
            at,
        }
    }

    /// Whether everything was read.
    pub(super) fn is_done(&self) -> bool {
        self.parts.iter().all(|part| part.is_empty())
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        if self.parts[0].is_empty() {
            self.parts.swap(0, 1);
        }
        let mut rest = self.parts[0];
        let event = read_event(&mut rest)?;
        let waited = take(&mut rest)?;
        self.at = Timestamp(self.at.0.checked_add(waited)?);
        self.parts[0] = rest;
        Some(Entry { at: self.at, event })
    }
}

fn read_event(rest: &mut &[u8]) -> Option<Event> {
    let first = byte(rest)?;
    Some(match first {
        tag::CREATED => {
            if byte(rest)? != FORMAT {
                return None;
            }
            Event::Created(Creation {
                host: read_player(rest)?,
                seed: read_uuid(rest)?,
            })
        }
        tag::JOINED => Event::Joined {
            player: read_player(rest)?,
        },
        tag::ENDED => Event::Ended(read_ending(rest)?),
        _ => Event::Acted {
            by: Color::from_white(first & tag::BY_BLACK == 0),
            action: read_uuid(rest)?,
            act: read_act(first & !tag::BY_BLACK, rest)?,
        },
    })
}

fn read_act(kind: u8, rest: &mut &[u8]) -> Option<Act> {
    Some(match kind {
        tag::SELECTED => Act::Selected {
            skill: *SKILLS.get(usize::try_from(take(rest)?).ok()?)?,
            square: match byte(rest)? {
                NOWHERE => None,
                index => Some(Square::from_index(index)?),
            },
        },
        tag::LOCKED => Act::Locked,
        tag::RESIGNED => Act::Resigned,
        tag::CLOSED => Act::Closed,
        tag::OFFERED_DRAW => Act::OfferedDraw,
        tag::AGREED_TO_DRAW => Act::AgreedToDraw,
        tag::DECLINED_DRAW => Act::DeclinedDraw,
        tag::MOVED => {
            let (first, second) = (byte(rest)?, byte(rest)?);
            let with = |flags: u8, bit: u8| (flags & bit != 0).then_some(());
            Act::Moved {
                from: Square::from_index(first & !(WITH_SKILL | WITH_PROMOTION))?,
                to: Square::from_index(second & !WITH_ENDING)?,
                skill: match with(first, WITH_SKILL) {
                    Some(()) => Some(byte(rest)?),
                    None => None,
                },
                promotion: match with(first, WITH_PROMOTION) {
                    Some(()) => Some(read_behaviour(rest)?),
                    None => None,
                },
                ending: match with(second, WITH_ENDING) {
                    Some(()) => Some(read_ending(rest)?),
                    None => None,
                },
            }
        }
        _ => return None,
    })
}

fn read_uuid(rest: &mut &[u8]) -> Option<Uuid> {
    let (uuid, after) = rest.split_first_chunk()?;
    *rest = after;
    Some(Uuid(*uuid))
}

fn read_behaviour(rest: &mut &[u8]) -> Option<&'static dyn Behaviour> {
    let place = usize::try_from(take(rest)?).ok()?;
    BEHAVIOURS.get(place).copied()
}

fn ending_code(ending: Ending) -> u8 {
    place(Ending::ALL.iter().position(|known| *known == ending)) as u8
}

fn read_ending(rest: &mut &[u8]) -> Option<Ending> {
    Ending::ALL.get(usize::from(byte(rest)?)).copied()
}

fn place(found: Option<usize>) -> u64 {
    found.expect("only what is listed is ever used") as u64
}
