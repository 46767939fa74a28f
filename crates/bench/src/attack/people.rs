//! Honest clients at an address of their own: a few pairs that play, readers,
//! and watchers, at a pace that does not depend on the answers.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::caller::Caller;
use super::news::{Half, Watchers};
use super::stage::{Pair, long_game};
use crate::agenda::Agenda;
use crate::client::{Answer, Client, Load, Next};
use crate::http;
use crate::lines::{Lines, PLIES};
use crate::stats::Times;
use crate::world::unexpected;

/// Where they are: limits are by address, and the attacker is at 127.0.0.1.
const HOME: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const PAIRS: usize = 4;
/// Moves of each pair a second, if its line is long enough.
const MOVES: f64 = 25.0;
/// What else is asked for, and how often a second.
const READS: [(&str, f64); 3] = [("health", 50.0), ("game", 50.0), ("list", 25.0)];
/// One for each task: none waits for another's answer.
const CONNECTIONS: usize = PAIRS + READS.len();

/// What is measured, in the order it is shown.
const MEASURES: [&str; 5] = ["move", "health", "game", "list", "news"];
const NEWS: usize = 4;

/// Everybody.
pub(super) struct People {
    address: SocketAddr,
    lines: Arc<Lines>,
    pairs: Vec<Pair>,
    watchers: Watchers,
    moves_every: Duration,
}

/// How long they waited, and what went wrong.
#[derive(Default)]
pub(super) struct Seen {
    times: [Times; MEASURES.len()],
    pub(super) errors: u64,
    pub(super) wrong: Option<String>,
}

impl Seen {
    pub(super) fn p99s(&mut self) -> Vec<(&'static str, f64)> {
        let times = MEASURES.into_iter().zip(&mut self.times);
        times.map(|(what, times)| (what, times.ms(99.0))).collect()
    }

    pub(super) fn samples(&self) -> Vec<usize> {
        self.times.iter().map(Times::len).collect()
    }

    fn err(&mut self, why: impl FnOnce() -> String) {
        self.errors += 1;
        self.wrong.get_or_insert_with(why);
    }
}

impl People {
    /// They come and begin their games, which last for so long.
    pub(super) fn settle(
        address: SocketAddr,
        lines: Arc<Lines>,
        whole: Duration,
    ) -> Result<People, String> {
        let mut caller = Caller::new(Some(HOME), address);
        let pairs = (0..PAIRS).map(|line| Pair::begin(&mut caller, &long_game(0), line));
        let pairs = pairs.collect::<Result<Vec<Pair>, String>>()?;
        let games: Vec<String> = pairs.iter().map(|pair| pair.id.clone()).collect();
        let rate = MOVES.min((PLIES as f64 - 1.0) / (whole.as_secs_f64() + 1.0));
        Ok(People {
            watchers: Watchers::come(Some(HOME), address, &games)?,
            address,
            lines,
            pairs,
            moves_every: Duration::from_secs_f64(1.0 / rate),
        })
    }

    /// The games that they play.
    pub(super) fn games(&self) -> Vec<String> {
        self.pairs.iter().map(|pair| pair.id.clone()).collect()
    }

    /// They go on for a while.
    pub(super) fn live(&mut self, lasting: Duration) -> Result<Seen, String> {
        let client = Client::calling_from(Some(HOME), self.address, CONNECTIONS);
        let mut client = client.map_err(|error| error.to_string())?;
        let begun = Instant::now();
        let mut agenda = Agenda::default();
        for task in 0..CONNECTIONS {
            // Not all at the same moment.
            let share = task as f64 / CONNECTIONS as f64;
            agenda.add(begun + self.moves_every.mul_f64(share), task);
        }
        let mut living = Living {
            people: self,
            until: begun + lasting,
            agenda,
            intended: [begun; CONNECTIONS],
            answered: Vec::new(),
            seen: Seen::default(),
        };
        client.run(&mut living)?;
        let Living {
            answered, mut seen, ..
        } = living;
        for news in self.watchers.after(&answered) {
            match news {
                Some(time) => seen.times[NEWS].push(time),
                None => seen.err(|| "a watcher was not told of a move".into()),
            }
        }
        Ok(seen)
    }

    /// They go.
    pub(super) fn leave(self) -> Result<(), String> {
        match self.watchers.leave()? {
            0 => Ok(()),
            closed => Err(format!("{closed} watchers were sent away")),
        }
    }
}

/// A while of their lives: every task has its times, and asks as soon as it
/// has its answer if that came late.
struct Living<'a> {
    people: &'a mut People,
    until: Instant,
    agenda: Agenda,
    intended: [Instant; CONNECTIONS],
    answered: Vec<(Half, Instant)>,
    seen: Seen,
}

impl Living<'_> {
    fn again(&mut self, task: usize) {
        let every = match task.checked_sub(PAIRS) {
            None => self.people.moves_every,
            Some(read) => Duration::from_secs_f64(1.0 / READS[read].1),
        };
        let at = self.intended[task] + every;
        if at < self.until {
            self.agenda.add(at, task);
        }
    }

    fn write(&self, task: usize, out: &mut Vec<u8>) {
        let People { pairs, lines, .. } = &*self.people;
        let get = |out: &mut Vec<u8>, path: &str| http::request(out, "GET", path, "", b"");
        match task.checked_sub(PAIRS).map(|read| READS[read].0) {
            None => {
                let pair = &pairs[task];
                let ply = pair.ply + 1;
                let uci = lines.get(pair.line, ply).expect("the pace is chosen so");
                http::move_request(out, &pair.id, pair.mover(ply), uci, ply);
            }
            Some("health") => get(out, "/health"),
            Some("game") => get(out, &format!("/v1/games/{}", pairs[0].id)),
            Some(_) => get(out, "/v1/games?state=ACTIVE"),
        }
    }
}

impl Load for Living<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let (intended, task) = match self.agenda.due(now) {
            Ok(due) => due,
            Err(next) => return next,
        };
        self.intended[task] = intended;
        self.write(task, out);
        Next::Send {
            tag: task as u64,
            intended,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let task = answer.tag as usize;
        let measure = (task + 1).saturating_sub(PAIRS);
        self.seen.times[measure].push(answer.received - answer.intended);
        if answer.status != 200 {
            let what = MEASURES[measure];
            self.seen.err(|| unexpected(what, answer));
        } else if let Some(pair) = self.people.pairs.get_mut(task) {
            pair.ply += 1;
            self.answered.push(((task, pair.ply), answer.received));
        }
        self.again(task);
    }

    /// A pair whose move was lost does not know whether it was made.
    fn lost(&mut self, task: u64) {
        self.seen.err(|| format!("no answer to task {task}"));
        if task as usize >= PAIRS {
            self.again(task as usize);
        }
    }
}
