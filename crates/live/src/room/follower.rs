//! How far a subscriber has been told, and what that makes of the next news.

use crate::mutant::Mutant;

/// Somebody who is told of every change, once and in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Follower {
    version: u32,
}

/// What to do about news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// They were told already.
    Old,
    /// It is what comes next: pass it on.
    Next,
    /// Something is missing: look at the table itself.
    Look,
}

impl Follower {
    /// Knows everything up to that version.
    pub fn at(version: u32) -> Follower {
        Follower { version }
    }

    /// The last version of which everything was told.
    pub fn version(self) -> u32 {
        self.version
    }

    /// News of the change to that version. What cannot be put into words,
    /// because whoever does it failed, is looked at as if it were lost.
    pub fn hear(self, version: u32, is_readable: bool) -> Heard {
        if version <= self.version {
            return Heard::Old;
        }
        if !is_readable && Mutant::UnreadableSkipped.is_chosen() {
            return Heard::Old;
        }
        let is_next = version == self.version + 1
            || Mutant::AnyOrder.is_chosen()
            || (version == self.version + 2 && Mutant::SinceOffByOne.is_chosen());
        if is_next && is_readable {
            Heard::Next
        } else {
            Heard::Look
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_is_passed_on_once_and_in_order() {
        let follower = Follower::at(5);
        for (version, heard) in [(4, Heard::Old), (5, Heard::Old), (6, Heard::Next)] {
            assert_eq!(follower.hear(version, true), heard);
        }
        assert_eq!(follower.hear(7, true), Heard::Look);
    }

    #[test]
    fn what_nobody_can_read_is_looked_at() {
        assert_eq!(Follower::at(5).hear(6, false), Heard::Look);
        assert_eq!(Follower::at(5).hear(5, false), Heard::Old);
    }
}
