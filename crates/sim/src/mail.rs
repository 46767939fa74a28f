//! What callbacks say, kept until the simulator looks.
//!
//! A callback may come in the middle of a step, so it only leaves a letter.
//! One that is dropped without having been called leaves a letter too: every
//! request is answered exactly once, or the node died.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use chess::game::Game;
use chess::tables::AnyTable;
use live::{Failure, Outcome, Reply, View};

/// The number of a request.
pub(crate) type Ticket = u64;

/// What became of a request.
pub(crate) enum Letter {
    /// The outcome of a command.
    Outcome(Outcome<Game>),
    /// A table was created, or read.
    Table(Arc<Game>),
    /// A table as it was a while ago: the store could not be asked.
    Stale(Arc<Game>),
    /// A fold is through.
    Folded,
    /// Whatever it was, it failed.
    Failed(Failure),
    /// Nobody will ever say.
    Dropped,
}

impl Letter {
    /// What became of a command, in the words of chess.
    pub(crate) fn outcome(outcome: Outcome<AnyTable>) -> Letter {
        outcome.of().map_or_else(Letter::Failed, Letter::Outcome)
    }

    /// A table that was read, and whether it may be out of date.
    pub(crate) fn view(view: View<AnyTable>) -> Letter {
        match (Letter::table(view.table), view.is_stale) {
            (Letter::Table(game), true) => Letter::Stale(game),
            (letter, _) => letter,
        }
    }

    /// A table: every one here is of chess.
    pub(crate) fn table(table: Arc<AnyTable>) -> Letter {
        let game = table.chess().cloned();
        game.map_or(Letter::Failed(Failure::NotFound), Letter::Table)
    }
}

/// The letters of one run of the node; after a crash nobody reads them.
#[derive(Clone, Default)]
pub(crate) struct Inbox(Arc<Mutex<VecDeque<(Ticket, Letter)>>>);

impl Inbox {
    /// The oldest letter.
    pub(crate) fn take(&self) -> Option<(Ticket, Letter)> {
        self.letters().pop_front()
    }

    /// A callback that leaves a letter.
    pub(crate) fn reply<V: 'static>(&self, ticket: Ticket, read: fn(V) -> Letter) -> Reply<V> {
        let mut envelope = Envelope {
            inbox: self.clone(),
            ticket,
            is_sent: false,
        };
        Box::new(move |result| {
            envelope.is_sent = true;
            let letter = result.map_or_else(Letter::Failed, read);
            envelope.inbox.put(ticket, letter);
        })
    }

    fn put(&self, ticket: Ticket, letter: Letter) {
        self.letters().push_back((ticket, letter));
    }

    fn letters(&self) -> std::sync::MutexGuard<'_, VecDeque<(Ticket, Letter)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Envelope {
    inbox: Inbox,
    ticket: Ticket,
    is_sent: bool,
}

impl Drop for Envelope {
    fn drop(&mut self) {
        if !self.is_sent {
            self.inbox.put(self.ticket, Letter::Dropped);
        }
    }
}
