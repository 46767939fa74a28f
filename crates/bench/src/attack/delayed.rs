//! A long game that spectators see later than its players.

use super::Kind;
use super::crowds::listening;
use super::repeat::reading;
use super::stage::{Pair, Stage, Strike, long_game, together};

pub(super) const KIND: Kind = Kind {
    name: "delayed",
    what: "a game with a spectator delay of 1 s and 380 half-moves goes on at 20 a second; 150 \
           sockets watch it, and it, its record and its PGN are read",
    answer: "`sockets_per_address`; news are kept once for all, and a spectator's game is worked out \
             from the one in memory",
    prepare,
};

const SPECTATORS: usize = 150;
const LINE: usize = 21;

fn prepare(stage: &Stage) -> Result<Strike, String> {
    let mut caller = stage.caller();
    let mut pair = Pair::begin(&mut caller, &long_game(1), LINE)?;
    pair.play_to(&mut caller, stage, stage.scaled(380))?;
    let game = format!("/v1/games/{}", pair.id);
    let spectators = vec![format!("{game}/stream"); stage.scaled(SPECTATORS)];
    let reads = ["", "/log", "/pgn"].map(|part| format!("{game}{part}"));
    Ok(together(vec![
        pair.playing(stage, 20.0),
        listening(stage.address, spectators),
        reading(stage.address, reads.to_vec()),
    ]))
}
