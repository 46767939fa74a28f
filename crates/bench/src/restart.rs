//! Scenario `restart`: `kill -9` under load, and nothing acknowledged is lost.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::client::{Answer, Client, Load, Next};
use crate::http;
use crate::play::{Pace, all, play};
use crate::process::{Place, Process};
use crate::report::{Section, count};
use crate::world::{World, unexpected};

/// How long moves are made before the server is killed.
const LOAD: Duration = Duration::from_secs(5);
const CONNECTIONS: usize = 256;
/// Games that must have accepted a move before the server counts as back.
const PROBES: usize = 1_000;

/// Runs it on a server whose games `world` knows; the server is gone afterwards.
pub(crate) fn run(place: &Place, server: Process, world: &mut World) -> Result<Section, String> {
    let mut section = Section::new("restart", "kill -9 under load");
    let games = count(world.games.len());
    let mut client = Client::new(world.address, CONNECTIONS).map_err(|e| e.to_string())?;
    let pid = Pid::from_raw(server.pid() as i32).ok_or("the server has no number")?;
    let killer = std::thread::spawn(move || {
        std::thread::sleep(LOAD);
        kill_process(pid, Signal::KILL)
    });
    let order = all(world);
    let played = play(
        &mut client,
        &server,
        world,
        &order,
        Pace::Closed,
        LOAD * 4,
        0,
    );
    killer
        .join()
        .map_err(|_| "the killer panicked")?
        .map_err(|error| format!("the server could not be killed: {error}"))?;
    if played.refused > 0 {
        return Err(played.wrong.unwrap_or_default());
    }
    server.kill();
    section.row(
        format!("{games} games: moves acknowledged in the last seconds"),
        played.accepted as f64,
        "",
    );
    section.row(
        format!("{games} games: moves without an answer when it was killed"),
        played.errors as f64,
        "",
    );

    let begun = Instant::now();
    let server = place.start()?;
    world.address = server.address;
    section.row(
        format!("{games} games: from the start to listening"),
        server.started_in.as_secs_f64(),
        "s",
    );
    let probes: Vec<u32> = order
        .iter()
        .copied()
        .filter(|game| {
            let game = &world.games[*game as usize];
            !game.is_busy && (game.ply as usize) < crate::lines::PLIES
        })
        .take(PROBES)
        .collect();
    let before: Vec<u32> = probes
        .iter()
        .map(|game| world.games[*game as usize].ply)
        .collect();
    let mut client = Client::new(world.address, CONNECTIONS).map_err(|e| e.to_string())?;
    let mut probe = Probe {
        world,
        games: probes.iter(),
        wrong: None,
    };
    client.run(&mut probe)?;
    probe.wrong.map_or(Ok(()), Err)?;
    let took = begun.elapsed().as_secs_f64();
    let moved = probes
        .iter()
        .zip(before)
        .filter(|(game, ply)| world.games[**game as usize].ply == ply + 1);
    if moved.count() < probes.len() {
        return Err("not every game accepted a move".into());
    }
    section
        .row(
            format!(
                "{games} games: from the start until {} random games have accepted a move",
                probes.len()
            ),
            took,
            "s",
        )
        .at_most(10.0);
    section.row(
        format!("{games} games: memory after that"),
        server.memory() as f64 / 1e6,
        "MB",
    );

    let begun = Instant::now();
    let mut audit = Audit {
        world,
        next: 0,
        lost: 0,
        first: None,
    };
    client.run(&mut audit)?;
    let (lost, first) = (audit.lost, audit.first);
    section
        .row(
            format!("{games} games: those that lack an acknowledged move"),
            lost as f64,
            "",
        )
        .at_most(0.0);
    section.note(format!(
        "every game was read back and compared, in {:.1} s",
        begun.elapsed().as_secs_f64()
    ));
    if let Some(first) = first {
        section.note(first);
    }
    server.stop()?;
    Ok(section)
}

/// One move on each of some games.
struct Probe<'a> {
    world: &'a mut World,
    games: std::slice::Iter<'a, u32>,
    wrong: Option<String>,
}

impl Load for Probe<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let Some(game) = self.games.next() else {
            return Next::Idle;
        };
        match self.world.next_move(*game as usize, out) {
            Some(()) => Next::Send {
                tag: u64::from(*game),
                intended: now,
            },
            None => Next::Idle,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        if answer.status == 200 {
            self.world.games[answer.tag as usize].ply += 1;
        } else {
            self.wrong = Some(unexpected("a move after the restart", answer));
        }
    }

    fn lost(&mut self, _: u64) {
        self.wrong = Some("a move after the restart was not answered".into());
    }
}

/// Reads every game and compares it with what was acknowledged.
struct Audit<'a> {
    world: &'a World,
    next: usize,
    lost: u64,
    first: Option<String>,
}

impl Load for Audit<'_> {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let Some(game) = self.world.games.get(self.next) else {
            return Next::Idle;
        };
        http::request(out, "GET", &format!("/v1/games/{}", game.id()), "", b"");
        self.next += 1;
        Next::Send {
            tag: self.next as u64 - 1,
            intended: now,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        let index = answer.tag as usize;
        let game = &self.world.games[index];
        let ply = http::number_of(answer.body, "ply").map_or(0, |ply| ply as u32);
        // A move that was in flight may have been made or not.
        let fits = ply == game.ply || game.is_busy && ply == game.ply + 1;
        let moves = fits.then(|| self.world.lines.first(index, ply).join("\",\""));
        let is_there = moves.is_some_and(|moves| {
            let list = if ply == 0 {
                "\"moves\":[]".into()
            } else {
                format!("\"moves\":[\"{moves}\"]")
            };
            http::find(answer.body, list.as_bytes()).is_some()
        });
        if answer.status != 200 || !is_there {
            self.lost += 1;
            let ply = game.ply;
            self.first
                .get_or_insert_with(|| unexpected(&format!("a game of {ply} half-moves"), answer));
        }
    }

    fn lost(&mut self, _: u64) {
        self.lost += 1;
    }
}
