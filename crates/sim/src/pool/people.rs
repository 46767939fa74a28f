//! Those who want to play: they queue at any node, look what has become of their
//! ticket, and queue again.

use chess::game::Game;
use chess::rating::{Score, Standing};
use chess::table::{PlayerId, State};
use chess::{ByColor, Color};
use store::{ListQuery, Queued, Store, TableId, TicketFate, Wish};

use super::weather::Passes;
use super::world::World;
use crate::node::ready;
use crate::rng::Rng;
use crate::rules::{Checked, ensure};

const STRENGTH_MEAN: f64 = 1500.0;
const STRENGTH_SD: f64 = 300.0;
/// How much the first move is worth.
const WHITE_AHEAD: f64 = 35.0;
/// As many games as say which side somebody is to have next: all they have here. With the
/// last twenty alone somebody had one side three times more often in the end.
const SIDES: u32 = 100;
/// A ticket's owner is noted as being there when that was so long ago.
const SEEN_EVERY_MS: u32 = 5_000;
/// Whoever is away comes back after so long: too late for their ticket.
const AWAY_MS: u64 = 45_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) id: PlayerId,
    pub(super) strength: f64,
    pub(super) doing: Doing,
    /// Games that they finished and that count.
    pub(super) endings: u32,
    /// Of the deed that comes next.
    pub(super) number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    Resting,
    Waiting { ticket: u64 },
    Playing(TableId),
}

impl Person {
    pub(super) fn new(number: u32, rng: &mut Rng) -> Person {
        Person {
            id: PlayerId::new(number).expect("they are counted from one"),
            strength: STRENGTH_MEAN + STRENGTH_SD * normal(rng),
            doing: Doing::Resting,
            endings: 0,
            number: 0,
        }
    }
}

/// From 0 to 1.
fn share(rng: &mut Rng) -> f64 {
    (rng.next() >> 11) as f64 / (1_u64 << 53) as f64
}

/// Normally distributed around 0 with a deviation of 1 (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    let radius = (-2.0 * (1.0 - share(rng)).ln()).sqrt();
    radius * (std::f64::consts::TAU * share(rng)).cos()
}

/// Whose index is whose.
pub(super) fn index_of(player: PlayerId) -> usize {
    player.number() as usize - 1
}

impl World {
    /// The stronger wins more often, as Elo has it; the more equal they are, the more
    /// often nobody does.
    pub(super) fn score(&mut self, both: &ByColor<PlayerId>) -> Score {
        let strengths = both.as_ref().map(|id| self.people[index_of(*id)].strength);
        let ahead = strengths.white - strengths.black + WHITE_AHEAD;
        let expected = 1.0 / (1.0 + 10_f64.powf(-ahead / 400.0));
        let drawn = 0.4 * expected * (1.0 - expected);
        let share = share(&mut self.rng);
        if share < expected - drawn / 2.0 {
            Score::WhiteWon
        } else if share < expected + drawn / 2.0 {
            Score::Drawn
        } else {
            Score::BlackWon
        }
    }

    pub(super) fn act(&mut self, index: usize) -> Checked {
        match self.people[index].doing {
            Doing::Resting if self.is_closing => Ok(()),
            Doing::Resting => {
                self.enter(index);
                Ok(())
            }
            Doing::Waiting { ticket } => self.look_at_ticket(index, ticket),
            Doing::Playing(_) => Ok(()),
        }
    }

    pub(super) fn rest(&mut self, index: usize) {
        self.people[index].doing = Doing::Resting;
        let ms = self.rng.below(self.habits.rest_ms);
        self.wake(index, ms);
    }

    /// Asks for a ticket; again a little later, if there was no answer.
    fn enter(&mut self, index: usize) {
        let soon = self.rng.within(200, 1_500);
        self.wake(index, soon);
        let passes = self.rng.weighted(&self.habits.requests);
        let Some(at) = self.somewhere().filter(|_| passes != Passes::Never) else {
            return;
        };
        let Some(queued) = self.queue(at, index) else {
            return;
        };
        let id = self.people[index].id;
        self.say(|| format!("{id:?} asks {at} for a ticket: {queued:?}, {passes:?}"));
        if passes == Passes::Unheard {
            self.book.counts.unsure += 1;
            return;
        }
        match queued {
            Queued::Entered(ticket) => {
                self.people[index].doing = Doing::Waiting { ticket: ticket.id };
                let now_us = self.now_us();
                self.seats[at].rounds.wake(now_us);
            }
            Queued::AlreadyIn(ticket) => {
                self.book.counts.had_one += 1;
                self.people[index].doing = Doing::Waiting { ticket };
            }
            Queued::Plays(table) => {
                self.book.counts.had_one += 1;
                self.plays(index, table);
            }
        }
    }

    /// As a server lets somebody wait; `None` if the store cannot be reached.
    fn queue(&mut self, at: usize, index: usize) -> Option<Queued> {
        let account = self.people[index].id;
        let (store, now) = self.at(at)?;
        let (sides, last_opponent) = self.last_games(&store, account)?;
        let category = self.pool.category();
        let known = ready(store.ratings_of(&[account])).ok()?;
        let mut known = known.iter();
        let own = known.find(|rating| rating.category == category);
        let standing = own.map_or(Standing::NEW, |rating| rating.standing);
        let wish = Wish {
            account,
            pool: self.pool.to_string(),
            is_real_time: true,
            rating: standing.at(now),
            range: None,
            side: None,
            sides,
            last_opponent,
            since: now,
        };
        ready(store.queue(wish)).ok()
    }

    /// The sides somebody had in their last games, the oldest first, and whom they
    /// played last.
    fn last_games(
        &self,
        store: &Store,
        player: PlayerId,
    ) -> Option<(Vec<Color>, Option<PlayerId>)> {
        let query = ListQuery {
            kind: Some(Game::KIND),
            state: Some(State::Completed),
            player: Some(player),
            viewer: Some(player),
            limit: SIDES,
            ..ListQuery::default()
        };
        let played = ready(store.list(query)).ok()?.into_iter();
        let played = played.filter_map(|place| {
            let players = self.book.players(place.table)?;
            let color = Color::ALL
                .into_iter()
                .find(|c| *players.get(*c) == player)?;
            Some((color, *players.get(!color)))
        });
        let played: Vec<_> = played.collect();
        let sides = played.iter().rev().map(|(color, _)| *color).collect();
        Some((sides, played.first().map(|(_, opponent)| *opponent)))
    }

    /// Looks what has become of a ticket.
    fn look_at_ticket(&mut self, index: usize, id: u64) -> Checked {
        let soon = self.rng.within(500, 1_500);
        self.wake(index, soon);
        let Some((store, now)) = self.somewhere().and_then(|at| self.at(at)) else {
            return Ok(());
        };
        let Ok(ticket) = ready(store.ticket(id)) else {
            return Ok(());
        };
        let account = self.people[index].id;
        let Some(ticket) = ticket.filter(|ticket| ticket.wish.account == account) else {
            ensure!(
                false,
                TicketsEndOnce,
                None,
                "{account:?} has no ticket {id}"
            );
            return Ok(());
        };
        match ticket.fate {
            TicketFate::Searching if self.rng.percent(self.habits.leave(self.is_closing)) => {
                // Whether they hear that it is gone, they look again.
                drop(ready(store.end_tickets(
                    vec![id],
                    TicketFate::Cancelled(None),
                    now,
                )));
            }
            TicketFate::Searching if self.rng.percent(self.habits.away) && !self.is_closing => {
                self.wake(index, AWAY_MS);
            }
            TicketFate::Searching => {
                if now.since(ticket.seen_at).0 >= SEEN_EVERY_MS {
                    drop(ready(store.see_tickets(vec![id], now)));
                }
            }
            TicketFate::Matched(table) | TicketFate::Cancelled(Some(table)) => {
                self.plays(index, table);
            }
            TicketFate::Cancelled(None) | TicketFate::TimedOut => self.rest(index),
        }
        Ok(())
    }

    /// Somebody hears that they play; the game may be over by then.
    pub(super) fn plays(&mut self, index: usize, table: TableId) {
        if self.played.contains_key(&table) {
            self.people[index].doing = Doing::Playing(table);
        } else {
            self.rest(index);
        }
    }
}
