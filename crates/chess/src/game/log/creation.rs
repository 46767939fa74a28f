//! What a game was made from, as bytes.

use crate::bytes::{byte, put, read_millis, read_player, read_players, take, write_players};
use crate::clock::{ClockStart, DelayKind, Stage, TimeControl};
use crate::game::{ChatRule, ColorChoice, Creation, DrawRule, RoomTerms, Terms};
use crate::rules::{Start, Variant};
use crate::table::PlayerId;

/// The layout of the creation entry; a later one gets the next number.
const FORMAT: u8 = 1;
/// The same after what is agreed on about the room.
const FORMAT_WITH_ROOM: u8 = 2;

pub(super) fn write_creation(out: &mut Vec<u8>, creation: &Creation) {
    let terms = &creation.terms;
    let flags = u8::from(terms.rated)
        | u8::from(terms.takebacks) << 1
        | u8::from(terms.private) << 2
        | u8::from(terms.draw_rule == DrawRule::Claim) << 3
        | u8::from(terms.clock_start == ClockStart::SecondPly) << 4
        | creation.color.code() << 5;
    // Only a room of its own kind is written: all other games read as ever.
    if terms.room == RoomTerms::default() {
        out.push(FORMAT);
    } else {
        let room = terms.room.chat as u8 | u8::from(terms.room.members_only) << 2;
        out.extend_from_slice(&[FORMAT_WITH_ROOM, room]);
    }
    out.extend_from_slice(&[flags, terms.variant.code(), terms.forfeit_after]);
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

fn read_room(code: u8) -> Option<RoomTerms> {
    let chat = *ChatRule::ALL.get(usize::from(code & 3))?;
    (code < 8).then_some(RoomTerms {
        chat,
        members_only: code & 4 != 0,
    })
}

pub(super) fn read_creation(rest: &mut &[u8]) -> Option<Creation> {
    let room = match byte(rest)? {
        FORMAT => RoomTerms::default(),
        FORMAT_WITH_ROOM => read_room(byte(rest)?)?,
        _ => return None,
    };
    let flags = byte(rest)?;
    let bit = |n: u8| flags >> n & 1 == 1;
    let color = ColorChoice::from_code(flags >> 5)?;
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
        room,
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
