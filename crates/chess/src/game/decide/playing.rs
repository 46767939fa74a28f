//! What a player may do besides moving: resign, abort, give time, go on.

use super::{Answer, ask, refuse};
use crate::game::{AbortReason, Ending, Event, Game, PausedBy, Phase, Refusal, WinReason};
use crate::table::{Actor, Verdict};
use crate::{Millis, Timestamp};

/// The least and the most time one gift may be.
const GIFT: std::ops::RangeInclusive<Millis> = Millis::from_secs(5)..=Millis::from_secs(60);
/// No clock is ever given more than this.
const CLOCK_MAX: Millis = Millis::from_secs(24 * 3600);

impl Game {
    /// FIDE 5.1.2.
    pub(super) fn resign(&self, now: Timestamp, who: Actor) -> Answer {
        let seat = ask!(self.seat(who));
        let ending = Ending::Won {
            winner: !seat,
            by: WinReason::Resignation,
        };
        if self.phase() == Phase::Over(ending) {
            return self.already();
        }
        ask!(self.in_play(now, true));
        Verdict::Change(Event::Ended {
            ending,
            by: Some(seat),
        })
    }

    pub(super) fn abort(&self, now: Timestamp, who: Actor) -> Answer {
        let seat = ask!(self.seat(who));
        let ending = Ending::Aborted {
            by: AbortReason::Player,
        };
        if self.phase() == Phase::Over(ending) {
            return self.already();
        }
        ask!(self.in_play(now, true));
        if self.ply() >= 2 {
            return refuse(Refusal::TooLateToAbort);
        }
        Verdict::Change(Event::Ended {
            ending,
            by: Some(seat),
        })
    }

    pub(super) fn add_time(&self, now: Timestamp, who: Actor, gift: Millis) -> Answer {
        let seat = ask!(self.seat(who));
        ask!(self.in_play(now, false));
        if self.terms().rated {
            return refuse(Refusal::NotAllowed("time is given in casual games only"));
        }
        if !self.terms().control.is_real_time() {
            return refuse(Refusal::NotAllowed(
                "this game has no clock that counts seconds",
            ));
        }
        if !GIFT.contains(&gift) {
            return refuse(Refusal::NotAllowed("give from 5 to 60 seconds"));
        }
        if *self.ledger.clocks(now).get(!seat) + gift > CLOCK_MAX {
            return refuse(Refusal::NotAllowed(
                "the opponent has more than enough time",
            ));
        }
        ask!(self.has_room());
        Verdict::Change(Event::TimeAdded { to: !seat, gift })
    }

    /// Both players must ask; an operator alone may end any pause.
    pub(super) fn resume(&self, now: Timestamp, who: Actor) -> Answer {
        let by = match who {
            Actor::Operator => None,
            _ => Some(ask!(self.seat(who))),
        };
        ask!(self.in_play(now, true));
        match (self.phase(), by) {
            (Phase::Paused { .. }, None) => Verdict::Change(Event::Resumed { by }),
            (
                Phase::Paused {
                    by: PausedBy::Operator,
                    ..
                },
                Some(_),
            ) => refuse(Refusal::NotAllowed(
                "the arbiter stopped the clocks and will start them",
            )),
            (Phase::Paused { ready: None, .. }, Some(by)) => {
                Verdict::Change(Event::ResumeAsked { by })
            }
            (
                Phase::Paused {
                    ready: Some(first), ..
                },
                Some(seat),
            ) if first == seat => self.already(),
            (Phase::Paused { .. }, Some(_)) => Verdict::Change(Event::Resumed { by }),
            (Phase::Active, _) if matches!(self.last_event(), Some(Event::Resumed { .. })) => {
                self.already()
            }
            _ => refuse(Refusal::NotAllowed("the game is not paused")),
        }
    }
}
