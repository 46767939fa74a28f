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
pub(crate) mod reading;
mod reads;
mod rematch;
mod request;
mod time_control;
mod tv;
pub(crate) mod view;

use utoipa_axum::router::OpenApiRouter;

use crate::http::described::{PLAYERS, READERS, about, open_to};
use crate::play::App;

pub use view::{GameView, PlayerView};

/// Every call under `/v1/games`.
pub fn routes() -> OpenApiRouter<App> {
    let looking = create::routes()
        .merge(list::routes())
        .merge(reads::routes())
        .merge(pictures::routes())
        .merge(tv::routes());
    let playing = commands::routes()
        .merge(moves::routes())
        .merge(rematch::routes());
    about("games", open_to(READERS, looking))
        .merge(about("play", open_to(PLAYERS, playing)))
        .merge(about("chat", open_to(PLAYERS, chat::routes())))
}
