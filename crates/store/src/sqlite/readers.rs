//! The threads that read: each has its own connection, and none ever waits
//! for the writer.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::loading::{self, Wanted};
use super::queue::closing;
use crate::Error;
use crate::callback::tell;

/// Reads that may wait.
const WAITING_MAX: usize = 1 << 20;

/// A read: gets a connection, or hears why there is none.
pub(super) type Read = Box<dyn FnOnce(Result<&Connection, Error>) + Send>;

#[derive(Default)]
pub(super) struct Reads {
    state: Mutex<State>,
    wake: Condvar,
    /// Whether the next read is to panic.
    #[cfg(test)]
    pub(super) panics: std::sync::atomic::AtomicBool,
}

#[derive(Default)]
struct State {
    reads: VecDeque<Read>,
    /// Loads that must look through the whole journal: one pass serves all
    /// that wait.
    unfolded: Vec<Wanted>,
    is_closing: bool,
}

enum Next {
    Read(Read),
    Unfolded(Vec<Wanted>),
}

impl Reads {
    pub(super) fn push(&self, read: Read) {
        let mut state = self.lock();
        if let Err(why) = state.admits() {
            drop(state);
            return read(Err(why));
        }
        state.reads.push_back(read);
        self.wake.notify_one();
    }

    /// Loads a table together with its part of the journal.
    pub(super) fn push_unfolded(&self, wanted: Wanted) {
        let mut state = self.lock();
        if let Err(why) = state.admits() {
            drop(state);
            return (wanted.done)(Err(why));
        }
        state.unfolded.push(wanted);
        self.wake.notify_one();
    }

    /// Lets nothing more in. What is waiting will be done.
    pub(super) fn close(&self) {
        self.lock().is_closing = true;
        self.wake.notify_all();
    }

    fn next(&self) -> Option<Next> {
        let mut state = self.lock();
        loop {
            if let Some(read) = state.reads.pop_front() {
                return Some(Next::Read(read));
            }
            if !state.unfolded.is_empty() {
                let many = state.unfolded.len().min(loading::TABLES_MAX);
                let wanted = state.unfolded.drain(..many).collect();
                // Only a start has many: their places are given back.
                if state.unfolded.is_empty() {
                    state.unfolded = Vec::new();
                }
                return Some(Next::Unfolded(wanted));
            }
            if state.is_closing {
                return None;
            }
            state = self
                .wake
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    #[cfg(test)]
    fn panic_if_asked(&self) {
        let panics = self.panics.swap(false, std::sync::atomic::Ordering::SeqCst);
        assert!(!panics, "on purpose, in a test");
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn admits(&self) -> Result<(), Error> {
        if self.is_closing {
            return Err(closing());
        }
        if self.reads.len() + self.unfolded.len() >= WAITING_MAX {
            return Err(Error::Unavailable("too many reads are waiting".into()));
        }
        Ok(())
    }
}

/// The body of a reading thread. Files that are gone are not read: what they
/// say will not be so any more after the next start.
pub(super) fn run(db: &Connection, shared: &Arc<super::Shared>) {
    while let Some(next) = shared.reads.next() {
        match next {
            Next::Read(read) => tell(|| {
                #[cfg(test)]
                shared.reads.panic_if_asked();
                read(shared.files.known().map(|()| db));
            }),
            Next::Unfolded(wanted) => match shared.files.known() {
                Ok(()) => tell(|| loading::load_unfolded(db, wanted)),
                Err(why) => {
                    for Wanted { done, .. } in wanted {
                        tell(|| done(Err(why.clone())));
                    }
                }
            },
        }
    }
}
