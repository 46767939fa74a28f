//! Limits that all servers of a shared store count together.

use chess::Millis;

/// A share of something that fills again with time.
///
/// It is kept as one moment: when the share will be whole again. One more moves it
/// by what one takes; too many is when it lies further ahead than the rest of the
/// share reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// What is limited and for whom: a hash of it.
    pub key: [u8; 32],
    /// How long one takes to be there again, in microseconds.
    pub one_us: u64,
    /// How many there are at once.
    pub burst: u32,
}

/// What is done with shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// Asks whether one more would be too many of any.
    Look,
    /// Counts one more of each, unless that is too many of any: then none is counted.
    IfAllowed,
    /// Counts one more of each, whether or not it is too many.
    Always,
}

impl Share {
    /// How far ahead the moment may lie before one more.
    pub(crate) fn slack_us(&self) -> u64 {
        let rest = u64::from(self.burst.saturating_sub(1));
        self.one_us.saturating_mul(rest)
    }
}

/// For how long it is too many, if it is.
pub(crate) fn wait(us: i64) -> Option<Millis> {
    let us = u64::try_from(us).ok().filter(|us| *us > 0)?;
    let ms = us.div_ceil(1_000);
    Some(Millis(u32::try_from(ms).unwrap_or(u32::MAX)))
}
