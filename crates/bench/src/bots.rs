//! Scenario `bots`: many people play the server's bots at once, and everybody else's moves beside them.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::ask::ask_as;
use crate::metrics::Metrics;
use crate::play::{Pace, all, just_play};
use crate::process::{Process, family};
use crate::report::{Section, count};
use crate::rng::Rng;
use crate::stats::Times;
use crate::venue::Venue;
use crate::world::World;

/// Little happens on each of the threads.
const STACK: usize = 128 << 10;
/// How long people think about a move: at least, and at most so much more.
const THINKING_MS: (u64, usize) = (1_000, 8_000);
/// Five minutes and three seconds.
const INITIAL_MS: u64 = 300_000;
const LEVELS: [&str; 6] = ["beginner", "easy", "medium", "hard", "expert", "master"];
/// Bot games beside which everybody else's moves are measured, and those others' games.
const BESIDE: usize = 200;
const OTHERS: usize = 20_000;
const WARM_UP: Duration = Duration::from_secs(10);
const MEASURED: Duration = Duration::from_secs(20);
/// Longer than any bot takes.
const PATIENCE: Duration = Duration::from_secs(120);
const CONNECTIONS: usize = 256;

/// What those who play bots found.
#[derive(Default)]
struct Found {
    /// From one's own move to the bot's answer.
    answers: Times,
    /// The least that a bot ever had left.
    least_ms: Option<u64>,
    games: usize,
    /// Games that a bot lost on time.
    flags: usize,
}

/// What one run of people against bots is.
struct Evening<'a> {
    address: SocketAddr,
    is_over: &'a AtomicBool,
    found: &'a Mutex<Found>,
    playing: &'a AtomicUsize,
}

/// Lets that many play bots for a while; then measures moves without and beside bot games.
pub(crate) fn run(
    venue: &Venue,
    nodes: &[Process],
    many: usize,
    rate: f64,
    seconds: u64,
) -> Result<Section, String> {
    let mut section = Section::new("bots", "people against the server's bots").on(venue.setup);
    let node = nodes.first().ok_or("no server")?;
    let lasting = Duration::from_secs(seconds);
    let of = |what: &str| format!("{} bot games of 5+3 at once: {what}", count(many));
    let (found, peak) = crowd(node, many, || peak_during(node, lasting))?;
    let mut answers = found.answers;
    section.row(of("moves of bots"), answers.len() as f64, "");
    section.row(of("games begun"), found.games as f64, "");
    section
        .row(of("lost by a bot on time"), found.flags as f64, "")
        .at_most(0.0);
    let least = found.least_ms.unwrap_or(INITIAL_MS) as f64 / 1000.0;
    section.row(of("the least a bot had left"), least, "s");
    section.row(of("to the bot's answer, p50"), answers.ms(50.0), "ms");
    section.row(of("to the bot's answer, p99"), answers.ms(99.0), "ms");
    section.row(
        of("memory, engines included"),
        peak.bytes as f64 / 1e6,
        "MB",
    );
    section.row(of("engine processes at most"), peak.processes as f64, "");
    let metrics = Metrics::read(node.address)?;
    for (name, what) in [
        (
            "arbiter_bot_moves_hurried_total",
            "moves that could not wait for their turn",
        ),
        ("arbiter_engine_faults_total", "faults of engines"),
    ] {
        section.row(of(what), metrics.get(name).unwrap_or_default(), "");
    }
    beside(node, rate, lasting, &mut section)?;
    Ok(section)
}

/// Everybody else's moves, without bots and beside them.
fn beside(
    node: &Process,
    rate: f64,
    lasting: Duration,
    section: &mut Section,
) -> Result<(), String> {
    let mut world = World::new(node.address);
    world.grow(OTHERS)?;
    let lasting = MEASURED.min(lasting);
    let mut measure = || {
        let mut client = world.client(CONNECTIONS)?;
        let order = all(&world);
        let pace = Pace::Open(rate);
        let mut played = just_play(&mut client, &mut world, &order, pace, lasting, 0);
        match played.wrong.take() {
            Some(wrong) => Err(wrong),
            None => Ok(played.times.ms(99.0)),
        }
    };
    let alone = measure()?;
    let later = || {
        // Everybody has come, and bots think.
        thread::sleep(WARM_UP);
        measure()
    };
    let (_, with) = crowd(node, BESIDE, later)?;
    let with = with?;
    let of = |what: &str| format!("{rate:.0} moves a second: p99 {what}");
    section.row(of("without bots"), alone, "ms");
    section.row(of(&format!("beside {BESIDE} bot games")), with, "ms");
    section
        .row(of("beside bots over without"), with / alone, "")
        .at_most(2.0);
    Ok(())
}

/// The most that a server and its engines took.
struct Peak {
    bytes: u64,
    processes: usize,
}

fn peak_during(node: &Process, lasting: Duration) -> Peak {
    let until = Instant::now() + lasting;
    let mut peak = Peak {
        bytes: 0,
        processes: 0,
    };
    while Instant::now() < until {
        peak.bytes = peak.bytes.max(node.memory());
        peak.processes = peak.processes.max(family(node.pid()).len() - 1);
        thread::sleep(Duration::from_millis(500));
    }
    peak
}

/// Has that many play bots while `meanwhile` lasts.
fn crowd<T>(
    node: &Process,
    many: usize,
    meanwhile: impl FnOnce() -> T,
) -> Result<(Found, T), String> {
    let (is_over, playing) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (found, begin) = (Mutex::new(Found::default()), Barrier::new(many + 1));
    let evening = Evening {
        address: node.address,
        is_over: &is_over,
        found: &found,
        playing: &playing,
    };
    let done = thread::scope(|scope| {
        let people = (0..many).map(|index| {
            let (evening, begin) = (&evening, &begin);
            let person = move || {
                begin.wait();
                evening.spend(index)
            };
            let builder = thread::Builder::new().stack_size(STACK);
            builder
                .spawn_scoped(scope, person)
                .map_err(|e| e.to_string())
        });
        let people: Vec<_> = people.collect::<Result<_, String>>()?;
        begin.wait();
        let done = meanwhile();
        eprintln!("{} games are being played", playing.load(Ordering::Relaxed));
        is_over.store(true, Ordering::Relaxed);
        for person in people {
            person
                .join()
                .map_err(|_| "a player panicked".to_owned())??;
        }
        Ok::<T, String>(done)
    })?;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((found, done))
}

impl Evening<'_> {
    /// One game after the other, until it is over.
    fn spend(&self, index: usize) -> Result<(), String> {
        let mut rng = Rng::new(index as u64);
        let guest = ask_as(self.address, None, "POST", "/v1/guests", b"{}")?;
        let token = text(&said(&guest)?["token"])?;
        while !self.is_over.load(Ordering::Relaxed) {
            self.playing.fetch_add(1, Ordering::Relaxed);
            let played = self.play(&token, LEVELS[index % LEVELS.len()], &mut rng);
            self.playing.fetch_sub(1, Ordering::Relaxed);
            played?;
        }
        Ok(())
    }

    fn play(&self, token: &str, level: &str, rng: &mut Rng) -> Result<(), String> {
        let clock = json!({ "initial_seconds": INITIAL_MS / 1000, "increment_seconds": 3 });
        let body = json!({ "difficulty": level, "player_color": "random", "time_control": clock });
        let body = body.to_string();
        let made = ask_as(
            self.address,
            Some(token),
            "POST",
            "/v1/games/bot",
            body.as_bytes(),
        )?;
        let game = said(&made)?;
        let id = text(&game["id"])?;
        let bot = text(&game["bot_color"])?;
        self.note(|found| found.games += 1);
        let mut news = listen(self.address, token, &id)?;
        let mut asked = (bot == "white").then(Instant::now);
        loop {
            if asked.is_none() {
                let wait = THINKING_MS.0 + rng.below(THINKING_MS.1) as u64;
                thread::sleep(Duration::from_millis(wait));
                if self.is_over.load(Ordering::Relaxed) {
                    return self.leave(token, &id);
                }
                asked = Some(Instant::now());
                if !self.make_any(token, &id, rng)? {
                    return Ok(());
                }
            }
            // The bot's move, or the end.
            let Some(message) = next(&mut news)? else {
                return Ok(());
            };
            match message["type"].as_str() {
                Some("MOVE") if message["color"] == bot.as_str() => {
                    let left = message["clock_ms"][&bot].as_u64().unwrap_or_default();
                    let took = asked.take().map(|at| at.elapsed());
                    self.note(|found| {
                        found.least_ms = Some(found.least_ms.map_or(left, |least| least.min(left)));
                        took.into_iter().for_each(|took| found.answers.push(took));
                    });
                }
                Some("GAME_OVER") => {
                    let is_flag =
                        message["reason"] == "timeout" && message["winner"] != bot.as_str();
                    self.note(|found| found.flags += usize::from(is_flag));
                    return Ok(());
                }
                _ => {}
            }
        }
    }

    /// Makes any legal move; whether there was one.
    fn make_any(&self, token: &str, id: &str, rng: &mut Rng) -> Result<bool, String> {
        let path = format!("/v1/games/{id}/legal-moves");
        let legal = said(&ask_as(self.address, Some(token), "GET", &path, b"")?)?;
        let moves = legal["moves"].as_array().cloned().unwrap_or_default();
        if moves.is_empty() {
            return Ok(false);
        }
        let uci = text(&moves[rng.below(moves.len())]["uci"])?;
        let path = format!("/v1/games/{id}/moves");
        let body = json!({ "move": uci }).to_string();
        let made = ask_as(self.address, Some(token), "POST", &path, body.as_bytes());
        match made {
            Ok(body) => Ok(said(&body)?["game_state"] == "ACTIVE"),
            // It resigned meanwhile.
            Err(why) if why.contains("game_not_active") => Ok(false),
            Err(why) => Err(why),
        }
    }

    fn leave(&self, token: &str, id: &str) -> Result<(), String> {
        let path = format!("/v1/games/{id}/resign");
        match ask_as(self.address, Some(token), "POST", &path, b"{}") {
            Err(why) if !why.contains("game_not_active") => Err(why),
            _ => Ok(()),
        }
    }

    fn note(&self, note: impl FnOnce(&mut Found)) {
        note(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// The news of a game, from before the first move on.
fn listen(address: SocketAddr, token: &str, id: &str) -> Result<BufReader<TcpStream>, String> {
    // An answer to HTTP/1.0 is never in chunks.
    let request = format!(
        "GET /v1/games/{id}/events HTTP/1.0\r\nAuthorization: Bearer {token}\r\nLast-Event-ID: 2~0\r\n\r\n"
    );
    let open = || {
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(request.as_bytes())?;
        Ok(BufReader::new(stream))
    };
    open().map_err(|error: std::io::Error| format!("the events of {id}: {error}"))
}

/// The next message; none when the stream ends.
fn next(news: &mut BufReader<TcpStream>) -> Result<Option<Value>, String> {
    let mut line = String::new();
    loop {
        line.clear();
        let read = news.read_line(&mut line).map_err(|e| e.to_string())?;
        if read == 0 {
            return Ok(None);
        }
        if let Some(data) = line.strip_prefix("data:") {
            return said(data.trim().as_bytes()).map(Some);
        }
    }
}

fn said(body: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(body).map_err(|error| error.to_string())
}

fn text(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| format!("{value} is no text"))
}
