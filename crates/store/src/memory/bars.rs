//! Outside identities that are not let in, in memory.

use std::ops::Bound;

use chess::Timestamp;

use super::people::People;
use crate::{OutsideIdentity, Revoked};

impl People {
    pub(crate) fn block(&mut self, who: OutsideIdentity, at: Timestamp) -> bool {
        self.revocations.push(Revoked::from(&who));
        let key = (who.issuer, who.subject);
        let is_new = !self.blocked.contains_key(&key);
        self.blocked.entry(key).or_insert(at);
        is_new
    }

    pub(crate) fn unblock(&mut self, who: &OutsideIdentity) -> bool {
        self.revocations.push(Revoked::from(who));
        self.blocked.remove(&key(who)).is_some()
    }

    pub(crate) fn is_blocked(&self, who: &OutsideIdentity) -> bool {
        self.blocked.contains_key(&key(who))
    }

    pub(crate) fn blocked(
        &self,
        after: &OutsideIdentity,
        limit: u32,
    ) -> Vec<(OutsideIdentity, Timestamp)> {
        let rest = (Bound::Excluded(key(after)), Bound::Unbounded);
        let blocked = self.blocked.range(rest).take(limit as usize);
        let shown = |((issuer, subject), at): (&(String, String), &Timestamp)| {
            let who = OutsideIdentity {
                issuer: issuer.clone(),
                subject: subject.clone(),
            };
            (who, *at)
        };
        blocked.map(shown).collect()
    }
}

fn key(who: &OutsideIdentity) -> (String, String) {
    (who.issuer.clone(), who.subject.clone())
}
