//! What the store's threads do in the middle of the node's calls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use store::memory::{Fate, Turn, Turns, Waiting};

use crate::rng::Rng;
use crate::weather::Disk;

/// Decides about every turn; shared with the store that asks for it.
#[derive(Clone)]
pub(crate) struct Interleaving(Arc<Mutex<State>>);

struct State {
    rng: Rng,
    /// How often another thread gets its turn where it could, in percent.
    chance: u64,
    disk: Disk,
    /// What was made to fail and is not in the book yet.
    faults: u64,
}

impl Interleaving {
    pub(crate) fn new(rng: &mut Rng) -> Interleaving {
        Interleaving(Arc::new(Mutex::new(State {
            chance: rng.pick(&[0, 0, 5, 20, 50]),
            rng: Rng::new(rng.next()),
            disk: Disk::Good,
            faults: 0,
        })))
    }

    /// What to give to the store.
    pub(crate) fn turns(&self) -> Turns {
        let shared = self.clone();
        Box::new(move |waiting| shared.lock().turn(waiting))
    }

    pub(crate) fn set_disk(&self, disk: Disk) {
        self.lock().disk = disk;
    }

    /// What was made to fail since the last look.
    pub(crate) fn take_faults(&self) -> u64 {
        std::mem::take(&mut self.lock().faults)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn turn(&mut self, waiting: Waiting) -> Turn {
        if !self.rng.percent(self.chance) {
            return Turn::Wait;
        }
        let is_bad = self.disk == Disk::Bad;
        if waiting.is_asking && is_bad && self.rng.percent(10) {
            self.faults += 1;
            return Turn::Refuse;
        }
        let is_load = waiting.loads > 0 && (waiting.writes == 0 || self.rng.percent(50));
        if is_load {
            let fails = is_bad && self.rng.percent(40);
            self.faults += u64::from(fails);
            let index = self.rng.below(waiting.loads as u64) as usize;
            Turn::Read { index, fails }
        } else if waiting.writes > 0 {
            let fate = self.fate();
            self.faults += u64::from(fate.is_some());
            let many = self.rng.within(1, waiting.writes as u64) as usize;
            Turn::Write(many, fate)
        } else {
            Turn::Wait
        }
    }

    /// How the next writes fail, if they do.
    fn fate(&mut self) -> Option<Fate> {
        match self.disk {
            Disk::Full => Some(Fate::Lost),
            Disk::Bad if self.rng.percent(40) => Some(random_fate(&mut self.rng)),
            Disk::Good | Disk::Slow | Disk::Bad => None,
        }
    }
}

pub(crate) fn random_fate(rng: &mut Rng) -> Fate {
    rng.pick(&[Fate::Lost, Fate::Applied, Fate::AppliedByCrash])
}
