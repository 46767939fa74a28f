//! A position under the rules of its variant.

use shakmaty::packed::PackedUciMove;
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::variant::VariantPosition;
use shakmaty::zobrist::Zobrist16;
use shakmaty::{
    Bitboard, Chess, Color, EnPassantMode, Move, MoveList, Outcome, Position, Rank, Role, Square,
    attacks,
};

/// A legal position. Standard chess (and Chess960) stands inline, because
/// nearly all games are; the larger variants are boxed.
#[derive(Clone, Debug)]
pub enum Board {
    /// Standard rules, also for Chess960.
    Standard(Chess),
    /// Any other variant.
    Variant(Box<VariantPosition>),
}

/// How a position ends the game by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEnd {
    /// The side to move is in check and has no move (FIDE 5.1.1).
    Checkmate,
    /// The side to move has no move and is not in check (FIDE 5.2.1).
    Stalemate,
    /// Neither side has the material to mate (FIDE 5.2.2).
    InsufficientMaterial,
    /// The variant's own ending; the winner, if there is one.
    VariantEnd(Option<Color>),
}

/// Runs the same expression on whichever position is inside.
macro_rules! on {
    ($board:expr, $position:ident => $body:expr) => {
        match $board {
            Board::Standard($position) => $body,
            Board::Variant(boxed) => {
                let $position = &**boxed;
                $body
            }
        }
    };
}
pub(super) use on;

impl Board {
    /// Whose move it is.
    pub fn turn(&self) -> Color {
        on!(self, p => p.turn())
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        on!(self, p => p.is_check())
    }

    /// The number of the move about to be played, as in a score sheet.
    pub fn move_number(&self) -> u32 {
        on!(self, p => p.fullmoves().get())
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> MoveList {
        on!(self, p => p.legal_moves())
    }

    /// Whether a pawn that goes from the one square to the other becomes something else.
    pub fn is_promotion(&self, from: Square, to: Square) -> bool {
        let is_pawn = on!(self, p => p.board().role_at(from)) == Some(Role::Pawn);
        is_pawn && matches!(to.rank(), Rank::First | Rank::Eighth)
    }

    /// The move that a game's record names, in the position in which it was
    /// played. Its legality was checked before it was recorded; checking it
    /// again would take longer than playing it.
    ///
    /// # Panics
    /// If there is no piece to move: then it was not played in this position.
    pub fn recorded(&self, uci: PackedUciMove) -> Move {
        on!(self, p => recorded_in(p, uci.unpack())).expect("a recorded move moves a piece")
    }

    /// Whether `uci` is a legal move, written as a record writes it: castling
    /// as king takes rook, no bit set that means nothing.
    pub fn may_record(&self, uci: PackedUciMove) -> bool {
        let legal = on!(self, p => uci.unpack().to_move(p));
        legal.is_ok_and(|m| PackedUciMove::pack(UciMove::from_chess960(m)) == uci)
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        match self {
            Board::Standard(p) => p.play_unchecked(m),
            Board::Variant(p) => p.play_unchecked(m),
        }
    }

    /// The position as FEN; an en passant square only if a capture is legal.
    pub fn fen(&self) -> String {
        on!(self, p => super::fen::fen(p))
    }

    /// The move in UCI: castling as king takes rook in Chess960, else as the king moves.
    pub fn uci(&self, m: Move) -> UciMove {
        m.to_uci(on!(self, p => p.castles().mode()))
    }

    /// [`Board::uci`] as text, without the detour through the formatter.
    pub fn uci_text(&self, m: Move) -> String {
        let mut text = String::with_capacity(5);
        self.uci(m).append_to_string(&mut text);
        text
    }

    /// The move in standard algebraic notation. `after` is the position it
    /// leads to, which decides about `+` and `#`.
    pub fn san(&self, m: Move, after: &Board) -> String {
        let won = matches!(
            after.end(),
            Some(BoardEnd::Checkmate | BoardEnd::VariantEnd(Some(_)))
        );
        self.san_with(m, won, after.is_check())
    }

    /// [`Board::san`] for a caller who already knows whether the move won or gave check.
    pub fn san_with(&self, m: Move, won: bool, check: bool) -> String {
        let mut san = String::with_capacity(8);
        on!(self, p => San::from_move(p, m).append_to_string(&mut san));
        if won {
            san.push('#');
        } else if check {
            san.push('+');
        }
        san
    }

    /// Whether the position itself ends the game, and how.
    pub fn end(&self) -> Option<BoardEnd> {
        match self {
            Board::Standard(p) if may_step(p) => None,
            _ => on!(self, p => end_of(p)),
        }
    }

    /// Whether `color` could not win by any series of legal moves, as far as material tells.
    pub fn cannot_win(&self, color: Color) -> bool {
        on!(self, p => p.has_insufficient_material(color))
    }

    /// Half-moves since the last capture or pawn move.
    pub fn quiet_plies(&self) -> u32 {
        on!(self, p => p.halfmoves())
    }

    /// Whether no later position can equal one before this move.
    pub fn is_irreversible(&self, m: Move) -> bool {
        on!(self, p => p.is_irreversible(m))
    }

    /// A small fingerprint of the position as the repetition rule compares it
    /// (FIDE 9.2.3). Equal positions have equal fingerprints; the converse
    /// must be checked with [`Board::same_position`].
    pub fn fingerprint(&self) -> u16 {
        on!(self, p => p.zobrist_hash::<Zobrist16>(EnPassantMode::Legal)).0
    }

    /// Whether two positions are the same for the repetition rule (FIDE 9.2.3):
    /// pieces, side to move, castling and en passant rights, pockets, checks.
    pub fn same_position(&self, other: &Board) -> bool {
        self.without_counters() == other.without_counters()
    }

    fn without_counters(&self) -> shakmaty::Setup {
        let mut setup = on!(self, p => p.to_setup(EnPassantMode::Legal));
        setup.halfmoves = 0;
        setup.fullmoves = std::num::NonZeroU32::MIN;
        setup
    }
}

fn recorded_in<P: Position>(p: &P, uci: UciMove) -> Option<Move> {
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = uci
    else {
        let UciMove::Put { role, to } = uci else {
            return None;
        };
        return Some(Move::Put { role, to });
    };
    let role = p.board().role_at(from)?;
    Some(if role == Role::King && p.us().contains(to) {
        Move::Castle {
            king: from,
            rook: to,
        }
    } else if role == Role::Pawn && from.file() != to.file() && !p.board().occupied().contains(to) {
        Move::EnPassant { from, to }
    } else {
        Move::Normal {
            role,
            from,
            capture: p.board().role_at(to),
            to,
            promotion,
        }
    })
}

/// Whether a pawn can certainly step forward. Then nothing has ended: as long as there are
/// pawns there is something to mate with. Nearly always one can, and nobody needs to look for
/// all moves.
fn may_step(p: &Chess) -> bool {
    let (board, turn) = (p.board(), p.turn());
    let Some(king) = board.king_of(turn).filter(|_| !p.is_check()) else {
        return false;
    };
    // What is on no line with the king cannot be pinned to it.
    let lines = attacks::queen_attacks(king, Bitboard::EMPTY);
    let pawns = board.pawns() & p.us() & !lines;
    let ahead = turn.fold_wb(pawns.shift(8), pawns.shift(-8));
    (ahead & !board.occupied()).any()
}

fn end_of<P: Position>(p: &P) -> Option<BoardEnd> {
    if let Outcome::Known(known) = p.variant_outcome() {
        return Some(BoardEnd::VariantEnd(known.winner()));
    }
    if p.legal_moves().is_empty() {
        return Some(if p.is_check() {
            BoardEnd::Checkmate
        } else {
            BoardEnd::Stalemate
        });
    }
    p.is_insufficient_material()
        .then_some(BoardEnd::InsufficientMaterial)
}

#[cfg(test)]
pub(in crate::rules) mod tests {
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    use super::*;
    use crate::rules::{Start, Variant};

    fn packed(text: &str) -> PackedUciMove {
        PackedUciMove::pack(text.parse().expect("a readable move"))
    }

    #[test]
    fn every_recorded_move_is_found_again() {
        for (variant, fen) in [
            (
                Variant::Standard,
                "r3k2r/1P6/8/2pP4/8/8/8/R3K2R w KQkq c6 0 30",
            ),
            (Variant::Chess960, "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"),
            (Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1"),
        ] {
            let board = Board::from_fen(variant, fen).expect("a good test position");
            for m in board.legal_moves() {
                let uci = PackedUciMove::pack(UciMove::from_chess960(m));
                assert!(board.may_record(uci));
                assert_eq!(board.recorded(uci), m);
            }
        }
    }

    /// Plays moves by chance from the beginning, and looks at each position.
    pub(in crate::rules) fn wander(variant: Variant, seed: usize, look: impl Fn(&Board)) {
        let mut board = Board::start(variant, &Start::Usual).expect("it has a beginning");
        let mut chance = seed;
        for _ in 0..300 {
            look(&board);
            let moves = board.legal_moves();
            if moves.is_empty() {
                return;
            }
            chance = chance
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            board.play(moves[(chance >> 33) % moves.len()]);
        }
    }

    #[test]
    fn a_position_ends_the_game_as_all_its_moves_say() {
        for seed in 0..300 {
            wander(Variant::Standard, seed, |board| {
                assert_eq!(board.end(), on!(board, p => end_of(p)));
            });
        }
        for fen in [
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/4r3/8/8/8/8/4P3/4K3 w - - 0 1",
            "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1",
            "7k/5Q2/6K1/8/8/p7/P7/8 b - - 0 1",
            "7k/5K2/6Q1/8/8/p7/P7/8 b - - 0 1",
            "7k/8/8/8/8/8/p6K/8 b - - 0 1",
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        ] {
            // Some of them are over, which a game must not begin with.
            let fen: Fen = fen.parse().expect("a good test position");
            let mode = CastlingMode::Standard;
            let p: Chess = fen.into_position(mode).expect("a good test position");
            assert_eq!(Board::Standard(p.clone()).end(), end_of(&p), "{p:?}");
        }
    }

    #[test]
    fn a_record_has_one_spelling_for_castling() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let board = Board::from_fen(Variant::Standard, fen).expect("a good test position");
        assert!(board.may_record(packed("e1h1")));
        assert!(!board.may_record(packed("e1g1")));
        assert!(!board.may_record(packed("e1e3")));
    }
}
