//! What must hold of everything that is stored in the end.

use std::collections::BTreeMap;

use chess::ByColor;
use chess::game::{Game, Phase};
use store::{TableId, Ticket, TicketFate};

use super::PoolReport;
use super::book::Made;
use super::people::index_of;
use super::world::World;
use crate::node::at_once;
use crate::rules::{Checked, Violation, ensure};

/// Rows that are read at a time.
const PAGE: u32 = 1_000;
/// What a pool promises when something goes wrong only now and then.
const MOST_WAIT_MS: u32 = 15_000;
const SIDES_APART_MAX: u32 = 2;
const CORRELATION_MIN: f64 = 0.95;

/// The games that are stored.
pub(super) type Games = BTreeMap<TableId, Game>;

/// Of those who were paired.
#[derive(Default)]
struct Kept {
    waits_ms: Vec<u32>,
    gaps: Vec<u32>,
}

impl World {
    /// Everything has ended: looks at all of it.
    pub(super) fn finish(&mut self) -> Result<PoolReport, Violation> {
        self.look_at_tickets()?;
        let games = self.stored_games()?;
        let tickets = self.stored_tickets()?;
        self.tickets_have_games(&tickets)?;
        let kept = self.policy_was_kept(&tickets)?;
        let points = self.ratings_are_right(&games)?;
        let correlation = self.correlation(&points);
        let sides_apart = self.sides_apart(&games);
        let report = PoolReport {
            counts: self.book.counts,
            waits_ms: [0.5, 0.99, 1.0].map(|share| at(&kept.waits_ms, share)),
            gaps: [0.5, 0.99, 1.0].map(|share| at(&kept.gaps, share)),
            sides_apart,
            correlation,
            virtual_ms: self.virtual_ms(),
            digest: digest(&points),
        };
        if !self.options.is_hostile {
            self.promises_were_kept(&report)?;
        }
        Ok(report)
    }

    /// All games: those that began, and no others; each is over, as was told.
    fn stored_games(&self) -> Result<Games, Violation> {
        let mut games = Games::new();
        loop {
            let after = games.last_key_value().map(|(table, _)| *table);
            let page = at_once(self.store.each_table(after, PAGE));
            let is_last = page.len() < PAGE as usize;
            for row in page {
                let Ok(game) = Game::decode(&row.history) else {
                    ensure!(false, ReplayEqualsLive, row.table, "it cannot be read");
                    continue;
                };
                games.insert(row.table, game);
            }
            if is_last {
                break;
            }
        }
        for (table, game) in &games {
            let Phase::Over(ending) = game.phase() else {
                ensure!(false, DueInTime, *table, "it is not over");
                continue;
            };
            let told = self.book.over.get(table).copied().unwrap_or(ending);
            ensure!(
                told == ending,
                AcknowledgedIsNeverLost,
                *table,
                "it ended by {told:?}, and is stored with {ending:?}"
            );
            let known = self.book.players(*table);
            let seats = game.seats();
            let is_theirs = known.is_some_and(|known| known.map(Some) == *seats);
            ensure!(
                is_theirs,
                WholeOrNotAtAll,
                *table,
                "{seats:?} play it, and {known:?} sat down"
            );
        }
        let lost = self
            .book
            .games
            .keys()
            .find(|table| !games.contains_key(table));
        ensure!(
            lost.is_none(),
            AcknowledgedIsNeverLost,
            lost.copied(),
            "it is gone"
        );
        Ok(games)
    }

    /// All tickets; each has ended, and as it did when it ended.
    fn stored_tickets(&mut self) -> Result<BTreeMap<u64, Ticket>, Violation> {
        let mut tickets = BTreeMap::new();
        while let Some(ticket) = at_once(self.store.ticket(tickets.len() as u64 + 1)) {
            let id = ticket.id;
            let first = self.book.fates.get(&id).copied();
            let is_same = first == Some(ticket.fate) && ticket.ended_at.is_some();
            ensure!(
                is_same,
                TicketsEndOnce,
                None,
                "{first:?} became of it, and then: {ticket:?}"
            );
            let counts = &mut self.book.counts;
            match ticket.fate {
                TicketFate::Searching => {}
                TicketFate::Matched(_) => counts.matched += 1,
                TicketFate::Cancelled(_) => counts.cancelled += 1,
                TicketFate::TimedOut => counts.timed_out += 1,
            }
            tickets.insert(id, ticket);
        }
        Ok(tickets)
    }

    /// A ticket that was paired has a game that was made of it, with its owner in it,
    /// and no game was made of fewer or more.
    fn tickets_have_games(&self, tickets: &BTreeMap<u64, Ticket>) -> Checked {
        let mut matched: BTreeMap<TableId, Vec<u64>> = BTreeMap::new();
        for ticket in tickets.values() {
            let Some(table) = ticket.fate.table() else {
                continue;
            };
            let players = self.book.players(table);
            let owner = ticket.wish.account;
            let plays = players.is_some_and(|both| both.iter().any(|player| *player == owner));
            ensure!(
                plays,
                TicketsEndOnce,
                table,
                "{players:?} play it, and not the owner of {ticket:?}"
            );
            if matches!(ticket.fate, TicketFate::Matched(_)) {
                matched.entry(table).or_default().push(ticket.id);
            }
        }
        for (table, made) in &self.book.games {
            let mut wanted = made.tickets.clone();
            wanted.sort_unstable();
            let found = matched.remove(table).unwrap_or_default();
            ensure!(
                wanted == found,
                TicketsEndOnce,
                *table,
                "it was made of {wanted:?}, and these say so: {found:?}"
            );
        }
        Ok(())
    }

    /// Nobody met somebody further away than the policy lets them, nor waited longer.
    fn policy_was_kept(&self, tickets: &BTreeMap<u64, Ticket>) -> Result<Kept, Violation> {
        let mut kept = Kept::default();
        for (
            table,
            Made {
                players,
                tickets: ids,
            },
        ) in &self.book.games
        {
            let both: Vec<&Ticket> = ids.iter().filter_map(|id| tickets.get(id)).collect();
            let [one, other] = both[..] else { continue };
            ensure!(
                !self.blocks.between(players.white, players.black),
                PolicyHolds,
                *table,
                "one of {players:?} has blocked the other"
            );
            let points = [one, other].map(|ticket| ticket.wish.rating.points());
            let gap = points[0].abs_diff(points[1]);
            for (ticket, against) in [(one, other), (other, one)] {
                let now = ticket.ended_at.unwrap_or_default();
                let is_urgent = now.since(against.wish.since) >= self.policy.patience;
                let window = self
                    .policy
                    .window(ticket.wish.rating, ticket.wish.since, now);
                let most = if is_urgent {
                    self.policy.max_gap
                } else {
                    window
                };
                ensure!(
                    gap <= most,
                    PolicyHolds,
                    *table,
                    "{gap} points apart, and {most} allowed: {ticket:?}"
                );
                kept.waits_ms.push(now.since(ticket.wish.since).0);
            }
            kept.gaps.push(gap);
        }
        let is_early = |ticket: &&Ticket| {
            let waited = ticket.ended_at.unwrap_or_default().since(ticket.wish.since);
            ticket.fate == TicketFate::TimedOut && waited < self.policy.timeout
        };
        let early = tickets.values().find(is_early);
        ensure!(early.is_none(), PolicyHolds, None, "too early: {early:?}");
        Ok(kept)
    }

    /// How much more often somebody had one side than the other, at most.
    fn sides_apart(&self, games: &Games) -> u32 {
        let mut surplus = vec![0_i32; self.people.len()];
        for game in games.values() {
            let ByColor { white, black } = *game.seats();
            for (player, by) in [(white, 1), (black, -1)] {
                player
                    .into_iter()
                    .for_each(|player| surplus[index_of(player)] += by);
            }
        }
        let apart = surplus.into_iter().map(i32::unsigned_abs);
        apart.max().unwrap_or_default()
    }

    /// What players may expect of a pool in which many play.
    fn promises_were_kept(&self, report: &PoolReport) -> Checked {
        let [_, most_wait, longest] = report.waits_ms;
        let starving = (self.policy.patience + self.policy.patience).0;
        let timed_out = report.counts.timed_out;
        ensure!(
            timed_out == 0 && most_wait <= MOST_WAIT_MS && longest < starving,
            PolicyHolds,
            None,
            "somebody starves: {timed_out} timed out, waits {:?} ms",
            report.waits_ms
        );
        let [_, most_gap, widest] = report.gaps;
        ensure!(
            most_gap <= 2 * self.policy.initial_window && widest <= self.policy.max_gap,
            PolicyHolds,
            None,
            "gaps {:?}",
            report.gaps
        );
        let apart = report.sides_apart;
        ensure!(
            apart <= SIDES_APART_MAX,
            PolicyHolds,
            None,
            "somebody had one side {apart} times more often"
        );
        let correlation = report.correlation;
        let tells = correlation >= CORRELATION_MIN;
        ensure!(
            tells,
            RatedOnce,
            None,
            "ratings say little about strength: {correlation}"
        );
        Ok(())
    }

    /// The rank correlation of strength and points: 1 if both order the players in
    /// the same way.
    fn correlation(&self, points: &[u32]) -> f64 {
        let ranks = |of: &dyn Fn(usize) -> f64| {
            let mut order: Vec<usize> = (0..points.len()).collect();
            order.sort_by(|a, b| of(*a).total_cmp(&of(*b)));
            let mut ranks = vec![0.0; points.len()];
            for (rank, index) in order.into_iter().enumerate() {
                ranks[index] = rank as f64;
            }
            ranks
        };
        let strengths = ranks(&|index| self.people[index].strength);
        let ratings = ranks(&|index| f64::from(points[index]));
        let apart = strengths.iter().zip(&ratings);
        let apart: f64 = apart.map(|(s, r)| (s - r).powi(2)).sum();
        let n = points.len() as f64;
        1.0 - 6.0 * apart / (n * (n * n - 1.0))
    }
}

fn at(values: &[u32], share: f64) -> u32 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().saturating_sub(1);
    sorted
        .get((last as f64 * share) as usize)
        .copied()
        .unwrap_or_default()
}

/// FNV-1a.
fn digest(points: &[u32]) -> u64 {
    let bytes = points.iter().flat_map(|points| points.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
