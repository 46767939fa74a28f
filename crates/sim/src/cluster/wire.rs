//! A node's way to the store: what it asks for gets there, or does not, and so do the
//! answers.

use std::collections::VecDeque;

use store::memory::Line;

use crate::rng::Rng;

/// Whoever waits for the store for so long gives up.
const GIVES_UP_US: u64 = 5_000_000;

/// A line, how it is doing, and when what is on it was put there.
pub(crate) struct Wire {
    line: Line,
    link: Link,
    asked_us: VecDeque<u64>,
    answered_us: VecDeque<u64>,
}

/// How a node's way to the store is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
    Good,
    Slow,
    /// Slow, and some of it fails, whether or not it took place.
    Bad,
    /// Nothing gets through in either direction.
    Hangs,
    /// What is asked for takes place, but no answer comes back.
    Mute,
    /// Everything fails at once.
    Refuses,
}

/// What became of something on the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Carried {
    There,
    Lost,
    OnItsWay,
}

impl Wire {
    pub(crate) fn new(line: Line) -> Wire {
        Wire {
            line,
            link: Link::Good,
            asked_us: VecDeque::new(),
            answered_us: VecDeque::new(),
        }
    }

    pub(crate) fn link(&self) -> Link {
        self.link
    }

    pub(crate) fn set_link(&mut self, link: Link) {
        self.link = link;
        self.line.set_down(self.is_out());
    }

    /// Whether nothing gets through at all.
    pub(crate) fn is_out(&self) -> bool {
        matches!(self.link, Link::Hangs | Link::Refuses)
    }

    /// Whether something is on its way to the store or back.
    pub(crate) fn is_busy(&self) -> bool {
        self.line.asked() + self.line.answers() > 0
    }

    /// The node is gone.
    pub(crate) fn cut(&self) {
        self.line.cut();
    }

    /// Notes what was asked for since the last time.
    pub(crate) fn note(&mut self, now_us: u64) {
        self.asked_us.resize(self.line.asked(), now_us);
    }

    /// What becomes now of what was asked for at that place, if there is something.
    pub(crate) fn carry(&mut self, place: usize, now_us: u64, rng: &mut Rng) -> Option<Carried> {
        let asked_us = *self.asked_us.get(place)?;
        let is_late = now_us - asked_us > GIVES_UP_US;
        if self.link == Link::Refuses || is_late || rng.percent(self.failures()) {
            self.asked_us.remove(place);
            self.line.fail(place);
            return Some(Carried::Lost);
        }
        if rng.percent(self.chance()) {
            self.asked_us.remove(place);
            self.answered_us.push_back(asked_us);
            self.line.arrive(place);
            return Some(Carried::There);
        }
        Some(Carried::OnItsWay)
    }

    /// The same of the answer at that place.
    pub(crate) fn answer(&mut self, place: usize, now_us: u64, rng: &mut Rng) -> Option<Carried> {
        let asked_us = *self.answered_us.get(place)?;
        let is_late = now_us - asked_us > GIVES_UP_US;
        if is_late || self.link == Link::Refuses || rng.percent(self.failures()) {
            self.answered_us.remove(place);
            self.line.lose_answer(place);
            return Some(Carried::Lost);
        }
        if self.link != Link::Mute && rng.percent(self.chance()) {
            self.answered_us.remove(place);
            self.line.answer(place);
            return Some(Carried::There);
        }
        Some(Carried::OnItsWay)
    }

    /// How much gets through at a moment, in percent.
    fn chance(&self) -> u64 {
        match self.link {
            Link::Good | Link::Mute => 80,
            Link::Slow | Link::Bad => 30,
            Link::Hangs | Link::Refuses => 0,
        }
    }

    fn failures(&self) -> u64 {
        if self.link == Link::Bad { 15 } else { 0 }
    }
}
