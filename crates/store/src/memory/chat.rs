//! Rooms in memory: what was said, and who may not speak.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use chess::Timestamp;
use chess::table::PlayerId;

use crate::chat::IDS_MAX;
use crate::{Ban, BanKind, ChatFilter, ChatLine, ChatNumbering, Error, NewChatLine, TableId};

#[derive(Clone, Default)]
pub(crate) struct Chat {
    lines: BTreeMap<(TableId, u64), ChatLine>,
    bans: BTreeMap<(TableId, PlayerId), Ban>,
    /// The one clock of all who share the store: it goes on as lines are said.
    clock: Timestamp,
}

impl Chat {
    pub(crate) fn append(
        &mut self,
        line: NewChatLine,
        numbering: &ChatNumbering,
    ) -> Result<u64, Error> {
        self.clock = self.clock.max(line.at);
        let lines = self
            .lines
            .range((line.table, numbering.from)..=(line.table, u64::MAX));
        let newest = lines.rev().take(IDS_MAX as usize);
        let ids: Vec<u64> = newest.map(|((_, id), _)| *id).collect();
        let id = (numbering.next)(self.clock, &ids);
        match self.lines.entry((line.table, id)) {
            Entry::Occupied(_) => Err(Error::Conflict),
            Entry::Vacant(place) => {
                place.insert(line.numbered(id));
                Ok(id)
            }
        }
    }

    /// The id of a room's newest line; zero if there is none.
    pub(crate) fn last(&self, table: TableId) -> u64 {
        let mut lines = self.lines.range((table, 0)..=(table, u64::MAX));
        lines.next_back().map_or(0, |((_, id), _)| *id)
    }

    pub(crate) fn of(
        &self,
        table: TableId,
        filter: ChatFilter,
        blocked: &BTreeSet<PlayerId>,
        after: Option<u64>,
        limit: u32,
    ) -> Vec<ChatLine> {
        let mut lines: Vec<ChatLine> = self
            .lines
            .range((table, 0)..=(table, u64::MAX))
            .map(|(_, line)| line)
            .filter(|line| after.is_none_or(|after| line.id > after))
            .filter(|line| filter.admits(line))
            .filter(|line| line.is_for_everyone() || !blocked.contains(&line.from))
            .rev()
            .take(limit as usize)
            .cloned()
            .collect();
        lines.reverse();
        lines
    }

    pub(crate) fn by(
        &self,
        account: PlayerId,
        after: Option<(TableId, u64)>,
        limit: u32,
    ) -> Vec<ChatLine> {
        self.lines
            .iter()
            .filter(|(place, _)| after.is_none_or(|after| **place > after))
            .map(|(_, line)| line)
            .filter(|line| line.from == account)
            .take(limit as usize)
            .cloned()
            .collect()
    }

    pub(crate) fn ban(&mut self, ban: Ban) {
        self.bans.insert((ban.table, ban.account), ban);
    }

    pub(crate) fn lift(&mut self, table: TableId, account: PlayerId) -> bool {
        self.bans.remove(&(table, account)).is_some()
    }

    pub(crate) fn is_removed(&self, table: TableId, account: PlayerId) -> bool {
        let ban = self.bans.get(&(table, account));
        ban.is_some_and(|ban| ban.kind == BanKind::Removed)
    }

    pub(crate) fn bans_at(&self, tables: &[TableId], account: PlayerId) -> Vec<Ban> {
        self.bans
            .values()
            .filter(|ban| ban.account == account && tables.contains(&ban.table))
            .copied()
            .collect()
    }

    pub(crate) fn bans(&self, table: TableId) -> Vec<Ban> {
        self.bans
            .values()
            .filter(|ban| ban.table == table)
            .copied()
            .collect()
    }
}
