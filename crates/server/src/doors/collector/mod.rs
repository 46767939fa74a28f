//! The door of Collector Chess, `/v1/matches`: guests, rooms, skill chess.
//!
//! Names and values are those of its clients. Everything is told with the
//! whole match; who looks decides which ids they see.

mod action;
mod error;
pub(crate) mod event;
pub(crate) mod guest;
mod live;
mod play;
pub(crate) mod rooms;
mod snapshot;

use utoipa_axum::router::OpenApiRouter;

use crate::http::described::{ANYBODY, about, open_to};
use crate::play::App;

/// Every call of this door.
pub fn routes() -> OpenApiRouter<App> {
    let calls = rooms::routes().merge(play::routes()).merge(live::routes());
    about("matches", open_to(ANYBODY, calls))
}
