//! A request about one game: what every call starts from.

use axum::extract::{FromRequest, FromRequestParts, Request};
use chess::Timestamp;
use chess::game::Game;
use chess::rules::Variant;
use serde::de::DeserializeOwned;
use serde_json::Value;
use store::TableId;

use super::error::Error;
use crate::auth::Caller;
use crate::http::{Body, Path};
use crate::play::sight::visible;
use crate::play::{App, Asked, match_ids};
use crate::problem::Problem;

/// Who asks, of which game, with what body; and when all of it was here.
pub(super) struct Asking<B = Value> {
    pub(super) app: App,
    pub(super) caller: Caller,
    pub(super) id: TableId,
    pub(super) body: B,
    received: Timestamp,
}

impl<B: DeserializeOwned + Send> FromRequest<App> for Asking<B> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Asking<B>, Error> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_request_parts(&mut parts, app).await?;
        let Path(id) = Path::<String>::from_request_parts(&mut parts, app).await?;
        let Body(body) = Body::from_request(Request::from_parts(parts, body), app).await?;
        let received = app.now();
        let id = table_id(&id)?;
        // Whoever may not know of the game, or comes to the wrong door, hears the same.
        if !is_here(&*visible(app, id, Some(&caller)).await?) {
            return Err(Problem::game_not_found().into());
        }
        Ok(Asking {
            app: app.clone(),
            caller,
            id,
            body,
            received,
        })
    }
}

impl<B> Asking<B> {
    /// The request in the words of every door.
    pub(super) fn asked(&self) -> Asked<'_> {
        Asked {
            received: self.received,
            ..Asked::new(&self.app, &self.caller)
        }
    }
}

/// The game that a client names.
pub(super) fn table_id(text: &str) -> Result<TableId, Problem> {
    match_ids::table_of(text).ok_or_else(Problem::game_not_found)
}

/// Whether a game is one that this door shows.
pub(super) fn is_here(game: &Game) -> bool {
    let terms = game.terms();
    terms.variant == Variant::Standard && terms.control.is_real_time()
}
