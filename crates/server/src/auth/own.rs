//! One's own account.

use std::net::IpAddr;

use chess::table::PlayerId;
use store::{Account, AccountKind, ProfileChange};

use super::accounts::{carried_through, username_taken};
use super::sign_in::waiter;
use super::{Auth, Caller, Scopes, email, names, passwords};
use crate::limits::rates::{Rate, RateLimits};
use crate::problem::{Kind, Problem};

/// How large a client's own settings may be, as JSON.
const PREFERENCES_MAX: usize = 8 * 1024;

/// The password so far, and one to come.
#[derive(Default)]
pub struct Passwords {
    /// The one so far: what leads into the account is not changed without it.
    pub current: Option<String>,
    /// The one to come.
    pub new: Option<String>,
}

impl Auth {
    /// Everything about the caller's account.
    ///
    /// # Errors
    /// `unauthorized` if it was deleted meanwhile.
    pub async fn own_account(&self, caller: &Caller) -> Result<Account, Problem> {
        self.0
            .store
            .account_by_number(caller.number())
            .await?
            .ok_or_else(gone)
    }

    /// Changes the caller's profile, and gives the account as it then is. A new
    /// password needs the one before; whoever has learnt that must not stay, so
    /// every other token of the account is revoked. So does another address, if there
    /// is a password: it is where a new one can be chosen. A token for playing changes
    /// nothing: it takes all that a session may do.
    ///
    /// # Errors
    /// `missing_scope`; `too_large` for preferences; `bad_request` for a bad
    /// address; `bad_credentials` if the password before is wrong; `not_allowed` if
    /// there is none, or for what somebody who is no guest wants to be called;
    /// `weak_password`; `bad_username`, `username_taken`; `rate_limited`.
    pub async fn change_profile(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        caller: &Caller,
        mut change: ProfileChange,
        passwords: Passwords,
    ) -> Result<Account, Problem> {
        caller.require_all(Scopes::SESSION)?;
        rates.check(Rate::Command, caller.number())?;
        if change.preferences.as_ref().map_or(0, String::len) > PREFERENCES_MAX {
            let detail = "preferences: at most 8 KiB";
            let error = Problem::new(Kind::TooLarge, "too_large", detail);
            return Err(error.with("field", "preferences"));
        }
        if let Some(wish) = &change.display_name {
            self.check_display_name(caller, wish.as_deref()).await?;
        }
        change
            .email
            .iter()
            .flatten()
            .try_for_each(|email| email::check(email))?;
        if change.email.is_some() || passwords.new.is_some() {
            let account = self.own_account(caller).await?;
            let hash = self.let_in(rates, from, account, &change, passwords);
            change.password_hash = hash.await?;
        }
        let (auth, caller) = (self.clone(), caller.clone());
        let changed = carried_through(async move {
            let is_new_password = change.password_hash.is_some();
            let changed = auth.0.store.change_profile(caller.number(), change).await;
            auth.forget_person(caller.number());
            if is_new_password && changed.is_ok() {
                auth.revoke_others(&caller).await?;
            }
            changed
        });
        changed.await?.ok_or_else(gone)
    }

    /// Insists on the password so far where something changes that leads into the account:
    /// whoever only has a session must not make it theirs. Works on the one to come.
    async fn let_in(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        account: Account,
        change: &ProfileChange,
        passwords: Passwords,
    ) -> Result<Option<String>, Problem> {
        let is_moved = change.email.as_ref().is_some_and(|to| *to != account.email);
        let must_prove = is_moved && account.password_hash.is_some();
        if passwords.new.is_none() && !must_prove {
            return Ok(None);
        }
        let current = passwords.current.ok_or_else(|| {
            let detail = match passwords.new {
                Some(_) => "current_password: needed for a new password",
                None => "current_password: needed for another address",
            };
            Problem::bad_request(detail).with("field", "current_password")
        })?;
        let hash = account.password_hash.ok_or_else(no_password)?;
        if let Some(new) = &passwords.new {
            passwords::check(new, &account.name)?;
        }
        self.prove(rates, from, &account.id, current, Some(hash))
            .await?;
        let Some(new) = passwords.new else {
            return Ok(None);
        };
        let waiter = waiter(rates, from);
        self.0.passwords.hash(new, waiter).await.map(Some)
    }

    /// Insists that a guest may be called so: like a name, and nobody's. Everybody else has
    /// a name.
    async fn check_display_name(&self, caller: &Caller, wish: Option<&str>) -> Result<(), Problem> {
        if caller.person.kind != AccountKind::Guest {
            let detail = "only a guest chooses what to be called: you have a name";
            let problem = Problem::new(Kind::Conflict, "not_allowed", detail);
            return Err(problem.with("field", "display_name"));
        }
        let Some(wish) = wish else { return Ok(()) };
        names::check(wish).map_err(|problem| problem.with("field", "display_name"))?;
        let id = wish.to_ascii_lowercase();
        match self.0.store.account_by_id(&id).await? {
            Some(_) => Err(username_taken().with("field", "display_name")),
            None => Ok(()),
        }
    }

    /// Works on a password that the owner of an account chose without knowing the one
    /// before.
    ///
    /// # Errors
    /// `weak_password`; `rate_limited`.
    pub(crate) async fn hash_new_password(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        account: &Account,
        password: String,
    ) -> Result<String, Problem> {
        passwords::check(&password, &account.name)?;
        let waiter = waiter(rates, from);
        self.0.passwords.hash(password, waiter).await
    }

    /// Sets a password, and ends every session and token, even if the client hangs up
    /// meanwhile: whoever knew the one before must not stay.
    ///
    /// # Errors
    /// `unavailable` if it may not be done.
    pub(crate) async fn set_password(
        &self,
        number: PlayerId,
        password_hash: String,
    ) -> Result<(), Problem> {
        let auth = self.clone();
        let set = tokio::spawn(async move {
            let change = ProfileChange {
                password_hash: Some(password_hash),
                ..ProfileChange::default()
            };
            auth.alter(number, change).await?;
            auth.revoke_all(number).await
        });
        set.await.unwrap_or_else(|_| Err(Problem::unavailable()))
    }

    /// Deletes the caller's own account.
    ///
    /// # Errors
    /// `missing_scope`: it takes all that a session may do.
    pub async fn leave(&self, caller: &Caller) -> Result<(), Problem> {
        caller.require_all(Scopes::SESSION)?;
        self.delete_account(caller.number()).await
    }
}

/// `unauthorized`: the account was deleted while the request was on its way.
fn gone() -> Problem {
    Problem::unauthorized("this account is gone")
}

fn no_password() -> Problem {
    let detail = "only a registered account has a password";
    Problem::new(Kind::Conflict, "not_allowed", detail)
}
