//! Names for things: sixteen bytes that no two things share.

use std::fmt;

/// A UUID. Those of clients come as arguments; those of pieces, equipped
/// skills and moves follow from the match's seed, for the core rolls no dice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

/// What an id is for, so that the tenth piece and the tenth move differ.
#[derive(Clone, Copy)]
pub(super) enum Thing {
    Piece = 1,
    Equipped = 2,
    Move = 3,
}

impl Uuid {
    /// The id of the `number`th thing of its kind in the match of this seed:
    /// a version 8 UUID, which is the one for ids made in one's own way.
    pub(super) fn derived(self, thing: Thing, number: u32) -> Uuid {
        let seed = u128::from_be_bytes(self.0);
        let label = (thing as u64) << 32 | u64::from(number);
        let high = scrambled((seed >> 64) as u64 ^ scrambled(label));
        let low = scrambled(high ^ seed as u64);
        let mut bytes = (u128::from(high) << 64 | u128::from(low)).to_be_bytes();
        bytes[6] = bytes[6] & 0x0f | 0x80;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        Uuid(bytes)
    }
}

/// Spreads every bit over all others (the finaliser of `SplitMix64`).
fn scrambled(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, byte) in self.0.iter().enumerate() {
            if matches!(place, 4 | 6 | 8 | 10) {
                f.write_str("-")?;
            }
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
