//! Who may operate the server.

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
