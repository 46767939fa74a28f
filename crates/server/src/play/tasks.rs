//! The tasks that the server cannot do without, and whether they go on.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::lock::lock;

/// Which of them have failed and are not back yet; cheap to clone.
#[derive(Clone, Default)]
pub struct Tasks(Arc<Inner>);

#[derive(Default)]
struct Inner {
    down: Mutex<BTreeSet<&'static str>>,
    failures: AtomicU64,
}

impl Tasks {
    /// One has failed: it is started again.
    pub fn failed(&self, name: &'static str) {
        tracing::error!(task = name, "failed; it is started again");
        self.0.failures.fetch_add(1, Ordering::Relaxed);
        lock(&self.0.down).insert(name);
    }

    /// One goes on.
    pub fn goes_on(&self, name: &'static str) {
        lock(&self.0.down).remove(name);
    }

    /// Those that do not.
    pub fn down(&self) -> Vec<&'static str> {
        lock(&self.0.down).iter().copied().collect()
    }

    /// How often one of them has failed.
    pub fn failures(&self) -> u64 {
        self.0.failures.load(Ordering::Relaxed)
    }
}
