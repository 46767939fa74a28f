//! Points in time and spans of time, both in whole milliseconds.

use std::fmt;
use std::ops::{Add, Sub};

/// A point in time: milliseconds since the Unix epoch, as the server's own
/// clock told them. What a client says about time never becomes one of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(pub u64);

/// A span of time, at most 49 days: sums beyond that and differences below
/// zero saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Millis(pub u32);

impl Timestamp {
    /// How long after `earlier` this is; zero if it is not after it.
    pub fn since(self, earlier: Timestamp) -> Millis {
        Millis(u32::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(u32::MAX))
    }
}

impl Millis {
    /// No time at all.
    pub const ZERO: Millis = Millis(0);

    /// A number of whole seconds.
    pub const fn from_secs(secs: u32) -> Millis {
        Millis(secs.saturating_mul(1000))
    }

    /// A number of whole days.
    pub const fn from_days(days: u32) -> Millis {
        Millis::from_secs(days.saturating_mul(86_400))
    }

    /// Whole seconds, rounded down.
    pub const fn as_secs(self) -> u32 {
        self.0 / 1000
    }
}

impl Add<Millis> for Timestamp {
    type Output = Timestamp;
    fn add(self, span: Millis) -> Timestamp {
        Timestamp(self.0.saturating_add(u64::from(span.0)))
    }
}

impl Add for Millis {
    type Output = Millis;
    fn add(self, other: Millis) -> Millis {
        Millis(self.0.saturating_add(other.0))
    }
}

impl Sub for Millis {
    type Output = Millis;
    fn sub(self, other: Millis) -> Millis {
        Millis(self.0.saturating_sub(other.0))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03} s", self.0 / 1000, self.0 % 1000)
    }
}
