//! A pool with two thousand players of known strength, on virtual time: what its
//! policy promises holds, and ratings find out who is strong.
//!
//! Players queue, play, rest a little and queue again until each has forty
//! games. A seed decides everything, and is printed.

use std::collections::BTreeMap;

use chess::pairing::{Blocks, Colors, Origin, Paired, Policy, Seeker, estimate, pair};
use chess::rating::{Score, Standing, rate};
use chess::table::PlayerId;
use chess::{ByColor, Color, Millis, Timestamp};

const PLAYERS: usize = 2000;
const GAMES_MIN: u32 = 40;
const STRENGTH_MEAN: f64 = 1500.0;
const STRENGTH_SD: f64 = 300.0;
/// The pool is looked at this often.
const ROUND: Millis = Millis::from_secs(1);
const BEGIN: Timestamp = Timestamp(1_700_000_000_000);
const SEEDS: [u64; 3] = [15, 16, 17];

/// Chance by a seed (splitmix64).
struct Dice(u64);

impl Dice {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normally distributed around 0 with a deviation of 1 (Box and Muller).
    fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.share()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.share()).cos()
    }

    fn secs(&mut self, least: u32, most: u32) -> Millis {
        let share = self.share() * f64::from(most - least);
        Millis::from_secs(least + share as u32)
    }
}

struct Player {
    id: PlayerId,
    strength: f64,
    standing: Standing,
    sides: ByColor<i32>,
    colors: Colors,
    last_opponent: Option<PlayerId>,
    state: Doing,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Resting { until: Timestamp },
    Waiting { since: Timestamp },
    Playing,
}

/// What was seen.
#[derive(Default)]
struct Seen {
    waits: Vec<Millis>,
    gaps: Vec<u32>,
    timed_out: usize,
    /// How far estimates were from what came.
    estimates_off: Vec<u32>,
}

struct World {
    policy: Policy,
    blocks: Blocks,
    dice: Dice,
    players: Vec<Player>,
    /// Games by when they end, with who plays.
    games: BTreeMap<(Timestamp, u64), ByColor<usize>>,
    recent: Vec<Paired>,
    now: Timestamp,
    seen: Seen,
}

fn index_of(player: PlayerId) -> usize {
    player.number() as usize - 1
}

impl World {
    fn new(policy: Policy, seed: u64) -> World {
        let mut dice = Dice(seed);
        let players: Vec<Player> = (1..=PLAYERS as u32)
            .map(|number| Player {
                id: PlayerId::new(number).expect("not zero"),
                strength: STRENGTH_MEAN + STRENGTH_SD * dice.normal(),
                standing: Standing::NEW,
                sides: ByColor::default(),
                colors: Colors::default(),
                last_opponent: None,
                state: Doing::Resting {
                    until: BEGIN + dice.secs(0, 600),
                },
            })
            .collect();
        // Every tenth has blocked somebody.
        let blocks = players.iter().step_by(10).map(|player| {
            let other = dice.number() as usize % PLAYERS;
            (player.id, players[other].id)
        });
        World {
            policy,
            blocks: Blocks::new(blocks.collect::<Vec<_>>()),
            dice,
            players,
            games: BTreeMap::new(),
            recent: Vec::new(),
            now: BEGIN,
            seen: Seen::default(),
        }
    }

    fn run(&mut self) {
        while self.players.iter().any(|p| p.standing.games < GAMES_MIN) {
            self.now = self.now + ROUND;
            self.finish_games();
            self.queue_up();
            self.pair();
        }
    }

    fn finish_games(&mut self) {
        while let Some(game) = self.games.first_entry()
            && game.key().0 <= self.now
        {
            let both = game.remove();
            let score = self.play(&both);
            let before = both.map(|index| self.players[index].standing.at(self.now));
            let after = rate(&before, score);
            for color in Color::ALL {
                let rest = self.dice.secs(0, 60);
                let player = &mut self.players[*both.get(color)];
                assert!(player.state == Doing::Playing);
                player.standing = player.standing.after(self.now, after.get(color).after);
                player.state = Doing::Resting {
                    until: self.now + rest,
                };
            }
        }
    }

    /// The stronger wins more often, as Elo has it; the more equal they are, the
    /// more often nobody does. The first move is worth 35 points.
    fn play(&mut self, both: &ByColor<usize>) -> Score {
        let strengths = both.as_ref().map(|index| self.players[*index].strength);
        let ahead = strengths.white - strengths.black + 35.0;
        let expected = 1.0 / (1.0 + 10_f64.powf(-ahead / 400.0));
        let drawn = 0.4 * expected * (1.0 - expected);
        let share = self.dice.share();
        if share < expected - drawn / 2.0 {
            Score::WhiteWon
        } else if share < expected + drawn / 2.0 {
            Score::Drawn
        } else {
            Score::BlackWon
        }
    }

    fn queue_up(&mut self) {
        for player in &mut self.players {
            if matches!(player.state, Doing::Resting { until } if until <= self.now) {
                player.state = Doing::Waiting { since: self.now };
            }
        }
    }

    fn pool(&self) -> Vec<Seeker> {
        let waiting = self.players.iter().filter_map(|player| {
            let Doing::Waiting { since } = player.state else {
                return None;
            };
            Some(Seeker {
                origin: Origin::Ticket(u64::from(player.id.number())),
                player: player.id,
                rating: player.standing.at(self.now),
                since,
                range: None,
                side: None,
                colors: player.colors,
                last_opponent: player.last_opponent,
            })
        });
        waiting.collect()
    }

    fn pair(&mut self) {
        let chance = self.dice.number();
        let round = pair(&self.pool(), &self.blocks, &self.policy, self.now, chance);
        self.seen.timed_out += round.timed_out.len();
        let before = self.recent.len();
        for pair in &round.pairs {
            let both = pair.seekers.as_ref().map(|s| index_of(s.player));
            assert!(both.white != both.black);
            let blocked = self
                .blocks
                .between(pair.seekers.white.player, pair.seekers.black.player);
            assert!(!blocked, "blocked players never meet");
            for color in Color::ALL {
                let seeker = pair.seekers.get(color);
                let window = self.policy.window(seeker.rating, seeker.since, self.now);
                let waited = self.now.since(seeker.since);
                let others = pair.seekers.get(!color);
                let is_urgent = self.now.since(others.since) >= self.policy.patience;
                let most = if is_urgent {
                    self.policy.max_gap
                } else {
                    window
                };
                assert!(pair.gap() <= most, "{} apart: {pair:?}", pair.gap());
                self.seen.waits.push(waited);
                let player = &mut self.players[index_of(seeker.player)];
                assert!(
                    matches!(player.state, Doing::Waiting { .. }),
                    "in two games at once"
                );
                player.state = Doing::Playing;
                player.colors = player.colors.and(color);
                *player.sides.get_mut(color) += 1;
                player.last_opponent = Some(others.player);
            }
            self.seen.gaps.push(pair.gap());
            self.recent.extend(pair.paired(self.now));
            let ends = self.now + self.dice.secs(60, 600);
            let number = self.seen.gaps.len() as u64;
            self.games.insert((ends, number), both);
        }
        self.look_at_estimates(before);
    }

    /// What those who were just paired would have been told.
    fn look_at_estimates(&mut self, before: usize) {
        let (known, new) = self.recent.split_at(before);
        if let Some(last) = new.first()
            && let Some(told) = estimate(known, last.points, self.now)
        {
            let off = told.0.abs_diff(last.waited.0);
            self.seen.estimates_off.push(off / 1000);
        }
        let too_many = self.recent.len().saturating_sub(400);
        self.recent.drain(..too_many);
    }
}

/// The rank correlation: 1 if both order the players in the same way.
fn spearman(players: &[Player]) -> f64 {
    let ranks = |of: &dyn Fn(&Player) -> f64| {
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|a, b| of(&players[*a]).total_cmp(&of(&players[*b])));
        let mut ranks = vec![0.0; players.len()];
        for (rank, index) in order.into_iter().enumerate() {
            ranks[index] = rank as f64;
        }
        ranks
    };
    let strengths = ranks(&|player| player.strength);
    let ratings = ranks(&|player| f64::from(player.standing.rating.stored().points_milli));
    let apart: f64 = strengths
        .iter()
        .zip(&ratings)
        .map(|(s, r)| (s - r).powi(2))
        .sum();
    let n = players.len() as f64;
    1.0 - 6.0 * apart / (n * (n * n - 1.0))
}

fn at<T: Copy + Ord>(values: &[T], share: f64) -> T {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted[((sorted.len() - 1) as f64 * share) as usize]
}

#[test]
fn a_pool_of_two_thousand_keeps_its_promises_and_finds_out_who_is_strong() {
    for seed in SEEDS {
        keeps_its_promises(seed);
    }
}

fn keeps_its_promises(seed: u64) {
    let policy = Policy::default();
    let mut world = World::new(policy, seed);
    world.run();

    let Seen {
        waits,
        gaps,
        timed_out,
        estimates_off,
    } = &world.seen;
    let surplus = |p: &Player| p.sides.white.abs_diff(p.sides.black);
    let most_surplus = world.players.iter().map(surplus).max();
    let correlation = spearman(&world.players);
    let shares = [0.5, 0.99, 1.0];
    println!(
        "seed {seed}: {} games in {} virtual minutes, rank correlation {correlation:.4}",
        gaps.len(),
        (world.now.0 - BEGIN.0) / 60_000,
    );
    println!(
        "  median, 99 %, most: waits {:?}, gaps {:?}, estimates off by {:?} s; sides apart by {most_surplus:?}",
        shares.map(|share| at(waits, share).as_secs()),
        shares.map(|share| at(gaps, share)),
        shares.map(|share| at(estimates_off, share)),
    );
    assert_eq!(*timed_out, 0, "nobody is given up");
    let soon = Millis::from_secs(10);
    assert!(at(waits, 0.99) <= soon, "most are paired at once");
    let starving = policy.patience + policy.patience;
    assert!(at(waits, 1.0) < starving, "nobody starves");
    assert!(at(gaps, 1.0) <= policy.max_gap);
    assert!(at(gaps, 0.99) <= 2 * policy.initial_window);
    assert!(at(estimates_off, 0.5) <= 2, "estimates are about right");
    assert!(most_surplus <= Some(2), "sides are balanced");
    assert!(correlation >= 0.95, "{correlation}");
}
