//! Numbers and the like as bytes. What reads takes its bytes off the front of
//! `rest`; `None`: they are not what was asked for.

use crate::Millis;
use crate::table::PlayerId;

pub(crate) fn byte(rest: &mut &[u8]) -> Option<u8> {
    rest.split_off_first().copied()
}

/// Writes a number, seven bits a byte, lowest first.
pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// The bytes that [`put`] takes for a number.
pub(crate) fn length(value: u64) -> usize {
    (64 - (value | 1).leading_zeros()).div_ceil(7) as usize
}

pub(crate) fn take(rest: &mut &[u8]) -> Option<u64> {
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

pub(crate) fn flag(rest: &mut &[u8]) -> Option<bool> {
    match byte(rest)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

pub(crate) fn read_millis(rest: &mut &[u8]) -> Option<Millis> {
    u32::try_from(take(rest)?).ok().map(Millis)
}

pub(crate) fn write_players(out: &mut Vec<u8>, players: &[PlayerId]) {
    put(out, players.len() as u64);
    for player in players {
        put(out, u64::from(player.number()));
    }
}

pub(crate) fn read_players(rest: &mut &[u8]) -> Option<Vec<PlayerId>> {
    let count = take(rest)?;
    (0..count).map(|_| read_player(rest)).collect()
}

pub(crate) fn read_player(rest: &mut &[u8]) -> Option<PlayerId> {
    PlayerId::new(u32::try_from(take(rest)?).ok()?)
}
