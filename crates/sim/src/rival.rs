//! Somebody else writes to the store: another node, or a tool.

use std::sync::Arc;

use chess::game::{Game, Phase};
use chess::table::{Table, Verdict};
use chess::tables::AnyTable;
use store::{Change, NodeId, Stored, TableId};

use crate::book::{Doubt, Question};
use crate::clients::next_command;
use crate::clocks;
use crate::run::World;
use crate::weather::Disk;

impl World {
    /// Another node changes a table that this one may have in memory, so that its
    /// next change there conflicts. It does so while nothing else is going on, and
    /// moves no deadline: two nodes that play the same game are not simulated.
    pub(crate) fn rival(&mut self) {
        let is_calm = self.disk == Disk::Good
            && !self.book.is_closing
            && self.node.live.refuses_since().is_none()
            && self.node.control.pending() == 0;
        let is_active = |id: &TableId| {
            let known = self.book.known(*id);
            known.is_some_and(|game| game.phase() == Phase::Active)
        };
        let ids = self.book.tables.keys().copied().filter(is_active);
        let ids: Vec<TableId> = ids.collect();
        if !is_calm || ids.is_empty() {
            return;
        }
        let id = self.rng.pick(&ids);
        let Some(stored) = self.node.control.stored(id) else {
            return;
        };
        let Ok(before) = Game::decode(&stored.history) else {
            return;
        };
        let now = self.node.now();
        let is_owed = clocks::owed(&before, &self.book.outages).is_some();
        if before.phase() != Phase::Active || before.last_at() > now || is_owed {
            return;
        }
        let (who, command) = next_command(&mut self.rng, &before, now);
        let Verdict::Change(event) = before.decide(now, who, &command) else {
            return;
        };
        let mut after = before.clone();
        after.evolve(now, &event);
        if after.deadline() != before.deadline() || after.state() != before.state() {
            return;
        }
        self.say(|| format!("somebody else changes {id}: {event:?}"));
        self.commit_elsewhere(id, stored, &before, &after);
        let question = Question {
            who,
            command,
            received: now,
            key: None,
        };
        let doubt = Doubt {
            ticket: self.book.last_ticket(),
            question,
            made: None,
        };
        let record = self.book.tables.entry(id).or_default();
        record.doubts.push(doubt);
    }

    fn commit_elsewhere(&self, id: TableId, stored: Stored, before: &Game, after: &Game) {
        let payload = after.encoded_since(before);
        let stored = Stored {
            version: after.version(),
            history: after.encode(),
            ..stored
        };
        let row = live::to_row::<AnyTable>()(id, stored).expect("a game was decided on");
        let change = Change {
            table: id,
            expected: before.version(),
            version: after.version(),
            at: after.last_at(),
            asked: after.last_at(),
            node: NodeId::ALONE,
            payload,
            is_listed: false,
            rates: None,
            after: Arc::new(row),
            remember: None,
            begins: None,
            tells: store::EventKinds::NONE,
        };
        let result = self.node.control.commit_first(change);
        result.expect("it was decided on what is stored");
    }
}
