//! Scenario `attack`: what one attacker can do to everybody else.
//!
//! Each attack meets a new server with the default settings. Honest clients
//! at another address are measured before it and while it goes on. Whatever
//! the server refuses to the attacker is its good right; what it refuses to
//! the others, or keeps them waiting for, is what counts.

mod bodies;
mod caller;
mod chatter;
mod commands;
mod crowds;
mod delayed;
mod lists;
mod log;
mod news;
mod outcome;
mod page;
mod people;
mod picture;
mod probes;
mod refused;
mod repeat;
mod sign_in;
mod silent;
mod skill;
mod stage;
mod streams;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use self::outcome::{Measure, Outcome, Toll};
pub use self::page::publish;
use self::people::People;
use self::stage::{Stage, Strike};
use crate::lines::Lines;
use crate::process::{Place, Process, own_cpu, raise_open_files};

/// Honest clients play for so long before anything is measured.
const WARM_UP: Duration = Duration::from_millis(500);

/// One way to attack.
pub struct Kind {
    /// Its name on the command line.
    pub name: &'static str,
    /// What the attacker does.
    pub what: &'static str,
    /// Which limits answer it.
    pub answer: &'static str,
    /// Does what comes before it; what it returns is the attack.
    prepare: fn(&Stage) -> Result<Strike, String>,
}

/// Every attack, in the order they are made. The first is none: it shows what
/// as many cheap requests do.
const KINDS: [&Kind; 13] = [
    &chatter::KIND,
    &log::KIND,
    &delayed::KIND,
    &silent::KIND,
    &picture::KIND,
    &sign_in::KIND,
    &skill::KIND,
    &commands::KIND,
    &lists::KIND,
    &probes::KIND,
    &bodies::KIND,
    &streams::KIND,
    &refused::KIND,
];

/// The attacks of these names; all if none is named.
///
/// # Errors
/// A name is none of ours.
pub fn kinds(names: &[String]) -> Result<Vec<&'static Kind>, String> {
    let known = || KINDS.map(|kind| kind.name).join(", ");
    let find = |name: &String| {
        let mut kinds = KINDS.into_iter();
        let found = kinds.find(|kind| kind.name == name);
        found.ok_or_else(|| format!("there is no attack {name}, but {}", known()))
    };
    match names {
        [] => Ok(KINDS.to_vec()),
        names => names.iter().map(find).collect(),
    }
}

/// How long each takes.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// How long others are measured before it; not at all if that is zero.
    pub before: Duration,
    /// How long it goes on.
    pub during: Duration,
}

impl Plan {
    /// Attacks of so many seconds.
    pub fn of(seconds: u64) -> Plan {
        let during = Duration::from_secs(seconds);
        Plan {
            before: during / 2,
            during,
        }
    }
}

/// Makes the attacks, one after the other.
///
/// # Errors
/// A server cannot be started or does not answer any more, or an attack cannot be made.
pub fn run(arbiter: &Path, kinds: &[&Kind], plan: Plan) -> Result<Vec<Outcome>, String> {
    raise_open_files();
    let lines = Arc::new(Lines::new());
    let mut outcomes = Vec::new();
    for kind in kinds {
        let outcome = attack(arbiter, kind, plan, &lines);
        let outcome = outcome.map_err(|why| format!("attack {}: {why}", kind.name))?;
        eprintln!("{outcome}");
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

fn attack(arbiter: &Path, kind: &Kind, plan: Plan, lines: &Arc<Lines>) -> Result<Outcome, String> {
    let directory = tempfile::Builder::new().prefix("arbiter-attack").tempdir();
    let directory = directory.map_err(|error| format!("no place for a database: {error}"))?;
    let place = Place {
        arbiter: std::path::absolute(arbiter).map_err(|e| e.to_string())?,
        settings: None,
        data: directory.path().to_owned(),
        shared: None,
    };
    let server = place.start()?;
    let whole = WARM_UP + plan.before + plan.during;
    let mut people = People::settle(server.address, Arc::clone(lines), whole)?;
    people.live(WARM_UP)?;
    let before = match plan.before {
        Duration::ZERO => None,
        lasting => Some(people.live(lasting)?),
    };
    let stage = Stage {
        address: server.address,
        lasting: plan.during,
        lines: Arc::clone(lines),
        honest: people.games(),
    };
    let strike = (kind.prepare)(&stage)?;
    let used = Used::so_far(&server);
    let memory = server.memory();
    let until = Instant::now() + plan.during;
    let attacker = std::thread::spawn(move || strike(until));
    let during = people.live(plan.during)?;
    let toll = attacker.join().map_err(|_| "the attacker panicked")??;
    people.leave()?;
    let used = used.since(&server);
    Ok(Outcome::new(kind.name, before, during, toll)
        .with_memory([memory, server.memory(), server.memory_peak()])
        .with_processors(used))
}

/// Processor time at a moment.
struct Used {
    at: Instant,
    server: Duration,
    ours: Duration,
}

impl Used {
    fn so_far(server: &Process) -> Used {
        Used {
            at: Instant::now(),
            server: server.cpu(),
            ours: own_cpu(),
        }
    }

    /// The processors that the server and all its clients kept busy since.
    fn since(&self, server: &Process) -> [f64; 2] {
        let now = Used::so_far(server);
        let elapsed = (now.at - self.at).as_secs_f64();
        let share =
            |now: Duration, then: Duration| now.saturating_sub(then).as_secs_f64() / elapsed;
        [share(now.server, self.server), share(now.ours, self.ours)]
    }
}
