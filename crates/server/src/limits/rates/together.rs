//! What all nodes of a shared store count together: attempts at what somebody must
//! guess. Each node still counts for itself first, which costs nothing.

use std::net::IpAddr;

use chess::Timestamp;
use sha2::{Digest, Sha256};
use store::{Counting, Share, Store};

use super::{Rate, RateLimits, SHARED, Whose};
use crate::problem::Problem;

const MINUTE_US: u64 = 60_000_000;

/// The limits, as this node and all others count them.
pub struct Together<'a> {
    rates: &'a RateLimits,
    store: &'a Store,
    now: Timestamp,
}

impl RateLimits {
    /// The same limits, counted with all who share the store.
    pub fn together<'a>(&'a self, store: &'a Store, now: Timestamp) -> Together<'a> {
        Together {
            rates: self,
            store,
            now,
        }
    }
}

impl Together<'_> {
    /// Counts one more for each of them.
    ///
    /// # Errors
    /// `rate_limited` if that is one too many for any; `unavailable` if the store
    /// cannot say.
    pub async fn check(&self, rate: Rate, whose: &[Whose<'_>]) -> Result<(), Problem> {
        whose
            .iter()
            .try_for_each(|whose| self.rates.check(rate, *whose))?;
        self.ask(rate, whose, Counting::IfAllowed).await
    }

    /// Whether one more would be too many for any of them; counts nothing.
    ///
    /// # Errors
    /// As [`Together::check`].
    pub async fn look(&self, rate: Rate, whose: &[Whose<'_>]) -> Result<(), Problem> {
        whose
            .iter()
            .try_for_each(|whose| self.rates.look(rate, *whose))?;
        self.ask(rate, whose, Counting::Look).await
    }

    /// Counts one that has happened, whether or not it is too many.
    ///
    /// # Errors
    /// `unavailable` if it may not be counted: whoever guessed is not told how.
    pub async fn count(&self, rate: Rate, whose: &[Whose<'_>]) -> Result<(), Problem> {
        whose
            .iter()
            .for_each(|whose| self.rates.count(rate, *whose));
        self.ask(rate, whose, Counting::Always).await
    }

    async fn ask(
        &self,
        rate: Rate,
        whose: &[Whose<'_>],
        counting: Counting,
    ) -> Result<(), Problem> {
        if !self.rates.is_on() || !self.store.is_shared() {
            return Ok(());
        }
        let shares = whose.iter().map(|whose| self.share(rate, *whose));
        let shares: Vec<Share> = shares.collect();
        match self.store.attempt(shares, counting, self.now).await? {
            None => Ok(()),
            Some(wait) => Err(Problem::rate_limited(wait.0.div_ceil(1_000).max(1))),
        }
    }

    fn share(&self, rate: Rate, whose: Whose<'_>) -> Share {
        let per_minute = match rate {
            Rate::SignIn => self.rates.sign_ins_per_minute,
            _ => self.rates.wrong_passwords_per_minute,
        };
        let is_narrow = rate == Rate::WrongCode || matches!(whose, Whose::NameFrom(..));
        let burst = match is_narrow {
            true => per_minute.max(1),
            false => per_minute.saturating_mul(SHARED).max(1),
        };
        Share {
            key: key(rate, whose),
            one_us: (MINUTE_US / u64::from(burst)).max(1),
            burst,
        }
    }
}

/// The same at every node, and for nothing else.
fn key(rate: Rate, whose: Whose<'_>) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut part = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(format!("{rate:?}").as_bytes());
    match whose {
        Whose::Account(account) => {
            part(b"account");
            part(&account.number().to_le_bytes());
        }
        Whose::Address(address) => {
            part(b"address");
            part(&bytes(address));
        }
        Whose::Name(name) => {
            part(b"name");
            part(name.as_bytes());
        }
        Whose::NameFrom(name, address) => {
            part(b"name from");
            part(name.as_bytes());
            part(&bytes(address));
        }
    }
    hash.finalize().into()
}

fn bytes(address: IpAddr) -> Vec<u8> {
    match address {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_key_of_their_own() {
        let here: IpAddr = "192.0.2.1".parse().unwrap();
        let there: IpAddr = "2001:db8::".parse().unwrap();
        let whose = [
            Whose::Name("ann"),
            Whose::Name("bob"),
            Whose::Address(here),
            Whose::Address(there),
            Whose::NameFrom("ann", here),
            Whose::NameFrom("ann", there),
        ];
        let mut keys = std::collections::HashSet::new();
        for rate in [Rate::SignIn, Rate::WrongPassword, Rate::WrongCode] {
            keys.extend(whose.map(|whose| key(rate, whose)));
        }
        assert_eq!(keys.len(), 18);
    }
}
