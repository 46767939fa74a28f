//! How people and programs write moves, and what move they mean.

use std::fmt;

use shakmaty::san::{San, SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{Move, Position, Role};

use super::Board;
use super::board::on;

/// A move as someone wrote it, before anyone asked whether it is legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelled {
    /// Squares: `e2e4`, `e2-e4`, `e7e8q`, `P@e4`, castling as king moves or king takes rook.
    Uci(UciMove),
    /// Standard algebraic: `Nf3`, `exd5`, `O-O`, `e8=Q`.
    San(San),
}

/// The text is not a move in any notation we read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadableMove;

/// No move is played here; the sentence says why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotPlayable {
    /// It is against the rules.
    Illegal(String),
    /// It could be one of several legal moves.
    Unclear(String),
}

impl fmt::Display for UnreadableMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a move is written like e2e4, e7e8q, e2-e4, Nf3 or O-O")
    }
}

impl std::error::Error for UnreadableMove {}

impl fmt::Display for NotPlayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotPlayable::Illegal(why) | NotPlayable::Unclear(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for NotPlayable {}

/// No move is longer than this in any spelling: `Qa1-b2=Q+!?` and a little.
const LONGEST: usize = 16;

impl Spelled {
    /// Reads a move in UCI, dashed long algebraic or SAN.
    ///
    /// # Errors
    /// [`UnreadableMove`] if it is none of these.
    pub fn read(text: &str) -> Result<Spelled, UnreadableMove> {
        let text = text.trim();
        if text.len() > LONGEST || !text.is_ascii() {
            return Err(UnreadableMove);
        }
        // The plain form first: it is what programs send.
        match UciMove::from_ascii(text.as_bytes()) {
            Ok(UciMove::Null) => return Err(UnreadableMove),
            Ok(uci) => return Ok(Spelled::Uci(uci)),
            Err(_) => {}
        }
        let text = text.trim_end_matches(['!', '?', '+', '#']);
        match text.to_ascii_uppercase().as_str() {
            "O-O" | "0-0" => return read_san("O-O"),
            "O-O-O" | "0-0-0" => return read_san("O-O-O"),
            _ => {}
        }
        let plain: String = text.chars().filter(|c| !matches!(c, '-' | '=')).collect();
        if let Some(uci) = squares(&plain) {
            return Ok(Spelled::Uci(uci));
        }
        read_san(&with_promotion_sign(&plain))
    }

    /// Whether it is written with the `x` of a capture.
    pub fn claims_capture(&self) -> bool {
        matches!(self, Spelled::San(San::Normal { capture: true, .. }))
    }

    /// The one spelling of what is the same but for signs and the `x` of a capture.
    pub fn plain(self) -> String {
        match self {
            Spelled::Uci(uci) => uci.to_string(),
            Spelled::San(san) if self.claims_capture() => with_other_capture_sign(san).to_string(),
            Spelled::San(san) => san.to_string(),
        }
    }
}

/// `e7e8Q` and `e7e8q`, once dashes and signs are gone.
fn squares(plain: &str) -> Option<UciMove> {
    if plain.contains('@') {
        return None;
    }
    match UciMove::from_ascii(plain.to_ascii_lowercase().as_bytes()).ok()? {
        // `Ba3` must not become the squares of a pawn move.
        uci if plain.starts_with(|c: char| c.is_ascii_lowercase()) => Some(uci),
        _ => None,
    }
}

/// `e8Q` becomes `e8=Q`, the one form the SAN reader knows.
fn with_promotion_sign(plain: &str) -> String {
    let (rest, last) = plain.split_at(plain.len().saturating_sub(1));
    if rest.ends_with(|c: char| c.is_ascii_digit())
        && last.starts_with(|c: char| c.is_ascii_uppercase())
    {
        format!("{rest}={last}")
    } else {
        plain.to_owned()
    }
}

fn read_san(text: &str) -> Result<Spelled, UnreadableMove> {
    match SanPlus::from_ascii(text.as_bytes()) {
        Ok(SanPlus { san: San::Null, .. }) | Err(_) => Err(UnreadableMove),
        Ok(SanPlus { san, .. }) => Ok(Spelled::San(san)),
    }
}

fn with_other_capture_sign(mut san: San) -> San {
    if let San::Normal { capture, .. } = &mut san {
        *capture = !*capture;
    }
    san
}

impl Board {
    /// The legal move that is meant.
    ///
    /// # Errors
    /// [`NotPlayable`] says why there is none.
    pub fn resolve(&self, spelled: Spelled) -> Result<Move, NotPlayable> {
        match spelled {
            Spelled::Uci(uci) => on!(self, p => uci.to_move(p)).map_err(|_| self.why_not(uci)),
            Spelled::San(san) => self
                .resolve_san(san)
                .or_else(|e| match e {
                    // Many people leave out the `x`; old records have one too many.
                    SanError::IllegalSan => self.resolve_san(with_other_capture_sign(san)),
                    SanError::AmbiguousSan => Err(e),
                })
                .map_err(|e| match e {
                    SanError::IllegalSan => {
                        NotPlayable::Illegal(format!("{san} is not a legal move in this position"))
                    }
                    SanError::AmbiguousSan => NotPlayable::Unclear(format!(
                        "{san} could be played by more than one piece: say which"
                    )),
                }),
        }
    }

    fn resolve_san(&self, san: San) -> Result<Move, SanError> {
        on!(self, p => san.to_move(p))
    }

    fn why_not(&self, uci: UciMove) -> NotPlayable {
        let UciMove::Normal {
            from,
            to,
            promotion,
        } = uci
        else {
            return NotPlayable::Illegal(format!("{uci} is not a legal drop in this position"));
        };
        let board = on!(self, p => p.board());
        NotPlayable::Illegal(match board.piece_at(from) {
            None => format!("{uci} is not legal: there is no piece on {from}"),
            Some(piece) if piece.color != self.turn() => {
                format!("{uci} is not legal: the piece on {from} is the opponent's")
            }
            Some(piece) if piece.role == Role::Pawn && promotion.is_none() => {
                let queening = UciMove::Normal {
                    from,
                    to,
                    promotion: Some(Role::Queen),
                };
                if on!(self, p => queening.to_move(p)).is_ok() {
                    return NotPlayable::Unclear(format!(
                        "{uci} is not complete: say what the pawn becomes, as in {uci}q"
                    ));
                } else {
                    format!("{uci} is not a legal move for the piece on {from} in this position")
                }
            }
            Some(_) => {
                format!("{uci} is not a legal move for the piece on {from} in this position")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Square, Variant};

    fn meant(fen: &str, variant: Variant, text: &str) -> Result<String, String> {
        let board = Board::from_fen(variant, fen).expect("a good test position");
        let spelled = Spelled::read(text).map_err(|_| "unreadable".to_owned())?;
        let m = board.resolve(spelled).map_err(|e| e.to_string())?;
        Ok(board.uci(m).to_string())
    }

    const ITALIAN: &str = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    const PROMOTING: &str = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1";

    #[test]
    fn one_move_has_many_spellings() {
        for text in ["e1g1", "e1h1", "O-O", "0-0", "o-o", "O-O!?", "e1-g1"] {
            assert_eq!(
                meant(ITALIAN, Variant::Standard, text).as_deref(),
                Ok("e1g1"),
                "{text}"
            );
        }
        for text in ["b1c3", "b1-c3", "Nc3", "Nb1c3", "Nb1-c3", "Nbc3", " Nc3 "] {
            assert_eq!(
                meant(ITALIAN, Variant::Standard, text).as_deref(),
                Ok("b1c3"),
                "{text}"
            );
        }
        for text in ["c4f7", "Bxf7+", "Bxf7", "Bf7", "Bc4xf7+"] {
            assert_eq!(
                meant(ITALIAN, Variant::Standard, text).as_deref(),
                Ok("c4f7"),
                "{text}"
            );
        }
        for text in ["e7d8q", "e7d8Q", "e7-d8=Q", "exd8=Q+", "exd8Q", "e7xd8=Q"] {
            assert_eq!(
                meant(PROMOTING, Variant::Standard, text).as_deref(),
                Ok("e7d8q"),
                "{text}"
            );
        }
    }

    #[test]
    fn chess960_castling_is_written_as_king_takes_rook_and_read_in_every_way() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w H - 0 1";
        for text in ["e1h1", "e1g1", "O-O"] {
            assert_eq!(
                meant(fen, Variant::Chess960, text).as_deref(),
                Ok("e1h1"),
                "{text}"
            );
        }
        let hidden = "4k3/8/8/8/8/8/8/5KR1 w G - 0 1";
        assert_eq!(
            meant(hidden, Variant::Chess960, "f1g1").as_deref(),
            Ok("f1g1")
        );
        assert_eq!(
            meant(hidden, Variant::Chess960, "O-O").as_deref(),
            Ok("f1g1")
        );
    }

    #[test]
    fn crazyhouse_drops_are_read_in_both_notations() {
        let fen = "4k3/8/8/8/8/8/8/4K3[NP] w - - 0 1";
        assert_eq!(
            meant(fen, Variant::Crazyhouse, "N@e4").as_deref(),
            Ok("N@e4")
        );
        assert_eq!(
            meant(fen, Variant::Crazyhouse, "P@e4").as_deref(),
            Ok("P@e4")
        );
        assert_eq!(
            meant(fen, Variant::Crazyhouse, "@e4").as_deref(),
            Ok("P@e4")
        );
        assert!(meant(fen, Variant::Crazyhouse, "Q@e4").is_err());
    }

    #[test]
    fn what_is_no_move_is_unreadable() {
        for text in [
            "", "x", "e9e4", "0000", "--", "Z0", "hello", "e2e4e5", "é4", "e2 e4", "a", "=Q",
        ] {
            assert_eq!(Spelled::read(text), Err(UnreadableMove), "{text:?}");
        }
    }

    #[test]
    fn the_same_attempt_has_one_plain_spelling() {
        let plain = |text| Spelled::read(text).map(Spelled::plain);
        for (text, expected) in [
            (" e2-e5 ", "e2e5"),
            ("Nxe5+", "Ne5"),
            ("Ne5!?", "Ne5"),
            ("0-0", "O-O"),
            ("exd8Q", "ed8=Q"),
        ] {
            assert_eq!(plain(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_could_be_several_moves_is_unclear_and_not_illegal() {
        let refused = |fen, text| {
            let board = Board::from_fen(Variant::Standard, fen).expect("a good test position");
            let spelled = Spelled::read(text).expect("a move");
            board.resolve(spelled).expect_err("no move")
        };
        let knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        for (fen, text) in [(knights, "Nd2"), (PROMOTING, "e7e8")] {
            assert!(matches!(refused(fen, text), NotPlayable::Unclear(_)));
        }
        for (fen, text) in [(knights, "Nd4"), (PROMOTING, "e7f8")] {
            assert!(matches!(refused(fen, text), NotPlayable::Illegal(_)));
        }
    }

    #[test]
    fn a_pawn_promotes_where_its_way_ends() {
        let board = Board::from_fen(Variant::Standard, PROMOTING).expect("a good test position");
        let is_promotion = |from, to| board.is_promotion(from, to);
        assert!(is_promotion(Square::E7, Square::E8));
        assert!(!is_promotion(Square::E7, Square::E6));
        assert!(!is_promotion(Square::E1, Square::E8), "no pawn");
        assert!(!is_promotion(Square::D4, Square::D8), "nobody");
    }

    #[test]
    fn an_illegal_move_says_why() {
        let why = |fen, text| meant(fen, Variant::Standard, text).unwrap_err();
        assert!(why(ITALIAN, "e4e6").contains("not a legal move for the piece on e4"));
        assert!(why(ITALIAN, "e6e7").contains("no piece on e6"));
        assert!(why(ITALIAN, "e5e4").contains("the opponent's"));
        assert!(why(PROMOTING, "e7e8").contains("say what the pawn becomes"));
        let knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        assert!(why(knights, "Nd2").contains("more than one piece"));
    }
}
