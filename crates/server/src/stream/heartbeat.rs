//! Whether anybody is still at the other end of a stream.
//!
//! That something could be written says nothing: a proxy takes it for a client
//! that is long gone. Only what was received is a sign of life.

use std::time::{Duration, Instant};

use tokio::time::{Interval, MissedTickBehavior, interval_at};

use super::Source;

/// How often those are asked who only watch, without a name: nobody waits for
/// them, and there are many.
const WATCHERS_EVERY: Duration = Duration::from_secs(25);
/// How long an answer may take, as a part of the time between two questions:
/// by the next one it is late.
const ANSWER_WITHIN: f64 = 0.8;

/// How often a subscriber is asked: often, if somebody may be waiting for
/// their move. Whoever is gone is noticed after three times as long at most.
pub(super) fn every<S: Source>(source: &S) -> Duration {
    let players = Duration::from_secs(source.app().settings.ping_seconds.into());
    if source.is_player() || source.caller().is_some() {
        players
    } else {
        players.max(WATCHERS_EVERY)
    }
}

/// Ticks from a moment of chance on: ten thousand who came together must not
/// all be asked, and answer, in the moment of a move.
pub(super) fn heartbeat(every: Duration) -> Interval {
    let first = tokio::time::Instant::now() + every.mul_f64(rand::random());
    let mut ticks = interval_at(first, every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks
}

/// What is known of whether a subscriber is there.
pub(super) struct Pulse {
    every: Duration,
    heard: Instant,
    /// The first question since then.
    asked: Option<Instant>,
}

/// What is to be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beat {
    /// Nothing: they were heard of, or have time left to answer.
    Wait,
    /// Ask.
    Ask,
    /// They did not answer.
    Gone,
}

impl Pulse {
    /// Of someone who has just come.
    pub(super) fn new(every: Duration, now: Instant) -> Pulse {
        Pulse {
            every,
            heard: now,
            asked: None,
        }
    }

    /// Something came from them.
    pub(super) fn heard(&mut self, now: Instant) {
        self.heard = now;
        self.asked = None;
    }

    /// They were asked.
    pub(super) fn asked(&mut self, now: Instant) {
        self.asked.get_or_insert(now);
    }

    /// Looks, at every tick of the heartbeat.
    pub(super) fn beat(&self, now: Instant) -> Beat {
        match self.asked {
            Some(asked) if now - asked >= self.every.mul_f64(ANSWER_WITHIN) => Beat::Gone,
            Some(_) => Beat::Wait,
            None if now - self.heard < self.every => Beat::Wait,
            None => Beat::Ask,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVERY: Duration = Duration::from_secs(10);

    #[test]
    fn who_is_silent_is_asked_and_who_does_not_answer_is_gone() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut pulse = Pulse::new(EVERY, start);
        assert_eq!(pulse.beat(at(9)), Beat::Wait, "just come");
        assert_eq!(pulse.beat(at(19)), Beat::Ask);
        pulse.asked(at(19));
        assert_eq!(pulse.beat(at(20)), Beat::Wait, "there is time to answer");
        pulse.heard(at(21));
        assert_eq!(pulse.beat(at(29)), Beat::Wait, "heard of lately");
        pulse.asked(at(30));
        pulse.asked(at(37));
        assert_eq!(pulse.beat(at(38)), Beat::Gone, "the first question counts");
    }

    #[test]
    fn a_vanished_network_is_noticed_within_three_heartbeats() {
        let start = Instant::now();
        for first in [1, 4_999, 9_999].map(Duration::from_millis) {
            let mut pulse = Pulse::new(EVERY, start);
            let mut now = start + first;
            loop {
                match pulse.beat(now) {
                    Beat::Wait => {}
                    Beat::Ask => pulse.asked(now),
                    Beat::Gone => break,
                }
                now += EVERY;
            }
            assert!(now - start <= 3 * EVERY, "{first:?}: {:?}", now - start);
        }
    }
}
