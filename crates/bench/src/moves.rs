//! Scenario `moves`: many running games, moves over real connections.

use std::time::Duration;

use crate::client::Client;
use crate::opponents;
use crate::play::{Pace, Played, all, play};
use crate::process::{Process, myself};
use crate::report::{Plot, Section, Series, count, figure};
use crate::stats::median;
use crate::world::World;

/// Connections of the open loop: more than are ever needed at once.
const OPEN_CONNECTIONS: usize = 512;
const CLOSED_CONNECTIONS: usize = 256;
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

/// Runs it on a server that has no games yet.
pub(crate) fn run(plan: &Plan, server: &Process, world: &mut World) -> Result<Section, String> {
    let mut section = Section::new("moves", "moves on many running games");
    let (mut curves, mut closed, mut bare) = (Vec::new(), Vec::new(), Vec::new());
    let mut cpu = Vec::new();
    let most = *plan.stages.last().ok_or("no stages")?;
    let empty = server.memory();
    for &games in &plan.stages {
        let is_last = games == most;
        let shown = count(games);
        let took = world.grow(games)?.as_secs_f64();
        eprintln!("{shown} games after {took:.1} s");
        let seconds = if is_last {
            plan.seconds
        } else {
            plan.seconds.div_ceil(3)
        };
        let mut played = open(plan.rate, seconds, server, world)?;
        let of = |what: &str| {
            format!(
                "{shown} games, open loop at {}/s for {seconds} s: {what}",
                figure(plan.rate)
            )
        };
        let p50 = played.times.ms(50.0);
        let p99 = played.times.ms(99.0);
        let wrong = (played.refused + played.errors) as f64;
        section.row(of("accepted"), played.accepted as f64, "moves");
        let target = |row: &mut crate::report::Row, limit| {
            if is_last {
                row.at_most(limit)
            }
        };
        target(section.row(of("refused or failed"), wrong, "moves"), 0.0);
        target(section.row(of("p50"), p50, "ms"), 5.0);
        target(section.row(of("p99"), p99, "ms"), 50.0);
        section.row(of("p99.9"), played.times.ms(99.9), "ms");
        section.row(of("server CPU per move"), played.cpu_us(), "µs");
        if let Some(wrong) = &played.wrong {
            section.note(format!("{shown} games: {wrong}"));
        }
        cpu.push(played.cpu_us());
        curves.push(Series {
            name: format!("{shown} games"),
            values: played.times.curve(),
        });
        let (ours, yardstick) = closed_loop(&played, server, world, seconds)?;
        section.row(
            format!("{shown} games, closed loop: durable moves"),
            ours,
            "/s",
        );
        section.row(
            format!("{shown} games, closed loop: bare handler"),
            yardstick,
            "requests/s",
        );
        let ratio = section.row(
            format!("{shown} games, closed loop: moves over bare requests"),
            ours / yardstick,
            "",
        );
        if is_last {
            ratio.at_least(0.6);
        }
        closed.push(ours);
        bare.push(yardstick);
        let memory = server.memory();
        let row = section.row(
            format!("{shown} games: memory of the process"),
            memory as f64 / 1e6,
            "MB",
        );
        if is_last {
            row.at_most(500.0);
        }
        let each = memory.saturating_sub(empty) as f64 / games as f64;
        section.row(format!("{shown} games: memory per game"), each, "bytes");
    }
    let growth = cpu
        .last()
        .zip(cpu.first())
        .map_or(f64::NAN, |(last, first)| last / first);
    section
        .row(
            format!(
                "CPU per move at {} games over that at {}",
                count(most),
                count(plan.stages[0])
            ),
            growth,
            "",
        )
        .at_most(1.3);
    opponents::run(plan.rate, plan.seconds, server, world, &mut section)?;
    let plies: u64 = world.games.iter().map(|g| u64::from(g.ply)).sum();
    section.note(format!(
        "{:.1} half-moves had been made per game in the end",
        plies as f64 / most as f64
    ));
    section.plots = plots(plan, curves, closed, bare);
    Ok(section)
}

fn open(rate: f64, seconds: u64, server: &Process, world: &mut World) -> Result<Played, String> {
    let mut client = Client::new(world.address, OPEN_CONNECTIONS).map_err(|e| e.to_string())?;
    let order = all(world);
    let pace = Pace::Open(rate);
    play(&mut client, server, world, &order, pace, WARM_UP, 0);
    let lasting = Duration::from_secs(seconds);
    Ok(play(&mut client, server, world, &order, pace, lasting, 0))
}

/// Moves a second and the bare handler's requests a second, taking turns.
fn closed_loop(
    before: &Played,
    server: &Process,
    world: &mut World,
    seconds: u64,
) -> Result<(f64, f64), String> {
    let token = world.players[0].token.clone();
    let bytes = before.answer_bytes.to_string();
    let bare = myself(&["bare-handler", "--token", &token, "--answer-bytes", &bytes])?;
    let mut bare_world = World::stand_in(bare.address, world);
    let connect = |address| Client::new(address, CLOSED_CONNECTIONS).map_err(|e| e.to_string());
    let (mut to_server, mut to_bare) = (connect(world.address)?, connect(bare.address)?);
    let turn = Duration::from_secs(seconds.div_ceil(4).clamp(1, 10));
    let (order, bare_order) = (all(world), all(&bare_world));
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        let played = play(&mut to_server, server, world, &order, Pace::Closed, turn, 0);
        let yardstick = play(
            &mut to_bare,
            &bare,
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
