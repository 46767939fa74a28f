//! Proving who one is with a password.

use std::net::IpAddr;

use store::Account;

use super::bars::barred;
use super::tokens::Session;
use super::{Auth, passwords};
use crate::limits::rates::{Rate, RateLimits, Whose, whole};
use crate::problem::Problem;

impl Auth {
    /// Signs in.
    ///
    /// # Errors
    /// `bad_credentials`, in the same time and words whether or not the
    /// name exists; `barred`; `rate_limited`.
    pub async fn sign_in(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        username: &str,
        password: String,
    ) -> Result<(Account, Session), Problem> {
        let account = self.proven(rates, from, username, password).await?;
        let session = self.open_session(account.number).await?;
        Ok((account, session))
    }

    /// The account of whoever knows its password and is let in.
    pub(super) async fn proven(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        username: &str,
        password: String,
    ) -> Result<Account, Problem> {
        let id = username.to_ascii_lowercase();
        // By the name they have, and not by one that they had as a guest.
        let account = self.0.store.account_by_id(&id).await?;
        let account = account.filter(|account| account.id == id);
        let hash = account
            .as_ref()
            .and_then(|account| account.password_hash.clone());
        self.prove(rates, from, &id, password, hash).await?;
        let account = account.ok_or_else(passwords::bad_credentials)?;
        // Only whoever knows the password is told.
        if account.barred_at.is_some() {
            return Err(barred());
        }
        Ok(account)
    }

    /// Insists on the right password. Every attempt counts, since each takes
    /// its time, and wrong ones count more; each is counted before the next in
    /// line gets its turn.
    pub(super) async fn prove(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        id: &str,
        password: String,
        hash: Option<String>,
    ) -> Result<(), Problem> {
        let limits = [
            // First, so that what it refuses counts against nobody else.
            Whose::NameFrom(id, whole(from)),
            Whose::from(from),
            Whose::Name(id),
        ];
        let together = rates.together(&self.0.store, self.0.clock.now());
        together.look(Rate::WrongPassword, &limits).await?;
        together.check(Rate::SignIn, &limits).await?;
        let slot = self.0.passwords.slot(waiter(rates, from)).await?;
        let together = rates.together(&self.0.store, self.0.clock.now());
        together.look(Rate::WrongPassword, &limits).await?;
        let (is_right, _slot) = self.0.passwords.verify(slot, password, hash).await?;
        if is_right {
            return Ok(());
        }
        together.count(Rate::WrongPassword, &limits).await?;
        Err(passwords::bad_credentials())
    }
}

/// On whose account somebody waits for a password to be worked on.
pub(super) fn waiter(rates: &RateLimits, from: IpAddr) -> Option<IpAddr> {
    rates.is_on().then(|| whole(from))
}
