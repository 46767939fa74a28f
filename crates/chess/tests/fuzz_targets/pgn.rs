//! Any bytes as a PGN file; or after a zero a game, written and read again.

use chess::pgn::{self, ImportedGame, Tags};
use chess::rules::Board;

use super::random_play;
use super::source::Source;

pub(crate) fn run(bytes: &[u8]) {
    if let Some(choices) = bytes.strip_prefix(&[0]) {
        return write_and_read(choices);
    }
    let mut last = 0;
    for game in pgn::read(bytes) {
        let number = match &game {
            Ok(game) => game.number,
            Err(error) => {
                assert!(!error.to_string().is_empty());
                error.game
            }
        };
        assert_eq!(number, last + 1, "every game is told once");
        last = number;
        if let Ok(game) = game {
            check(&game);
        }
    }
}

fn check(game: &ImportedGame) {
    let start = Board::start(game.variant, &game.start);
    let mut board = start.expect("a game that was read has a start");
    for uci in &game.moves {
        assert!(board.may_record(*uci));
        let m = board.recorded(*uci);
        board.play(m);
    }
    assert_eq!(board.fen(), game.final_board().fen());
    assert_eq!(game.clocks.len(), game.moves.len());
    let told = (game.date(), game.started_at(), game.termination());
    assert!(game.control().is_none_or(|c| c.check().is_ok()), "{told:?}");
}

fn write_and_read(choices: &[u8]) {
    let Some(game) = random_play::game(&mut Source::new(choices), |_| {}) else {
        return;
    };
    let text = pgn::write(&game, &Tags::default());
    let read: Vec<_> = pgn::read(text.as_bytes()).collect();
    let [Ok(read)] = &read[..] else {
        panic!("{text}\nwas read as {read:?}");
    };
    check(read);
    let played: Vec<_> = game.line().iter().map(|played| played.uci).collect();
    assert_eq!(read.moves, played);
    assert_eq!(read.variant, game.terms().variant);
    assert_eq!(read.final_board().fen(), game.board().fen());
}
