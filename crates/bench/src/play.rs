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
    /// Until the last of them was accepted.
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

/// A way by which moves are made.
pub(crate) trait Way {
    /// Makes them until there are no more, and all are answered.
    ///
    /// # Errors
    /// The server is gone or silent.
    fn make(&mut self, play: &mut Play<'_>) -> Result<(), String>;
}

/// By `POST`.
impl Way for Client {
    fn make(&mut self, play: &mut Play<'_>) -> Result<(), String> {
        self.run(play)
    }
}

/// What is to be done at a given time.
pub(crate) enum Due {
    /// The next move of that game, which was to be sent at `intended`.
    Move { game: u32, intended: Instant },
    /// Nothing before that time.
    At(Instant),
    /// Nothing before an answer comes; the end, if none is expected.
    Nothing,
}

/// Moves to be made.
pub(crate) struct Play<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) pace: Pace,
    begun: Instant,
    until: Instant,
    sent: u64,
    /// The games in the order they take turns.
    order: &'a [u32],
    at: usize,
    /// Acknowledgements of the first so many games are noted.
    marked: u32,
    last_answer: Instant,
    played: Played,
}

/// Plays on the games of `order` for a while, and looks at what the servers use.
pub(crate) fn play(
    way: &mut impl Way,
    nodes: &[Process],
    world: &mut World,
    order: &[u32],
    pace: Pace,
    lasting: Duration,
    marked: u32,
) -> Played {
    let cpu = cpu_of(nodes);
    let mut played = just_play(way, world, order, pace, lasting, marked);
    played.server_cpu = cpu_of(nodes).saturating_sub(cpu);
    played
}

/// Plays on the games of `order` for a while.
pub(crate) fn just_play(
    way: &mut impl Way,
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
        last_answer: begun,
        played: Played::default(),
    };
    let ended = way.make(&mut play);
    let last = play.last_answer;
    let mut played = play.played;
    played.seconds = (last - begun).as_secs_f64();
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
    /// What is due at that time, of the games whose mover can send now; then that game is busy.
    pub(crate) fn due(&mut self, now: Instant, can_send: impl Fn(&World, u32) -> bool) -> Due {
        let intended = match self.pace {
            Pace::Open(rate) => self.begun + Duration::from_secs_f64(self.sent as f64 / rate),
            Pace::Closed => now,
        };
        if intended >= self.until {
            return Due::Nothing;
        }
        if intended > now {
            return Due::At(intended);
        }
        let Some(game) = self.choose(can_send) else {
            return Due::Nothing;
        };
        self.world.games[game as usize].is_busy = true;
        self.sent += 1;
        Due::Move { game, intended }
    }

    /// The next game that waits for nothing, has moves left, and whose mover can send.
    fn choose(&mut self, can_send: impl Fn(&World, u32) -> bool) -> Option<u32> {
        for _ in 0..self.order.len() {
            let game = self.order[self.at];
            self.at = (self.at + 1) % self.order.len();
            if !self.world.games[game as usize].is_busy
                && self.world.next(game as usize).is_some()
                && can_send(self.world, game)
            {
                return Some(game);
            }
        }
        None
    }

    /// A move was accepted, by an answer of that length.
    pub(crate) fn accepted(&mut self, game: u32, intended: Instant, at: Instant, length: usize) {
        self.last_answer = at;
        let played = &mut self.played;
        let made = &mut self.world.games[game as usize];
        made.is_busy = false;
        made.ply += 1;
        played.accepted += 1;
        played.times.push(at - intended);
        played.answer_bytes = length;
        if game < self.marked {
            played.acknowledged.push((game, made.ply, at));
        }
    }

    /// A move was refused.
    pub(crate) fn refused(&mut self, game: u32, why: impl FnOnce() -> String) {
        self.world.games[game as usize].is_busy = false;
        self.played.refused += 1;
        self.played.wrong.get_or_insert_with(why);
    }

    /// A move will not be answered. Its game stays busy: nobody knows whether it was made.
    pub(crate) fn unanswered(&mut self) {
        self.played.errors += 1;
    }
}

impl Load for Play<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        match self.due(now, |_, _| true) {
            Due::Move { game, intended } => {
                self.world.next_move(game as usize, out);
                let tag = u64::from(game);
                Next::Send { tag, intended }
            }
            Due::At(at) => Next::At(at),
            Due::Nothing => Next::Idle,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let game = answer.tag as u32;
        match answer.status {
            200 => self.accepted(game, answer.intended, answer.received, answer.length),
            _ => self.refused(game, || unexpected("a move", answer)),
        }
    }

    fn lost(&mut self, _: u64) {
        self.unanswered();
    }
}
