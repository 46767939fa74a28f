//! Who listens on one bus, found by subject.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::message::Hear;
use super::super::subject;

/// Somebody who listens.
pub(super) struct Listener {
    pattern: String,
    pub(super) hear: Hear,
    is_over: AtomicBool,
}

/// All of them.
#[derive(Default)]
pub(super) struct Listeners {
    by_subject: HashMap<String, Vec<Arc<Listener>>>,
    by_pattern: Vec<Arc<Listener>>,
}

impl Listener {
    pub(super) fn new(pattern: &str, hear: Hear) -> Listener {
        Listener {
            pattern: pattern.to_owned(),
            hear,
            is_over: AtomicBool::new(false),
        }
    }

    /// Hears nothing more, not even what is on its way.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }
}

impl Listeners {
    pub(super) fn add(&mut self, listener: &Arc<Listener>) {
        self.beside(&listener.pattern).push(Arc::clone(listener));
    }

    pub(super) fn remove(&mut self, listener: &Arc<Listener>) {
        let beside = self.beside(&listener.pattern);
        beside.retain(|other| !Arc::ptr_eq(other, listener));
        if beside.is_empty() {
            self.by_subject.remove(&listener.pattern);
        }
    }

    /// Those who listen on a subject.
    pub(super) fn on(&self, subject: &str) -> Vec<Arc<Listener>> {
        let exactly = self.by_subject.get(subject).into_iter().flatten();
        let among_others = self.by_pattern.iter();
        let among_others = among_others.filter(|l| subject::matches(&l.pattern, subject));
        exactly.chain(among_others).cloned().collect()
    }

    /// Ends everybody's listening.
    pub(super) fn end(self) {
        let all = self.by_subject.values().flatten();
        all.chain(&self.by_pattern).for_each(|l| l.end());
    }

    fn beside(&mut self, pattern: &str) -> &mut Vec<Arc<Listener>> {
        match subject::is_wild(pattern) {
            true => &mut self.by_pattern,
            false => self.by_subject.entry(pattern.to_owned()).or_default(),
        }
    }
}
