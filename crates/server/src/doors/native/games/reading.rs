//! A reader's request about one game: what every look at it starts from.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::answer::table_id;
use crate::auth::Caller;
use crate::http::{MaybeCaller, Path, SeenVersion};
use crate::play::{App, Sight, look};
use crate::problem::Problem;

/// Who looks, at which game, and what they have seen of it.
pub(crate) struct Reading {
    pub(crate) app: App,
    pub(super) caller: Option<Caller>,
    pub(super) id: String,
    seen: SeenVersion,
}

impl FromRequestParts<App> for Reading {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Reading, Problem> {
        let MaybeCaller(caller) = MaybeCaller::from_request_parts(parts, app).await?;
        let seen = SeenVersion::from_request_parts(parts, app).await?;
        let Path(id) = Path::from_request_parts(parts, app).await?;
        let app = app.clone();
        Ok(Reading {
            app,
            caller,
            id,
            seen,
        })
    }
}

impl Reading {
    /// Looks at the game; what is shown is not older than what the reader has seen.
    pub(crate) async fn look(&self) -> Result<Sight, Problem> {
        let id = table_id(&self.id)?;
        let (caller, seen) = (self.caller.as_ref(), self.seen.version());
        let mut sight = look::glance(&self.app, id, caller, seen).await?;
        if self.seen.allows(sight.game.version()).is_err() {
            // They may have seen at another node what is not known here yet.
            self.app.games.newest(id).await?;
            sight = look::look(&self.app, id, caller).await?;
        }
        self.seen.allows(sight.game.version())?;
        Ok(sight)
    }
}
