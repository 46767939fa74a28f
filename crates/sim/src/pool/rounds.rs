//! What a node does for those who wait, as a server does it: looks at all tickets,
//! pairs those of its pools, and makes their games.

use chess::game::{Creation, Event, Game, StartRatings};
use chess::pairing::{Origin, Pair, Seeker, pair};
use chess::rating::{Shown, Standing};
use chess::table::PlayerId;
use chess::tables::AnyTable;
use chess::{ByColor, Color, Millis};
use live::{Failure, Live, With};
use store::{TableId, Ticket, TicketFate};

use super::people::{Doing, Person};
use super::world::{Deed, What, World};
use crate::mail::Letter;
use crate::node::ready;
use crate::rules::{Checked, ensure};

/// How often everybody is looked at who waits.
const EVERY_US: u64 = 500_000;
/// Two rounds are at least so far apart.
const PAUSE_US: u64 = 50_000;
/// Whoever was not seen for so long is gone.
const GONE_AFTER: Millis = Millis::from_secs(30);
/// Which of the nodes the pool falls to.
const SHARE: u64 = 1;

/// Where a node is with its rounds.
#[derive(Default)]
pub(super) struct Rounds {
    last_us: u64,
    next_us: u64,
    /// Those who were paired and whose game is to be made, each at its time.
    openings: Vec<(u64, Pair)>,
    /// Games that the store was asked to make.
    making: usize,
}

impl Rounds {
    /// Somebody came.
    pub(super) fn wake(&mut self, now_us: u64) {
        self.next_us = self.next_us.min(now_us.max(self.last_us + PAUSE_US));
    }

    /// Whether nobody was paired whose game is not there yet.
    pub(super) fn is_idle(&self) -> bool {
        self.openings.is_empty() && self.making == 0
    }

    fn next_opening(&mut self, now_us: u64) -> Option<Pair> {
        let mut openings = self.openings.iter();
        let place = openings.position(|(due_us, _)| *due_us <= now_us)?;
        Some(self.openings.swap_remove(place).1)
    }
}

impl World {
    pub(super) fn look_after(&mut self, index: usize, live: &Live<AnyTable>) {
        let now_us = self.now_us();
        while let Some(pair) = self.seats[index].rounds.next_opening(now_us) {
            self.open(index, &pair);
        }
        let rounds = &mut self.seats[index].rounds;
        if rounds.is_idle() && now_us >= rounds.next_us {
            rounds.last_us = now_us;
            rounds.next_us = now_us + EVERY_US;
            self.round(index, live);
        }
    }

    /// One look at all who wait.
    fn round(&mut self, index: usize, live: &Live<AnyTable>) -> Option<()> {
        if live.is_closing() || live.refuses_since().is_some() || !live.is_current() {
            return None;
        }
        let is_ours = live.has_share(SHARE);
        // Nodes may not agree on who is there.
        if !is_ours && !self.rng.percent(self.habits.disagree) {
            return None;
        }
        let (store, now) = self.at(index)?;
        let tickets = ready(store.searching_tickets()).ok()?;
        if tickets.is_empty() {
            return None;
        }
        self.book.counts.disputed += u64::from(!is_ours);
        let is_gone = |ticket: &Ticket| now.since(ticket.seen_at) >= GONE_AFTER;
        let (gone, waiting): (Vec<_>, Vec<_>) = tickets.into_iter().partition(is_gone);
        let gone: Vec<u64> = gone.iter().map(|ticket| ticket.id).collect();
        ready(store.end_tickets(gone, TicketFate::Cancelled(None), now)).ok()?;
        let seekers: Vec<Seeker> = waiting.iter().map(Ticket::seeker).collect();
        let chance = self.rng.next();
        let round = pair(&seekers, &self.blocks, &self.policy, now, chance);
        ready(store.end_tickets(round.timed_out, TicketFate::TimedOut, now)).ok()?;
        if round.pairs.is_empty() {
            return None;
        }
        let many = round.pairs.len();
        self.say(|| format!("{index} pairs {many} of {} who wait", seekers.len()));
        let now_us = self.now_us();
        for pair in round.pairs {
            let due_us = now_us + self.rng.below(self.habits.opening_us);
            self.seats[index].rounds.openings.push((due_us, pair));
        }
        if self.rng.below(1_000) < self.habits.dies_opening && !self.is_closing {
            let node = self.seats[index].node.as_ref()?.id;
            let after_us = self.rng.below(self.habits.opening_us + 30_000);
            self.put(after_us, Deed::Die(node));
        }
        Some(())
    }

    /// Makes the game of two who were paired. If that fails, they wait until the
    /// next round.
    fn open(&mut self, index: usize, pair: &Pair) -> Option<()> {
        let players = pair.seekers.as_ref().map(|seeker| seeker.player);
        let tickets = pair
            .seekers
            .iter()
            .filter_map(|seeker| match seeker.origin {
                Origin::Ticket(id) => Some(id),
                Origin::OpenGame { .. } => None,
            });
        self.make(index, players, tickets.collect())
    }

    /// Two who are not playing agree on a game, whether or not they wait.
    pub(super) fn agree(&mut self) {
        let every = self.habits.agree_every_ms;
        let after_ms = self.rng.within(every / 2, every * 2);
        self.put(after_ms * 1_000, Deed::Agree);
        let is_free = |person: &&Person| !matches!(person.doing, Doing::Playing(_));
        let free: Vec<_> = self.people.iter().filter(is_free).map(|p| p.id).collect();
        if free.len() < 2 || self.is_closing {
            return;
        }
        let (white, black) = (self.rng.pick(&free), self.rng.pick(&free));
        if let Some(index) = self.somewhere().filter(|_| white != black) {
            self.make(index, ByColor { white, black }, Vec::new());
        }
    }

    fn make(&mut self, index: usize, players: ByColor<PlayerId>, tickets: Vec<u64>) -> Option<()> {
        let (store, now) = self.at(index)?;
        let ByColor { white, black } = players;
        let category = self.pool.category();
        let known = ready(store.ratings_of(&[white, black])).ok()?;
        let shown = |player| {
            let mut known = known.iter();
            let own = known.find(|r| (r.account, r.category) == (player, category));
            let standing = own.map_or(Standing::NEW, |rating| rating.standing);
            Some(Shown::from(standing.at(now)))
        };
        let ratings = StartRatings {
            creator: shown(white),
            joiner: shown(black),
        };
        let creation = Creation {
            opponent: Some(black),
            ..Creation::open(white, self.pool.terms())
        };
        let mut game = Game::create(now, creation).expect("the pool's terms are fine");
        let joined = Event::Joined {
            player: black,
            color: Color::Black,
            ratings: ratings.by_color(Color::Black),
        };
        game.evolve(now, &joined);
        let table = TableId::from_random(self.rng.next());
        let (number, inbox, live) = self.ask(index, What::Make(table))?;
        self.say(|| format!("{index} makes {table} of {players:?} with {tickets:?}"));
        if !tickets.is_empty() {
            self.seats[index].rounds.making += 1;
        }
        self.book.making(table, players, tickets.clone());
        let with = With {
            tickets,
            ..With::default()
        };
        let reply = inbox.reply(number, Letter::table);
        live.create(table, game.into(), None, with, reply);
        Some(())
    }

    /// A node hears what became of a game that it was to make.
    pub(super) fn made(&mut self, index: usize, table: TableId, letter: Letter) -> Checked {
        let is_paired = self.book.is_of_tickets(table);
        if is_paired {
            let making = &mut self.seats[index].rounds.making;
            *making = making.saturating_sub(1);
        }
        let is_there = self.book.players(table).is_some();
        match letter {
            Letter::Table(_) => {
                ensure!(is_there, AcknowledgedIsNeverLost, table, "it was not made");
            }
            Letter::Failed(Failure::Taken) => {
                ensure!(
                    !is_there,
                    WholeOrNotAtAll,
                    table,
                    "it was refused, and made"
                );
                self.book.counts.refused += 1;
            }
            _ => {}
        }
        self.book.is_settled(table);
        Ok(())
    }
}
