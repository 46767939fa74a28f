//! Games that are gone through after their end, in memory.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::PlayerId;

use crate::analyses::ANALYSIS_ATTEMPTS_MAX;
use crate::{Analysis, AnalysisAsked, NewAnalysis, TableId};

#[derive(Clone, Default)]
pub(crate) struct Analyses(BTreeMap<TableId, (Analysis, Option<PlayerId>)>);

impl Analyses {
    fn waiting(&self) -> impl Iterator<Item = &(Analysis, Option<PlayerId>)> {
        self.0.values().filter(|(one, _)| one.result.is_none())
    }

    fn attempted(
        &mut self,
        table: TableId,
        attempt: u32,
    ) -> Option<&mut (Analysis, Option<PlayerId>)> {
        let found = self.0.get_mut(&table);
        found.filter(|(one, _)| one.attempt == attempt && one.result.is_none())
    }

    pub(crate) fn ask(&mut self, new: &NewAnalysis) -> AnalysisAsked {
        if let Some(there) = self.of(new.table) {
            return AnalysisAsked::There(there);
        }
        if self.open() >= u64::from(new.all_max) {
            return AnalysisAsked::Full;
        }
        let own = self.waiting().filter(|(_, by)| *by == Some(new.by));
        if own.count() >= new.own_max as usize {
            return AnalysisAsked::TooManyOwn;
        }
        let made = Analysis {
            table: new.table,
            asked_at: new.at,
            leased_until: None,
            attempt: 0,
            done: 0,
            total: new.total,
            result: None,
        };
        self.0.insert(new.table, (made.clone(), Some(new.by)));
        AnalysisAsked::Queued(made)
    }

    pub(crate) fn of(&self, table: TableId) -> Option<Analysis> {
        self.0.get(&table).map(|(one, _)| one.clone())
    }

    pub(crate) fn done_among(&self, tables: &[TableId]) -> Vec<TableId> {
        let is_done = |table: &&TableId| {
            let analysis = self.0.get(*table);
            analysis.is_some_and(|(one, _)| one.result.is_some())
        };
        tables.iter().filter(is_done).copied().collect()
    }

    pub(crate) fn take(&mut self, now: Timestamp, until: Timestamp) -> Option<Analysis> {
        let is_free = |one: &Analysis| {
            one.result.is_none() && one.leased_until.is_none_or(|leased| leased <= now)
        };
        self.0
            .retain(|_, (one, _)| !(is_free(one) && one.attempt >= ANALYSIS_ATTEMPTS_MAX));
        let free = self.0.values_mut().map(|(one, _)| one);
        let first = free
            .filter(|one| is_free(one))
            .min_by_key(|one| (one.asked_at, one.table))?;
        first.leased_until = Some(until);
        first.attempt += 1;
        first.done = 0;
        Some(first.clone())
    }

    pub(crate) fn keep(
        &mut self,
        table: TableId,
        attempt: u32,
        until: Option<Timestamp>,
        done: u32,
    ) -> bool {
        let Some((one, _)) = self.attempted(table, attempt) else {
            return false;
        };
        one.leased_until = until;
        one.done = done;
        true
    }

    pub(crate) fn finish(&mut self, table: TableId, attempt: u32, result: String) -> bool {
        let Some((one, by)) = self.attempted(table, attempt) else {
            return false;
        };
        one.result = Some(result);
        one.done = one.total;
        one.leased_until = None;
        *by = None;
        true
    }

    pub(crate) fn free(&mut self) {
        for (one, _) in self.0.values_mut() {
            one.leased_until = None;
        }
    }

    pub(crate) fn forget(&mut self, account: PlayerId) {
        for (_, by) in self.0.values_mut() {
            *by = by.filter(|who| *who != account);
        }
    }

    pub(crate) fn open(&self) -> u64 {
        self.waiting().count() as u64
    }
}
