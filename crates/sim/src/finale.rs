//! What must hold when nothing is under way any more.

use std::sync::Arc;

use chess::Millis;
use chess::game::{Command, Game, MoveCommand, MoveReport};
use chess::table::{Actor, State, Table};
use live::Limits;
use store::{StoredRow, TableId};

use crate::node::at_once;
use crate::rules::{Checked, ensure};
use crate::run::World;
use crate::weather::Disk;

/// How often a stop may have to fold until the journal is empty: the first may be
/// one that was under way.
const FOLDS_MAX: u32 = 3;

impl World {
    /// The end of a run: once everything is calm, everything is as it should
    /// be, on the disk too, and after one more start.
    pub(crate) fn finish(&mut self) -> Checked {
        self.book.step += 1;
        self.set_disk(Disk::Good);
        self.book.disturb(self.node.now());
        let a_while = self.rng.pick(&[3, 3, 70]);
        self.pass(Millis::from_secs(a_while))?;
        self.read_all()?;
        self.all_know_all()?;
        self.stop()?;
        self.pass(Millis::from_secs(3))?;
        self.read_all()?;
        self.repeat_moves()?;
        self.fold_all()?;
        self.check_stored()
    }

    /// Everybody is shown every table, and nothing stays unanswered.
    fn read_all(&mut self) -> Checked {
        let ids: Vec<TableId> = self.book.tables.keys().copied().collect();
        for id in ids {
            self.read(id, None);
            self.settle()?;
        }
        Ok(())
    }

    /// Lets everything under way come to its end.
    fn settle(&mut self) -> Checked {
        self.let_disk_work()?;
        self.deliver()?;
        if let Some(asked) = self.book.asked.values().next() {
            ensure!(
                false,
                OneReply,
                asked.table,
                "no answer to {:?}",
                asked.what
            );
        }
        Ok(())
    }

    /// Every table is written to its row and the journal trimmed.
    pub(crate) fn fold_all(&mut self) -> Checked {
        self.settle()?;
        for _ in 0..FOLDS_MAX {
            self.fold();
            self.settle()?;
        }
        self.check_journal()?;
        self.node.live.evict();
        let resident = self.node.live.stats().resident;
        ensure!(
            resident <= self.node.limits.resident_max,
            MemoryIsBounded,
            None,
            "{resident} tables are in memory"
        );
        Ok(())
    }

    /// What is left in the journal is in the rows already; and only what the
    /// node was not told to be there is left.
    fn check_journal(&self) -> Checked {
        let rows = at_once(self.node.store.each_table(None, u32::MAX));
        for record in self.node.control.journal() {
            let row = rows.iter().find(|row| row.table == record.table);
            ensure!(
                self.book.counts.faults > 0 && row.is_some_and(|r| r.version >= record.version),
                CleanStopFoldsAll,
                record.table,
                "version {} is left in the journal",
                record.version
            );
        }
        Ok(())
    }

    /// Compares what is on the disk with what anyone was told.
    pub(crate) fn check_stored(&mut self) -> Checked {
        let rows = at_once(self.node.store.each_table(None, u32::MAX));
        for row in &rows {
            self.check_row(row)?;
        }
        // What is farther ahead the next sweep finds. When a table that waits is due depends
        // on who was seen there.
        let Limits { horizon, .. } = self.node.limits;
        let closed_at = self.book.closed_at.unwrap_or(self.node.now());
        // A machine that was suspended has not looked since.
        let swept = closed_at.min(self.ticked_at);
        let near = swept + Millis(horizon.0 / 2);
        let is_played = |row: &StoredRow| row.summary.state != State::Waiting.name();
        let has_deadline =
            |row: &&StoredRow| is_played(row) && row.deadline.is_some_and(|at| at <= near);
        let clocks = rows.iter().filter(has_deadline).count();
        let armed = self.node.live.stats().armed;
        // While no flag can fall, nothing is looked for.
        let is_swept = self.node.live.refuses_since().is_none();
        // A table that nobody can load is looked for too.
        ensure!(
            clocks <= armed || !is_swept,
            EveryDeadlineIsArmed,
            None,
            "{armed} of {clocks} deadlines are armed"
        );
        for id in self.book.tables.keys() {
            let is_stored = rows.iter().any(|row| row.table == *id);
            ensure!(
                is_stored || self.book.known(*id).is_none(),
                AcknowledgedIsNeverLost,
                *id,
                "it was shown, and is not stored"
            );
        }
        self.check_keys()
    }

    fn check_row(&mut self, row: &StoredRow) -> Checked {
        let id = row.table;
        let game = Game::decode(&row.history);
        let Ok(game) = game.map(Arc::new) else {
            ensure!(false, RowsAreRight, id, "the history cannot be read");
            return Ok(());
        };
        self.book.shown(id, &game, None, self.node.now())?;
        let attempts = &self.book.tables[&id].attempts;
        let made = attempts
            .iter()
            .find(|a| game.encode().starts_with(&a.history));
        let code = made.and_then(|a| a.code.clone());
        let code = code.filter(|_| game.state() == State::Waiting);
        let wrong = row.summary.differences(&game.summary());
        ensure!(
            wrong.is_empty() && row.version == game.version() && row.join_code == code,
            RowsAreRight,
            id,
            "wrong in the row: {wrong:?}, version {}, code {:?}",
            row.version,
            row.join_code
        );
        if game.state() != State::Waiting {
            ensure!(
                row.deadline == game.deadline(),
                RowsAreRight,
                id,
                "deadline {:?} in the row, {:?} in the game",
                row.deadline,
                game.deadline()
            );
        }
        if game.state() == State::Completed {
            let moves = at_once(self.node.store.moves_of(id));
            ensure!(
                moves == game.score_sheet(),
                RowsAreRight,
                id,
                "the list of moves is wrong"
            );
        }
        Ok(())
    }

    /// A key is kept for a day, and never without its change.
    fn check_keys(&self) -> Checked {
        let now = self.node.now();
        for ((player, key), (id, version, at)) in &self.book.keys {
            let kept = at_once(self.node.store.remembered(*player, key, now));
            let is_due = now.since(*at) < Millis::from_days(1);
            let is_right = match &kept {
                None => !is_due,
                Some(kept) if is_due => (kept.table, kept.version) == (*id, *version),
                Some(kept) => {
                    let known = self.book.known(kept.table);
                    known.is_some_and(|game| game.version() >= kept.version)
                }
            };
            ensure!(
                is_right,
                KeysGoWithChanges,
                *id,
                "{key} was for version {version} at {}, and is now {kept:?}",
                at.0
            );
        }
        Ok(())
    }

    /// Moves are sent again, long after they were made.
    fn repeat_moves(&mut self) -> Checked {
        let mut again: Vec<(TableId, Arc<Game>, MoveReport)> = Vec::new();
        for (id, record) in &self.book.tables {
            let Some(known) = &record.known else { continue };
            let some = record.reports.values().step_by(7).take(3);
            again.extend(some.map(|report| (*id, Arc::clone(known), report.clone())));
        }
        for (id, game, report) in again {
            let Some(mover) = *game.seats().get(!report.to_move) else {
                continue;
            };
            let command = MoveCommand {
                text: report.uci,
                ply: Some(report.ply),
                ..MoveCommand::default()
            };
            self.submit(id, Actor::Player(mover), Command::Move(command));
            self.settle()?;
        }
        Ok(())
    }
}
