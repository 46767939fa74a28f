//! Moves on the games of a world, at a given pace or as fast as they go.

use std::time::{Duration, Instant};

use crate::client::{Answer, Client, Load, Next};
use crate::process::{Process, cpu_of};
use crate::rng::Rng;
use crate::stats::Times;
use crate::world::{World, unexpected};

/// How fast.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pace {
    /// So many a second, whatever becomes of them: latency counts from the
    /// time at which a move was to be sent.
    Open(f64),
    /// The next when one is answered, on every connection.
    Closed,
}

/// What came of it.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) times: Times,
    pub(crate) accepted: u64,
    pub(crate) refused: u64,
    pub(crate) errors: u64,
    pub(crate) seconds: f64,
    /// What the servers used.
    pub(crate) server_cpu: Duration,
    /// What the first thing that went wrong was.
    pub(crate) wrong: Option<String>,
    /// The length of an answer, head and body.
    pub(crate) answer_bytes: usize,
    /// When each of the marked games' moves was acknowledged: game, half-move, time.
    pub(crate) acknowledged: Vec<(u32, u32, Instant)>,
}

impl Played {
    pub(crate) fn rate(&self) -> f64 {
        self.accepted as f64 / self.seconds
    }

    /// The servers' processor time per move, in microseconds.
    pub(crate) fn cpu_us(&self) -> f64 {
        self.server_cpu.as_secs_f64() * 1e6 / self.accepted.max(1) as f64
    }
}

/// Moves to be made.
pub(crate) struct Play<'a> {
    world: &'a mut World,
    pace: Pace,
    begun: Instant,
    until: Instant,
    sent: u64,
    /// The games in the order they take turns.
    order: &'a [u32],
    at: usize,
    /// Acknowledgements of the first so many games are noted.
    marked: u32,
    played: Played,
}

/// Plays on the games of `order` for a while, and looks at what the servers use.
pub(crate) fn play(
    client: &mut Client,
    nodes: &[Process],
    world: &mut World,
    order: &[u32],
    pace: Pace,
    lasting: Duration,
    marked: u32,
) -> Played {
    let cpu = cpu_of(nodes);
    let mut played = just_play(client, world, order, pace, lasting, marked);
    played.server_cpu = cpu_of(nodes).saturating_sub(cpu);
    played
}

/// Plays on the games of `order` for a while.
pub(crate) fn just_play(
    client: &mut Client,
    world: &mut World,
    order: &[u32],
    pace: Pace,
    lasting: Duration,
    marked: u32,
) -> Played {
    let begun = Instant::now();
    let mut play = Play {
        world,
        pace,
        begun,
        until: begun + lasting,
        sent: 0,
        order,
        at: 0,
        marked,
        played: Played::default(),
    };
    let ended = client.run(&mut play);
    let mut played = play.played;
    played.seconds = begun.elapsed().as_secs_f64();
    if let Err(error) = ended {
        played.wrong.get_or_insert(error);
    }
    played
}

/// All games in an order of chance.
pub(crate) fn all(world: &World) -> Vec<u32> {
    Rng::new(7).order(world.games.len())
}

impl Play<'_> {
    /// The next game that waits for nothing and has moves left.
    fn choose(&mut self, out: &mut Vec<u8>) -> Option<u32> {
        for _ in 0..self.order.len() {
            let game = self.order[self.at];
            self.at = (self.at + 1) % self.order.len();
            if !self.world.games[game as usize].is_busy
                && self.world.next_move(game as usize, out).is_some()
            {
                return Some(game);
            }
        }
        None
    }
}

impl Load for Play<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let intended = match self.pace {
            Pace::Open(rate) => self.begun + Duration::from_secs_f64(self.sent as f64 / rate),
            Pace::Closed => now,
        };
        if intended >= self.until {
            return Next::Idle;
        }
        if intended > now {
            return Next::At(intended);
        }
        let Some(game) = self.choose(out) else {
            return Next::Idle;
        };
        self.world.games[game as usize].is_busy = true;
        self.sent += 1;
        Next::Send {
            tag: u64::from(game),
            intended,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let game = &mut self.world.games[answer.tag as usize];
        let played = &mut self.played;
        game.is_busy = false;
        if answer.status == 200 {
            game.ply += 1;
            played.accepted += 1;
            played.times.push(answer.received - answer.intended);
            played.answer_bytes = answer.length;
            if (answer.tag as u32) < self.marked {
                let mark = (answer.tag as u32, game.ply, answer.received);
                played.acknowledged.push(mark);
            }
        } else {
            played.refused += 1;
            let wrong = || unexpected("a move", answer);
            played.wrong.get_or_insert_with(wrong);
        }
    }

    /// It stays busy: nobody knows whether the move was made.
    fn lost(&mut self, _: u64) {
        self.played.errors += 1;
    }
}
