//! Scenario `watch`: ten thousand sockets on one game, while others are played.

use std::path::Path;
use std::time::Duration;

use crate::crowd::Crowd;
use crate::fan::Fan;
use crate::listener::{Listener, SETTLE, Speech};
use crate::play::{Pace, Played, all, play};
use crate::process::{Process, cpu_of, memory_of};
use crate::report::{Section, count};
use crate::spread::{Acknowledged, Spread};
use crate::venue::Venue;
use crate::world::World;

/// Other games, and moves a second on them.
const OTHERS: usize = 2_000;
const OTHERS_RATE: f64 = 4_000.0;
const OTHERS_CONNECTIONS: usize = 256;

/// Runs it: `watchers` sockets over all nodes, a move every second for so many seconds in
/// each part. The peers on Node are installed in `work`.
pub(crate) fn run(
    venue: &Venue,
    work: &Path,
    watchers: usize,
    seconds: u64,
) -> Result<Section, String> {
    let mut section = Section::new("watch", "many sockets on one game").on(venue.setup);
    // The last of them, in the same run, where one node has them all.
    let one_node = match venue.setup.nodes {
        1 => None,
        _ => Some(on_one_node(venue, watchers, seconds)?),
    };
    let nodes = venue.start()?;
    let mut part = measure(&nodes, watchers, seconds)?;
    drop(nodes);
    let fan = Fan {
        watchers,
        seconds,
        length: part.length,
    };
    let mut bare = fan.bare(1)?;
    part.tell(&mut bare, watchers, &mut section);
    if let Some(mut one_node) = one_node {
        let of = |what: &str| format!("{} watchers: {what}", count(watchers));
        let last = one_node.last.ms(50.0);
        let what = "last receipt, median after the acknowledgement, one node";
        section.row(of(what), last, "ms");
        let what = "last receipt, median over that of one node";
        let ratio = part.quiet.last.ms(50.0) / last;
        section.row(of(what), ratio, "").at_most(1.5);
    }
    // The peers have nothing behind them, whatever is behind us; the plot of the README shows
    // the default.
    if !venue.setup.is_shared() {
        fan.by_two(&mut bare, &mut section)?;
        let peers = fan.beside(&mut part.quiet, work, &venue.place.data, &mut section);
        let mut lines = vec![
            ("Arbiter", &part.quiet),
            ("Arbiter, other games at 4,000/s", &part.busy),
            ("bare frames", &bare),
        ];
        lines.extend(peers.iter().map(|(name, spread)| (*name, spread)));
        section.plots = vec![Spread::plot(&lines)];
    }
    Ok(section)
}

/// What was measured.
struct Measured {
    /// Bytes of memory of a socket on which nothing happens.
    idle: f64,
    cpu_us: f64,
    quiet: Spread,
    busy: Spread,
    /// The other games without watchers, and with them.
    alone: Played,
    with_crowd: Played,
    closed: usize,
    /// The length of a message that tells of a move.
    length: usize,
}

fn measure(nodes: &[Process], watchers: usize, seconds: u64) -> Result<Measured, String> {
    let mut watched = over(nodes);
    watched.grow(1)?;
    let mut others = over(nodes);
    others.grow(OTHERS)?;

    eprintln!("other games alone");
    let alone = play_others(nodes, &mut others, seconds)?;
    let empty = memory_of(nodes);
    eprintln!("{watchers} sockets");
    let listener = gather(&watched, watchers)?;
    let idle = memory_of(nodes).saturating_sub(empty) as f64 / watchers as f64;
    let (quiet, cpu_us) = watch_quietly(nodes, &mut watched, &listener, seconds)?;
    std::thread::sleep(SETTLE); // the last move is still on its way to the last watcher
    eprintln!("{watchers} sockets while other games are played");
    let (busy, with_crowd) = std::thread::scope(|scope| {
        let mover = scope.spawn(|| make_moves(nodes, &mut watched, seconds));
        let played = play_others(nodes, &mut others, seconds);
        let acknowledged = mover.join().map_err(|_| "the mover panicked".to_owned())?;
        Ok::<_, String>((acknowledged?, played?))
    })?;
    let heard = listener.end()?;
    Ok(Measured {
        idle,
        cpu_us,
        quiet: Spread::new(&quiet, &heard.receipts, watchers),
        busy: Spread::new(&busy, &heard.receipts, watchers),
        alone,
        with_crowd,
        closed: heard.closed,
        length: heard.length,
    })
}

/// The quiet part alone, with one node that has all sockets.
fn on_one_node(venue: &Venue, watchers: usize, seconds: u64) -> Result<Spread, String> {
    let nodes = [venue.place.start()?];
    let mut watched = over(&nodes);
    watched.grow(1)?;
    eprintln!("{watchers} sockets at one node");
    let listener = gather(&watched, watchers)?;
    let acknowledged = make_moves(&nodes, &mut watched, seconds)?;
    let heard = listener.end()?;
    Ok(Spread::new(&acknowledged, &heard.receipts, watchers))
}

pub(crate) fn over(nodes: &[Process]) -> World {
    World::over(nodes.iter().map(|node| node.address).collect())
}

/// So many sockets on the only game of a world, which are left alone for a while.
pub(crate) fn gather(watched: &World, watchers: usize) -> Result<Listener, String> {
    let path = format!("/v1/games/{}/stream", watched.games[0].id());
    let paths = std::iter::repeat_n(path, watchers);
    let listener = Listener::start(Crowd::spread(&watched.addresses, paths)?, Speech::Plain);
    std::thread::sleep(SETTLE);
    Ok(listener)
}

impl Measured {
    fn tell(&mut self, bare: &mut Spread, watchers: usize, section: &mut Section) {
        let of = |what: &str| format!("{} watchers: {what}", count(watchers));
        section
            .row(of("memory per idle socket"), self.idle / 1000.0, "KB")
            .at_most(6.0);
        section.row(of("server CPU per delivery"), self.cpu_us, "µs");
        let missing = (self.quiet.missing + self.busy.missing) as f64;
        section
            .row(of("deliveries missing"), missing, "")
            .at_most(0.0);
        for (spread, when) in [
            (&mut self.quiet, ""),
            (&mut self.busy, ", other games at 4,000/s"),
            (bare, ", bare frames"),
        ] {
            tell_spread(spread, when, &of, section);
        }
        let ratio = self.quiet.last.ms(50.0) / bare.last.ms(50.0);
        let what = "last receipt, median over that of bare frames";
        section.row(of(what), ratio, "").at_most(1.15);
        self.tell_others(section);
    }

    fn tell_others(&mut self, section: &mut Section) {
        let alone = self.alone.times.ms(99.0);
        let p99 = self.with_crowd.times.ms(99.0);
        let what = "other games at 4,000/s without watchers: p99";
        section.row(what, alone, "ms");
        let what = "other games at 4,000/s with watchers: p99";
        section.row(what, p99, "ms").at_most(50.0);
        let what = "other games: p99 with watchers over without";
        section.row(what, p99 / alone, "").at_most(4.0);
        for played in [&self.alone, &self.with_crowd] {
            if let Some(wrong) = &played.wrong {
                section.note(wrong.clone());
            }
        }
        if self.closed > 0 {
            let closed = self.closed;
            section.note(format!("{closed} sockets were closed by the server"));
        }
    }
}

fn tell_spread(
    spread: &mut Spread,
    when: &str,
    of: &impl Fn(&str) -> String,
    section: &mut Section,
) {
    let of = |what: &str| of(&format!("{what} after the acknowledgement{when}"));
    section.row(of("first receipt, median"), spread.first.ms(50.0), "ms");
    section.row(of("median receipt, median"), spread.middle.ms(50.0), "ms");
    let late = spread.late.ms(50.0);
    section.row(of("99th percentile receipt, median"), late, "ms");
    section.row(of("last receipt, median"), spread.last.ms(50.0), "ms");
    let row = section.row(of("last receipt, p99"), spread.last.ms(99.0), "ms");
    if when.is_empty() {
        row.at_most(200.0);
    }
}

/// A move a second on the watched game: when each was acknowledged, and the
/// servers' processor time per message delivered meanwhile.
fn watch_quietly(
    nodes: &[Process],
    watched: &mut World,
    listener: &Listener,
    seconds: u64,
) -> Result<(Acknowledged, f64), String> {
    let (cpu, messages) = (cpu_of(nodes), listener.messages());
    let acknowledged = make_moves(nodes, watched, seconds)?;
    let cpu = cpu_of(nodes).saturating_sub(cpu).as_secs_f64() * 1e6;
    Ok((
        acknowledged,
        cpu / (listener.messages() - messages).max(1) as f64,
    ))
}

pub(crate) fn make_moves(
    nodes: &[Process],
    watched: &mut World,
    seconds: u64,
) -> Result<Acknowledged, String> {
    let mut client = watched.client(1)?;
    let lasting = Duration::from_secs(seconds);
    let played = play(
        &mut client,
        nodes,
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

fn play_others(nodes: &[Process], others: &mut World, seconds: u64) -> Result<Played, String> {
    let mut client = others.client(OTHERS_CONNECTIONS)?;
    let order = all(others);
    let lasting = Duration::from_secs(seconds);
    Ok(play(
        &mut client,
        nodes,
        others,
        &order,
        Pace::Open(OTHERS_RATE),
        lasting,
        0,
    ))
}
