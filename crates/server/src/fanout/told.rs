//! What subscribers are told. Encoded once, shared by all of them.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use chess::ByColor;
use chess::game::Game;
use chess::skill::Match;
use chess::table::PlayerId;

use crate::doors::collector::event::What;
use crate::doors::collector::guest::Guests;
use crate::room::Line;

/// One piece of news on its way to everyone who listens.
pub type News = Arc<Told>;

/// News of a match, from which each guest's stream makes its own message.
#[derive(Debug)]
pub struct MatchNews {
    pub(crate) played: Arc<Match>,
    pub(crate) guests: Arc<Guests>,
    pub(crate) here: ByColor<bool>,
    pub(crate) what: What,
}

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
    /// Something about a match of skill chess.
    Match(MatchNews),
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
    /// Time to measure the round trip to a player.
    Ping,
    /// The server is stopping.
    Farewell,
}
