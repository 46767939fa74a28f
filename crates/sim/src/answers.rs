//! What is checked of every answer.

use std::sync::Arc;

use chess::Timestamp;
use chess::game::{Event, Game, MoveReport};
use chess::rules::Spelled;
use chess::table::{Actor, PlayerId, Table, Verdict};
use live::{Failure, Outcome};
use store::{Store, TableId};

use crate::book::{Asked, Attempt, Book, Question, What};
use crate::mail::{Letter, Ticket};
use crate::node::at_once;
use crate::rules::{Checked, Rule, Violation, ensure};

impl Book {
    /// Takes in an answer and checks everything about it.
    pub(crate) fn answered(
        &mut self,
        ticket: Ticket,
        letter: Letter,
        store: &Store,
        now: Timestamp,
    ) -> Checked {
        let Some(asked) = self.asked.remove(&ticket) else {
            return Err(one_reply(None, "an answer to nothing"));
        };
        let Some(id) = asked.table else {
            return match letter {
                Letter::Dropped => Err(one_reply(None, "a fold without an end")),
                Letter::Failed(failure) => self.failed(asked, &failure),
                _ => Ok(()),
            };
        };
        self.tables
            .entry(id)
            .or_default()
            .note_host(&asked.what, now);
        match (letter, &asked.what) {
            (Letter::Dropped, _) => Err(one_reply(Some(id), "a request will never be answered")),
            (Letter::Failed(failure), _) => self.failed(asked, &failure),
            (Letter::Table(game), What::Create(attempt)) => {
                self.created(id, attempt, &game, store, now)
            }
            (Letter::Table(game), What::Read { .. }) => self.shown(id, &game, None, now),
            (Letter::Outcome(outcome), What::Submit(question)) => {
                self.in_order(id, ticket)?;
                self.decided(id, question, outcome, store, now)
            }
            _ => Err(one_reply(Some(id), "an answer to something else")),
        }
    }

    fn in_order(&mut self, id: TableId, ticket: Ticket) -> Checked {
        let record = self.tables.entry(id).or_default();
        let last = std::mem::replace(&mut record.last_decided, ticket);
        ensure!(
            last < ticket,
            FirstComeFirstServed,
            id,
            "request {ticket} was decided after {last}"
        );
        Ok(())
    }

    fn created(
        &mut self,
        id: TableId,
        attempt: &Attempt,
        game: &Arc<Game>,
        store: &Store,
        now: Timestamp,
    ) -> Checked {
        ensure!(
            self.known(id).is_none() && game.encode() == attempt.history,
            EachVersionOnce,
            id,
            "made, though it was there, or not as asked"
        );
        let record = self.tables.entry(id).or_default();
        record.attempts = vec![attempt.clone()];
        let asked_at = game.created_at();
        self.grant(
            id,
            1,
            attempt.creator,
            attempt.key.as_ref(),
            store,
            asked_at,
        )?;
        self.shown(id, game, None, now)
    }

    fn decided(
        &mut self,
        id: TableId,
        question: &Question,
        outcome: Outcome<Game>,
        store: &Store,
        now: Timestamp,
    ) -> Checked {
        let Question { who, key, .. } = question;
        match outcome {
            Outcome::Changed {
                before,
                after,
                event,
            } => {
                ensure!(
                    after.version() == before.version() + 1
                        && after.encode().starts_with(before.encode())
                        && judge(question, &before) == Verdict::Change(event.clone()),
                    DecidedOnTheTruth,
                    id,
                    "{question:?} became {event:?} at version {}",
                    after.version()
                );
                if let Actor::Player(player) = who {
                    let asked_at = question.received;
                    self.grant(id, after.version(), *player, key.as_ref(), store, asked_at)?;
                } else {
                    self.grant_to_nobody(id, after.version())?;
                }
                self.keep_report(id, &before, &after, &event);
                self.shown(id, &after, Some(question), now)
            }
            Outcome::Already { version, table } => {
                self.counts.already += 1;
                ensure!(
                    judge(question, &table) == Verdict::Already(version),
                    DecidedOnTheTruth,
                    id,
                    "{question:?} was not done at version {version}"
                );
                self.shown(id, &table, Some(question), now)?;
                self.check_report(id, &table, version)
            }
            Outcome::Refused { why, table } => {
                self.counts.refused += 1;
                let plain = judge(question, &table) == Verdict::Refused(why.clone());
                let brought_about = || {
                    let before = table.as_of(table.version() - 1)?;
                    match judge(question, &before) {
                        Verdict::RefusedBut { why: real, .. } => Some(real == why),
                        _ => None,
                    }
                };
                ensure!(
                    plain || brought_about() == Some(true),
                    DecidedOnTheTruth,
                    id,
                    "{question:?} was refused at version {}: {why:?}",
                    table.version()
                );
                self.shown(id, &table, Some(question), now)
            }
        }
    }

    /// A version was granted to a player, with the key that was sent.
    fn grant(
        &mut self,
        id: TableId,
        version: u32,
        player: PlayerId,
        key: Option<&String>,
        store: &Store,
        asked_at: Timestamp,
    ) -> Checked {
        self.grant_to_nobody(id, version)?;
        let Some(key) = key else { return Ok(()) };
        let kept = at_once(store.remembered(player, key, asked_at));
        let Some(kept) = kept.filter(|k| (k.table, k.version) == (id, version)) else {
            return Err(Violation {
                rule: Rule::KeysGoWithChanges,
                table: Some(id),
                what: format!("version {version} was granted without its key {key}"),
            });
        };
        let holder = (player, key.clone());
        self.keys.insert(holder, (id, version, kept.at));
        Ok(())
    }

    fn grant_to_nobody(&mut self, id: TableId, version: u32) -> Checked {
        self.counts.granted += 1;
        ensure!(
            self.tables.entry(id).or_default().granted.insert(version),
            EachVersionOnce,
            id,
            "version {version} was granted twice"
        );
        Ok(())
    }

    /// Remembers what the one who moved was told.
    fn keep_report(&mut self, id: TableId, before: &Game, after: &Game, event: &Event) {
        if let Event::Moved { uci, .. } = event
            && let Ok(m) = before.board().resolve(Spelled::Uci(uci.unpack()))
        {
            let report = MoveReport::new(before.board(), m, after);
            let record = self.tables.entry(id).or_default();
            record.reports.insert(after.version(), report);
        }
    }

    /// Whoever asks again is told the same.
    fn check_report(&self, id: TableId, table: &Game, version: u32) -> Checked {
        let first = self.tables.get(&id).and_then(|r| r.reports.get(&version));
        if let Some(first) = first {
            let again = table.report(version);
            ensure!(
                again.as_ref() == Some(first),
                SameAnswerAgain,
                id,
                "first {first:?}, then {again:?}"
            );
        }
        Ok(())
    }

    /// A request failed: that needs a reason.
    fn failed(&mut self, asked: Asked, failure: &Failure) -> Checked {
        self.counts.failed += 1;
        let was_disturbed = self.fault_step >= asked.step || self.is_closing;
        let Some(id) = asked.table else {
            ensure!(
                was_disturbed,
                FailsForAReason,
                None,
                "a fold failed: {failure}"
            );
            return Ok(());
        };
        let has_reason = match failure {
            Failure::NotFound => {
                ensure!(
                    self.known(id).is_none(),
                    AcknowledgedIsNeverLost,
                    id,
                    "it was shown, and now there is no such table"
                );
                true
            }
            Failure::Taken => matches!(asked.what, What::Create(_)),
            // The server's own look at the clock and its credit may wait too.
            Failure::Busy => self.waiting_for(id) + 2 >= self.queue_max,
            Failure::Unavailable(_) => was_disturbed || has_key(&asked.what),
            Failure::Corrupt(_) => false,
        };
        ensure!(
            has_reason,
            FailsForAReason,
            id,
            "{failure} came of {:?}",
            asked.what
        );
        if matches!(failure, Failure::Unavailable(_)) {
            self.doubt(asked);
        }
        Ok(())
    }
}

fn judge(question: &Question, table: &Game) -> Verdict<Event, chess::game::Refusal> {
    table.decide(question.received, question.who, &question.command)
}

/// A key that is in use already makes a change fail.
fn has_key(what: &What) -> bool {
    match what {
        What::Submit(question) => question.key.is_some(),
        What::Create(attempt) => attempt.key.is_some(),
        What::Read { .. } | What::Fold => false,
    }
}

fn one_reply(table: Option<TableId>, what: &str) -> Violation {
    Violation {
        rule: Rule::OneReply,
        table,
        what: what.into(),
    }
}
