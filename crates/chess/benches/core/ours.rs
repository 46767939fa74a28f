//! A game through `decide` and `evolve`, with the report of each move.

use std::hint::black_box;

use chess::game::{Event, Game, MoveReport};
use chess::table::{Table, Verdict};

use crate::sample::Sample;

/// Plays all moves; returns the length of all SAN and FEN, and the last FEN.
pub(crate) fn play(sample: &Sample, joined: &Game) -> (usize, String) {
    let mut game = joined.clone();
    let (mut written, mut last) = (0, String::new());
    for sent in &sample.moves {
        let Verdict::Change(event) = game.decide(sent.at, sent.by, &sent.command) else {
            panic!("{} was refused", sent.text);
        };
        let Event::Moved { uci, .. } = &event else {
            panic!("{} was no move", sent.text);
        };
        let before = game.board().clone();
        let m = before.recorded(*uci);
        game.evolve(sent.at, &event);
        let report = MoveReport::new(&before, m, &game);
        written += report.san.len() + report.fen.len();
        last = black_box(report).fen;
    }
    black_box(game.encode());
    (written, last)
}
