//! Guests whose clients bring an identity of their own: a secret that names
//! them, without a token.

use std::net::IpAddr;

use store::{Account, AccountKind, Creation, NewAccount, OutsideIdentity, ProfileChange};

use super::accounts::{NAMES_MAX, closed};
use super::bars::barred;
use super::{Auth, names, secrets};
use crate::limits::rates::{Rate, RateLimits};
use crate::problem::Problem;
use crate::settings::Registration;

impl Auth {
    /// The guest who bears this secret at that door. Only its hash is stored.
    ///
    /// # Errors
    /// `barred`; `unavailable` if the store cannot say.
    pub async fn guest(&self, door: &str, secret: &str) -> Result<Option<Account>, Problem> {
        let identity = identity(door, secret);
        let account = self.0.store.account_by_outside(&identity).await?;
        let account = account.filter(|account| account.deleted_at.is_none());
        match account {
            Some(account) if account.barred_at.is_some() => Err(barred()),
            account => Ok(account),
        }
    }

    /// The same, made when they are first seen, and called what they now want
    /// to be called, which `preferences` says.
    ///
    /// # Errors
    /// `registration_closed` unless registration is open; `rate_limited`; `unavailable`.
    pub async fn welcome_guest(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        door: &str,
        secret: &str,
        preferences: String,
    ) -> Result<Account, Problem> {
        let account = match self.guest(door, secret).await? {
            Some(account) if account.preferences == preferences => return Ok(account),
            Some(account) => {
                rates.check(Rate::Command, account.number)?;
                account
            }
            None => self.new_guest(rates, from, door, secret).await?,
        };
        let change = ProfileChange {
            preferences: Some(preferences),
            ..ProfileChange::default()
        };
        let changed = self.alter(account.number, change).await?;
        changed.ok_or_else(Problem::unavailable)
    }

    async fn new_guest(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        door: &str,
        secret: &str,
    ) -> Result<Account, Problem> {
        if self.0.registration != Registration::Open {
            return Err(closed("this server takes no guests"));
        }
        rates.check(Rate::Registration, from)?;
        for _ in 0..NAMES_MAX {
            let new = NewAccount {
                outside: Some(identity(door, secret)),
                ..self.blank(names::for_guest(None), AccountKind::Guest)
            };
            match self.0.store.create_account(new).await? {
                Creation::Created(account) => return Ok(account),
                Creation::NameTaken => {}
                Creation::IdentityTaken => break, // by a request at the same time
            }
        }
        self.guest(door, secret)
            .await?
            .ok_or_else(Problem::unavailable)
    }
}

fn identity(door: &str, secret: &str) -> OutsideIdentity {
    let hash = secrets::hash(&format!("{door} {secret}"));
    OutsideIdentity {
        issuer: door.to_owned(),
        subject: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
    }
}
