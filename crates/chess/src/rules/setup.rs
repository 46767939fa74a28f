//! Where a game starts: the variant's own position, one of the 960, or a FEN.

use std::fmt;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::variant::VariantPosition;
use shakmaty::{CastlingMode, Chess, FromSetup, PositionErrorKinds, Setup};

use super::{Board, Variant};

/// The position a game starts from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The variant's own starting position (for Chess960: number 518).
    #[default]
    Usual,
    /// A Chess960 start by its number, 0 to 959.
    Chess960(u16),
    /// Any position, as the FEN the client sent.
    Fen(Box<str>),
}

/// Why a FEN was refused, as a sentence for the one who sent it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadFen(pub String);

impl fmt::Display for BadFen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadFen {}

impl Board {
    /// Sets up the board for the first move.
    ///
    /// # Errors
    /// [`BadFen`] names what is wrong with the position.
    pub fn start(variant: Variant, start: &Start) -> Result<Board, BadFen> {
        match start {
            Start::Usual if variant == Variant::Chess960 => Board::chess960(518),
            Start::Usual => Ok(Board::from(VariantPosition::new(variant.rules()))),
            Start::Chess960(_) if variant != Variant::Chess960 => Err(BadFen(
                "a numbered start belongs to the variant chess960".into(),
            )),
            Start::Chess960(number) => Board::chess960(*number),
            Start::Fen(fen) => Board::from_fen(variant, fen),
        }
    }

    fn chess960(number: u16) -> Result<Board, BadFen> {
        let fen = chess960_fen(number)
            .ok_or_else(|| BadFen("a chess960 start has a number from 0 to 959".into()))?;
        Board::from_fen(Variant::Chess960, &fen)
    }

    /// Reads a FEN: X-FEN, Shredder-FEN, any en passant convention, counters optional.
    ///
    /// # Errors
    /// [`BadFen`] names what is wrong with the position.
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Board, BadFen> {
        let fen = Fen::from_ascii(fen.trim().as_bytes()).map_err(|e| unreadable(&e))?;
        let setup = Setup::from(fen);
        if setup.fullmoves.get() > 9999 || setup.halfmoves > 9999 {
            return Err(BadFen("a move counter is too large".into()));
        }
        let mode = CastlingMode::from_chess960(variant == Variant::Chess960);
        let board = match variant {
            Variant::Standard | Variant::Chess960 => Chess::from_setup(setup, mode)
                .map(Board::Standard)
                .map_err(|e| impossible(e.kinds())),
            _ => VariantPosition::from_setup(variant.rules(), setup, mode)
                .map(Board::from)
                .map_err(|e| impossible(e.kinds())),
        }?;
        if board.end().is_some() {
            return Err(BadFen("the game is already over in this position".into()));
        }
        Ok(board)
    }
}

/// The FEN of a Chess960 start, by the numbering of Scharnagl.
///
/// ```
/// let usual = chess::rules::chess960_fen(518).unwrap();
/// assert!(usual.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w "));
/// ```
pub fn chess960_fen(number: u16) -> Option<String> {
    if number >= 960 {
        return None;
    }
    let n = usize::from(number);
    let mut rank = [' '; 8];
    rank[(n % 4) * 2 + 1] = 'B';
    rank[(n / 4 % 4) * 2] = 'B';
    place(&mut rank, n / 16 % 6, 'Q');
    // The ten ways to put two knights on the five squares left.
    const KNIGHTS: [(usize, usize); 10] = [
        (0, 1),
        (0, 2),
        (0, 3),
        (0, 4),
        (1, 2),
        (1, 3),
        (1, 4),
        (2, 3),
        (2, 4),
        (3, 4),
    ];
    let (first, second) = KNIGHTS[n / 96];
    place(&mut rank, second, 'N');
    place(&mut rank, first, 'N');
    for piece in ['R', 'K', 'R'] {
        place(&mut rank, 0, piece);
    }
    let white: String = rank.iter().collect();
    let black = white.to_ascii_lowercase();
    let rooks: String = (0..8u8)
        .rev()
        .filter(|&i| rank[usize::from(i)] == 'R')
        .map(|i| char::from(b'A' + i))
        .collect();
    let castling = format!("{rooks}{}", rooks.to_ascii_lowercase());
    Some(format!(
        "{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {castling} - 0 1"
    ))
}

/// Puts `piece` on the `nth` empty square, counted from the a-file.
fn place(rank: &mut [char; 8], nth: usize, piece: char) {
    let square = rank
        .iter_mut()
        .filter(|s| **s == ' ')
        .nth(nth)
        .expect("the numbering leaves enough empty squares");
    *square = piece;
}

fn unreadable(error: &ParseFenError) -> BadFen {
    let part = match error {
        ParseFenError::InvalidFen => "the text is not a FEN",
        ParseFenError::InvalidBoard => "the piece placement (field 1) cannot be read",
        ParseFenError::InvalidPocket => "the pockets cannot be read",
        ParseFenError::InvalidTurn => "the side to move (field 2) must be w or b",
        ParseFenError::InvalidCastling => "the castling rights (field 3) cannot be read",
        ParseFenError::InvalidEpSquare => "the en passant square (field 4) cannot be read",
        ParseFenError::InvalidRemainingChecks => "the remaining checks cannot be read",
        ParseFenError::InvalidHalfmoveClock => "the halfmove clock (field 5) cannot be read",
        ParseFenError::InvalidFullmoves => "the move number (field 6) cannot be read",
    };
    BadFen(part.into())
}

fn impossible(kinds: PositionErrorKinds) -> BadFen {
    const REASONS: [(PositionErrorKinds, &str); 10] = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (
            PositionErrorKinds::TOO_MANY_KINGS,
            "there are too many kings",
        ),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "there are pawns on the first or last rank",
        ),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            "the castling rights do not fit kings and rooks \
             (other than from the e-file with corner rooks is chess960)",
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            "the en passant square does not follow a double pawn push",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side that is not to move is in check",
        ),
        (
            PositionErrorKinds::IMPOSSIBLE_CHECK,
            "the check cannot have come about by a legal move",
        ),
        (
            PositionErrorKinds::TOO_MUCH_MATERIAL,
            "a side has more pieces than its pawns could have become",
        ),
        (
            PositionErrorKinds::VARIANT,
            "the position breaks a rule of the variant",
        ),
    ];
    let reasons: Vec<&str> = REASONS
        .iter()
        .filter(|(kind, _)| kinds.contains(*kind))
        .map(|(_, reason)| *reason)
        .collect();
    BadFen(reasons.join("; "))
}

impl From<VariantPosition> for Board {
    fn from(position: VariantPosition) -> Board {
        match position {
            VariantPosition::Chess(chess) => Board::Standard(chess),
            other => Board::Variant(Box::new(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn there_are_960_different_starts_and_each_can_be_played() {
        let all: BTreeSet<String> = (0..960).filter_map(chess960_fen).collect();
        assert_eq!(all.len(), 960);
        for fen in &all {
            let board = Board::from_fen(Variant::Chess960, fen).expect("a legal start");
            assert!(!board.legal_moves().is_empty());
        }
        assert_eq!(chess960_fen(960), None);
    }

    #[test]
    fn the_numbering_is_scharnagls() {
        let rank = |n| chess960_fen(n).unwrap()[..8].to_owned();
        assert_eq!(rank(0), "bbqnnrkr");
        assert_eq!(rank(518), "rnbqkbnr");
        assert_eq!(rank(959), "rkrnnqbb");
    }

    #[test]
    fn x_fen_and_shredder_fen_are_the_same_position() {
        let x = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9";
        let shredder = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
        let read = |fen| Board::from_fen(Variant::Chess960, fen).unwrap();
        assert_eq!(read(x).fen(), read(shredder).fen());
        assert!(read(x).same_position(&read(shredder)));
    }

    #[test]
    fn a_refused_fen_comes_with_its_reason() {
        let reason = |fen: &str| Board::from_fen(Variant::Standard, fen).unwrap_err().0;
        let cases = [
            ("", "the text is not a FEN"),
            ("9/8 w - -", "the piece placement (field 1) cannot be read"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
            ("k7/8/8/8/8/8/8/8 w - - 0 1", "a king is missing"),
            ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "there are too many kings"),
            (
                "k6P/8/8/8/8/8/8/K7 w - - 0 1",
                "pawns on the first or last rank",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w K - 0 1",
                "the castling rights do not fit",
            ),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "must be w or b"),
            ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "the en passant square"),
            ("k7/R7/8/8/8/8/8/K7 w - - 0 1", "not to move is in check"),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "the game is already over"),
            (
                "k7/8/8/8/8/8/8/KQ6 w - - 0 99999",
                "a move counter is too large",
            ),
        ];
        for (fen, expected) in cases {
            assert!(reason(fen).contains(expected), "{fen}: {}", reason(fen));
        }
    }

    #[test]
    fn every_en_passant_convention_is_read_and_only_the_legal_one_written() {
        let always = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
        let legal = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        for fen in [always, legal] {
            assert_eq!(
                Board::from_fen(Variant::Standard, fen).unwrap().fen(),
                legal
            );
        }
    }
}
