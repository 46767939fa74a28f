//! A player's request about one game: what every command starts from.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use chess::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::TableId;

use super::answer::table_id;
use super::idempotency::{is_keyed, key};
use crate::auth::Caller;
use crate::http::{Body, Path};
use crate::play::{App, Asked};
use crate::problem::Problem;

/// Who asks, of which game, with what body; and when all of it was here.
pub(super) struct Play<B = Value> {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) id: TableId,
    pub(super) body: B,
    pub(super) received: Timestamp,
    path: String,
    headers: HeaderMap,
}

impl<B: DeserializeOwned> FromRequest<App> for Play<B> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Play<B>, Problem> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, app).await?;
        let Path(id) = Path::<String>::from_request_parts(&mut parts, app).await?;
        Play::received(app, caller, &id, Request::from_parts(parts, body)).await
    }
}

impl<B: DeserializeOwned> Play<B> {
    /// A request about that game, by whatever way it came.
    pub(super) async fn of(app: &App, id: &str, request: Request) -> Result<Play<B>, Problem> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, app).await?;
        Play::received(app, caller, id, Request::from_parts(parts, body)).await
    }

    /// All of it is received.
    async fn received(
        app: &App,
        caller: Caller,
        id: &str,
        request: Request,
    ) -> Result<Play<B>, Problem> {
        let (mut parts, body) = request.into_parts();
        // Reading the body needs neither.
        let path = parts.uri.path().to_owned();
        let headers = std::mem::take(&mut parts.headers);
        let Body(body) = Body::from_request(Request::from_parts(parts, body), app).await?;
        let received = app.now();
        Ok(Play {
            app: app.clone(),
            caller,
            id: table_id(id)?,
            body,
            received,
            path,
            headers,
        })
    }
}

impl<B> Play<B> {
    /// The same as [`Play::asked`], where it takes time to say what matters.
    pub(super) fn asked_with(&self, what: impl FnOnce(&B) -> String) -> Result<Asked<'_>, Problem> {
        match is_keyed(&self.headers) {
            true => self.asked(&what(&self.body)),
            false => self.asked(""),
        }
    }

    /// The request in the words of every door. `what` is all of the body that
    /// matters for its key.
    pub(super) fn asked(&self, what: &str) -> Result<Asked<'_>, Problem> {
        Ok(Asked {
            app: &self.app,
            caller: &self.caller,
            received: self.received,
            key: key(&self.headers, &[self.path.as_str(), what])?,
            is_limited: true,
        })
    }
}
