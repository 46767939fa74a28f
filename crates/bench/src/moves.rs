//! Scenario `moves`: many running games, moves over real connections to one node or several.

use std::time::Duration;

use crate::opponents;
use crate::play::{Pace, Played, all, play};
use crate::process::{Process, memory_of, myself};
use crate::report::{Plot, Row, Section, Series, count, figure};
use crate::stats::median;
use crate::venue::Venue;
use crate::world::World;

/// Connections of the open loop: more than are ever needed at once.
const OPEN_CONNECTIONS: usize = 512;
/// Those of the closed loop, each with one move in flight.
pub(crate) const CLOSED_CONNECTIONS: usize = 256;
/// Moves in flight over all sockets in the closed loop.
pub(crate) const CLOSED_IN_FLIGHT: usize = 256;
/// So few games have too few moves for long turns.
const FEW: usize = 10_000;
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
        closed: Vec::new(),
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
        run.section.plots = plots(plan, run.curves, run.closed, run.bare);
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
    closed: Vec<f64>,
    bare: Vec<f64>,
    cpu: Vec<f64>,
}

impl Run<'_> {
    fn stage(&mut self, games: usize, world: &mut World) -> Result<(), String> {
        let shown = count(games);
        let took = world.grow(games)?.as_secs_f64();
        eprintln!("{shown} games after {took:.1} s");
        let is_last = Some(&games) == self.plan.stages.last();
        let seconds = match is_last {
            true => self.plan.seconds,
            false => self.plan.seconds.div_ceil(3),
        };
        let played = self.open(&shown, seconds, is_last, world)?;
        let (ours, yardstick) = closed_loop(&played, self.nodes, world, seconds)?;
        let of = |what: &str| format!("{shown} games, closed loop: {what}");
        self.section.row(of("durable moves"), ours, "/s");
        self.section
            .row(of("bare handler"), yardstick, "requests/s");
        let ratio = ours / yardstick;
        let row = self.section.row(of("moves over bare requests"), ratio, "");
        let is_embedded = !self.venue.setup.is_shared();
        if is_last && is_embedded {
            row.at_least(0.6);
        }
        self.closed.push(ours);
        self.bare.push(yardstick);
        let memory = memory_of(self.nodes);
        let whose = match self.nodes.len() {
            1 => "memory of the process",
            _ => "memory of all nodes",
        };
        let megabytes = memory as f64 / 1e6;
        let row = self
            .section
            .row(format!("{shown} games: {whose}"), megabytes, "MB");
        if is_last && is_embedded {
            row.at_most(500.0);
        }
        let each = memory.saturating_sub(self.empty) as f64 / games as f64;
        self.section
            .row(format!("{shown} games: memory per game"), each, "bytes");
        Ok(())
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
        aim(section.row(of("p99"), played.times.ms(99.0), "ms"), 50.0);
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

/// Moves a second and the bare handler's requests a second, taking turns.
fn closed_loop(
    before: &Played,
    nodes: &[Process],
    world: &mut World,
    seconds: u64,
) -> Result<(f64, f64), String> {
    let token = world.players[0].token.clone();
    let bytes = before.answer_bytes.to_string();
    let bare = myself(&["bare-handler", "--token", &token, "--answer-bytes", &bytes])?;
    let mut bare_world = World::stand_in(bare.address, world);
    let mut to_server = world.client(CLOSED_CONNECTIONS)?;
    let mut to_bare = bare_world.client(CLOSED_CONNECTIONS)?;
    // A few games would be played to their end before the last turn.
    let longest = if world.games.len() < FEW { 1 } else { 10 };
    let turn = Duration::from_secs(seconds.div_ceil(4).clamp(1, longest));
    let (order, bare_order) = (all(world), all(&bare_world));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let played = play(&mut to_server, nodes, world, &order, Pace::Closed, turn, 0);
        let yardstick = play(
            &mut to_bare,
            std::slice::from_ref(&bare),
            &mut bare_world,
            &bare_order,
            Pace::Closed,
            turn,
            0,
        );
        if let Some(wrong) = played.wrong.as_ref().or(yardstick.wrong.as_ref()) {
            return Err(format!("closed loop: {wrong}"));
        }
        ours.push(played.rate());
        theirs.push(yardstick.rate());
        bare_world.rewind();
    }
    Ok((median(&ours), median(&theirs)))
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
