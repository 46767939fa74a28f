//! Games: made, joined, played, watched over REST.

mod analysis;
pub(crate) mod answer;
mod bot;
mod chat;
mod commands;
mod conditional;
mod create;
pub(crate) mod deeds;
pub(crate) mod idempotency;
pub mod list;
pub(crate) mod messages;
pub(crate) mod moves;
mod pictures;
mod play;
pub(crate) mod reading;
mod reads;
mod rematch;
pub(crate) mod request;
mod signals;
pub(crate) mod time_control;
mod tv;
pub(crate) mod view;

use utoipa_axum::router::OpenApiRouter;

use crate::http::described::{PLAYERS, READERS, about, open_to};
use crate::play::App;

pub(crate) use request::variant_named;
pub use view::{GameView, PlayerView};

/// Every call under `/v1/games`.
pub fn routes() -> OpenApiRouter<App> {
    let looking = create::routes()
        .merge(bot::routes())
        .merge(list::routes())
        .merge(reads::routes())
        .merge(analysis::routes())
        .merge(pictures::routes())
        .merge(tv::routes());
    let playing = commands::routes()
        .merge(moves::routes())
        .merge(rematch::routes())
        .merge(conditional::routes())
        .merge(signals::routes());
    about("games", open_to(READERS, looking))
        .merge(about("play", open_to(PLAYERS, playing)))
        .merge(about("chat", open_to(PLAYERS, chat::routes())))
}
