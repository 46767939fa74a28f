//! Being away for days.
//!
//! The record says until when, so a vacation ends by itself, whoever looks and whether or
//! not the server is there then: the clock of the side to move runs on from that moment.

use super::{Answer, EXTRAS_MAX, ask, refuse};
use crate::Timestamp;
use crate::game::{Event, Game, Refusal};
use crate::table::{Actor, PlayerId, Verdict};

impl Game {
    /// Notes a vacation, another end of it, or that it is over before its time.
    pub(super) fn vacation(
        &self,
        now: Timestamp,
        who: Actor,
        of: PlayerId,
        until: Option<Timestamp>,
    ) -> Answer {
        if who != Actor::Server {
            return refuse(Refusal::NotAllowed("only the server notes a vacation"));
        }
        if !self.terms().control.is_by_days() {
            return refuse(Refusal::NotAllowed(
                "a vacation counts in games with days per move only",
            ));
        }
        let by = ask!(self.seat(Actor::Player(of)));
        ask!(self.in_play(now, true));
        let noted = self.ledger.away_until(by).filter(|noted| *noted > now);
        match until.filter(|until| *until > now) {
            until if until == noted => self.already(),
            // Beginning one costs days, and made shorter it soon is over: only of longer
            // ones there could be any number. The rest of the room is for other things.
            Some(until)
                if noted.is_some_and(|noted| until > noted)
                    && self.version() - self.ply() >= EXTRAS_MAX / 2 =>
            {
                refuse(Refusal::NotAllowed(
                    "this game's record is full of vacations and other things",
                ))
            }
            Some(until) => Verdict::Change(Event::VacationBegan { by, until }),
            None => Verdict::Change(Event::VacationEnded { by }),
        }
    }
}
