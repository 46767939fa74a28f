//! Other threads' turns, in one thread.
//!
//! A callback of the real store runs on a thread of its own: while a request is
//! still being handed over, the one writer may have failed it already and said
//! so. With turns, the store in memory lets this happen where it could: in the
//! middle of a call, before it returns.

use super::{Fate, Inner, Memory, failed};

/// Readers that can be inside of a callback at the same time, as in the
/// embedded store.
const READERS: usize = 3;

/// What the other threads do before a call returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Nothing: they have their turn later.
    Wait,
    /// The writer carries out so many writes; with a fate, it fails them.
    Write(usize, Option<Fate>),
    /// A reader ends the load at this place.
    Read {
        /// Counted from 0 in the order they came.
        index: usize,
        /// Whether it fails.
        fails: bool,
    },
    /// What was just asked for is refused, as a full queue does.
    Refuse,
}

/// What there is to do at a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Writes the writer could carry out; none while it is in a callback.
    pub writes: usize,
    /// Loads that could end; none while all readers are in callbacks.
    pub loads: usize,
    /// Whether something was asked for just now.
    pub is_asking: bool,
}

/// Decides what the other threads do.
pub type Turns = Box<dyn FnMut(Waiting) -> Turn + Send>;

/// Which thread a callback runs on.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Thread {
    Writer,
    Reader,
    /// The one that asked: what is refused is told at once.
    Caller,
}

/// The threads that are inside of a callback, somewhere below on the stack.
#[derive(Default)]
pub(super) struct Inside {
    is_writer: bool,
    readers: usize,
}

impl Inside {
    pub(super) fn enter(&mut self, thread: Thread) {
        match thread {
            Thread::Writer => self.is_writer = true,
            Thread::Reader => self.readers += 1,
            Thread::Caller => {}
        }
    }

    pub(super) fn leave(&mut self, thread: Thread) {
        match thread {
            Thread::Writer => self.is_writer = false,
            Thread::Reader => self.readers -= 1,
            Thread::Caller => {}
        }
    }
}

/// Which queue the newest request went to.
#[derive(Clone, Copy)]
pub(super) enum Asked {
    Write,
    Load,
    /// It goes to the writer, who never refuses it.
    Fold,
}

impl Memory {
    /// Gives the other threads a turn, if somebody decides on turns.
    pub(super) fn turn(&self, asked: Option<Asked>) {
        let mut inner = self.lock();
        if !inner.is_manual {
            return;
        }
        let Some(mut turns) = inner.turns.take() else {
            return;
        };
        let turn = turns(inner.waiting(asked));
        inner.turns = Some(turns);
        let due = inner.due.len();
        match turn {
            Turn::Wait => return,
            Turn::Write(many, None) => inner.complete_writes(many),
            Turn::Write(many, Some(fate)) => inner.fail_writes(many, fate),
            Turn::Read {
                index,
                fails: false,
            } => usize::from(inner.complete_read(index)),
            Turn::Read { index, fails: true } => usize::from(inner.fail_read(index)),
            Turn::Refuse => inner.refuse(asked),
        };
        // Only what came of this turn: what was due before is another thread's.
        let callbacks = inner.due.split_off(due);
        for (thread, callback) in callbacks {
            inner.inside.enter(thread);
            drop(inner);
            callback();
            inner = self.lock();
            inner.inside.leave(thread);
        }
    }
}

impl Inner {
    fn waiting(&self, asked: Option<Asked>) -> Waiting {
        // The writer tells of one batch before it carries out the next.
        let is_telling = self.due.iter().any(|(thread, _)| *thread == Thread::Writer);
        let is_writer_free = !self.inside.is_writer && !is_telling;
        let writes = if is_writer_free { self.writes.len() } else { 0 };
        let is_reader_free = self.inside.readers < READERS;
        let loads = if is_reader_free { self.reads.len() } else { 0 };
        Waiting {
            writes,
            loads,
            is_asking: asked.is_some(),
        }
    }

    /// The newest request never reaches its queue.
    fn refuse(&mut self, asked: Option<Asked>) -> usize {
        match asked {
            Some(Asked::Write) => {
                if let Some(write) = self.writes.pop_back() {
                    self.fail(Thread::Caller, write.done, failed());
                }
            }
            Some(Asked::Load) => {
                if let Some(read) = self.reads.pop_back() {
                    let refused = move || (read.done)(Err(failed()));
                    self.due.push_back((Thread::Caller, Box::new(refused)));
                }
            }
            Some(Asked::Fold) | None => {}
        }
        1
    }
}
