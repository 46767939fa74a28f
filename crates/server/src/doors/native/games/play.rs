//! A player's request about one game: what every command starts from.

use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use chess::Timestamp;
use chess::game::{Command, Game};
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::TableId;

use super::answer::{settled, show, show_again, table_id};
use super::idempotency::look_up;
use crate::auth::{Caller, Scope};
use crate::http::{Body, Path};
use crate::limits::rates::Rate;
use crate::play::App;
use crate::play::keys::Keyed;
use crate::problem::Problem;

/// Who asks, of which game, with what body; and when all of it was here.
pub(super) struct Play<B = Value> {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) id: TableId,
    pub(super) body: B,
    pub(super) received: Timestamp,
    uri: Uri,
    headers: HeaderMap,
}

impl<B: DeserializeOwned> FromRequest<App> for Play<B> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Play<B>, Problem> {
        Play::receive(request, app, &[Scope::Play]).await
    }
}

/// The same where a token of scope `challenge` is enough: taking up an offer
/// to play, or declining it.
pub(super) struct Answering(pub(super) Play);

impl FromRequest<App> for Answering {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Answering, Problem> {
        let scopes = [Scope::Play, Scope::Challenge];
        Play::receive(request, app, &scopes).await.map(Answering)
    }
}

impl<B: DeserializeOwned> Play<B> {
    /// Reads the request; its token must have one of these scopes.
    async fn receive(request: Request, app: &App, scopes: &[Scope]) -> Result<Play<B>, Problem> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, app).await?;
        let Path(id) = Path::<String>::from_request_parts(&mut parts, app).await?;
        // Reading the body needs neither.
        let (uri, headers) = (parts.uri.clone(), std::mem::take(&mut parts.headers));
        let Body(body) = Body::from_request(Request::from_parts(parts, body), app).await?;
        let received = app.now();
        caller.require_any(scopes)?;
        Ok(Play {
            app: app.clone(),
            caller,
            id: table_id(&id)?,
            body,
            received,
            uri,
            headers,
        })
    }
}

impl<B> Play<B> {
    /// Counts a request that is no move.
    ///
    /// # Errors
    /// 429 if it is one too many.
    pub(super) fn count(&self) -> Result<(), Problem> {
        let number = self.caller.number();
        self.app.rates.check(Rate::Command, number)
    }

    /// Counts a command, submits it, once per idempotency key, and answers with
    /// the game. `what` is all of the body that matters.
    pub(super) async fn run(&self, what: &str, command: Command) -> Result<Response, Problem> {
        self.count()?;
        self.carry_out(what, command).await
    }

    /// The same for a command that was counted.
    pub(super) async fn carry_out(
        &self,
        what: &str,
        command: Command,
    ) -> Result<Response, Problem> {
        let keyed = self.keyed(what).await?;
        if let Keyed::Again(first) = keyed {
            return show_again(&self.app, first.table, first.version, &self.caller).await;
        }
        let (who, remember) = (self.caller.actor(), keyed.remember());
        let submitted = self
            .app
            .games
            .submit(self.id, who, command, self.received, remember);
        let game = settled(submitted.await?, &self.caller)?;
        self.answer(&keyed, &game).await
    }

    /// Looks at the request's key. `what` is all of the body that matters.
    pub(super) async fn keyed(&self, what: &str) -> Result<Keyed, Problem> {
        let request = [self.uri.path(), what];
        look_up(&self.app, &self.caller, &self.headers, &request).await
    }

    /// Answers with the game: under a key as of its last change, as the answer
    /// will be when it is asked for again.
    pub(super) async fn answer(&self, keyed: &Keyed, game: &Game) -> Result<Response, Problem> {
        match keyed {
            Keyed::None => show(&self.app, self.id, game, Some(self.caller.number())).await,
            _ => show_again(&self.app, self.id, game.version(), &self.caller).await,
        }
    }
}
