//! A digit for the variant, a digit for the number of half-moves to play
//! first, a byte for each of these, then any text as a move.

use chess::rules::{Board, Move, PackedUciMove, Spelled, Start, UciMove};

use super::source::Source;

pub(crate) fn run(bytes: &[u8]) {
    let mut source = Source::new(bytes);
    let start = Board::start(source.variant(), &Start::Usual);
    let mut board = start.expect("every variant has a start");
    for _ in 0..source.digit() % 64 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return;
        }
        board.play(source.pick(&moves));
    }
    let Ok(text) = std::str::from_utf8(source.rest()) else {
        return;
    };
    let Ok(spelled) = Spelled::read(text) else {
        return;
    };
    match board.resolve(spelled) {
        Ok(m) => {
            assert!(board.legal_moves().contains(&m), "an illegal move");
            check_spellings(&board, m);
        }
        Err(why) => assert!(!why.to_string().is_empty(), "a refusal without a reason"),
    }
}

/// Every way we write a legal move must be read as that move again.
pub(crate) fn check_spellings(board: &Board, m: Move) {
    let mut after = board.clone();
    after.play(m);
    for text in [board.uci_text(m), board.san(m, &after)] {
        let meant = Spelled::read(&text).map(|spelled| board.resolve(spelled));
        assert_eq!(meant, Ok(Ok(m)), "{text} in {}", board.fen());
    }
    assert_eq!(board.uci_text(m), board.uci(m).to_string());

    let packed = PackedUciMove::pack(UciMove::from_chess960(m));
    assert!(board.may_record(packed));
    assert_eq!(board.recorded(packed), m);
}
