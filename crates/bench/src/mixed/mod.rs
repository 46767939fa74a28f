//! Scenario `mixed`: a blitz evening. Everything a club does at once, and in
//! the end the server's record is the generator's.

mod evening;
mod skill;
mod streams;
mod table;

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use self::evening::{Audit, Evening};
use self::skill::Matches;
use crate::client::Client;
use crate::metrics::Metrics;
use crate::process::Place;
use crate::report::Section;
use crate::world::World;

const CONNECTIONS: usize = 256;
/// One match of skill chess for so many games of chess, and their connections.
const GAMES_PER_MATCH: usize = 10;
const MATCH_CONNECTIONS: usize = 32;
/// Files that the store opens when it first needs them.
const READERS: f64 = 8.0;

/// Runs it: so many tables for so many seconds, on an empty server.
pub(crate) fn run(place: &Place, tables: usize, seconds: u64) -> Result<Section, String> {
    let mut section = Section::new("mixed", "a blitz evening");
    let server = place.start()?;
    let before = Metrics::read(server.address)?;
    let mut world = World::new(server.address);
    world.invite(2 * tables)?;
    let (announce, announced) = channel();
    let address = server.address;
    let streams = std::thread::spawn(move || streams::follow(address, &announced));

    let lasting = Duration::from_secs(seconds);
    let matches = std::thread::spawn(move || {
        let mut matches = Matches::new(tables.div_ceil(GAMES_PER_MATCH), lasting);
        let mut client = Client::new(address, MATCH_CONNECTIONS).map_err(|e| e.to_string())?;
        client.run(&mut matches).map(|()| matches)
    });
    let begun = Instant::now();
    let mut client = Client::new(server.address, CONNECTIONS).map_err(|e| e.to_string())?;
    let mut evening = Evening::new(&world, tables, lasting, announce);
    evening.first_quarter = Some(Box::new({
        let pid = server.pid();
        move || crate::process::memory(pid).unwrap_or_default()
    }));
    client.run(&mut evening)?;
    let lasted = begun.elapsed().as_secs_f64();
    let Evening {
        mut counts,
        record,
        memory,
        announce,
        ..
    } = evening;
    drop(announce);
    let followed = streams.join().map_err(|_| "the streams panicked")?;
    let matches = matches.join().map_err(|_| "the matches panicked")??;
    let mut audit = Audit::new(&world, &record);
    client.run(&mut audit)?;
    counts.wrong.append(&mut audit.wrong);
    let end = server.memory();
    drop(client);

    section.row("games played to their end", record.len() as f64, "");
    section.row("requests answered", counts.requests as f64, "");
    section.row("requests a second", counts.requests as f64 / lasted, "/s");
    section.row(
        "moves p99, from the intended time of sending",
        counts.times.ms(99.0),
        "ms",
    );
    for (what, many) in counts.by_end() {
        section.row(format!("games ended by {what}"), many as f64, "");
    }
    section.row(
        "moves sent twice, answered alike",
        counts.retries as f64,
        "",
    );
    section.row("chat messages", counts.chats as f64, "");
    section.row("reconnects of streams", followed.reconnects as f64, "");
    section.row("messages heard", followed.messages as f64, "");
    section.row(
        "skill matches played to their end",
        matches.finished as f64,
        "",
    );
    section.row("requests of skill matches", matches.requests as f64, "");
    section.row(
        "actions of skill matches sent twice, answered alike",
        matches.repeated as f64,
        "",
    );
    counts.wrong.extend(matches.wrong);
    let wrong = counts.wrong.len() + followed.wrong.len();
    section
        .row(
            "answers, messages or final states that differ from the record",
            wrong as f64,
            "",
        )
        .at_most(0.0);
    for wrong in counts.wrong.iter().chain(&followed.wrong).take(5) {
        section.note(wrong.clone());
    }
    for note in counts.notes.iter().chain(&followed.notes) {
        section.note(note.clone());
    }
    section.row(
        "memory after a quarter of the time",
        memory as f64 / 1e6,
        "MB",
    );
    section.row("memory in the end", end as f64 / 1e6, "MB");
    section.note("finished games stay in memory for ten minutes (`idle_seconds`), so all of them are still there");
    settle(server.address, &before, &mut section)?;
    server.stop()?;
    let (is_clean, said) = place.check()?;
    section
        .row(
            "differences found by `arbiter check`",
            f64::from(u8::from(!is_clean)),
            "",
        )
        .at_most(0.0);
    if !is_clean {
        section.note(said);
    }
    Ok(section)
}

/// Once everybody has left nothing may be left over.
fn settle(
    address: std::net::SocketAddr,
    before: &Metrics,
    section: &mut Section,
) -> Result<(), String> {
    let patience = Instant::now() + Duration::from_secs(30);
    loop {
        let now = Metrics::read(address)?;
        let left = |name: &str| now.get(name).unwrap_or(f64::NAN);
        let files = left("arbiter_process_open_files")
            - before.get("arbiter_process_open_files").unwrap_or(0.0);
        let (armed, busy) = (left("arbiter_games_armed"), left("arbiter_games_busy"));
        let is_over = armed == 0.0 && busy == 0.0 && files <= READERS;
        if is_over || Instant::now() > patience {
            section
                .row("deadlines left when all games are over", armed, "")
                .at_most(0.0);
            section
                .row("games still busy when all games are over", busy, "")
                .at_most(0.0);
            section
                .row("open files more than before", files, "")
                .at_most(READERS);
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
