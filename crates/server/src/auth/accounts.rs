//! Becoming somebody, and ceasing to be.

use std::net::IpAddr;

use chess::table::PlayerId;
use store::{
    Account, AccountKind, Creation, GuestRegistration, NewAccount, OutsideIdentity, ProfileChange,
};

use super::sign_in::waiter;
use super::tokens::Session;
use super::{Auth, Caller, Scope, email, names, passwords, secrets};
use crate::limits::rates::{Rate, RateLimits};
use crate::problem::{Kind, Problem};
use crate::settings::Registration;

/// How many random names are tried.
pub(super) const NAMES_MAX: usize = 8;
/// How long a guest's wish may be.
const DISPLAY_NAME_MAX: usize = 64;

/// Someone who wants an account.
pub struct Applicant {
    /// The name they want.
    pub username: String,
    /// The password they chose.
    pub password: String,
    /// Where to write to, if they say so.
    pub email: Option<String>,
    /// The code they were invited with.
    pub invite: Option<String>,
}

impl Auth {
    /// Makes an account, and signs in. A guest becomes the account: number, uuid, seats,
    /// games and token stay theirs.
    ///
    /// # Errors
    /// `registration_closed`; `username_taken`; `bad_username`,
    /// `weak_password`; `bad_request` for a bad address; `rate_limited`; `not_allowed` if
    /// the guest has become somebody else meanwhile.
    pub async fn register(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        caller: Option<&Caller>,
        applicant: Applicant,
    ) -> Result<(Account, Session), Problem> {
        let together = rates.together(&self.0.store, self.0.clock.now());
        if applicant.invite.is_some() {
            together.look(Rate::WrongCode, &[from.into()]).await?;
        }
        if let Err(refused) = self.may_register(caller, applicant.invite.as_deref()) {
            if applicant.invite.is_some() {
                together.count(Rate::WrongCode, &[from.into()]).await?;
            }
            return Err(refused);
        }
        names::check(&applicant.username)?;
        passwords::check(&applicant.password, &applicant.username)?;
        applicant.email.as_deref().map_or(Ok(()), email::check)?;
        rates.check(Rate::Registration, from)?;
        let id = applicant.username.to_ascii_lowercase();
        if self.0.store.account_by_id(&id).await?.is_some() {
            return Err(username_taken()); // Sparing the work on the password.
        }
        let waiter = waiter(rates, from);
        let password_hash = self.0.passwords.hash(applicant.password, waiter).await?;
        let account = match caller.filter(|caller| caller.is_guest_in_person()) {
            Some(guest) => {
                let new = GuestRegistration {
                    name: applicant.username,
                    email: applicant.email,
                    password_hash,
                    alias_uuid: uuid::Uuid::new_v4().into_bytes(),
                    at: self.now(),
                };
                self.register_guest(guest.number(), new).await?
            }
            None => {
                let new = NewAccount {
                    email: applicant.email,
                    password_hash: Some(password_hash),
                    ..self.blank(applicant.username, AccountKind::Registered)
                };
                self.create(new).await?.ok_or_else(username_taken)?
            }
        };
        let session = self.open_session(account.number).await?;
        Ok((account, session))
    }

    fn may_register(&self, caller: Option<&Caller>, invite: Option<&str>) -> Result<(), Problem> {
        let is_invited = || match (invite, &self.0.invite_code) {
            (Some(given), Some(code)) => secrets::are_equal(given.as_bytes(), code.as_bytes()),
            _ => false,
        };
        match self.0.registration {
            Registration::Open => Ok(()),
            Registration::Invite if caller.is_some_and(|c| c.scopes.contains(Scope::Admin)) => {
                Ok(())
            }
            Registration::Invite if is_invited() => Ok(()),
            Registration::Invite => Err(closed("registration needs an invitation")),
            Registration::Closed => Err(closed("this server registers nobody")),
        }
    }

    /// Makes a guest.
    ///
    /// # Errors
    /// `bad_request` for a long name; `registration_closed` unless registration is
    /// open; `rate_limited`.
    pub async fn become_guest(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        display_name: Option<&str>,
    ) -> Result<(Account, Session), Problem> {
        if display_name.is_some_and(|wish| wish.chars().count() > DISPLAY_NAME_MAX) {
            let detail = format!("display_name: at most {DISPLAY_NAME_MAX} characters");
            return Err(Problem::bad_request(detail).with("field", "display_name"));
        }
        if self.0.registration != Registration::Open {
            return Err(closed("this server takes no guests"));
        }
        rates.check(Rate::Registration, from)?;
        for _ in 0..NAMES_MAX {
            let new = self.blank(names::for_guest(display_name), AccountKind::Guest);
            if let Some(account) = self.create(new).await? {
                let session = self.open_session(account.number).await?;
                return Ok((account, session));
            }
        }
        Err(Problem::unavailable())
    }

    /// The account of someone from outside, made when they are first seen. It
    /// is found by who they are there and by nothing else, so that nobody's
    /// name there opens an account here.
    pub(crate) async fn outside_account(
        &self,
        identity: OutsideIdentity,
        preferred_name: Option<&str>,
    ) -> Result<Account, Problem> {
        if let Some(account) = self.0.store.account_by_outside(&identity).await? {
            return Ok(account);
        }
        for name in names::for_outside(preferred_name).take(NAMES_MAX) {
            let outside = Some(identity.clone());
            let new = NewAccount {
                outside,
                ..self.blank(name, AccountKind::Outside)
            };
            match self.0.store.create_account(new).await? {
                Creation::Created(account) => return Ok(account),
                Creation::NameTaken => {}
                Creation::IdentityTaken => break, // by a request at the same time
            }
        }
        let account = self.0.store.account_by_outside(&identity).await?;
        account.ok_or_else(Problem::unavailable)
    }

    /// Changes an account, and has nobody remember what it was. `None`: there is none.
    pub(crate) async fn alter(
        &self,
        number: PlayerId,
        change: ProfileChange,
    ) -> Result<Option<Account>, Problem> {
        let auth = self.clone();
        let changed = carried_through(async move {
            let changed = auth.0.store.change_profile(number, change).await;
            auth.forget_person(number);
            changed
        });
        changed.await
    }

    /// Deletes an account: the games stay, the name goes, and no token holds
    /// any more.
    ///
    /// # Errors
    /// `unavailable` if it cannot be done now.
    pub async fn delete_account(&self, number: PlayerId) -> Result<(), Problem> {
        let auth = self.clone();
        let deleted = carried_through(async move {
            let name = names::for_deleted(number);
            let deleted = auth.0.store.delete_account(number, auth.now(), &name).await;
            auth.forget_person(number);
            deleted
        });
        deleted.await.map(|_| ())
    }

    /// An account to be made, with nothing to it yet.
    pub(crate) fn blank(&self, name: String, kind: AccountKind) -> NewAccount {
        NewAccount {
            uuid: uuid::Uuid::new_v4().into_bytes(),
            name,
            kind,
            email: None,
            password_hash: None,
            is_admin: false,
            outside: None,
            at: self.now(),
        }
    }

    /// The new account, or `None` if its name is taken.
    pub(crate) async fn create(&self, new: NewAccount) -> Result<Option<Account>, Problem> {
        match self.0.store.create_account(new).await? {
            Creation::Created(account) => Ok(Some(account)),
            Creation::NameTaken | Creation::IdentityTaken => Ok(None),
        }
    }
}

/// Does it even if the client hangs up meanwhile: what the store and the
/// memory of it say must not part.
pub(super) async fn carried_through<T: Send + 'static>(
    work: impl Future<Output = Result<T, store::Error>> + Send + 'static,
) -> Result<T, Problem> {
    match tokio::spawn(work).await {
        Ok(result) => result.map_err(Problem::from),
        Err(_) => Err(Problem::unavailable()),
    }
}

pub(crate) fn username_taken() -> Problem {
    Problem::new(
        Kind::Conflict,
        "username_taken",
        "somebody has this name already",
    )
}

pub(super) fn closed(detail: &str) -> Problem {
    Problem::new(Kind::Forbidden, "registration_closed", detail)
}
