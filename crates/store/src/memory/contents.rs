//! Everything the store in memory holds, with the meaning the other backends
//! give it by SQL.

use std::collections::BTreeMap;

use chess::table::{MoveRow, Outage, PlayerId, State};
use chess::{Millis, Timestamp};

use super::attempts::Attempts;
use super::chat::Chat;
use super::nodes::Nodes;
use super::people::People;
use crate::behind::{Behind, Stranded};
use crate::seats::Seats;
use crate::tables::OUTAGE_LIFETIME_MS;
use crate::{
    Change, Cursor, Due, Error, JournalRecord, ListQuery, Past, Remembered, Row, Stored, StoredRow,
    StoredSummary, TableId,
};

#[derive(Clone, Default)]
pub(crate) struct Contents {
    pub(crate) people: People,
    pub(crate) chat: Chat,
    pub(crate) nodes: Nodes,
    pub(crate) attempts: Attempts,
    tables: BTreeMap<TableId, Row>,
    journal: BTreeMap<u64, JournalRecord>,
    /// The newest version of every table, folded or not.
    versions: BTreeMap<TableId, u32>,
    seq: u64,
    keys: BTreeMap<(PlayerId, String), Remembered>,
    alive_at: Option<Timestamp>,
    outages: BTreeMap<Timestamp, Timestamp>,
    /// A mistake on purpose: see [`super::Control::ignore_versions`].
    pub(crate) ignores_versions: bool,
}

impl Contents {
    /// Writes a change as the row, or as a record of the journal.
    pub(crate) fn commit(&mut self, change: &Change, row: Option<&Row>) -> Result<(), Error> {
        let version = self.versions.get(&change.table).copied().unwrap_or(0);
        let is_expected = version == change.expected || self.ignores_versions;
        let is_next = is_expected && row.is_none_or(|row| self.has_free_code(row));
        let key_is_used = change
            .remember
            .as_ref()
            .is_some_and(|new| self.remembered(new.account, &new.key, new.at).is_some());
        if !is_next || key_is_used {
            return Err(Error::Conflict);
        }
        self.seq += 1;
        match row {
            None => {
                let record = JournalRecord {
                    seq: self.seq,
                    table: change.table,
                    version: change.version,
                    at: change.at,
                    payload: change.payload.clone(),
                };
                self.journal.insert(self.seq, record);
            }
            Some(row) => {
                self.write(row);
                self.heartbeat(change.at.min(change.asked));
            }
        }
        self.versions.insert(change.table, change.version);
        let at = change.at.min(change.asked);
        self.nodes.wrote(change.node, change.table, at);
        if let Some(new) = &change.remember {
            self.keys
                .insert((new.account, new.key.clone()), new.clone());
        }
        Ok(())
    }

    /// The version of a table, if there is one.
    pub(crate) fn version(&self, table: TableId) -> Option<u32> {
        self.versions.get(&table).copied()
    }

    /// Whose table it is.
    pub(crate) fn seats_of(&self, table: TableId) -> Vec<PlayerId> {
        let row = self.tables.get(&table);
        row.map_or_else(Vec::new, |row| {
            let seats = Seats::of(&row.summary);
            seats.players.iter().map(|(player, _)| *player).collect()
        })
    }

    /// The number of the last change.
    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }

    fn has_free_code(&self, row: &Row) -> bool {
        row.join_code
            .as_ref()
            .and_then(|code| self.by_join_code(code))
            .is_none_or(|holder| holder == row.table)
    }

    /// Writes a row if it is newer than what is there.
    fn write(&mut self, row: &Row) {
        let before = self.tables.get(&row.table);
        if before.is_some_and(|b| b.version >= row.version) && !self.ignores_versions {
            return;
        }
        let mut row = row.clone();
        if row.moves.is_empty() {
            row.moves = before.map(|b| b.moves.clone()).unwrap_or_default();
        }
        self.tables.insert(row.table, row);
    }

    pub(crate) fn replace(&mut self, row: Row) {
        let version = self.versions.entry(row.table).or_default();
        *version = row.version.max(*version);
        self.tables.insert(row.table, row);
    }

    pub(crate) fn write_all(&mut self, rows: &[Row]) {
        rows.iter().for_each(|row| self.write(row));
    }

    /// Deletes the records of the journal that are in the rows. Those that stay
    /// although they are as old.
    pub(crate) fn trim(&mut self, upto: u64) -> Vec<Stranded> {
        let mut stranded: BTreeMap<TableId, Stranded> = BTreeMap::new();
        let kept = self.journal.split_off(&upto.saturating_add(1));
        for (seq, record) in std::mem::replace(&mut self.journal, kept) {
            self.heartbeat(record.at);
            let row = self.tables.get(&record.table).map_or(0, |row| row.version);
            if row < record.version {
                let newest = Stranded {
                    table: record.table,
                    version: record.version,
                    row,
                };
                stranded.insert(record.table, newest);
                self.journal.insert(seq, record);
            }
        }
        stranded.into_values().collect()
    }

    /// What a start finds in the journal.
    pub(crate) fn behind(&self) -> Behind {
        let mut behind = Behind::default();
        for record in self.journal.values() {
            let row = self.tables.get(&record.table).map_or(0, |row| row.version);
            behind.found(record.table, record.version, row);
        }
        behind
    }

    pub(crate) fn damage_journal(&mut self, table: TableId) -> bool {
        let newest = self.journal.values_mut().rfind(|r| r.table == table);
        let is_there = newest.is_some();
        if let Some(record) = newest {
            record.payload.truncate(record.payload.len() / 2);
        }
        is_there
    }

    pub(crate) fn alive_at(&self) -> Option<Timestamp> {
        self.alive_at
    }

    pub(crate) fn heartbeat(&mut self, at: Timestamp) {
        self.alive_at = self.alive_at.max(Some(at));
    }

    /// A table as its row has it, with what the journal has beyond it if asked for.
    pub(crate) fn load(&self, table: TableId, with_journal: bool) -> Option<Stored> {
        let row = self.tables.get(&table)?;
        let mut stored = Stored {
            kind: row.kind,
            version: row.version,
            history: row.history.clone(),
            join_code: row.join_code.clone(),
        };
        if with_journal {
            for record in self
                .journal
                .values()
                .filter(|r| r.table == table && r.version > row.version)
            {
                stored.version = record.version;
                stored.history.extend_from_slice(&record.payload);
            }
        }
        Some(stored)
    }

    pub(crate) fn due(&self) -> Vec<Due> {
        let rows = self.tables.values();
        rows.filter(|row| row.summary.state != State::Completed)
            .map(|row| Due {
                table: row.table,
                at: row.deadline,
            })
            .collect()
    }

    /// What is not over, or was made since then.
    pub(crate) fn current(&self, since: Timestamp) -> impl Iterator<Item = TableId> {
        let rows = self.tables.values();
        rows.filter(move |Row { summary, .. }| {
            summary.state != State::Completed || summary.created_at >= since
        })
        .map(|row| row.table)
    }

    pub(crate) fn past(&self) -> Past {
        Past {
            alive_at: self.alive_at.max(self.journal.values().map(|r| r.at).max()),
            outages: self.outages(),
        }
    }

    pub(crate) fn journal(&self) -> Vec<JournalRecord> {
        self.journal.values().cloned().collect()
    }

    pub(crate) fn overdue(&self, before: Timestamp, limit: u32) -> Vec<TableId> {
        let unfinished = self
            .tables
            .values()
            .filter(|row| row.summary.state != State::Completed);
        let mut late: Vec<(Timestamp, TableId)> = unfinished
            .filter_map(|row| Some((row.deadline?, row.table)))
            .filter(|(deadline, _)| *deadline < before)
            .collect();
        late.sort_unstable();
        late.into_iter()
            .take(limit as usize)
            .map(|(_, table)| table)
            .collect()
    }

    pub(crate) fn outages(&self) -> Vec<Outage> {
        let outages = self.outages.iter();
        let outage = |(&down_since, &up_at)| Outage { down_since, up_at };
        outages.map(outage).collect()
    }

    pub(crate) fn note_outage(&mut self, outage: Outage) {
        let within = outage.down_since..=outage.up_at;
        self.outages.retain(|since, _| !within.contains(since));
        self.outages.insert(outage.down_since, outage.up_at);
        let oldest = outage.up_at.0.saturating_sub(OUTAGE_LIFETIME_MS);
        self.outages.retain(|_, up_at| up_at.0 >= oldest);
    }

    pub(crate) fn list(&self, query: &ListQuery) -> Vec<Cursor> {
        let mut found: Vec<Cursor> = self
            .tables
            .values()
            .filter(|row| self.is_wanted(row, query))
            .map(|row| Cursor {
                created_at: row.summary.created_at,
                table: row.table,
            })
            .filter(|place| query.after.is_none_or(|after| key(place) < key(&after)))
            .collect();
        found.sort_by_key(|place| std::cmp::Reverse(key(place)));
        found.truncate(query.limit as usize);
        found
    }

    fn is_wanted(&self, row: &Row, query: &ListQuery) -> bool {
        let s = &row.summary;
        let players = [Some(s.creator), s.opponent, s.white, s.black];
        let is_seen_by = |viewer: PlayerId| {
            players.contains(&Some(viewer))
                || s.invited.contains(&viewer) && !self.chat.is_removed(row.table, viewer)
        };
        let is_own = query.viewer.is_some() && players.contains(&query.viewer);
        let is_known = |now: Timestamp| match query.state {
            _ if s.delay_ms == 0 => true,
            None | Some(State::Waiting) => true,
            Some(State::Completed) => s.ended_at.is_some_and(|at| at + Millis(s.delay_ms) <= now),
            Some(_) => false,
        };
        query.kind.is_none_or(|kind| kind == row.kind)
            && query.state.is_none_or(|state| state == s.state)
            && query
                .variant
                .as_ref()
                .is_none_or(|variant| variant == s.variant)
            && query
                .player
                .is_none_or(|player| players.contains(&Some(player)))
            && (query.everything || !s.private || query.viewer.is_some_and(is_seen_by))
            && (is_own || query.known_at.is_none_or(is_known))
    }

    pub(crate) fn by_join_code(&self, code: &str) -> Option<TableId> {
        self.tables
            .values()
            .find(|row| row.join_code.as_deref() == Some(code))
            .map(|row| row.table)
    }

    pub(crate) fn count_unfinished(&self, player: PlayerId) -> u32 {
        let is_theirs = |row: &&Row| {
            let s = &row.summary;
            s.state != State::Completed
                && [Some(s.creator), s.white, s.black].contains(&Some(player))
        };
        u32::try_from(self.tables.values().filter(is_theirs).count()).unwrap_or(u32::MAX)
    }

    pub(crate) fn remembered(
        &self,
        account: PlayerId,
        key: &str,
        now: Timestamp,
    ) -> Option<Remembered> {
        let found = self.keys.get(&(account, key.to_owned()))?;
        found.is_alive(now).then(|| found.clone())
    }

    pub(crate) fn each_table(&self, after: Option<TableId>, limit: u32) -> Vec<StoredRow> {
        self.tables
            .values()
            .filter(|row| after.is_none_or(|after| row.table > after))
            .take(limit as usize)
            .map(|row| StoredRow {
                table: row.table,
                kind: row.kind,
                version: row.version,
                history: row.history.clone(),
                deadline: row.deadline,
                join_code: row.join_code.clone(),
                summary: StoredSummary::from(&row.summary),
            })
            .collect()
    }

    pub(crate) fn moves_of(&self, table: TableId) -> Vec<MoveRow> {
        self.tables
            .get(&table)
            .map(|row| row.moves.clone())
            .unwrap_or_default()
    }
}

fn key(place: &Cursor) -> (Timestamp, TableId) {
    (place.created_at, place.table)
}
