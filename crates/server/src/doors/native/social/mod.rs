//! What players decide about each other, and what they are told about themselves.

mod blocks;
pub(crate) mod challenges;
mod follows;
pub(crate) mod notices;
pub(crate) mod reports;

use utoipa_axum::router::OpenApiRouter;

use crate::http::described::about;
use crate::play::App;

/// Every call about other players.
pub fn routes() -> OpenApiRouter<App> {
    let calls = blocks::routes()
        .merge(follows::routes())
        .merge(notices::routes())
        .merge(reports::routes());
    about("players", calls)
}
