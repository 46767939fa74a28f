//! Scenario `moves`: many running games, moves over real connections to one node or several.

mod bots;
mod closed;
mod making;
mod streams;
mod yardstick;

use std::time::Duration;

use self::closed::{Closed, Rival};
use self::streams::ByPost;
use self::yardstick::Yardstick;
use crate::opponents;
use crate::play::{Pace, Played, all, play};
use crate::process::{Process, memory_of};
use crate::report::{Plot, Row, Section, Series, count, figure};
use crate::venue::Venue;
use crate::world::World;

/// Connections of the open loop: more than are ever needed at once.
const OPEN_CONNECTIONS: usize = 512;
/// Those of the closed loop, each with one move in flight.
pub(crate) const CLOSED_CONNECTIONS: usize = 256;
/// Moves in flight over all sockets in the closed loop.
pub(crate) const CLOSED_IN_FLIGHT: usize = 256;
/// Turns of Arbiter and the bare handler in the closed loop.
const TURNS: usize = 3;
const WARM_UP: Duration = Duration::from_secs(2);

/// How much of it.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Resident games at each stage, rising.
    pub(crate) stages: Vec<usize>,
    /// Moves a second in the open loop.
    pub(crate) rate: f64,
    /// How long the last open loop lasts; the others a third of that.
    pub(crate) seconds: u64,
}

/// Runs it on servers that have no games yet.
pub(crate) fn run(
    plan: &Plan,
    venue: &Venue,
    nodes: &[Process],
    world: &mut World,
) -> Result<Section, String> {
    let section = Section::new("moves", "moves on many running games").on(venue.setup);
    let mut run = Run {
        plan,
        venue,
        nodes,
        section,
        empty: memory_of(nodes),
        curves: Vec::new(),
        by_post: Vec::new(),
        bare: Vec::new(),
        cpu: Vec::new(),
    };
    for &games in &plan.stages {
        run.stage(games, world)?;
    }
    let most = *plan.stages.last().ok_or("no stages")?;
    if let [first, .., last] = run.cpu[..] {
        let fewest = count(plan.stages[0]);
        let what = format!(
            "CPU per move at {} games over that at {fewest}",
            count(most)
        );
        run.section.row(what, last / first, "").at_most(1.3);
    }
    opponents::run(plan.rate, plan.seconds, nodes, world, &mut run.section)?;
    let plies: u64 = world.games.iter().map(|g| u64::from(g.ply)).sum();
    run.section.note(format!(
        "{:.1} half-moves had been made per game in the end",
        plies as f64 / most as f64
    ));
    // The plots of the README show the default.
    if !venue.setup.is_shared() {
        run.section.plots = plots(plan, run.curves, run.by_post, run.bare);
    }
    Ok(run.section)
}

/// What is known so far.
struct Run<'a> {
    plan: &'a Plan,
    venue: &'a Venue,
    nodes: &'a [Process],
    section: Section,
    /// Memory of the servers before there were any games.
    empty: u64,
    /// One of each for every stage.
    curves: Vec<Series>,
    by_post: Vec<f64>,
    bare: Vec<f64>,
    cpu: Vec<f64>,
}

impl Run<'_> {
    fn stage(&mut self, games: usize, world: &mut World) -> Result<(), String> {
        let shown = count(games);
        let is_last = Some(&games) == self.plan.stages.last();
        // Targets are for the default, with as many games as there are to be.
        let is_aim = is_last && !self.venue.setup.is_shared();
        match is_aim {
            true => self.make(games, &shown, world)?,
            false => {
                let took = world.grow(games)?.took.as_secs_f64();
                eprintln!("{shown} games after {took:.1} s");
            }
        }
        let seconds = match is_last {
            true => self.plan.seconds,
            false => self.plan.seconds.div_ceil(3),
        };
        let played = self.open(&shown, seconds, is_last, world)?;
        let mut yardstick = Yardstick::start(world, played.answer_bytes)?;
        let closed = self.closed(&shown, seconds, is_aim, &mut yardstick, world)?;
        self.memory(&shown, games, is_aim);
        if is_aim {
            let by_post = ByPost {
                open_us: played.cpu_us(),
                closed_us: closed.cpu_us,
            };
            self.over_sockets(&shown, by_post, &mut yardstick, world)?;
            self.over_bots()?;
            self.over_boards(world)?;
        }
        Ok(())
    }

    /// Moves as fast as they go, and what they are measured by.
    fn closed(
        &mut self,
        shown: &str,
        seconds: u64,
        is_aim: bool,
        yardstick: &mut Yardstick,
        world: &mut World,
    ) -> Result<Closed, String> {
        let setup = self.venue.setup;
        // What one node on a database does, it could do without one.
        let mut rival = match setup.is_shared() && setup.nodes == 1 {
            true => Some(Rival::start(self.venue, world.games.len())?),
            false => None,
        };
        let lasting = closed::turn(world.games.len(), seconds);
        let closed = closed::by_post(self.nodes, world, yardstick, rival.as_mut(), lasting)?;
        let of = |what: &str| format!("{shown} games, closed loop: {what}");
        let section = &mut self.section;
        section.row(of("durable moves"), closed.rate, "/s");
        section.row(of("bare handler"), closed.bare, "requests/s");
        let ratio = closed.rate / closed.bare;
        let row = section.row(of("moves over bare requests"), ratio, "");
        if is_aim {
            row.at_least(0.65);
        }
        section.row(of("server CPU per move"), closed.cpu_us, "µs");
        if let Some(rival) = closed.rival {
            section.row(of("durable moves on SQLite, in turns"), rival, "/s");
            let ratio = closed.rate / rival;
            section
                .row(of("moves over those on SQLite"), ratio, "")
                .at_least(0.5);
        }
        self.by_post.push(closed.rate);
        self.bare.push(closed.bare);
        Ok(closed)
    }

    /// What the servers have in memory.
    fn memory(&mut self, shown: &str, games: usize, is_aim: bool) {
        let memory = memory_of(self.nodes);
        let whose = match self.nodes.len() {
            1 => "memory of the process",
            _ => "memory of all nodes",
        };
        let what = format!("{shown} games: {whose}");
        let row = self.section.row(what, memory as f64 / 1e6, "MB");
        if is_aim {
            row.at_most(450.0);
        }
        let each = memory.saturating_sub(self.empty) as f64 / games as f64;
        self.section
            .row(format!("{shown} games: memory per game"), each, "bytes");
    }

    /// Moves at a given rate, and what they cost.
    fn open(
        &mut self,
        shown: &str,
        seconds: u64,
        is_last: bool,
        world: &mut World,
    ) -> Result<Played, String> {
        let (rate, nodes) = (self.plan.rate, self.nodes);
        let mut client = world.client(OPEN_CONNECTIONS)?;
        let order = all(world);
        let pace = Pace::Open(rate);
        play(&mut client, nodes, world, &order, pace, WARM_UP, 0);
        let before = self.venue.backing_cpu();
        let lasting = Duration::from_secs(seconds);
        let mut played = play(&mut client, nodes, world, &order, pace, lasting, 0);
        let backing = before.zip(self.venue.backing_cpu());
        let backing = backing.map(|(before, after)| after.saturating_sub(before));

        let of = |what: &str| {
            let rate = figure(rate);
            format!("{shown} games, open loop at {rate}/s for {seconds} s: {what}")
        };
        let section = &mut self.section;
        let is_shared = self.venue.setup.is_shared();
        section.row(of("accepted"), played.accepted as f64, "moves");
        if is_shared {
            // Whoever is overloaded takes longer than that for all of them.
            let row = section.row(of("accepted a second"), played.rate(), "/s");
            row.at_least(0.99 * rate);
        }
        let wrong = (played.refused + played.errors) as f64;
        let row = section.row(of("refused or failed"), wrong, "moves");
        if is_last {
            row.at_most(0.0);
        }
        let aim = |row: &mut Row, limit| {
            if is_last && !is_shared {
                row.at_most(limit);
            }
        };
        aim(section.row(of("p50"), played.times.ms(50.0), "ms"), 5.0);
        aim(section.row(of("p99"), played.times.ms(99.0), "ms"), 25.0);
        section.row(of("p99.9"), played.times.ms(99.9), "ms");
        section.row(of("server CPU per move"), played.cpu_us(), "µs");
        if let Some(backing) = backing {
            let each = backing.as_secs_f64() * 1e6 / played.accepted.max(1) as f64;
            let whose = match nodes.len() {
                1 => "CPU of PostgreSQL per move",
                _ => "CPU of PostgreSQL and NATS per move",
            };
            section.row(of(whose), each, "µs");
        }
        if let Some(wrong) = &played.wrong {
            section.note(format!("{shown} games: {wrong}"));
        }
        self.cpu.push(played.cpu_us());
        self.curves.push(Series {
            name: format!("{shown} games"),
            values: played.times.curve(),
        });
        Ok(played)
    }
}

fn plots(plan: &Plan, curves: Vec<Series>, closed: Vec<f64>, bare: Vec<f64>) -> Vec<Plot> {
    let percents = crate::stats::PERCENTS.iter().map(|p| p.to_string());
    let latency = Plot {
        name: "moves-latency".into(),
        title: format!(
            "Latency at {} moves/s, from the intended time of sending",
            figure(plan.rate)
        ),
        x: "percent of moves answered within".into(),
        y: "ms".into(),
        places: percents.collect(),
        series: curves,
        is_log: true,
    };
    let throughput = Plot {
        name: "moves-throughput".into(),
        title: "Durable moves a second, as fast as they go".into(),
        x: "resident games".into(),
        y: "per second".into(),
        places: plan.stages.iter().map(|n| count(*n)).collect(),
        series: vec![
            Series {
                name: "Arbiter: durable moves".into(),
                values: closed,
            },
            Series {
                name: "bare handler, same HTTP stack".into(),
                values: bare,
            },
        ],
        is_log: false,
    };
    vec![latency, throughput]
}
