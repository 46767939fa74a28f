//! `/v1/admin`: operators and arbiters. Everything that changes something is
//! written to the audit trail.

mod accounts;
mod audit;
mod bars;
mod games;
mod lines;
mod matches;
mod pgn;
mod show;
mod standing;
mod work;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use utoipa_axum::router::OpenApiRouter;

use crate::auth::{Caller, Scope};
use crate::operate::operator::OPERATOR;
use crate::play::App;
use crate::play::arbiter;
use crate::problem::{Kind, Problem};

/// Every call under `/v1/admin`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(games::routes())
        .merge(matches::routes())
        .merge(show::routes())
        .merge(accounts::routes())
        .merge(standing::routes())
        .merge(bars::routes())
        .merge(audit::routes())
        .merge(pgn::routes())
        .merge(work::routes())
}

/// A caller whose token has scope `admin`.
struct Operator {
    caller: Caller,
}

impl FromRequestParts<App> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Operator, Problem> {
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        caller.require(Scope::Admin)?;
        Ok(Operator { caller })
    }
}

impl Operator {
    /// Whether it is the operator of the machine, at its console.
    fn is_console(&self) -> bool {
        self.caller.person.id == OPERATOR
    }

    /// Insists on it.
    fn at_console(&self) -> Result<(), Problem> {
        if self.is_console() {
            return Ok(());
        }
        let detail = "this is for the operator at the server's own console";
        Err(Problem::new(Kind::Forbidden, "missing_scope", detail))
    }

    /// Who they are in the audit trail.
    fn name(&self) -> String {
        if self.is_console() {
            "cli".into()
        } else {
            self.caller.person.id.clone()
        }
    }

    /// Writes down what was done.
    async fn audit(
        &self,
        app: &App,
        action: &str,
        target: &str,
        detail: String,
    ) -> Result<(), Problem> {
        arbiter::audit(app, &self.name(), action, target, detail).await
    }
}
