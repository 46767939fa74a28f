//! Games: made, joined, played, watched over REST.

pub(crate) mod answer;
mod chat;
mod commands;
mod create;
mod idempotency;
pub mod list;
pub(crate) mod messages;
mod moves;
mod pictures;
mod play;
pub(crate) mod reads;
mod rematch;
mod request;
mod time_control;
mod tv;
pub(crate) mod view;

use utoipa_axum::router::OpenApiRouter;

use crate::play::App;

pub use view::{GameView, PlayerView};

/// Every call under `/v1/games`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(create::routes())
        .merge(list::routes())
        .merge(commands::routes())
        .merge(moves::routes())
        .merge(rematch::routes())
        .merge(reads::routes())
        .merge(pictures::routes())
        .merge(chat::routes())
        .merge(tv::routes())
}
