//! What is checked of every answer.

use std::sync::Arc;

use chess::Timestamp;
use chess::game::{Event, Game};
use chess::table::{Actor, Table, Verdict};
use live::{Failure, Outcome};
use store::{Store, TableId};

use crate::book::{Asked, Attempt, Book, Question, What};
use crate::mail::{Letter, Ticket};
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
        self.is_open(id, &asked, &letter)?;
        let record = self.tables.entry(id).or_default();
        match &letter {
            // It may have been loaded anew.
            Letter::Failed(Failure::Unavailable(_)) => record.host_served = Timestamp(0),
            Letter::Failed(_) | Letter::Stale(_) => {}
            _ => record.note_host(&asked.what, asked.at, now),
        }
        match (letter, &asked.what) {
            (Letter::Dropped, _) => Err(one_reply(Some(id), "a request will never be answered")),
            (Letter::Failed(failure), _) => self.failed(asked, &failure),
            (Letter::Table(game), What::Create(attempt)) => {
                self.created(id, attempt, &game, store, now)
            }
            (Letter::Stale(game), What::Read { .. }) if self.shared.is_some() => {
                self.is_of_the_truth(id, &game)
            }
            (Letter::Table(game), What::Read { .. }) => {
                self.not_behind(id, game.version(), &asked)?;
                self.nothing_is_owed(id, &game, &asked)?;
                self.shown(id, &game, None, now)
            }
            (Letter::Outcome(outcome), What::Submit(question)) => {
                self.in_order(id, ticket, asked.node)?;
                let shown = shown_with(&outcome);
                self.not_behind(id, shown, &asked)?;
                self.settle_doubt(id, ticket, &outcome);
                self.decided(id, question, outcome, store, now)
            }
            _ => Err(one_reply(Some(id), "an answer to something else")),
        }
    }

    /// A node that is stopping refuses every command.
    fn is_open(&self, id: TableId, asked: &Asked, letter: &Letter) -> Checked {
        let is_read = matches!(asked.what, What::Read { .. });
        let is_refused = matches!(letter, Letter::Failed(Failure::Unavailable(_)));
        ensure!(
            !asked.is_late || is_read || is_refused,
            StoppingRefusesWork,
            id,
            "it still took on {:?}",
            asked.what
        );
        Ok(())
    }

    fn in_order(&mut self, id: TableId, ticket: Ticket, node: u32) -> Checked {
        let record = self.tables.entry(id).or_default();
        let last = record.last_decided.insert(node, ticket).unwrap_or(0);
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
        // At another node it may have been seen, and gone on, before.
        ensure!(
            (self.known(id).is_none() || self.shared.is_some()) && game.encode() == attempt.history,
            EachVersionOnce,
            id,
            "made, though it was there, or not as asked"
        );
        let record = self.tables.entry(id).or_default();
        if self.shared.is_none() {
            record.attempts = vec![attempt.clone()];
        }
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
                ..
            } => {
                ensure!(
                    after.version() == before.version() + 1
                        && after.encode().starts_with(&before.encode())
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
                if !plain {
                    self.no_key(id, question, table.version(), store)?;
                }
                self.shown(id, &table, Some(question), now)
            }
        }
    }
}

/// The version of the table that is shown with an outcome.
fn shown_with(outcome: &Outcome<Game>) -> u32 {
    match outcome {
        Outcome::Changed { after, .. } => after.version(),
        Outcome::Already { table, .. } | Outcome::Refused { table, .. } => table.version(),
    }
}

fn judge(question: &Question, table: &Game) -> Verdict<Event, chess::game::Refusal> {
    table.decide(question.received, question.who, &question.command)
}

fn one_reply(table: Option<TableId>, what: &str) -> Violation {
    Violation {
        rule: Rule::OneReply,
        table,
        what: what.into(),
    }
}
