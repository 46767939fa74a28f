//! What happens by itself when its time has come.

use super::{Answer, refuse};
use crate::clock::TimeControl;
use crate::game::{AbortReason, DrawReason, Ending, Event, Game, Phase, Refusal, WinReason};
use crate::table::{Actor, Outage, Verdict};
use crate::{Millis, Timestamp};

impl Game {
    /// When the game must be looked at even if nobody speaks. `host_seen` is
    /// when the creator of a waiting game was last seen.
    pub fn next_deadline(&self, host_seen: Timestamp) -> Option<Timestamp> {
        match self.phase() {
            Phase::Waiting => Some(self.expires_at(host_seen)),
            _ => self.deadline(),
        }
    }

    /// An open real-time game lives a minute without its creator, one meant
    /// for somebody a day, a slow one two weeks.
    fn expires_at(&self, host_seen: Timestamp) -> Timestamp {
        let created = self.created_at();
        match &self.terms().control {
            TimeControl::Unlimited | TimeControl::Correspondence { .. } => {
                created + Millis::from_days(14)
            }
            _ if self.opponent().is_some() => created + Millis::from_days(1),
            _ => host_seen.max(created) + Millis::from_secs(60),
        }
    }

    pub(super) fn tick(&self, now: Timestamp, host_seen: Timestamp) -> Answer {
        let due = match self.phase() {
            Phase::Waiting => self.expiry(now, host_seen),
            _ => self.due(now),
        };
        due.map_or_else(|| self.already(), Verdict::Change)
    }

    /// The end of a game that has waited too long.
    pub(super) fn expiry(&self, now: Timestamp, host_seen: Timestamp) -> Option<Event> {
        (now >= self.expires_at(host_seen)).then(|| abort(AbortReason::Expired))
    }

    /// What is due in a game that has begun: the flag, a first move that was
    /// not made, an adjournment that nobody ended.
    pub(super) fn due(&self, now: Timestamp) -> Option<Event> {
        if now < self.deadline()? {
            return None;
        }
        Some(match self.phase() {
            Phase::Paused { .. } => abort(AbortReason::Adjourned),
            _ if self.ledger.is_free_turn() => abort(AbortReason::NoFirstMove),
            _ => Event::Ended {
                ending: self.flag_fall(),
                by: None,
            },
        })
    }

    /// FIDE 6.9: the flag loses, unless the opponent cannot mate by any
    /// possible series of legal moves: then the game is drawn.
    fn flag_fall(&self) -> Ending {
        let winner = !self.turn();
        if self.board().cannot_win(winner) {
            Ending::Drawn {
                by: DrawReason::TimeoutVsInsufficientMaterial,
            }
        } else {
            Ending::Won {
                winner,
                by: WinReason::Timeout,
            }
        }
    }

    /// Gives back what the server's own downtimes cost the side to move. A flag
    /// that had fallen before the server went down has fallen. The credit may
    /// come late, when the game is first looked at after the restart: nothing
    /// can have happened to it in between. Whoever recorded the last change was
    /// up then, so the same downtime is never credited twice.
    pub(super) fn credit(&self, now: Timestamp, who: Actor, outages: &[Outage]) -> Answer {
        if who != Actor::Server {
            return refuse(Refusal::NotAllowed(
                "only the server credits its own downtime",
            ));
        }
        if self.phase() != Phase::Active || !self.ledger.clock.is_running() {
            return self.already();
        }
        // Months of downtime are more than a span of ours holds.
        let mut credit = 0;
        // What of it fell into a vacation cost nothing.
        let runs_from = self.ledger.runs_from();
        let mut counted = runs_from;
        for outage in outages {
            // Two may overlap: no moment is given back twice.
            let down_since = outage.down_since.max(counted);
            let lost = outage.up_at.min(now).0.saturating_sub(down_since.0);
            if lost == 0 {
                continue;
            }
            // The flag is judged by the time the server was there to see.
            if let Some(flag) = self.due(Timestamp(down_since.0 - credit)) {
                return Verdict::Change(flag);
            }
            credit += lost;
            counted = outage.up_at;
        }
        let credit = Millis(u32::try_from(credit).unwrap_or(u32::MAX));
        match credit.min(now.since(runs_from)) {
            Millis::ZERO => self.already(),
            credit => Verdict::Change(Event::TimeCredited { credit }),
        }
    }
}

fn abort(by: AbortReason) -> Event {
    Event::Ended {
        ending: Ending::Aborted { by },
        by: None,
    }
}
