//! Scenario `watch`: ten thousand sockets on one game, while others are played.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::client::{Answer, Client, Load, Next};
use crate::crowd::Crowd;
use crate::http;
use crate::opponents::moved;
use crate::play::{Pace, Played, all, play};
use crate::process::{Place, Process, myself};
use crate::report::{Section, count};
use crate::spread::{Receipt, Spread};
use crate::world::World;

/// Other games, and moves a second on them.
const OTHERS: usize = 2_000;
const OTHERS_RATE: f64 = 4_000.0;
const OTHERS_CONNECTIONS: usize = 256;
/// How long sockets are left alone before their memory is looked at.
const SETTLE: Duration = Duration::from_secs(2);

/// Runs it: `watchers` sockets, a move every second for so many seconds in each part.
pub(crate) fn run(place: &Place, watchers: usize, seconds: u64) -> Result<Section, String> {
    let mut section = Section::new("watch", "many sockets on one game");
    let server = place.start()?;
    let mut watched = World::new(server.address);
    watched.grow(1)?;
    let mut others = World::new(server.address);
    others.grow(OTHERS)?;

    eprintln!("other games alone");
    let mut alone = play_others(&server, &mut others, seconds)?;
    let empty = server.memory();
    eprintln!("{watchers} sockets");
    let path = format!("/v1/games/{}/stream", watched.games[0].id());
    let paths = std::iter::repeat_n(path, watchers);
    let listener = Listener::start(Crowd::connect(server.address, paths)?);
    std::thread::sleep(SETTLE);
    let idle = server.memory().saturating_sub(empty) as f64 / watchers as f64;
    let (quiet, cpu_us) = watch_quietly(&server, &mut watched, &listener, seconds)?;
    std::thread::sleep(SETTLE); // the last move is still on its way to the last watcher
    eprintln!("{watchers} sockets while other games are played");
    let (busy, mut with_crowd) = std::thread::scope(|scope| {
        let mover = scope.spawn(|| make_moves(&server, &mut watched, seconds));
        let played = play_others(&server, &mut others, seconds);
        let acknowledged = mover.join().map_err(|_| "the mover panicked".to_owned())?;
        Ok::<_, String>((acknowledged?, played?))
    })?;
    let heard = listener.end()?;
    let mut quiet = Spread::new(&quiet, &heard.receipts, watchers);
    let mut busy = Spread::new(&busy, &heard.receipts, watchers);
    drop(server);
    eprintln!("{watchers} sockets of pre-encoded frames");
    let mut bare = bare(watchers, seconds, heard.length)?;

    let of = |what: &str| format!("{} watchers: {what}", count(watchers));
    section
        .row(of("memory per idle socket"), idle / 1000.0, "KB")
        .at_most(6.0);
    section.row(of("server CPU per delivery"), cpu_us, "µs");
    section
        .row(
            of("deliveries missing"),
            (quiet.missing + busy.missing) as f64,
            "",
        )
        .at_most(0.0);
    for (spread, when) in [
        (&mut quiet, ""),
        (&mut busy, ", other games at 4,000/s"),
        (&mut bare, ", bare frames"),
    ] {
        let of = |what: &str| of(&format!("{what} after the acknowledgement{when}"));
        section.row(of("first receipt, median"), spread.first.ms(50.0), "ms");
        section.row(of("median receipt, median"), spread.middle.ms(50.0), "ms");
        section.row(
            of("99th percentile receipt, median"),
            spread.late.ms(50.0),
            "ms",
        );
        section.row(of("last receipt, median"), spread.last.ms(50.0), "ms");
        let row = section.row(of("last receipt, p99"), spread.last.ms(99.0), "ms");
        if when.is_empty() {
            row.at_most(200.0);
        }
    }
    let ratio = quiet.last.ms(50.0) / bare.last.ms(50.0);
    section
        .row(
            of("last receipt, median over that of bare frames"),
            ratio,
            "",
        )
        .at_most(1.3);
    let (p99, p99_alone) = (with_crowd.times.ms(99.0), alone.times.ms(99.0));
    section.row(
        "other games at 4,000/s without watchers: p99",
        p99_alone,
        "ms",
    );
    section
        .row("other games at 4,000/s with watchers: p99", p99, "ms")
        .at_most(50.0);
    section
        .row(
            "other games: p99 with watchers over without",
            p99 / p99_alone,
            "",
        )
        .at_most(4.0);
    for played in [&alone, &with_crowd] {
        if let Some(wrong) = &played.wrong {
            section.note(wrong.clone());
        }
    }
    if heard.closed > 0 {
        section.note(format!(
            "{} sockets were closed by the server",
            heard.closed
        ));
    }
    section.plots = vec![Spread::plot(&[
        ("Arbiter", &quiet),
        ("Arbiter, other games at 4,000/s", &busy),
        ("bare frames", &bare),
    ])];
    Ok(section)
}

type Acknowledged = Vec<(u32, Instant)>;

/// A move a second on the watched game: when each was acknowledged, and the
/// server's processor time per message delivered meanwhile.
fn watch_quietly(
    server: &Process,
    watched: &mut World,
    listener: &Listener,
    seconds: u64,
) -> Result<(Acknowledged, f64), String> {
    let (cpu, messages) = (server.cpu(), listener.messages());
    let acknowledged = make_moves(server, watched, seconds)?;
    let cpu = server.cpu().saturating_sub(cpu).as_secs_f64() * 1e6;
    Ok((
        acknowledged,
        cpu / (listener.messages() - messages).max(1) as f64,
    ))
}

fn make_moves(server: &Process, watched: &mut World, seconds: u64) -> Result<Acknowledged, String> {
    let mut client = Client::new(watched.address, 1).map_err(|e| e.to_string())?;
    let lasting = Duration::from_secs(seconds);
    let played = play(
        &mut client,
        server,
        watched,
        &[0],
        Pace::Open(1.0),
        lasting,
        1,
    );
    match played.wrong {
        Some(wrong) => Err(wrong),
        None => Ok(played
            .acknowledged
            .iter()
            .map(|(_, ply, at)| (*ply, *at))
            .collect()),
    }
}

fn play_others(server: &Process, others: &mut World, seconds: u64) -> Result<Played, String> {
    let mut client = Client::new(others.address, OTHERS_CONNECTIONS).map_err(|e| e.to_string())?;
    let order = all(others);
    let lasting = Duration::from_secs(seconds);
    Ok(play(
        &mut client,
        server,
        others,
        &order,
        Pace::Open(OTHERS_RATE),
        lasting,
        0,
    ))
}

/// The same with nothing behind the sockets.
fn bare(watchers: usize, seconds: u64, length: usize) -> Result<Spread, String> {
    let server = myself(&["bare-fan"])?;
    let paths = std::iter::repeat_n("/".to_owned(), watchers);
    let listener = Listener::start(Crowd::connect(server.address, paths)?);
    std::thread::sleep(SETTLE);
    let acknowledged = broadcast(server.address, seconds, length)?;
    std::thread::sleep(SETTLE);
    let heard = listener.end()?;
    Ok(Spread::new(&acknowledged, &heard.receipts, watchers))
}

fn broadcast(address: SocketAddr, seconds: u64, length: usize) -> Result<Acknowledged, String> {
    let mut client = Client::new(address, 1).map_err(|e| e.to_string())?;
    let mut load = Broadcast {
        begun: Instant::now(),
        ply: 0,
        seconds: seconds as u32,
        length,
        acknowledged: Vec::new(),
    };
    client.run(&mut load)?;
    Ok(load.acknowledged)
}

/// A message a second, as long as the server's.
struct Broadcast {
    begun: Instant,
    ply: u32,
    seconds: u32,
    length: usize,
    acknowledged: Acknowledged,
}

impl Load for Broadcast {
    fn next(&mut self, now: Instant, out: &mut Vec<u8>) -> Next {
        let intended = self.begun + Duration::from_secs(1) * self.ply;
        if self.ply == self.seconds {
            return Next::Idle;
        }
        if intended > now {
            return Next::At(intended);
        }
        self.ply += 1;
        let message = format!("{{\"type\":\"MOVE\",\"ply\":{},\"fill\":\"", self.ply);
        let fill = "x".repeat(self.length.saturating_sub(message.len() + 2));
        http::request(
            out,
            "POST",
            "/",
            "",
            format!("{message}{fill}\"}}").as_bytes(),
        );
        Next::Send {
            tag: u64::from(self.ply),
            intended,
        }
    }

    fn answered(&mut self, answer: &Answer<'_>) {
        self.acknowledged.push((answer.tag as u32, answer.received));
    }

    fn lost(&mut self, _: u64) {}
}

/// A crowd that listens in a thread of its own.
struct Listener {
    stop: Arc<AtomicBool>,
    messages: Arc<AtomicU64>,
    thread: JoinHandle<Result<Heard, String>>,
}

struct Heard {
    receipts: Vec<Receipt>,
    closed: usize,
    /// The length of a message that tells of a move.
    length: usize,
}

impl Listener {
    fn start(mut crowd: Crowd) -> Listener {
        let stop = Arc::new(AtomicBool::new(false));
        let messages = Arc::new(AtomicU64::new(0));
        let (told, counted) = (Arc::clone(&stop), Arc::clone(&messages));
        let thread = std::thread::spawn(move || {
            let mut receipts = Vec::new();
            let mut length = 0;
            let listened = crowd.listen(&told, |_, message, at| {
                counted.fetch_add(1, Ordering::Relaxed);
                if let Some(ply) = moved(message) {
                    receipts.push(Receipt { ply, at });
                    length = message.len();
                }
                Vec::new()
            });
            listened.map_err(|error| error.to_string())?;
            let closed = crowd.closed;
            Ok(Heard {
                receipts,
                closed,
                length,
            })
        });
        Listener {
            stop,
            messages,
            thread,
        }
    }

    fn messages(&self) -> u64 {
        self.messages.load(Ordering::Relaxed)
    }

    /// Lets what is on its way arrive, and ends.
    fn end(self) -> Result<Heard, String> {
        std::thread::sleep(SETTLE);
        self.stop.store(true, Ordering::Relaxed);
        self.thread
            .join()
            .map_err(|_| "the listener panicked".to_owned())?
    }
}
