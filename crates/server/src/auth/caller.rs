//! The one who makes a request.

use std::sync::Arc;

use chess::Timestamp;
use chess::table::{Actor, PlayerId};
use store::AccountKind;

use super::{Person, Scope, Scopes};
use crate::problem::{Kind, Problem};

/// Someone with a good token.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Who they are.
    pub person: Arc<Person>,
    /// What the token allows.
    pub scopes: Scopes,
    /// The token's hash; `None` for one of an outside identity service.
    pub token: Option<[u8; 32]>,
    /// Whether they signed in for it, here or at an outside identity service;
    /// else they made it, for a program.
    pub is_session: bool,
    /// When the token ends by itself.
    pub expires_at: Option<Timestamp>,
}

impl Caller {
    /// Insists on a scope.
    ///
    /// # Errors
    /// `missing_scope` if the token lacks it.
    pub fn require(&self, scope: Scope) -> Result<(), Problem> {
        self.require_all(Scopes::of(&[scope]))
    }

    /// Insists on all of these.
    ///
    /// # Errors
    /// `missing_scope` for the first that the token lacks.
    pub fn require_all(&self, scopes: Scopes) -> Result<(), Problem> {
        match self.scopes.missing(scopes) {
            Some(scope) => Err(Problem::missing_scope(scope.name())),
            None => Ok(()),
        }
    }

    /// Insists on one of these.
    ///
    /// # Errors
    /// `missing_scope`, naming the first, if the token lacks them all.
    pub fn require_any(&self, scopes: &[Scope]) -> Result<(), Problem> {
        if scopes.iter().any(|scope| self.scopes.contains(*scope)) {
            return Ok(());
        }
        match scopes.first() {
            Some(first) => self.require(*first),
            None => Ok(()),
        }
    }

    /// Insists on a session.
    ///
    /// # Errors
    /// `session_required` for a personal token.
    pub fn require_session(&self) -> Result<(), Problem> {
        if self.is_session {
            return Ok(());
        }
        let detail = "this needs a session: sign in; a personal token is not enough";
        Err(Problem::new(Kind::Forbidden, "session_required", detail))
    }

    /// Whether they are a guest, by a token that may do all that a guest may.
    pub fn is_guest_in_person(&self) -> bool {
        self.person.kind == AccountKind::Guest && self.scopes.missing(Scopes::SESSION).is_none()
    }

    /// The one who acts on a game.
    pub fn actor(&self) -> Actor {
        Actor::Player(self.number())
    }

    /// The account's number.
    pub fn number(&self) -> PlayerId {
        self.person.number
    }

    /// Insists that the token may do more than read.
    ///
    /// # Errors
    /// It may not.
    pub fn may_change(self) -> Result<Caller, Problem> {
        if self.scopes.is_read_only() {
            let detail = "a token of scope read may only read";
            return Err(Problem::new(Kind::Forbidden, "missing_scope", detail));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caller(scopes: &[Scope]) -> Caller {
        Caller {
            person: Arc::new(Person::ann(7)),
            scopes: Scopes::of(scopes),
            token: None,
            is_session: true,
            expires_at: None,
        }
    }

    #[test]
    fn a_scope_that_is_missing_is_named() {
        let player = caller(&[Scope::Play]);
        assert!(player.require(Scope::Play).is_ok());
        assert!(player.require(Scope::Read).is_ok());
        let error = player.require(Scope::Admin).unwrap_err();
        assert_eq!((error.kind, error.code), (Kind::Forbidden, "missing_scope"));
        assert_eq!(error.context["scope"], "admin");
    }

    #[test]
    fn a_token_of_scope_read_changes_nothing() {
        let error = caller(&[Scope::Read]).may_change().unwrap_err();
        assert_eq!((error.kind, error.code), (Kind::Forbidden, "missing_scope"));
        assert!(caller(&[Scope::Challenge]).may_change().is_ok());
    }
}
