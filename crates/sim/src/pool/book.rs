//! What is known of games and tickets as they come: by the store's own tables, at the
//! moment something reached them.

use std::collections::{BTreeMap, BTreeSet};

use chess::ByColor;
use chess::game::{Ending, Game, Phase};
use chess::table::PlayerId;
use store::{TableId, Ticket, TicketFate};

use super::PoolCounts;
use super::people::index_of;
use super::world::World;
use crate::node::at_once;
use crate::rules::{Checked, ensure};

/// How often the tickets are looked at.
const LOOK_US: u64 = 250_000;
const LOOK_LARGE_US: u64 = 5_000_000;

pub(super) struct Book {
    pub(super) counts: PoolCounts,
    /// Games that the store was asked for and does not have yet.
    making: BTreeMap<TableId, Made>,
    /// All that there are.
    pub(super) games: BTreeMap<TableId, Made>,
    /// Those of each player of which nobody knows that they are over.
    running: Vec<Vec<TableId>>,
    /// Those that somebody was told the end of.
    pub(super) over: BTreeMap<TableId, Ending>,
    /// What became of tickets.
    pub(super) fates: BTreeMap<u64, TicketFate>,
    open: BTreeSet<u64>,
    next_ticket: u64,
    next_look: u64,
}

/// A game, and what it was made of.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) players: ByColor<PlayerId>,
    pub(super) tickets: Vec<u64>,
}

impl Book {
    pub(super) fn new(players: u32) -> Book {
        Book {
            counts: PoolCounts::default(),
            making: BTreeMap::new(),
            games: BTreeMap::new(),
            running: vec![Vec::new(); players as usize],
            over: BTreeMap::new(),
            fates: BTreeMap::new(),
            open: BTreeSet::new(),
            next_ticket: 1,
            next_look: 0,
        }
    }

    /// A node is about to ask for a game.
    pub(super) fn making(&mut self, table: TableId, players: ByColor<PlayerId>, tickets: Vec<u64>) {
        self.making.insert(table, Made { players, tickets });
    }

    /// A game that is not there by now will never be.
    pub(super) fn is_settled(&mut self, table: TableId) {
        self.making.remove(&table);
    }

    /// Whether a game that is there, or may be, is one of two who were paired.
    pub(super) fn is_of_tickets(&self, table: TableId) -> bool {
        let made = self.games.get(&table).or(self.making.get(&table));
        made.is_some_and(|made| !made.tickets.is_empty())
    }

    /// Who plays a game that is there.
    pub(super) fn players(&self, table: TableId) -> Option<ByColor<PlayerId>> {
        self.games.get(&table).map(|made| made.players)
    }

    /// Somebody was told that a game is over, and how: that never changes.
    pub(super) fn told_over(&mut self, table: TableId, game: &Game) -> Checked {
        let Some(ending) = game.ending() else {
            return Ok(());
        };
        let first = *self.over.entry(table).or_insert(ending);
        ensure!(
            first == ending,
            AcknowledgedIsNeverLost,
            table,
            "it ended by {first:?}, and then by {ending:?}"
        );
        for player in self.players(table).into_iter().flatten() {
            self.running[index_of(player)].retain(|running| *running != table);
        }
        Ok(())
    }
}

impl World {
    /// Something reached the store: perhaps a game has begun.
    pub(super) fn look_at_store(&mut self) -> Checked {
        if self.book.making.is_empty() {
            return Ok(());
        }
        let ids: Vec<TableId> = self.book.making.keys().copied().collect();
        for standing in at_once(self.store.standings(ids)) {
            if let Some(made) = self.book.making.remove(&standing.table) {
                self.begun(standing.table, made)?;
            }
        }
        Ok(())
    }

    fn begun(&mut self, table: TableId, made: Made) -> Checked {
        let Made { players, tickets } = &made;
        for player in players {
            let before = std::mem::take(&mut self.book.running[index_of(*player)]);
            let mut running: Vec<TableId> = before;
            running.retain(|other| self.is_going_on(*other));
            ensure!(
                running.is_empty() || tickets.is_empty(),
                OneGameAtATime,
                table,
                "{player:?} is paired, and plays {running:?}"
            );
            running.push(table);
            self.book.running[index_of(*player)] = running;
        }
        for id in tickets {
            let ticket = at_once(self.store.ticket(*id));
            let is_theirs = |ticket: &Ticket| {
                ticket.fate == TicketFate::Matched(table)
                    && players.iter().any(|player| *player == ticket.wish.account)
            };
            ensure!(
                ticket.as_ref().is_some_and(is_theirs),
                TicketsEndOnce,
                table,
                "it was made of {ticket:?}"
            );
        }
        if self.options.is_hostile {
            let waiting = at_once(self.store.searching_tickets());
            let mut accounts = waiting.iter().map(|ticket| ticket.wish.account);
            let waits = accounts.find(|account| players.iter().any(|player| player == account));
            ensure!(
                waits.is_none(),
                TicketsEndOnce,
                table,
                "{waits:?} plays it, and still waits"
            );
        }
        match tickets.is_empty() {
            true => self.book.counts.agreed += 1,
            false => self.book.counts.paired += 1,
        }
        let players = *players;
        self.book.games.insert(table, made);
        self.sit_down(table, players);
        Ok(())
    }

    fn is_going_on(&self, table: TableId) -> bool {
        let stored = self.control.stored(table);
        let game = stored.and_then(|stored| Game::decode(&stored.history).ok());
        game.is_some_and(|game| !matches!(game.phase(), Phase::Over(_)))
    }

    /// Looks at the tickets now and then.
    pub(super) fn watch(&mut self) -> Checked {
        let now_us = self.now_us();
        if now_us < self.book.next_look {
            return Ok(());
        }
        let every = match self.options.is_hostile {
            true => LOOK_US,
            false => LOOK_LARGE_US,
        };
        self.book.next_look = now_us + every;
        self.look_at_tickets()
    }

    /// Every ticket ends once, and nobody has two that search.
    pub(super) fn look_at_tickets(&mut self) -> Checked {
        let book = &mut self.book;
        while at_once(self.store.ticket(book.next_ticket)).is_some() {
            book.open.insert(book.next_ticket);
            book.next_ticket += 1;
        }
        let mut waiting = BTreeSet::new();
        for id in book.open.clone() {
            let Some(ticket) = at_once(self.store.ticket(id)) else {
                ensure!(false, TicketsEndOnce, None, "ticket {id} is gone");
                continue;
            };
            if ticket.fate == TicketFate::Searching {
                let account = ticket.wish.account;
                let is_only = waiting.insert(account);
                ensure!(is_only, TicketsEndOnce, None, "{account:?} waits twice");
                continue;
            }
            book.open.remove(&id);
            book.fates.insert(id, ticket.fate);
        }
        Ok(())
    }
}
