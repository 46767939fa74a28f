//! What is checked whenever anyone is shown a table.

use std::sync::Arc;

use chess::game::{AbortReason, DrawReason, Ending, Entry, Event, Game, Phase, WinReason};
use chess::table::{Actor, Table, Verdict};
use chess::{Millis, Timestamp};
use store::TableId;

use crate::book::{Asked, Book, LATE_MAX, Question};
use crate::clocks;
use crate::rules::{Checked, Rule, Violation, ensure};
use crate::sharing::SKEW;

impl Book {
    /// Somebody was shown this state of a table at `now`; `own` is the
    /// question that was answered with it.
    pub(crate) fn shown(
        &mut self,
        id: TableId,
        seen: &Arc<Game>,
        own: Option<&Question>,
        now: Timestamp,
    ) -> Checked {
        if self.shared.is_some() {
            return self.is_of_the_truth(id, seen);
        }
        self.extended(id, seen, own, now)?;
        self.nothing_is_overdue(id, seen, now)
    }

    /// Checks a state that continues the newest that anyone was shown.
    pub(crate) fn extended(
        &mut self,
        id: TableId,
        seen: &Arc<Game>,
        own: Option<&Question>,
        now: Timestamp,
    ) -> Checked {
        let mut state = self.last_known(id, seen)?;
        let from = state.version();
        if from != seen.version() || self.known(id).is_none() {
            for entry in seen.entries().skip(from as usize) {
                state = self.entry(id, state, &entry, own, now)?;
            }
            check_replay(id, &state, seen)?;
            self.tables.entry(id).or_default().known = Some(Arc::clone(seen));
            self.counts.ended += u64::from(seen.ending().is_some());
        }
        Ok(())
    }

    /// The last state anyone was shown, of which `seen` must be a continuation.
    fn last_known(&mut self, id: TableId, seen: &Game) -> Result<Game, Violation> {
        let record = self.tables.entry(id).or_default();
        if let Some(known) = &record.known {
            ensure!(
                seen.encode().starts_with(&known.encode()),
                AcknowledgedIsNeverLost,
                id,
                "version {} was shown, and now version {} without it",
                known.version(),
                seen.version()
            );
            return Ok((**known).clone());
        }
        let first = seen.as_of(1);
        let made_by = |game: &Game| record.attempts.iter().any(|a| a.history == game.encode());
        match first {
            Some(first) if made_by(&first) => Ok(first),
            _ => Err(Violation {
                rule: Rule::WholeOrNotAtAll,
                table: Some(id),
                what: "a table that nobody tried to make".into(),
            }),
        }
    }

    /// Checks one more change of a table and gives the state after it.
    fn entry(
        &mut self,
        id: TableId,
        before: Game,
        entry: &Entry,
        own: Option<&Question>,
        now: Timestamp,
    ) -> Result<Game, Violation> {
        let Entry { at, event } = entry;
        ensure!(
            !matches!(before.phase(), Phase::Over(_)),
            NothingFollowsAnEnding,
            id,
            "{event:?} after {:?}",
            before.phase()
        );
        ensure!(
            before.last_at() <= *at && *at <= now,
            TimeRunsForward,
            id,
            "{event:?} at {} after {}, seen at {}",
            at.0,
            before.last_at().0,
            now.0
        );
        ensure!(
            self.explain(id, &before, entry, own),
            WholeOrNotAtAll,
            id,
            "nobody asked for version {}: {event:?} at {}",
            before.version() + 1,
            at.0
        );
        let credited = self.check_credit(&before, entry);
        ensure!(credited.is_ok(), DowntimeIsCredited, id, "{credited:?}");
        let mut after = before.clone();
        after.evolve(*at, event);
        let ticked = clocks::check(&before, &after, entry);
        ensure!(ticked.is_ok(), ClocksRiseOnlyByRule, id, "{ticked:?}");
        if is_by_time(event) {
            self.counts.flags += 1;
            self.happened_when_due(id, &before, entry)?;
        }
        if self.shared.is_some() {
            self.really_left(id, &before, entry)?;
            self.counts.abandoned += u64::from(is_abandoned(event));
        }
        self.counts.credits += u64::from(matches!(event, Event::TimeCredited { .. }));
        Ok(after)
    }

    /// Whether somebody asked for this change and has not got it before, or
    /// the server had to make it.
    fn explain(
        &mut self,
        id: TableId,
        before: &Game,
        entry: &Entry,
        own: Option<&Question>,
    ) -> bool {
        let version = before.version() + 1;
        if own.is_some_and(|question| explains(question, before, entry)) {
            return true;
        }
        self.counts.found += 1;
        let record = self.tables.entry(id).or_default();
        let doubt = record
            .doubts
            .iter_mut()
            .find(|doubt| doubt.made.is_none() && explains(&doubt.question, before, entry));
        if let Some(doubt) = doubt {
            doubt.made = Some(version);
            return true;
        }
        let tick = Question {
            who: Actor::Server,
            command: Game::tick(Timestamp(0)),
            received: entry.at,
            key: None,
        };
        // Whether a credit is right is for another rule to say.
        explains(&tick, before, entry) || matches!(entry.event, Event::TimeCredited { .. })
    }

    /// What happens by itself happens neither early nor late.
    fn happened_when_due(&self, id: TableId, before: &Game, entry: &Entry) -> Checked {
        let record = self.tables.get(&id);
        let host_seen = record.map_or(Timestamp(0), |r| r.host_seen);
        let is_shared = self.shared.is_some();
        let forgets = !self.keeps_tables || (self.counts.faults > 0 && !is_shared);
        let host_served = record.filter(|_| !forgets).map(|r| r.host_served);
        // Being served after it happened, even with the news of it, is too late.
        let host_served = match is_shared {
            true => self.last_sighting(id, before.creator(), entry.at),
            false => host_served.filter(|served| *served <= entry.at),
        };
        let earliest = before.next_deadline(host_served.unwrap_or_default());
        let latest = before.next_deadline(host_seen);
        let (Some(earliest), Some(latest)) = (earliest, latest) else {
            ensure!(false, DueInTime, id, "{:?} was never due", entry.event);
            return Ok(());
        };
        let skew = if is_shared { SKEW } else { Millis::ZERO };
        ensure!(
            earliest <= entry.at + skew && (is_shared || entry.at <= self.due_by(latest)),
            DueInTime,
            id,
            "{:?} at {}, but it was due at {} to {}",
            entry.event,
            entry.at.0,
            earliest.0,
            latest.0
        );
        Ok(())
    }

    /// A table that is shown has done what was due.
    fn nothing_is_overdue(&self, id: TableId, seen: &Game, now: Timestamp) -> Checked {
        let host_seen = self.tables.get(&id).map_or(Timestamp(0), |r| r.host_seen);
        if let Some(deadline) = seen.next_deadline(host_seen) {
            // No flag falls while the node stops: that time is given back.
            let is_stopped = self.closed_at.is_some_and(|at| at <= deadline + LATE_MAX);
            ensure!(
                is_stopped || now <= self.due_by(deadline),
                DueInTime,
                id,
                "{} at {}, though it was due at {}",
                seen.state(),
                now.0,
                deadline.0
            );
        }
        Ok(())
    }

    /// A game whose clock runs is shown only once downtime has been given back.
    pub(crate) fn nothing_is_owed(&self, id: TableId, seen: &Game, asked: &Asked) -> Checked {
        // Nothing can be given back while the store fails or the node stops.
        if self.shared.is_some() {
            return self.nothing_is_owed_for_long(id, seen, asked);
        }
        if self.was_refusing(asked) || self.is_closing {
            return Ok(());
        }
        let owed = clocks::owed(seen, &self.outages);
        ensure!(owed.is_none(), DowntimeIsCredited, id, "owed is {owed:?}");
        Ok(())
    }

    /// No more requests wait than may, at any table.
    pub(crate) fn check_queues(&self) -> Checked {
        for id in self.tables.keys() {
            let waiting = self.waiting_for(*id);
            // One may be in flight besides.
            ensure!(
                waiting <= self.queue_max + 1,
                QueuesAreBounded,
                *id,
                "{waiting} requests wait, {} may",
                self.queue_max
            );
        }
        Ok(())
    }
}

/// Whether granting the question leads to this change.
fn explains(question: &Question, before: &Game, entry: &Entry) -> bool {
    let at = question.received.max(before.last_at());
    at == entry.at
        && match before.decide(question.received, question.who, &question.command) {
            Verdict::Change(event) => event == entry.event,
            Verdict::RefusedBut { consequence, .. } => consequence == entry.event,
            Verdict::Already(_) | Verdict::Refused(_) => false,
        }
}

/// Replaying what was recorded, event by event or all at once, gives what was shown.
fn check_replay(id: TableId, replayed: &Game, seen: &Game) -> Checked {
    let decoded = Game::decode(&seen.encode());
    let same = |game: &Game| format!("{game:?}") == format!("{seen:?}");
    ensure!(
        same(replayed) && decoded.as_ref().is_ok_and(same),
        ReplayEqualsLive,
        id,
        "shown was {seen:?}, replayed {replayed:?}, decoded {decoded:?}"
    );
    Ok(())
}

/// Whether a game was lost, or drawn, by having left it.
pub(crate) fn is_abandoned(event: &Event) -> bool {
    matches!(
        event,
        Event::Ended {
            ending: Ending::Won {
                by: WinReason::Abandoned,
                ..
            } | Ending::Drawn {
                by: DrawReason::Abandoned,
            },
            ..
        }
    )
}

/// Whether an event is the work of time alone.
fn is_by_time(event: &Event) -> bool {
    matches!(
        event,
        Event::Ended {
            ending: Ending::Won {
                by: WinReason::Timeout,
                ..
            } | Ending::Drawn {
                by: DrawReason::TimeoutVsInsufficientMaterial,
            } | Ending::Aborted {
                by: AbortReason::Expired | AbortReason::NoFirstMove | AbortReason::Adjourned,
            },
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::clock::TimeControl;
    use chess::game::{Creation, Terms};
    use chess::table::PlayerId;

    #[test]
    fn a_state_that_its_history_does_not_lead_to_is_noticed() {
        let creator = PlayerId::new(1).unwrap();
        let creation = Creation::open(creator, Terms::casual(TimeControl::Unlimited));
        let game = Game::create(Timestamp(1), creation).unwrap();
        let id = TableId::from_number(1).unwrap();
        assert_eq!(check_replay(id, &game, &game), Ok(()));
        let mut other = game.clone();
        other.evolve(Timestamp(2), &Event::Invited(vec![creator]));
        let broken = check_replay(id, &game, &other).unwrap_err();
        assert_eq!(broken.rule, Rule::ReplayEqualsLive);
    }
}
