//! Coming in as an administrator: with a password, or as the first with a code.
//!
//! Signing in gives nobody the right to operate the server, so that what a browser keeps
//! for playing opens no console. Who wants to operate says so, and for half a day.

use std::net::IpAddr;

use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use store::{
    Account, AccountKind, AuditEntry, FirstAdmin, Installed, NewAccount, NewToken, TokenKind,
};

use super::accounts::username_taken;
use super::sign_in::waiter;
use super::tokens::Session;
use super::{Auth, Scope, Scopes, names, passwords};
use crate::limits::rates::{Rate, RateLimits};
use crate::problem::{Kind, Problem};

/// For so long somebody operates before they show their password again.
const SHIFT: Millis = Millis::from_secs(12 * 60 * 60);

/// What an operator's token may do.
const SCOPES: Scopes = Scopes::of(&[
    Scope::Read,
    Scope::Play,
    Scope::Challenge,
    Scope::Bot,
    Scope::Admin,
]);

/// Somebody who wants to be the first administrator.
pub(crate) struct Newcomer {
    pub(crate) code: u64,
    pub(crate) name: String,
    pub(crate) password: String,
}

impl Auth {
    /// Signs an administrator in to operate.
    ///
    /// # Errors
    /// As with [`Auth::sign_in`]; `not_administrator` to whoever knows the password.
    pub(crate) async fn sign_in_to_operate(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        username: &str,
        password: String,
    ) -> Result<(Account, Session), Problem> {
        let account = self.proven(rates, from, username, password).await?;
        if !account.is_admin {
            let detail = "this account is no administrator's";
            return Err(Problem::new(Kind::Forbidden, "not_administrator", detail));
        }
        let session = self.open_shift(account.number).await?;
        Ok((account, session))
    }

    /// Makes whoever knows the code the first administrator. The one of that id does not
    /// count as one.
    ///
    /// # Errors
    /// `already_set_up`; `wrong_code`; `username_taken`; `bad_username`, `weak_password`;
    /// `rate_limited` after several wrong codes.
    pub(crate) async fn install(
        &self,
        rates: &RateLimits,
        from: IpAddr,
        newcomer: Newcomer,
        except: &str,
    ) -> Result<(Account, Session), Problem> {
        if !self.0.store.needs_setup(except).await? {
            return Err(set_up());
        }
        let together = rates.together(&self.0.store, self.0.clock.now());
        together.look(Rate::WrongCode, &[from.into()]).await?;
        names::check(&newcomer.name)?;
        passwords::check(&newcomer.password, &newcomer.name)?;
        let waiter = waiter(rates, from);
        let password_hash = self.0.passwords.hash(newcomer.password, waiter).await?;
        let new = NewAccount {
            password_hash: Some(password_hash),
            is_admin: true,
            ..self.blank(newcomer.name, AccountKind::Registered)
        };
        let id = new.name.to_ascii_lowercase();
        let first = FirstAdmin {
            code: newcomer.code,
            new,
            except: except.to_owned(),
            audit: AuditEntry {
                at: self.now(),
                actor: id.clone(),
                action: "set_up".into(),
                target: id,
                detail: "the first administrator".into(),
            },
        };
        let account = match self.0.store.install(first).await? {
            Installed::Made(account) => *account,
            Installed::Before => return Err(set_up()),
            Installed::NameTaken => return Err(username_taken()),
            Installed::WrongCode => {
                together.count(Rate::WrongCode, &[from.into()]).await?;
                let detail = "this is not the code in the server's log";
                return Err(Problem::new(Kind::Forbidden, "wrong_code", detail));
            }
        };
        let session = self.open_shift(account.number).await?;
        Ok((account, session))
    }

    /// A token to operate with: no session, so it makes no further ones that last.
    async fn open_shift(&self, account: PlayerId) -> Result<Session, Problem> {
        let expires_at: Timestamp = self.now() + SHIFT;
        let (token, new) = self.new_token(account, TokenKind::Personal, SCOPES);
        let new = NewToken {
            name: "console".into(),
            expires_at: Some(expires_at),
            ..new
        };
        self.0.store.add_token(new).await?;
        Ok(Session { token, expires_at })
    }
}

fn set_up() -> Problem {
    let detail = "this server has its administrator: sign in, or use `arbiter admin`";
    Problem::new(Kind::Conflict, "already_set_up", detail)
}
