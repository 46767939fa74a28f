//! What waits for a table. Nearly always that is nothing, and then it takes no room: half
//! a million tables may be in memory.

use std::collections::VecDeque;

use chess::table::Table;

use crate::request::Request;

/// What waits for one table.
pub(super) struct Waiting<T: Table>(Option<Box<Line<T>>>);

struct Line<T: Table> {
    /// What waits for the store to say that it has nothing newer.
    confirming: Option<Request<T>>,
    queue: VecDeque<Request<T>>,
}

impl<T: Table> Waiting<T> {
    pub(super) const NOTHING: Waiting<T> = Waiting(None);

    /// What waits in that order.
    pub(super) fn of(queue: VecDeque<Request<T>>) -> Waiting<T> {
        let mut waiting = Waiting::NOTHING;
        if !queue.is_empty() {
            waiting.line().queue = queue;
        }
        waiting
    }

    /// Whether nobody is in the queue.
    pub(super) fn is_empty(&self) -> bool {
        let line = self.0.as_ref();
        line.is_none_or(|line| line.queue.is_empty())
    }

    /// The queue, to add to it.
    pub(super) fn queue(&mut self) -> &mut VecDeque<Request<T>> {
        &mut self.line().queue
    }

    /// The next in the queue. One that is empty is not kept.
    pub(super) fn next(&mut self) -> Option<Request<T>> {
        let next = self.0.as_mut()?.queue.pop_front();
        self.tidy();
        next
    }

    /// Lets one wait for the store.
    pub(super) fn confirm(&mut self, request: Request<T>) {
        self.line().confirming = Some(request);
    }

    /// The one that waits for the store.
    pub(super) fn take_confirming(&mut self) -> Option<Request<T>> {
        let confirming = self.0.as_mut()?.confirming.take();
        self.tidy();
        confirming
    }

    /// All of them, first of all the one that waits for the store.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Request<T>> {
        let line = self.0.iter();
        line.flat_map(|line| line.confirming.iter().chain(&line.queue))
    }

    /// The same, taken out.
    pub(super) fn into_queue(self) -> VecDeque<Request<T>> {
        let Some(line) = self.0 else {
            return VecDeque::new();
        };
        let Line {
            confirming,
            mut queue,
        } = *line;
        if let Some(first) = confirming {
            queue.push_front(first);
        }
        queue
    }

    fn line(&mut self) -> &mut Line<T> {
        self.0.get_or_insert_with(|| {
            Box::new(Line {
                confirming: None,
                queue: VecDeque::new(),
            })
        })
    }

    fn tidy(&mut self) {
        let is_needed = |line: &Line<T>| line.confirming.is_some() || !line.queue.is_empty();
        if !self.0.as_deref().is_some_and(is_needed) {
            self.0 = None;
        }
    }
}
