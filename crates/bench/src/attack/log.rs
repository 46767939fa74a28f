//! The record of a game that is as long as it may be.

use std::thread::sleep;
use std::time::{Duration, Instant};

use super::Kind;
use super::caller::Caller;
use super::repeat::{Repeat, STEADY};
use super::stage::{CONNECTIONS, Pair, Stage, Strike, long_game};
use crate::http;
use crate::lines::PLIES;

pub(super) const KIND: Kind = Kind {
    name: "log",
    what: "two guests give a game 600 moves, 100 takebacks and 2,000 records besides; then \
           `GET /v1/games/{id}/log` anonymously on 8 connections",
    answer: "100 takebacks and 2,000 records besides moves; one long record is written at a time, \
             off the threads that answer others, and a few wait: 503",
    prepare,
};

/// Takebacks of a game.
const TAKEBACKS: usize = 100;
/// After a refusal for now.
const PAUSE: Duration = Duration::from_millis(50);

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let mut caller = stage.caller();
    let mut pair = Pair::begin(&mut caller, &long_game(0), PAIR_LINE)?;
    let by = stage.prepared_by();
    let plies = stage.scaled(PLIES - 1);
    while (pair.ply as usize) < plies && Instant::now() < by {
        if pair.play(&mut caller, &stage.lines)? == 429 {
            sleep(PAUSE);
        }
    }
    for _ in 0..stage.scaled(TAKEBACKS) {
        take_back(stage, &mut caller, &mut pair, by)?;
    }
    // The rest of the record is filled with gifts.
    let mut side = 0;
    while Instant::now() < by {
        match pair.command(&mut caller, side, "add-time", r#"{"seconds":5}"#)? {
            200 => side = 1 - side,
            429 => sleep(PAUSE),
            _ => break,
        }
    }
    let path = format!("/v1/games/{}/log", pair.id);
    let log = caller.insist("GET", &path, "", "")?;
    let size = log.body.len() / 1000;
    let address = stage.address;
    Ok(Box::new(move |until| {
        let toll = Repeat {
            address,
            connections: CONNECTIONS,
            pace: STEADY,
            write: |_, out: &mut Vec<u8>| http::request(out, "GET", &path, "", b""),
            hear: super::repeat::unheard,
        }
        .until(until);
        toll.map(|mut toll| {
            toll.note(format!("the record has {size} kB"));
            toll
        })
    }))
}

/// Any line but those of the honest.
const PAIR_LINE: usize = 20;

/// The last move is taken back and made again.
fn take_back(
    stage: &Stage,
    caller: &mut Caller,
    pair: &mut Pair,
    by: Instant,
) -> Result<(), String> {
    let side = (pair.ply as usize + 1) % 2;
    for (side, command) in [(side, "offer-takeback"), (1 - side, "accept-takeback")] {
        while pair.command(caller, side, command, "")? == 429 && Instant::now() < by {
            sleep(PAUSE);
        }
    }
    pair.ply -= 1;
    while pair.play(caller, &stage.lines)? == 429 && Instant::now() < by {
        sleep(PAUSE);
    }
    Ok(())
}
