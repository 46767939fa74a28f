//! What goes wrong in a pool.

use chess::Millis;
use chess::pairing::Policy;

use super::PoolOptions;
use super::world::{Deed, World};
use crate::cluster::wire::Link;
use crate::rng::Rng;

/// What becomes of what somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passes {
    Heard,
    /// It takes place, but they never hear of it.
    Unheard,
    Never,
}

/// What a run is inclined to.
pub(super) struct Habits {
    pub(super) policy: Policy,
    /// The longest moment while something is on its way.
    pub(super) moment_us: u64,
    pub(super) resident_max: usize,
    pub(super) rated_per_day: u32,
    /// Everybody comes within this time.
    pub(super) come_within_ms: u64,
    pub(super) rest_ms: u64,
    /// How long games take.
    pub(super) game_ms: [u64; 2],
    /// How often nobody moves until it is too late, in percent.
    pub(super) deserted: u64,
    /// Two agree on a game of their own about so often; never, if zero.
    pub(super) agree_every_ms: u64,
    /// How often those who wait take their ticket back, or go away without a word, when
    /// they look at it, in percent.
    leave: u64,
    leave_in_the_end: u64,
    pub(super) away: u64,
    pub(super) requests: Vec<(u64, Passes)>,
    /// How often a node pairs a pool that is not its own, in percent.
    pub(super) disagree: u64,
    /// The longest time from a pairing to its game.
    pub(super) opening_us: u64,
    /// How often another end is asked for at the same time, in percent.
    pub(super) rivals: u64,
    /// How often a node dies between pairing and game, and while a game ends, in a thousand.
    pub(super) dies_opening: u64,
    pub(super) dies_ending: u64,
    /// How long one is down at most.
    pub(super) down_us: Vec<u64>,
    /// Something happens to a line about so often, and lasts so long at most.
    weather_us: u64,
    lasts_us: u64,
    links: Vec<(u64, Link)>,
    /// How often that is a node that does nothing for a while, in percent.
    stalls: u64,
}

impl Habits {
    pub(super) fn new(options: PoolOptions, rng: &mut Rng) -> Habits {
        match options.is_hostile {
            true => Habits::hostile(rng),
            false => Habits::mild(),
        }
    }

    /// Now and then something goes wrong, and somebody always plays.
    fn mild() -> Habits {
        Habits {
            policy: Policy::default(),
            moment_us: 30_000,
            resident_max: 2_000,
            rated_per_day: 10,
            come_within_ms: 120_000,
            rest_ms: 20_000,
            game_ms: [30_000, 150_000],
            deserted: 0,
            agree_every_ms: 0,
            leave: 0,
            leave_in_the_end: 100,
            away: 0,
            requests: vec![
                (98, Passes::Heard),
                (1, Passes::Unheard),
                (1, Passes::Never),
            ],
            disagree: 5,
            opening_us: 10_000,
            rivals: 1,
            dies_opening: 5,
            dies_ending: 1,
            down_us: vec![100_000, 1_000_000, 5_000_000],
            weather_us: 20_000_000,
            lasts_us: 2_000_000,
            links: vec![
                (4, Link::Slow),
                (4, Link::Bad),
                (1, Link::Hangs),
                (1, Link::Mute),
                (1, Link::Refuses),
            ],
            stalls: 10,
        }
    }

    /// Every seed has its own way to be unpleasant.
    fn hostile(rng: &mut Rng) -> Habits {
        let patience = rng.pick(&[5, 20]);
        let policy = Policy {
            initial_window: rng.pick(&[50, 150]),
            widening_per_second: rng.pick(&[10, 40]),
            max_gap: rng.pick(&[400, 1_000]),
            patience: Millis::from_secs(patience),
            timeout: Millis::from_secs(rng.pick(&[30, 90])),
            avoids_last_opponent: rng.percent(50),
        };
        Habits {
            policy,
            moment_us: 15_000,
            resident_max: rng.pick(&[2, 1_000]),
            rated_per_day: rng.pick(&[0, 2, 10]),
            come_within_ms: rng.pick(&[1_000, 20_000]),
            rest_ms: rng.pick(&[500, 10_000]),
            game_ms: [4_000, rng.pick(&[6_000, 40_000])],
            deserted: rng.pick(&[0, 5]),
            agree_every_ms: rng.pick(&[0, 1_000, 5_000]),
            leave: rng.pick(&[0, 1, 10]),
            leave_in_the_end: rng.pick(&[0, 30]),
            away: rng.pick(&[0, 1, 3]),
            requests: vec![
                (80, Passes::Heard),
                (rng.pick(&[0, 20, 60]), Passes::Unheard),
                (rng.pick(&[0, 20]), Passes::Never),
            ],
            disagree: rng.pick(&[0, 30, 100]),
            opening_us: rng.pick(&[1, 50_000, 1_000_000]),
            rivals: rng.pick(&[0, 20, 60]),
            dies_opening: rng.pick(&[0, 30, 200]),
            dies_ending: rng.pick(&[0, 10, 50]),
            down_us: vec![1_000, 100_000, 1_000_000, 4_000_000],
            weather_us: rng.pick(&[500_000, 5_000_000, 30_000_000]),
            lasts_us: rng.pick(&[500_000, 5_000_000]),
            links: vec![
                (rng.pick(&[0, 10]), Link::Slow),
                (10, Link::Bad),
                (rng.pick(&[0, 10]), Link::Hangs),
                (rng.pick(&[0, 10]), Link::Mute),
                (rng.pick(&[0, 10]), Link::Refuses),
            ],
            stalls: rng.pick(&[0, 20]),
        }
    }

    pub(super) fn leave(&self, is_closing: bool) -> u64 {
        if is_closing {
            self.leave_in_the_end
        } else {
            self.leave
        }
    }
}

impl World {
    /// Something happens to a node, or to its way to the store.
    pub(super) fn weather(&mut self) {
        if self.is_closing {
            return;
        }
        let every = self.habits.weather_us;
        let next_us = self.rng.within(every / 2, every * 2);
        self.put(next_us, Deed::Weather);
        let index = self.rng.below(self.seats.len() as u64) as usize;
        let lasts_us = self.rng.below(self.habits.lasts_us);
        let until = self.now_us() + lasts_us;
        let is_stall = self.rng.percent(self.habits.stalls);
        let link = self.rng.weighted(&self.habits.links);
        self.say(|| match is_stall {
            true => format!("{index} stalls for {} ms", lasts_us / 1_000),
            false => format!(
                "the line of {index} is {link:?} for {} ms",
                lasts_us / 1_000
            ),
        });
        if let Some(node) = &mut self.seats[index].node {
            if is_stall {
                node.stalled_until = until;
            } else {
                node.wire.set_link(link);
                self.put(lasts_us, Deed::Clear(index));
            }
        }
    }

    pub(super) fn clear(&mut self, index: usize) {
        if let Some(node) = &mut self.seats[index].node {
            node.wire.set_link(Link::Good);
        }
    }

    /// From now on nothing goes wrong, and nobody comes.
    pub(super) fn be_calm(&mut self) {
        self.say(|| "from now on all is calm".into());
        self.is_closing = true;
        let now_us = self.now_us();
        for index in 0..self.seats.len() {
            self.clear(index);
            let seat = &mut self.seats[index];
            seat.rises_at = seat.rises_at.min(now_us);
            if let Some(node) = &mut seat.node {
                node.stalled_until = 0;
            }
        }
    }
}
