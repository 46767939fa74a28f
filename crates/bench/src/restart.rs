//! Scenario `restart`: `kill -9` under load, and nothing acknowledged is lost.

use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::client::{Answer, Load, Next};
use crate::http;
use crate::play::{Pace, Played, all, play};
use crate::process::Process;
use crate::report::{Section, count};
use crate::venue::Venue;
use crate::world::{World, unexpected};

/// How long moves are made before the server is killed.
const LOAD: Duration = Duration::from_secs(5);
/// For a long journal: nothing of it is folded into the games' rows.
const FOLD_LATER: (&str, &str) = ("ARBITER_FOLD_SECONDS", "3600");
const CONNECTIONS: usize = 256;
/// A game was made and joined before its first move.
const VERSION_BEFORE_MOVES: u32 = 2;
/// Games that must have accepted a move before the server counts as back.
const PROBES: usize = 1_000;

/// Runs it on servers whose games `world` knows; they are gone afterwards. Of several
/// the last is killed. The longer load lasts so many seconds.
pub(crate) fn run(
    venue: &Venue,
    mut nodes: Vec<Process>,
    world: &mut World,
    seconds: u64,
) -> Result<Section, String> {
    let mut section = Section::new("restart", "kill -9 under load").on(venue.setup);
    let games = count(world.games.len());
    let of = |what: &str| format!("{games} games: {what}");
    let order = all(world);
    let played = play_until_killed(&nodes, world, &order, LOAD)?;
    let killed = Instant::now();
    nodes.pop().ok_or("there is no server")?.kill();
    let (accepted, errors) = (played.accepted as f64, played.errors as f64);
    section.row(of("moves acknowledged in the last seconds"), accepted, "");
    let what = "moves without an answer when it was killed";
    section.row(of(what), errors, "");

    if !nodes.is_empty() {
        world.addresses = nodes.iter().map(|node| node.address).collect();
        let probed = probe(world, &order)?;
        let what = format!(
            "from the death of one of {} until {probed} random games have accepted a move at the others",
            nodes.len() + 1
        );
        let took = killed.elapsed().as_secs_f64();
        section.row(of(&what), took, "s").at_most(10.0);
    }
    let begun = Instant::now();
    let server = venue.place.start()?;
    let listening = server.started_in.as_secs_f64();
    section.row(of("from the start to listening"), listening, "s");
    world.addresses = vec![server.address];
    let probed = probe(world, &order)?;
    let took = begun.elapsed().as_secs_f64();
    let what = format!("from the start until {probed} random games have accepted a move");
    section.row(of(&what), took, "s").at_most(10.0);
    let memory = server.memory() as f64 / 1e6;
    section.row(of("memory after that"), memory, "MB");

    nodes.push(server);
    world.addresses = nodes.iter().map(|node| node.address).collect();
    audit(world, &of, &mut section)?;
    nodes.into_iter().try_for_each(Process::stop)?;
    if !venue.setup.is_shared() {
        long_journal(venue, world, &order, seconds, &mut section)?;
    }
    Ok(section)
}

/// Kills a server that has folded none of the moves of a while: the next start reads all of them.
fn long_journal(
    venue: &Venue,
    world: &mut World,
    order: &[u32],
    seconds: u64,
    section: &mut Section,
) -> Result<(), String> {
    let (name, value) = FOLD_LATER;
    let server = venue.place.start_with(&[(name, value.to_owned())])?;
    world.addresses = vec![server.address];
    let servers = [server];
    let played = play_until_killed(&servers, world, order, Duration::from_secs(seconds))?;
    servers.into_iter().for_each(Process::kill);
    let games = count(world.games.len());
    let of = |what: &str| format!("{games} games, a long journal: {what}");
    section.row(of("moves in it"), played.accepted as f64, "");

    let begun = Instant::now();
    let server = venue.place.start()?;
    let listening = server.started_in.as_secs_f64();
    section.row(of("from the start to listening"), listening, "s");
    world.addresses = vec![server.address];
    let probed = probe(world, order)?;
    let took = begun.elapsed().as_secs_f64();
    let what = format!("from the start until {probed} random games have accepted a move");
    section.row(of(&what), took, "s").at_most(10.0);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    section
        .row(of("memory after that"), megabytes(server.memory()), "MB")
        .at_most(500.0);
    let most = megabytes(server.memory_peak());
    section.row(of("memory at most until then"), most, "MB");
    audit(world, &of, section)?;
    server.stop()
}

/// Makes moves at all nodes until the last of them is killed, after a while and in the middle of it.
fn play_until_killed(
    nodes: &[Process],
    world: &mut World,
    order: &[u32],
    after: Duration,
) -> Result<Played, String> {
    let victim = nodes
        .last()
        .and_then(|node| Pid::from_raw(node.pid() as i32));
    let victim = victim.ok_or("the server has no number")?;
    let mut client = world.client(CONNECTIONS)?;
    let killer = std::thread::spawn(move || {
        std::thread::sleep(after);
        kill_process(victim, Signal::KILL)
    });
    // A connection that cannot be made again ends it.
    let pace = Pace::Closed;
    let played = play(&mut client, nodes, world, order, pace, after * 4, 0);
    killer
        .join()
        .map_err(|_| "the killer panicked")?
        .map_err(|error| format!("the server could not be killed: {error}"))?;
    match played.refused {
        0 => Ok(played),
        _ => Err(played.wrong.unwrap_or_default()),
    }
}

/// Makes a move on each of some games, of which nothing is in flight; says on how many.
fn probe(world: &mut World, order: &[u32]) -> Result<usize, String> {
    let can_move = |game: &&u32| {
        let game = &world.games[**game as usize];
        !game.is_busy && (game.ply as usize) < crate::lines::PLIES
    };
    let probes: Vec<u32> = order
        .iter()
        .filter(can_move)
        .take(PROBES)
        .copied()
        .collect();
    let ply = |world: &World, game: &u32| world.games[*game as usize].ply;
    let before: Vec<u32> = probes.iter().map(|game| ply(world, game)).collect();
    let mut client = world.client(CONNECTIONS)?;
    let mut probe = Probe {
        world,
        games: probes.iter(),
        wrong: None,
    };
    client.run(&mut probe)?;
    probe.wrong.map_or(Ok(()), Err)?;
    let mut games = probes.iter().zip(before);
    match games.all(|(game, before)| ply(world, game) == before + 1) {
        true => Ok(probes.len()),
        false => Err("not every game accepted a move".into()),
    }
}

/// Compares every game with what was acknowledged.
fn audit(world: &World, of: &impl Fn(&str) -> String, section: &mut Section) -> Result<(), String> {
    let begun = Instant::now();
    let mut audit = Audit {
        world,
        next: 0,
        lost: 0,
        first: None,
    };
    world.client(CONNECTIONS)?.run(&mut audit)?;
    let what = "those that lack an acknowledged move";
    section.row(of(what), audit.lost as f64, "").at_most(0.0);
    section.note(format!(
        "every game was read back and compared, in {:.1} s",
        begun.elapsed().as_secs_f64()
    ));
    if let Some(first) = audit.first {
        section.note(first);
    }
    Ok(())
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
        // Who only looks may be shown what was a second ago, unless they know better.
        let path = format!("/v1/games/{}", game.id());
        http::request_seen(out, &path, game.ply + VERSION_BEFORE_MOVES);
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
