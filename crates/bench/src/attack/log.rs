//! The record of a game that is as long as it may be.

use std::thread::sleep;
use std::time::Instant;

use super::Kind;
use super::caller::Caller;
use super::repeat::reading;
use super::stage::{PAUSE, Pair, Stage, Strike, long_game};
use crate::lines::PLIES;

pub(super) const KIND: Kind = Kind {
    name: "log",
    what: "two guests give a game 600 moves, 100 takebacks and 2,000 records besides, as far as a \
           minute goes; then `GET /v1/games/{id}/log`",
    answer: "100 takebacks and 2,000 records besides the moves that stand; long records are \
             written a few at a time beside everything else, some wait, the rest is 503",
    prepare,
};

/// Takebacks of a game.
const TAKEBACKS: usize = 100;
/// More than there is room for.
const GIFTS: usize = 2_000;
/// Any line but those of the honest.
const LINE: usize = 20;

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let mut caller = stage.caller();
    let mut pair = Pair::begin(&mut caller, &long_game(0), LINE)?;
    let by = stage.prepared_by();
    pair.play_to(&mut caller, stage, stage.scaled(PLIES - 1))?;
    for _ in 0..stage.scaled(TAKEBACKS) {
        take_back(stage, &mut caller, &mut pair, by)?;
    }
    // The rest of the record is filled with gifts.
    let (mut side, mut gifts) = (0, 0);
    while Instant::now() < by && gifts < stage.scaled(GIFTS) {
        match pair.command(&mut caller, side, "add-time", r#"{"seconds":5}"#)? {
            200 => (side, gifts) = (1 - side, gifts + 1),
            429 => sleep(PAUSE),
            _ => break,
        }
    }
    let path = format!("/v1/games/{}/log", pair.id);
    let size = caller.insist("GET", &path, "", "")?.body.len() / 1000;
    let strike = reading(stage.address, vec![path]);
    Ok(Box::new(move |until| {
        let mut toll = strike(until)?;
        toll.note(format!("the record has {size} kB"));
        Ok(toll)
    }))
}

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
    let ply = pair.ply as usize + 1;
    pair.play_to(caller, stage, ply)
}
