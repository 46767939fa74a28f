//! Personal tokens: made by their owner, for programs.

use store::{NewToken, Token, TokenKind};

use super::{Auth, Caller, Scope, Scopes};
use crate::limits::rates::{Rate, RateLimits};
use crate::problem::{Kind, Problem};

/// How many of them an account has.
pub const PERSONAL_MAX: usize = 100;
/// How long the name of one may be.
const NAME_MAX: usize = 64;

impl Auth {
    /// Makes a personal token of the caller's, who has signed in: a token that
    /// made others would live on in them after it was taken back. Nobody gives
    /// more than they have, so `service` and `admin` are the operator's to give.
    ///
    /// # Errors
    /// `rate_limited`; `bad_request` for the name, or a scope that there is not;
    /// `session_required`, `missing_scope`; `too_many_tokens`.
    pub async fn issue(
        &self,
        rates: &RateLimits,
        caller: &Caller,
        name: &str,
        scopes: &[impl AsRef<str>],
    ) -> Result<(Token, String), Problem> {
        rates.check(Rate::Command, caller.number())?;
        let name = checked(name)?;
        let scopes = named(scopes)?;
        caller.require_session()?;
        caller.require_all(scopes)?;
        let tokens = self.0.store.tokens_of(caller.number()).await?;
        let personal = tokens
            .iter()
            .filter(|token| token.kind == TokenKind::Personal);
        if personal.count() >= PERSONAL_MAX {
            let detail = format!("an account has at most {PERSONAL_MAX} personal tokens");
            return Err(Problem::new(Kind::Conflict, "too_many_tokens", detail));
        }
        let (text, new) = self.new_token(caller.number(), TokenKind::Personal, scopes);
        let token = self.0.store.add_token(NewToken { name, ..new }).await?;
        Ok((token, text))
    }

    /// Takes back a token of the caller's, sessions included. That needs all that
    /// a session may do, or all that the token may.
    ///
    /// # Errors
    /// `not_found`; `missing_scope`.
    pub async fn take_back(&self, caller: &Caller, id: u64) -> Result<(), Problem> {
        let tokens = self.tokens_of(caller.number()).await?;
        let token = tokens.iter().find(|token| token.id == id);
        let scopes = Scopes::from_bits(token.ok_or_else(no_such)?.scopes);
        if !caller.scopes.covers(Scopes::SESSION) {
            caller.require_all(scopes)?;
        }
        let revoked = self.revoke(caller.number(), id).await?;
        revoked.map(|_| ()).ok_or_else(no_such)
    }
}

/// `not_found`: none of the caller's tokens.
pub fn no_such() -> Problem {
    Problem::not_found("you have no such token")
}

fn checked(text: &str) -> Result<String, Problem> {
    let name = text.trim();
    let is_good =
        (1..=NAME_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if is_good {
        return Ok(name.to_owned());
    }
    let detail = format!("name: 1 to {NAME_MAX} characters");
    Err(Problem::bad_request(detail).with("field", "name"))
}

fn named(names: &[impl AsRef<str>]) -> Result<Scopes, Problem> {
    let wrong = |detail: String| Problem::bad_request(detail).with("field", "scopes");
    let known = |name: &str| {
        Scope::from_name(name).ok_or_else(|| wrong(format!("scopes: there is no scope {name:?}")))
    };
    let scopes = names.iter().map(|name| known(name.as_ref()));
    let scopes: Scopes = scopes.collect::<Result<_, _>>()?;
    if scopes.is_empty() {
        Err(wrong("scopes: at least one".into()))
    } else {
        Ok(scopes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_named_and_there_is_at_least_one() {
        let read = named(&["play", "read", "play"]).unwrap();
        assert_eq!(read.names(), ["read", "play"]);
        for bad in [&[][..], &["write"], &["play", "Read"], &[""]] {
            let error = named(bad).unwrap_err();
            assert_eq!(
                (error.status().as_u16(), error.code),
                (400, "bad_request"),
                "{bad:?}"
            );
            assert_eq!(error.context["field"], "scopes");
        }
    }

    #[test]
    fn a_name_is_short_and_printable() {
        assert_eq!(checked("  my bot ").unwrap(), "my bot");
        for bad in ["", "   ", "a\nb", &"x".repeat(65)] {
            assert_eq!(checked(bad).unwrap_err().code, "bad_request", "{bad:?}");
        }
    }
}
