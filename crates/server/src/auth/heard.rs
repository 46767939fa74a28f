//! What other nodes of a shared store took back, and what may be done while
//! nobody can say whether they did.
//!
//! Every node hears of revocations with its heartbeat. Until it has heard, what it
//! remembers may be out of date, so it counts for reading only: whoever changes
//! something is confirmed by the store.

use std::sync::atomic::{AtomicU64, Ordering};

use chess::{Millis, Timestamp};
use store::{Revocation, Revoked};

use super::bars::barred;
use super::{Auth, Caller, Scope};
use crate::problem::Problem;

/// How long what is remembered counts for changes too, since the store was last
/// asked what was taken back: a token is dead within a second, on every node.
const TRUSTED: Millis = Millis(1_000);

/// When the store was last asked what was taken back.
pub(super) struct LastHeard(AtomicU64);

impl LastHeard {
    pub(super) fn at(now: Timestamp) -> LastHeard {
        LastHeard(AtomicU64::new(now.0))
    }

    fn is_recent(&self, now: Timestamp) -> bool {
        now.since(Timestamp(self.0.load(Ordering::Acquire))) < TRUSTED
    }

    #[cfg(test)]
    pub(super) fn long_ago(&self) {
        self.0.store(0, Ordering::Release);
    }

    fn raise(&self, asked: Timestamp) {
        self.0.fetch_max(asked.0, Ordering::AcqRel);
    }
}

impl Auth {
    /// Forgets what was taken back or changed in the store since revocation
    /// number `known`, here or at another node, and has the streams of dead tokens
    /// end. `asked` is the games' time at which the store was asked for it. If
    /// some of it is missing, everything is forgotten.
    pub fn heard(&self, known: u64, revocations: &[Revocation], asked: Timestamp) {
        let first = revocations.first().map(|revocation| revocation.number);
        if first.is_some_and(|first| first > known.saturating_add(1)) {
            self.forget_everything();
        } else {
            for revocation in revocations {
                self.forget(&revocation.what);
            }
        }
        self.0.last_heard.raise(asked);
    }

    fn forget(&self, what: &Revoked) {
        match what {
            Revoked::Token(hash) => self.forget_tokens([hash]),
            Revoked::Account(number) => self.forget_person(*number),
            // Which of the outside tokens are theirs is not remembered.
            Revoked::Identity { .. } => self.0.tokens.clear(),
        }
    }

    fn forget_everything(&self) {
        self.0.tokens.clear();
        self.0.people.clear();
        self.0.places.all_look_again();
    }

    /// Insists that a caller may still do what they ask for, and not only read: if
    /// this node has not heard lately what was taken back elsewhere, by asking the
    /// store.
    ///
    /// # Errors
    /// `unauthorized`, `barred`; `unavailable` if the store cannot say.
    pub async fn confirm(&self, caller: &Caller) -> Result<(), Problem> {
        let is_known = self.0.last_heard.is_recent(self.0.clock.now());
        if is_known || !self.0.store.is_shared() {
            return Ok(());
        }
        let account = self.0.store.account_by_number(caller.number()).await?;
        let is_held = match &caller.token {
            Some(hash) => self.0.store.token_by_hash(hash).await?.is_some(),
            None => true,
        };
        let is_admin = account.as_ref().is_some_and(|account| account.is_admin);
        let is_barred = account.as_ref().is_some_and(|a| a.barred_at.is_some());
        let is_there = account
            .is_some_and(|account| account.deleted_at.is_none() && account.alias_of.is_none());
        let is_allowed = is_admin || !caller.scopes.contains(Scope::Admin);
        if is_there && is_held && is_allowed && !is_barred {
            return Ok(());
        }
        self.forget_tokens(&caller.token);
        self.forget_person(caller.number());
        Err(match is_there && is_barred {
            true => barred(),
            false => Problem::unauthorized("the token is not one that this server accepts"),
        })
    }
}
