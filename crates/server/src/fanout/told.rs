//! What subscribers are told. Encoded once, shared by all of them.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use chess::game::Game;
use chess::table::PlayerId;

use crate::room::Line;

/// One piece of news on its way to everyone who listens.
pub type News = Arc<Told>;

/// What happened.
#[derive(Debug)]
pub enum Told {
    /// The game changed: the messages that say so.
    Change {
        /// The game after it.
        game: Arc<Game>,
        /// A move and the end it brought about are two.
        texts: Vec<Utf8Bytes>,
    },
    /// Somebody spoke.
    Chat {
        /// What was said, and by whom.
        line: Line,
        /// The message.
        text: Utf8Bytes,
    },
    /// Anything that everyone in the lane may read: clocks, presence, a rematch.
    Notice(Utf8Bytes),
    /// Somebody must leave.
    Removed(PlayerId),
    /// News were lost: look at the game itself.
    Lost,
    /// Time to see who is still there.
    Ping,
    /// The server is stopping.
    Farewell,
}
