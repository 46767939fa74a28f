//! What ended before its time, in memory.

use super::contents::Contents;
use crate::Revocation;
use crate::nodes::REVOCATIONS_HEARD_MAX;

impl Contents {
    /// What ended since that number, in order; the newest of it if that is too much.
    pub(crate) fn revocations_since(&self, number: u64) -> Vec<Revocation> {
        let ended = &self.people.revocations;
        let since = usize::try_from(number).unwrap_or(usize::MAX);
        let first = since.max(ended.len().saturating_sub(REVOCATIONS_HEARD_MAX));
        let numbered = (1..).zip(ended).skip(first);
        let revocation = |(number, what): (u64, &_)| Revocation {
            number,
            what: Clone::clone(what),
        };
        numbered.map(revocation).collect()
    }
}
