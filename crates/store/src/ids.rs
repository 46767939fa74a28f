//! Numbers that name things.

use std::fmt;
use std::str::FromStr;

/// A table's number, 47 bits, shown as eight characters `[A-Za-z0-9]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(u64);

/// The text is not a table's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadTableId;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BITS: u32 = 47;
const LENGTH: usize = 8;

impl TableId {
    /// The largest there is.
    pub(crate) const MAX: TableId = TableId((1 << BITS) - 1);

    /// An id out of random bits; those beyond 47 are dropped.
    pub fn from_random(bits: u64) -> TableId {
        TableId(bits & ((1 << BITS) - 1))
    }

    /// The id with that number, if it is one.
    pub fn from_number(number: u64) -> Option<TableId> {
        (number < 1 << BITS).then_some(TableId(number))
    }

    /// The number inside.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0u8; LENGTH];
        let mut rest = self.0;
        for digit in text.iter_mut().rev() {
            *digit = DIGITS[(rest % 62) as usize];
            rest /= 62;
        }
        f.write_str(std::str::from_utf8(&text).expect("the digits are ASCII"))
    }
}

impl FromStr for TableId {
    type Err = BadTableId;

    fn from_str(text: &str) -> Result<TableId, BadTableId> {
        if text.len() != LENGTH {
            return Err(BadTableId);
        }
        let mut number = 0u64;
        for byte in text.bytes() {
            let digit = DIGITS.iter().position(|d| *d == byte).ok_or(BadTableId)?;
            number = number * 62 + digit as u64;
        }
        TableId::from_number(number).ok_or(BadTableId)
    }
}

impl fmt::Display for BadTableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id has eight letters or digits")
    }
}

impl std::error::Error for BadTableId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written() {
        for number in [0, 1, 61, 62, (1 << BITS) - 1, 0x1234_5678_9abc] {
            let id = TableId::from_number(number).unwrap();
            assert_eq!(id.to_string().len(), 8);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for bad in [
            "",
            "0000000",
            "000000000",
            "0000000-",
            "zzzzzzzz",
            "0000000é",
        ] {
            assert_eq!(bad.parse::<TableId>(), Err(BadTableId), "{bad}");
        }
    }
}
