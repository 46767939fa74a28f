//! A server's own way to a store that several share.
//!
//! What the server asks for waits until its [`Line`] lets it reach the store, and
//! the answer waits until it gets back; either may be lost. A line that is cut
//! belongs to a server that died: nothing gets through any more, nobody is told.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chess::Timestamp;

use super::{Effect, Memory, WriteDone, closed, failed};
use crate::store::Store;
use crate::{Done, Due, Error, NodeId, Stored, TableId, Upcoming};

/// The controlling end of a server's way to the store.
pub struct Line {
    /// The store itself.
    memory: Memory,
    shared: Shared,
}

#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    is_cut: bool,
    is_down: bool,
    asked: VecDeque<Ask>,
    answers: VecDeque<Answer>,
}

/// What a server wants.
pub(super) enum Ask {
    Write(Effect, WriteDone),
    Load(TableId, Done<Option<Stored>>),
    Orphans(Vec<NodeId>, Done<Vec<Due>>),
    Due(Timestamp, Option<(Timestamp, TableId)>, u32, Done<Upcoming>),
}

/// Tells the server; it hears of a failure if the answer got lost.
type Answer = Box<dyn FnOnce(Reaches) + Send>;

/// Whether an answer gets back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reaches {
    Yes,
    No,
}

impl Shared {
    pub(super) fn ask(&self, ask: Ask) {
        let mut state = self.lock();
        if state.is_cut {
            // Without the lock: what goes may take a store with it.
            drop(state);
            return drop(ask);
        }
        state.asked.push_back(ask);
    }

    /// Whether what happens at once can happen.
    ///
    /// # Errors
    /// Why not.
    pub(super) fn check(&self) -> Result<(), Error> {
        let state = self.lock();
        match state {
            state if state.is_cut => Err(closed()),
            state if state.is_down => Err(failed()),
            _ => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    pub(super) fn new(memory: &Memory) -> (Store, Line) {
        let shared = Shared::default();
        let mut own = memory.clone();
        own.line = Some(shared.clone());
        let memory = memory.clone();
        (Store::over(own), Line { memory, shared })
    }

    /// How much has not reached the store yet.
    pub fn asked(&self) -> usize {
        self.shared.lock().asked.len()
    }

    /// How many answers are on their way back.
    pub fn answers(&self) -> usize {
        self.shared.lock().answers.len()
    }

    /// What was asked for at this place, counted from 0 in the order it came, reaches
    /// the store and is carried out. Its answer is the last of those on their way.
    pub fn arrive(&self, index: usize) {
        let ask = self.shared.lock().asked.remove(index);
        if let Some(ask) = ask {
            let answer = self.memory.carry_out(ask);
            self.shared.lock().answers.push_back(answer);
        }
    }

    /// What was asked for at this place never reaches the store, and fails.
    pub fn fail(&self, index: usize) {
        let ask = self.shared.lock().asked.remove(index);
        match ask {
            Some(Ask::Write(_, WriteDone::Told(done))) => done(Err(failed())),
            Some(Ask::Write(_, WriteDone::Pulse(done))) => done(Err(failed())),
            Some(Ask::Load(_, done)) => done(Err(failed())),
            Some(Ask::Orphans(_, done)) => done(Err(failed())),
            Some(Ask::Due(.., done)) => done(Err(failed())),
            Some(Ask::Write(_, WriteDone::Fold(_))) | None => {}
        }
    }

    /// The answer at this place gets back.
    pub fn answer(&self, index: usize) {
        self.tell(index, Reaches::Yes);
    }

    /// The answer at this place is lost, and the server takes what it asked for as failed.
    pub fn lose_answer(&self, index: usize) {
        self.tell(index, Reaches::No);
    }

    fn tell(&self, index: usize, reaches: Reaches) {
        let answer = self.shared.lock().answers.remove(index);
        if let Some(answer) = answer {
            answer(reaches);
        }
    }

    /// Whether questions that are answered at once fail for now.
    pub fn set_down(&self, is_down: bool) {
        self.shared.lock().is_down = is_down;
    }

    /// The server is gone: what it asked for and has not reached the store never will.
    pub fn cut(&self) {
        let mut state = self.shared.lock();
        state.is_cut = true;
        let lost = (
            std::mem::take(&mut state.asked),
            std::mem::take(&mut state.answers),
        );
        drop(state);
        drop(lost);
    }
}

impl Memory {
    /// Does what a server asks for, and says how to tell it.
    fn carry_out(&self, ask: Ask) -> Answer {
        let mut inner = self.lock();
        match ask {
            Ask::Write(Effect::Beat(beat), WriteDone::Pulse(done)) => {
                told(done, inner.state.beat(beat))
            }
            Ask::Write(effect, WriteDone::Told(done)) => told(done, inner.apply(effect)),
            Ask::Write(..) => unreachable!("a shared store has no journal to fold"),
            Ask::Load(table, done) => told(done, Ok(inner.newest(table))),
            Ask::Orphans(live, done) => told(done, Ok(inner.state.orphans(&live))),
            Ask::Due(before, after, limit, done) => {
                told(done, Ok(inner.due_before(before, after, limit)))
            }
        }
    }
}

fn told<T: Send + 'static>(done: Done<T>, result: Result<T, Error>) -> Answer {
    Box::new(move |reaches| match reaches {
        Reaches::Yes => done(result),
        Reaches::No => done(Err(failed())),
    })
}
