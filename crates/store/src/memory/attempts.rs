//! Limits that all servers count together, in memory.

use std::collections::BTreeMap;

use chess::Timestamp;

use crate::attempts::{Counting, Share};

/// When each share is whole again, in microseconds since 1970.
#[derive(Clone, Default)]
pub(crate) struct Attempts(BTreeMap<[u8; 32], u64>);

impl Attempts {
    /// For how many microseconds one more is too many; not more than zero if it is not.
    pub(crate) fn attempt(&mut self, shares: &[Share], counting: Counting, now: Timestamp) -> i64 {
        let now_us = now.0.saturating_mul(1_000);
        let waits = shares.iter().map(|share| {
            let reach = now_us.saturating_add(share.slack_us());
            i64::try_from(self.level(share, now_us).saturating_sub(reach)).unwrap_or(i64::MAX)
        });
        let wait = waits.max().unwrap_or(0);
        let is_counted = match counting {
            Counting::Look => false,
            Counting::IfAllowed => wait <= 0,
            Counting::Always => true,
        };
        if is_counted {
            for share in shares {
                let until = self.level(share, now_us).saturating_add(share.one_us);
                self.0.insert(share.key, until);
            }
        }
        match counting {
            Counting::Always => 0,
            Counting::Look | Counting::IfAllowed => wait,
        }
    }

    fn level(&self, of: &Share, now_us: u64) -> u64 {
        self.0
            .get(&of.key)
            .map_or(now_us, |until| now_us.max(*until))
    }
}
