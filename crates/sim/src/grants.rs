//! What must go with a version that somebody was granted: its key, its report.

use chess::Timestamp;
use chess::game::{Event, Game, MoveReport};
use chess::rules::Spelled;
use chess::table::{Actor, PlayerId};
use live::Failure;
use store::{Store, TableId};

use crate::book::{Asked, Book, Question, What};
use crate::node::at_once;
use crate::rules::{Checked, Rule, Violation, ensure};

impl Book {
    /// A version was granted to a player, with the key that was sent.
    pub(crate) fn grant(
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

    pub(crate) fn grant_to_nobody(&mut self, id: TableId, version: u32) -> Checked {
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
    pub(crate) fn keep_report(&mut self, id: TableId, before: &Game, after: &Game, event: &Event) {
        if let Event::Moved { uci, .. } = event
            && let Ok(m) = before.board().resolve(Spelled::Uci(uci.unpack()))
        {
            let report = MoveReport::new(before.board(), m, after);
            let record = self.tables.entry(id).or_default();
            record.reports.insert(after.version(), report);
        }
    }

    /// Whoever asks again is told the same.
    pub(crate) fn check_report(&self, id: TableId, table: &Game, version: u32) -> Checked {
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

    /// A refused request keeps no key, though it brought a version about.
    pub(crate) fn no_key(
        &self,
        id: TableId,
        question: &Question,
        version: u32,
        store: &Store,
    ) -> Checked {
        let (Actor::Player(player), Some(key)) = (question.who, &question.key) else {
            return Ok(());
        };
        let kept = at_once(store.remembered(player, key, question.received));
        ensure!(
            kept.is_none_or(|k| (k.table, k.version) != (id, version)),
            KeysGoWithChanges,
            id,
            "{key} is kept for version {version}, though it was refused"
        );
        Ok(())
    }

    /// A request failed: that needs a reason.
    pub(crate) fn failed(&mut self, asked: Asked, failure: &Failure) -> Checked {
        self.counts.failed += 1;
        let was_disturbed =
            self.fault_step >= asked.step || self.is_closing || self.was_refusing(&asked);
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
                // At another node it may have been made since this was asked.
                let is_new = self.shared.is_some() && asked.floor == 0;
                ensure!(
                    is_new || self.known(id).is_none(),
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

/// A key that is in use already makes a change fail.
fn has_key(what: &What) -> bool {
    match what {
        What::Submit(question) => question.key.is_some(),
        What::Create(attempt) => attempt.key.is_some(),
        What::Read { .. } | What::Fold => false,
    }
}
