//! The way from those who make news to the one who tells them.
//!
//! In this process it is a queue; whoever puts something in never waits.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use chess::game::{Game, MoveReport};
use chess::skill::Match;
use chess::table::PlayerId;
use chess::tables::{self, AnyTable};
use store::TableId;

use super::line::{BlockedBy, Line, Speech};
use super::news::GameChange;
use crate::pile::Pile;

/// News that may wait to be told.
const QUEUE: usize = 100_000;

/// Something happened at a table.
#[derive(Debug)]
pub struct Happening {
    /// Which.
    pub table: TableId,
    /// What.
    pub what: Happened,
}

/// What can happen at a table, or in the room around it.
#[derive(Debug)]
pub enum Happened {
    /// It changed, or is new.
    Changed(Box<Changed>),
    /// Somebody has come, and this is how they found it.
    Came(AnyTable),
    /// A stream was closed; that player's last, if one is named.
    Went(Option<PlayerId>),
    /// Somebody must leave.
    Removed(PlayerId),
    /// Somebody spoke; the line is durable, and comes after the line with that id.
    Said(Box<Speech>, u64),
    /// Somebody spoke at another node, whom these block.
    Overheard(Box<(Line, BlockedBy)>, u64),
    /// Something was lost there, and this is how it stands: everybody looks again.
    Reread(Box<Reread>),
}

/// What was found by reading a table again whose room lost something.
#[derive(Debug)]
pub enum Reread {
    /// A game, and its rematch if there is one.
    Game(Arc<Game>, Option<GameChange>),
    /// A match of skill chess.
    Match(Arc<Match>),
    /// The store cannot say.
    Nothing,
}

/// A change of a table.
#[derive(Debug)]
pub struct Changed {
    /// As it was; none before its creation.
    pub before: Option<AnyTable>,
    /// As it is.
    pub after: AnyTable,
    /// What happened, unless it was its creation.
    pub event: Option<tables::Event>,
    /// What is worked out of a move once for all.
    pub report: Arc<OnceLock<MoveReport>>,
    /// When it was applied.
    pub at: Instant,
}

/// The queue.
#[derive(Clone)]
pub(crate) struct Bus(Arc<Pile<Happening>>);

impl Default for Bus {
    fn default() -> Bus {
        Bus(Arc::new(Pile::new(QUEUE)))
    }
}

impl Bus {
    /// Hands something on; back to whoever made it, if there is no room for it.
    pub(super) fn publish(&self, happening: Happening) -> Result<(), Box<Happening>> {
        self.0.put(happening).map_err(Box::new)
    }

    /// What is to be told next, so many at most: for the one who tells. May be interrupted at
    /// any time.
    pub(crate) async fn take(&self, some: &mut Vec<Happening>, most: usize) {
        self.0.take(some, most).await;
    }
}
