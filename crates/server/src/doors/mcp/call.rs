//! One request of a model: who asks, and from where.

use std::net::IpAddr;

use axum::http::request::Parts;
use rmcp::model::Extensions;

use crate::auth::Caller;
use crate::http::ClientAddress;
use crate::http::caller::{bearer, by_token, no_token};
use crate::play::App;
use crate::problem::Problem;

/// Who asks, as far as they said.
pub(super) struct Call {
    pub(super) app: App,
    /// Where from.
    pub(super) from: IpAddr,
    token: Result<Option<String>, Problem>,
}

impl Call {
    /// A request, as it came over HTTP.
    pub(super) fn of(app: &App, extensions: &Extensions) -> Call {
        let parts = extensions.get::<Parts>();
        let address = parts.and_then(|parts| parts.extensions.get::<ClientAddress>());
        Call {
            app: app.clone(),
            from: address.map_or([0, 0, 0, 0].into(), |address| address.0),
            token: parts.map_or(Ok(None), bearer),
        }
    }

    /// The same with the token that was among the arguments: it says more about who is
    /// meant than what the client sends with everything.
    pub(super) fn with_token(self, token: Option<String>) -> Call {
        match token {
            Some(_) => Call {
                token: Ok(token),
                ..self
            },
            None => self,
        }
    }

    /// Whoever wants to change something.
    ///
    /// # Errors
    /// `unauthorized`, `barred`, `missing_scope`.
    pub(super) async fn player(&self) -> Result<Caller, Problem> {
        let token = self.token.clone()?.ok_or_else(no_token)?;
        by_token(&self.app, &token, false).await
    }

    /// Whoever wants to read what is their own.
    ///
    /// # Errors
    /// `unauthorized`, `barred`.
    pub(super) async fn owner(&self) -> Result<Caller, Problem> {
        let token = self.token.clone()?.ok_or_else(no_token)?;
        by_token(&self.app, &token, true).await
    }

    /// Whoever wants to read; it may be nobody in particular.
    ///
    /// # Errors
    /// `unauthorized`, `barred`.
    pub(super) async fn reader(&self) -> Result<Option<Caller>, Problem> {
        match self.token.clone()? {
            Some(token) => by_token(&self.app, &token, true).await.map(Some),
            None if self.app.settings.anonymous_reads => Ok(None),
            None => Err(no_token()),
        }
    }
}
