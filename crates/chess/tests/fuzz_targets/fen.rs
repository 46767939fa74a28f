//! A digit for the variant, then any text as a FEN.

use chess::rules::Board;

use super::source::Source;

pub(crate) fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let variant = source.variant();
    let Ok(text) = std::str::from_utf8(source.rest()) else {
        return;
    };
    let board = match Board::from_fen(variant, text) {
        Ok(board) => board,
        Err(why) => return assert!(!why.0.is_empty(), "a refusal without a reason"),
    };

    let fen = board.fen();
    let again = Board::from_fen(variant, &fen).expect("what we write we also read");
    assert_eq!(again.fen(), fen);
    assert!(again.same_position(&board));
    assert_eq!(again.fingerprint(), board.fingerprint());

    assert!(board.end().is_none(), "a game cannot start where it ends");
    let moves = board.legal_moves();
    assert!(!moves.is_empty());
    for m in moves {
        super::moves::check_spellings(&board, m);
    }
}
