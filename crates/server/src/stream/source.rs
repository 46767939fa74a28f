//! Where a stream's messages come from.

use std::fmt;
use std::future::Future;

use axum::extract::ws::Utf8Bytes;
use live::room::ChatId;
use store::TableId;

use super::pace::Pace;
use super::tasks::Task;
use crate::auth::Caller;
use crate::play::App;
use crate::rooms::{Part, Thread};

/// Somebody who listens, and what they are told, in the words of a door.
pub(crate) trait Source: Send + Sync + 'static {
    /// The server.
    fn app(&self) -> &App;
    /// Who listens.
    fn caller(&self) -> Option<&Caller>;
    /// The game it is about, if it is one.
    fn table(&self) -> Option<TableId> {
        None
    }
    /// Whether it is a player's.
    fn is_player(&self) -> bool {
        false
    }
    /// Where it is served, unless a wire of its own says better.
    fn thread(&self) -> Thread {
        match (self.is_player(), self.caller()) {
            (true, Some(caller)) => Thread::Players(Part::of(caller.number())),
            (true, None) => Thread::Players(Part::next()),
            (false, _) => Thread::Watchers(Part::next()),
        }
    }
    /// The next thing to go out. May be interrupted at any time.
    fn next(&mut self) -> impl Future<Output = Out> + Send;
    /// Whether what a client says is heard; else its messages count, and are passed over.
    fn listens(&self) -> bool {
        false
    }
    /// What a client said, who asked for so much before that was not answered yet.
    fn hear(
        &self,
        _: &str,
        pace: &mut Pace,
        _in_hand: usize,
    ) -> impl Future<Output = Result<Reply, End>> + Send {
        std::future::ready(pace.count().map(|()| Reply::Nothing))
    }
}

/// What becomes of something that a client said.
pub(crate) enum Reply {
    /// Nothing is answered.
    Nothing,
    /// This is answered.
    Answer(Utf8Bytes),
    /// It is done when its turn comes at that table, and answered then.
    Task(TableId, Task),
}

/// What goes out.
#[derive(Debug)]
pub(crate) enum Out {
    /// A message, and what its reader knows after it.
    Text(Utf8Bytes, Position),
    /// Nothing to say, but is anybody there?
    Ping,
    /// Nothing to say, but what was written past us is to be finished.
    Flush,
    /// The end.
    Close(End),
}

impl Out {
    /// The server restarts: come again.
    pub(crate) const BYE: Out = Out::Close(End(RESTART, "the server restarts"));

    /// The end, with the code and the reason that a WebSocket shows.
    pub(crate) fn close(code: u16, reason: &'static str) -> Out {
        Out::Close(End(code, reason))
    }
}

/// Why a stream ends: the code and the reason that a WebSocket shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End(pub(crate) u16, pub(crate) &'static str);

impl End {
    /// Whether the server restarts: then not everybody comes again at once.
    pub(crate) fn is_restart(self) -> bool {
        self.0 == RESTART
    }
}

/// What a WebSocket says when its server restarts.
const RESTART: u16 = 1012;

pub(crate) const UNWELCOME: End = End(1008, "the token is no longer good");

/// How far a subscriber has come: `Last-Event-ID`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// The last version of which everything was told.
    pub(crate) version: u32,
    /// The newest line of chat.
    pub(crate) chat: Option<ChatId>,
}

impl Position {
    /// The reader knows everything up to that version.
    pub(crate) fn at(version: u32) -> Position {
        Position {
            version,
            chat: None,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~", self.version)?;
        self.chat.map_or(Ok(()), |chat| chat.fmt(f))
    }
}
