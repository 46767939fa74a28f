//! Everything the store in memory holds, with the meaning the other backends
//! give it by SQL.

use std::collections::{BTreeMap, BTreeSet};

use chess::table::{MoveRow, Outage, PlayerId, State, Summary};
use chess::{Millis, Timestamp};

use super::analyses::Analyses;
use super::attempts::Attempts;
use super::chat::Chat;
use super::correspondence::Correspondence;
use super::fair::Fair;
use super::nodes::Nodes;
use super::outbox::Outbox;
use super::people::People;
use super::played::is_such;
use super::ratings::Ratings;
use super::social::Social;
use super::tickets::Tickets;
use super::told::Told;
use super::webhooks::Webhooks;
use crate::behind::{Behind, Stranded};
use crate::seats::Seats;
use crate::tables::OUTAGE_LIFETIME_MS;
use crate::{
    Change, Cursor, Due, Error, FinishedPlace, FinishedQuery, JournalRecord, ListQuery, Past,
    Remembered, Row, Stored, StoredRow, StoredSummary, TableId,
};

#[derive(Clone, Default)]
pub(crate) struct Contents {
    pub(crate) people: People,
    pub(crate) social: Social,
    pub(crate) correspondence: Correspondence,
    pub(crate) fair: Fair,
    pub(crate) told: Told,
    pub(crate) chat: Chat,
    pub(crate) nodes: Nodes,
    pub(crate) attempts: Attempts,
    pub(crate) analyses: Analyses,
    pub(crate) tickets: Tickets,
    pub(crate) ratings: Ratings,
    pub(crate) outbox: Outbox,
    pub(crate) webhooks: Webhooks,
    pub(super) tables: BTreeMap<TableId, Row>,
    /// The tables of everybody who has to do with one, to be found among many.
    seated: BTreeMap<PlayerId, BTreeSet<TableId>>,
    journal: BTreeMap<u64, JournalRecord>,
    /// The newest version of every table, folded or not.
    versions: BTreeMap<TableId, u32>,
    seq: u64,
    keys: BTreeMap<(PlayerId, String), Remembered>,
    alive_at: Option<Timestamp>,
    outages: BTreeMap<Timestamp, Timestamp>,
    /// A mistake on purpose: see [`super::Control::ignore_versions`].
    pub(crate) ignores_versions: bool,
    /// Another: see [`super::Control::pair_whoever`].
    pub(crate) pairs_whoever: bool,
    /// Another: see [`super::Control::forget_who_plays`].
    pub(crate) forgets_who_plays: bool,
    /// Another: see [`super::Control::rate_what_is_refused`].
    pub(crate) rates_what_is_refused: bool,
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
        let begins = change.begins.as_ref();
        let may_begin =
            begins.is_none_or(|begins| self.pairs_whoever || self.may_begin(change.table, begins));
        if !is_next || key_is_used || !may_begin {
            if let Some(rates) = change.rates.as_ref().filter(|_| self.rates_what_is_refused) {
                self.ratings.apply(change, rates);
            }
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
        self.tell(change);
        self.versions.insert(change.table, change.version);
        let at = change.at.min(change.asked);
        self.nodes.wrote(change.node, change.table, at);
        if let Some(new) = &change.remember {
            self.keys
                .insert((new.account, new.key.clone()), new.clone());
        }
        if let Some(begins) = begins {
            self.tickets.began(change.table, begins, change.asked);
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

    /// The rows that somebody made, plays in or is invited to play in.
    pub(super) fn rows_of(&self, player: PlayerId) -> impl Iterator<Item = &Row> {
        let tables = self.seated.get(&player).into_iter().flatten();
        tables.filter_map(|table| self.tables.get(table))
    }

    fn put(&mut self, row: Row) {
        for player in players(&row).into_iter().flatten() {
            self.seated.entry(player).or_default().insert(row.table);
        }
        self.tables.insert(row.table, row);
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
        self.put(row);
    }

    pub(crate) fn replace(&mut self, row: Row) {
        let version = self.versions.entry(row.table).or_default();
        *version = row.version.max(*version);
        self.put(row);
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
        let rows: Box<dyn Iterator<Item = &Row>> = match query.player {
            Some(player) => Box::new(self.rows_of(player)),
            None => Box::new(self.tables.values()),
        };
        let mut found: Vec<Cursor> = rows
            .filter(|row| self.is_wanted(row, query))
            .map(|row| Cursor {
                created_at: row.summary.created_at,
                table: row.table,
            })
            .filter(|place| {
                query.after.is_none_or(|after| match query.oldest_first {
                    false => key(place) < key(&after),
                    true => key(place) > key(&after),
                })
            })
            .collect();
        found.sort_by_key(key);
        if !query.oldest_first {
            found.reverse();
        }
        found.truncate(query.limit as usize);
        found
    }

    /// The places of finished tables.
    pub(crate) fn finished(&self, query: &FinishedQuery) -> Vec<FinishedPlace> {
        let after = query.begins_after();
        let place = |row: &Row| {
            let Summary {
                ended_at, delay_ms, ..
            } = row.summary;
            Some(FinishedPlace {
                known_at: ended_at? + Millis(delay_ms),
                table: row.table,
            })
        };
        let is_wanted = |row: &&Row| {
            let s = &row.summary;
            let is_played = s.result.is_some_and(|result| result != "aborted");
            let has = |player| players(row).contains(&Some(player));
            row.kind == query.kind
                && s.state == State::Completed
                && is_played
                && !s.private
                && query.player.is_none_or(has)
        };
        let rows = self.tables.values().filter(is_wanted).filter_map(place);
        let in_range = |place: &FinishedPlace| {
            (place.known_at.0, place.table.number()) > after && place.known_at <= query.until
        };
        let mut found: Vec<FinishedPlace> = rows.filter(in_range).collect();
        found.sort();
        found.truncate(query.limit as usize);
        found
    }

    fn is_wanted(&self, row: &Row, query: &ListQuery) -> bool {
        let s = &row.summary;
        let players = players(row);
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
            && query.speed.is_none_or(|speed| speed.name() == s.speed)
            && query.rated.is_none_or(|rated| rated == s.rated)
            && query
                .is_addressed
                .is_none_or(|is_addressed| is_addressed == s.opponent.is_some())
            && query
                .player
                .is_none_or(|player| players.contains(&Some(player)))
            && is_such(s, query)
            && (query.everything || !s.private || query.viewer.is_some_and(is_seen_by))
            && (is_own || query.known_at.is_none_or(is_known))
    }

    /// The newest table that each of these plays at and anybody may see, without a delay.
    pub(crate) fn playing(&self, players: &[PlayerId]) -> Vec<(PlayerId, TableId)> {
        let is_open = |row: &&Row| {
            let Summary {
                state,
                private,
                delay_ms,
                ..
            } = &row.summary;
            matches!(state, State::Active | State::Paused) && !private && *delay_ms == 0
        };
        let newest = |player: PlayerId| {
            let rows = self.tables.values().filter(is_open);
            let theirs =
                rows.filter(|row| [row.summary.white, row.summary.black].contains(&Some(player)));
            let last = theirs.max_by_key(|row| (row.summary.created_at, row.table))?;
            Some((player, last.table))
        };
        players.iter().copied().filter_map(newest).collect()
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
        u32::try_from(self.rows_of(player).filter(is_theirs).count()).unwrap_or(u32::MAX)
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

fn players(row: &Row) -> [Option<PlayerId>; 4] {
    let s = &row.summary;
    [Some(s.creator), s.opponent, s.white, s.black]
}

fn key(place: &Cursor) -> (Timestamp, TableId) {
    (place.created_at, place.table)
}
