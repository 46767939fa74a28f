//! Those who wait for an opponent, in memory.

use std::collections::{BTreeMap, BTreeSet};

use chess::Timestamp;
use chess::table::{PlayerId, State, Summary};

use super::contents::Contents;
use crate::{Begins, Queued, TableId, Ticket, TicketFate, Wish};

#[derive(Clone, Default)]
pub(crate) struct Tickets {
    tickets: BTreeMap<u64, Ticket>,
    /// Those of them that search.
    searching: BTreeSet<u64>,
}

impl Tickets {
    fn searching_of(&self, account: PlayerId) -> Option<u64> {
        let mut searching = self.searching_now();
        let own = searching.find(|ticket| ticket.wish.account == account);
        own.map(|ticket| ticket.id)
    }

    fn searching_now(&self) -> impl Iterator<Item = &Ticket> {
        let searching = self.searching.iter();
        searching.filter_map(|id| self.tickets.get(id))
    }

    fn enter(&mut self, wish: Wish) -> Ticket {
        let last = self.tickets.last_key_value().map_or(0, |(id, _)| *id);
        let ticket = wish.numbered(last + 1);
        self.tickets.insert(ticket.id, ticket.clone());
        self.searching.insert(ticket.id);
        ticket
    }

    fn is_searching(&self, id: u64) -> bool {
        self.searching.contains(&id)
    }

    /// The game has begun: nobody waits for it any more, nor for another in real time.
    pub(crate) fn began(&mut self, table: TableId, begins: &Begins, at: Timestamp) {
        self.end(&begins.tickets, TicketFate::Matched(table), at);
        if begins.is_real_time {
            let waits = |ticket: &&Ticket| {
                ticket.wish.is_real_time && begins.players.contains(&ticket.wish.account)
            };
            let ids: Vec<u64> = self.searching_now().filter(waits).map(|t| t.id).collect();
            self.end(&ids, TicketFate::Cancelled(Some(table)), at);
        }
    }

    /// Ends tickets that still search; those that did.
    pub(crate) fn end(&mut self, ids: &[u64], fate: TicketFate, at: Timestamp) -> Vec<u64> {
        let mut ended = Vec::new();
        for id in ids {
            if self.searching.remove(id)
                && let Some(ticket) = self.tickets.get_mut(id)
            {
                ticket.fate = fate;
                ticket.ended_at = Some(at);
                ended.push(*id);
            }
        }
        ended
    }

    pub(crate) fn see(&mut self, ids: &[u64], at: Timestamp) {
        for id in ids {
            if let Some(ticket) = self.tickets.get_mut(id)
                && ticket.fate == TicketFate::Searching
            {
                ticket.seen_at = ticket.seen_at.max(at);
            }
        }
    }

    pub(crate) fn forget(&mut self, account: PlayerId) {
        self.tickets
            .retain(|_, ticket| ticket.wish.account != account);
    }

    pub(crate) fn by_id(&self, id: u64) -> Option<Ticket> {
        self.tickets.get(&id).cloned()
    }

    pub(crate) fn matched(&self, account: PlayerId, table: TableId) -> Option<Ticket> {
        let is_it = |t: &&Ticket| t.wish.account == account && t.fate == TicketFate::Matched(table);
        self.tickets.values().find(is_it).cloned()
    }

    pub(crate) fn searching(&self) -> Vec<Ticket> {
        let mut found: Vec<Ticket> = self.searching_now().cloned().collect();
        found.sort_by_key(|ticket| (ticket.wish.since, ticket.id));
        found
    }

    pub(crate) fn paired_since(&self, since: Timestamp) -> Vec<Ticket> {
        let is_paired = |ticket: &&Ticket| {
            matches!(ticket.fate, TicketFate::Matched(_)) && ticket.ended_at >= Some(since)
        };
        let mut found: Vec<Ticket> = self.tickets.values().filter(is_paired).cloned().collect();
        found.sort_by_key(|ticket| (ticket.ended_at, ticket.id));
        found
    }

    pub(crate) fn purge(&mut self, ended_before: Timestamp, limit: u32) -> u64 {
        let is_old = |t: &&Ticket| t.ended_at.is_some_and(|ended| ended < ended_before);
        let old = self.tickets.values().filter(is_old).take(limit as usize);
        let old: Vec<u64> = old.map(|ticket| ticket.id).collect();
        for id in &old {
            self.tickets.remove(id);
        }
        old.len() as u64
    }
}

impl Contents {
    /// Lets somebody wait, unless they do already or play.
    pub(crate) fn queue(&mut self, wish: Wish) -> Queued {
        if let Some(id) = self.tickets.searching_of(wish.account) {
            return Queued::AlreadyIn(id);
        }
        if wish.is_real_time
            && let Some(table) = self.plays(wish.account, None)
        {
            return Queued::Plays(table);
        }
        Queued::Entered(self.tickets.enter(wish))
    }

    /// Whether a game may begin as far as those are concerned who waited for it.
    pub(super) fn may_begin(&self, table: TableId, begins: &Begins) -> bool {
        let is_busy = |player: PlayerId| self.plays(player, Some(table)).is_some();
        let waits_for_it = begins.is_real_time && !begins.tickets.is_empty();
        let mut tickets = begins.tickets.iter();
        tickets.all(|id| self.tickets.is_searching(*id))
            && !(waits_for_it && begins.players.into_iter().any(is_busy))
    }

    /// A real-time game that somebody plays, other than that table.
    fn plays(&self, player: PlayerId, but: Option<TableId>) -> Option<TableId> {
        if self.forgets_who_plays {
            return None;
        }
        let plays = |summary: &Summary| {
            let seats = [Some(summary.creator), summary.white, summary.black];
            summary.state == State::Active
                && summary.speed != "correspondence"
                && seats.contains(&Some(player))
        };
        let mut rows = self.rows_of(player);
        let found = rows.find(|row| Some(row.table) != but && plays(&row.summary));
        found.map(|row| row.table)
    }
}
