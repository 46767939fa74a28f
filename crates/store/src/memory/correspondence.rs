//! What the players of slow games decide for days ahead, in memory.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::{PlayerId, State};

use super::contents::Contents;
use crate::{Plan, TableId, Vacation};

#[derive(Clone, Default)]
pub(crate) struct Correspondence {
    plans: BTreeMap<(TableId, PlayerId), Plan>,
    vacations: BTreeMap<(PlayerId, Timestamp), Vacation>,
}

impl Contents {
    pub(crate) fn stale_plans(&self, after: Option<(TableId, PlayerId)>, limit: u32) -> Vec<Plan> {
        let is_stale = |plan: &&Plan| {
            let row = self.tables.get(&plan.table);
            row.is_none_or(|row| {
                row.summary.ply != plan.ply || row.summary.state == State::Completed
            })
        };
        let plans = self.correspondence.plans.iter();
        let later = plans.filter(|(place, _)| Some(**place) > after);
        let stale = later.map(|(_, plan)| plan).filter(is_stale);
        stale.take(limit as usize).cloned().collect()
    }
}

impl Correspondence {
    pub(crate) fn plans_of(&self, table: TableId) -> Vec<Plan> {
        let plans = self.plans.values();
        plans.filter(|plan| plan.table == table).cloned().collect()
    }

    pub(crate) fn plans_by(&self, account: PlayerId) -> Vec<Plan> {
        let plans = self.plans.values();
        plans
            .filter(|plan| plan.account == account)
            .cloned()
            .collect()
    }

    pub(crate) fn set_plan(&mut self, plan: Plan) {
        self.plans.insert((plan.table, plan.account), plan);
    }

    pub(crate) fn change_plan(&mut self, before: &Plan, after: Option<Plan>) -> bool {
        let place = (before.table, before.account);
        let is_same = self.plans.get(&place) == Some(before);
        if is_same {
            self.plans.remove(&place);
            after.into_iter().for_each(|after| self.set_plan(after));
        }
        is_same
    }

    pub(crate) fn vacations_of(&self, account: PlayerId, after: Timestamp) -> Vec<Vacation> {
        let vacations = self.vacations.values();
        vacations
            .filter(|vacation| vacation.account == account && vacation.ends_at > after)
            .copied()
            .collect()
    }

    pub(crate) fn begin_vacation(
        &mut self,
        account: PlayerId,
        began_at: Timestamp,
        ends_at: Timestamp,
    ) -> bool {
        let place = (account, began_at);
        let is_free = self.vacations_of(account, began_at).is_empty();
        let begins = is_free && !self.vacations.contains_key(&place);
        if begins {
            let vacation = Vacation {
                account,
                began_at,
                ends_at,
                is_recorded: false,
            };
            self.vacations.insert(place, vacation);
        }
        begins
    }

    /// The one that is still so.
    fn same(&mut self, vacation: &Vacation) -> Option<&mut Vacation> {
        let found = self
            .vacations
            .get_mut(&(vacation.account, vacation.began_at));
        found.filter(|found| found.ends_at == vacation.ends_at)
    }

    pub(crate) fn change_vacation(&mut self, before: &Vacation, ends_at: Timestamp) -> bool {
        let Some(found) = self.same(before) else {
            return false;
        };
        found.ends_at = ends_at;
        found.is_recorded = false;
        true
    }

    pub(crate) fn vacation_told(&mut self, told: &Vacation, all_know: bool) {
        let own = self.vacations.values_mut();
        for found in own.filter(|found| found.account == told.account) {
            let is_older = found.began_at < told.began_at;
            let is_same = found.began_at == told.began_at && found.ends_at == told.ends_at;
            found.is_recorded = is_older || (is_same && all_know);
        }
    }

    pub(crate) fn vacations_to_record(&self, limit: u32) -> Vec<Vacation> {
        let vacations = self.vacations.values();
        vacations
            .filter(|vacation| !vacation.is_recorded && !self.has_newer(vacation))
            .take(limit as usize)
            .copied()
            .collect()
    }

    fn has_newer(&self, vacation: &Vacation) -> bool {
        let mut all = self.vacations.values();
        all.any(|some| some.account == vacation.account && some.began_at > vacation.began_at)
    }

    pub(crate) fn recheck_vacations(&mut self, now: Timestamp, before: Timestamp) {
        self.vacations
            .retain(|_, vacation| vacation.ends_at >= before);
        for vacation in self.vacations.values_mut() {
            vacation.is_recorded &= vacation.ends_at <= now;
        }
    }

    /// A guest's answers are given for the account that takes them over.
    pub(crate) fn take_over(&mut self, guest: PlayerId, by: PlayerId) {
        for plan in self.plans_by(guest) {
            self.plans.remove(&(plan.table, guest));
            self.set_plan(Plan {
                account: by,
                ..plan
            });
        }
    }

    /// The account was deleted.
    pub(crate) fn forget(&mut self, account: PlayerId) {
        self.plans.retain(|(_, owner), _| *owner != account);
        self.vacations.retain(|(who, _), _| *who != account);
    }
}
