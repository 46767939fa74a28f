//! Who may operate the server.

use std::net::IpAddr;

use store::Account;

use crate::auth::tokens::Session;
use crate::auth::{Caller, Scope};
use crate::play::{App, arbiter};
use crate::problem::{Kind, Problem};

/// The account of the operator at the console: a reserved name, so nobody else's.
pub const OPERATOR: &str = "arbiter";

/// Somebody whose token has scope `admin`.
pub(crate) struct Operator {
    pub(super) app: App,
    pub(super) caller: Caller,
}

/// Signs an administrator in to operate, which is written down.
///
/// # Errors
/// As with [`Auth::sign_in_to_operate`](crate::auth::Auth::sign_in_to_operate).
pub(crate) async fn sign_in(
    app: &App,
    from: IpAddr,
    username: &str,
    password: String,
) -> Result<(Account, Session), Problem> {
    let auth = &app.auth;
    let signed = auth.sign_in_to_operate(&app.rates, from, username, password);
    let (account, session) = signed.await?;
    let (id, nothing) = (&account.id, String::new());
    arbiter::audit(app, id, "open_console", id, nothing).await?;
    Ok((account, session))
}

impl Operator {
    /// The caller, if they are one; `missing_scope` if not.
    pub(crate) fn new(app: &App, caller: Caller) -> Result<Operator, Problem> {
        caller.require(Scope::Admin)?;
        let app = app.clone();
        Ok(Operator { app, caller })
    }

    /// The server that they operate.
    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    /// Who they are.
    pub(crate) fn caller(&self) -> &Caller {
        &self.caller
    }

    /// Whether it is the operator of the machine, at its console.
    fn is_console(&self) -> bool {
        self.caller.person.id == OPERATOR
    }

    /// Insists on it.
    pub(crate) fn at_console(&self) -> Result<(), Problem> {
        if self.is_console() {
            return Ok(());
        }
        let detail = "this is for the operator at the server's own console";
        Err(Problem::new(Kind::Forbidden, "missing_scope", detail))
    }

    /// Who they are in the audit trail.
    pub(crate) fn name(&self) -> &str {
        if self.is_console() {
            "cli"
        } else {
            &self.caller.person.id
        }
    }

    /// Writes down what was done.
    pub(crate) async fn audit(
        &self,
        action: &str,
        target: &str,
        detail: String,
    ) -> Result<(), Problem> {
        arbiter::audit(&self.app, self.name(), action, target, detail).await
    }
}
