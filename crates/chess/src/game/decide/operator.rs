//! The arbiter in person.

use shakmaty::ByColor;

use super::{Answer, ask, refuse};
use crate::game::{AbortReason, DrawReason, Ending, Event, Game, Phase, Refusal, WinReason};
use crate::table::{Actor, Verdict};
use crate::{Millis, Timestamp};

/// No clock is ever set to more than this.
const CLOCK_MAX: Millis = Millis::from_secs(24 * 3600);

impl Game {
    pub(super) fn adjudicate(&self, who: Actor, ending: Ending) -> Answer {
        ask!(is_operator(who));
        let ending = by_the_arbiter(ending);
        match self.phase() {
            Phase::Over(over) if over == ending => self.already(),
            Phase::Over(_) => refuse(Refusal::not_active(self.phase())),
            Phase::Waiting if !matches!(ending, Ending::Aborted { .. }) => {
                refuse(Refusal::not_active(self.phase()))
            }
            _ => Verdict::Change(Event::Ended { ending, by: None }),
        }
    }

    pub(super) fn change_result(&self, who: Actor, ending: Ending) -> Answer {
        ask!(is_operator(who));
        let ending = by_the_arbiter(ending);
        match self.phase() {
            // If it came out like that, the reason stays what it was.
            Phase::Over(over) if over.result() == ending.result() => self.already(),
            Phase::Over(_) if self.seats().iter().all(Option::is_some) => {
                Verdict::Change(Event::ResultChanged { ending })
            }
            _ => refuse(Refusal::NotAllowed(
                "only the result of a game that was played can be changed",
            )),
        }
    }

    pub(super) fn set_clock(&self, now: Timestamp, who: Actor, left: ByColor<Millis>) -> Answer {
        ask!(is_operator(who));
        ask!(self.in_play(now, true));
        if !self.terms().control.is_real_time() {
            return refuse(Refusal::NotAllowed(
                "this game has no clock that counts seconds",
            ));
        }
        if left.iter().any(|ms| *ms == Millis::ZERO || *ms > CLOCK_MAX) {
            return refuse(Refusal::NotAllowed("a clock is set from 1 ms to 24 hours"));
        }
        Verdict::Change(Event::ClockSet { left })
    }

    pub(super) fn operator_pause(&self, now: Timestamp, who: Actor) -> Answer {
        ask!(is_operator(who));
        if matches!(self.phase(), Phase::Paused { .. }) {
            return self.already();
        }
        ask!(self.in_play(now, false));
        Verdict::Change(Event::Paused { by: None })
    }
}

/// Whatever an ending claims to be by, it is by the arbiter.
fn by_the_arbiter(ending: Ending) -> Ending {
    match ending {
        Ending::Won { winner, .. } => Ending::Won {
            winner,
            by: WinReason::Adjudicated,
        },
        Ending::Drawn { .. } => Ending::Drawn {
            by: DrawReason::Adjudicated,
        },
        Ending::Aborted { .. } => Ending::Aborted {
            by: AbortReason::Operator,
        },
    }
}

fn is_operator(who: Actor) -> Result<(), Refusal> {
    match who {
        Actor::Operator => Ok(()),
        _ => Err(Refusal::NotAllowed("only an operator may do this")),
    }
}
