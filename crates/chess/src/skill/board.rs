//! The board: who stands where, and what a move does to it.

use shakmaty::Color;

use super::draft::SKILLS_PER_PLAYER;
use super::id::Thing;
use super::{Behaviour, Equipped, Piece, Skill, Square, Uuid};

/// The position of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    squares: [Option<Piece>; 64],
    equipped: [Option<Equipped>; 2 * SKILLS_PER_PLAYER],
    turn: Color,
    passed: Option<Passed>,
}

/// A piece that passed over a square with its last move, and may therefore be
/// captured there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The square it passed.
    pub over: Square,
    /// Where it stands.
    pub stands: Square,
}

/// A move and all that happens with it, so that making one asks no rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
    /// Where the captured piece stands.
    pub captured: Option<Square>,
    /// Another piece that moves along: from where to where.
    pub escort: Option<(Square, Square)>,
    /// The square on which the piece may be captured in passing.
    pub passes: Option<Square>,
    /// What the piece becomes.
    pub promotion: Option<&'static dyn Behaviour>,
    /// The skill that is used: its place among all that are equipped.
    pub skill: Option<u8>,
}

impl Move {
    /// A move with which nothing else happens.
    pub fn plain(from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            captured: None,
            escort: None,
            passes: None,
            promotion: None,
            skill: None,
        }
    }
}

impl Board {
    /// A board without pieces.
    pub(super) fn empty(turn: Color) -> Board {
        Board {
            squares: [None; 64],
            equipped: [None; 2 * SKILLS_PER_PLAYER],
            turn,
            passed: None,
        }
    }

    /// The usual start. The ids of the pieces follow from the seed.
    pub fn start(seed: Uuid) -> Board {
        Board::from_fen(
            seed,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        )
        .expect("the usual start can be set up")
    }

    /// The piece on a square.
    pub fn at(&self, square: Square) -> Option<&Piece> {
        self.squares[square.index()].as_ref()
    }

    /// All pieces, row by row from White's back rank.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, &Piece)> {
        Square::all().filter_map(|square| Some((square, self.at(square)?)))
    }

    /// Whose move it is.
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The piece that may be captured in passing, and where.
    pub fn passed(&self) -> Option<Passed> {
        self.passed
    }

    /// The skills of a piece, used or not.
    pub fn skills_of(&self, piece: Uuid) -> impl Iterator<Item = &Equipped> {
        self.equipped
            .iter()
            .flatten()
            .filter(move |equipped| equipped.bearer == piece)
    }

    /// An equipped skill by its place.
    pub(super) fn equipped(&self, slot: u8) -> Option<&Equipped> {
        self.equipped.get(usize::from(slot))?.as_ref()
    }

    /// All equipped skills with their places.
    pub(super) fn all_equipped(&self) -> impl Iterator<Item = (u8, &Equipped)> {
        (0..)
            .zip(&self.equipped)
            .filter_map(|(slot, equipped)| Some((slot, equipped.as_ref()?)))
    }

    /// Gives a skill to the piece on a square. The id of the equipped skill
    /// follows from the seed.
    ///
    /// # Panics
    /// If nobody is there, or all skills that two players may have are given.
    pub fn equip(&mut self, seed: Uuid, square: Square, skill: &'static dyn Skill) -> Uuid {
        let bearer = self.at(square).expect("a piece to give a skill to").id;
        let free = self.equipped.iter().position(Option::is_none);
        let slot = free.expect("two skills a side at most");
        let id = seed.derived(Thing::Equipped, slot as u32);
        self.equipped[slot] = Some(Equipped {
            id,
            bearer,
            skill,
            used: false,
        });
        id
    }

    /// Puts a piece somewhere, or clears the square.
    pub(super) fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.squares[square.index()] = piece;
    }

    pub(super) fn set_passed(&mut self, passed: Option<Passed>) {
        self.passed = passed;
    }

    /// Makes a move that [`Board::judge`] or [`Board::legal_moves`] gave.
    pub fn play(&mut self, m: &Move) {
        if let Some(captured) = m.captured {
            self.set(captured, None);
        }
        self.walk(m.from, m.to, m.promotion);
        if let Some((from, to)) = m.escort {
            self.walk(from, to, None);
        }
        if let Some(slot) = m.skill
            && let Some(equipped) = &mut self.equipped[usize::from(slot)]
        {
            equipped.used = true;
        }
        self.passed = m.passes.map(|over| Passed { over, stands: m.to });
        self.turn = !self.turn;
    }

    fn walk(&mut self, from: Square, to: Square, becomes: Option<&'static dyn Behaviour>) {
        let piece = self.squares[from.index()].take();
        self.squares[to.index()] = piece.map(|piece| Piece {
            behaviour: becomes.unwrap_or(piece.behaviour),
            move_count: piece.move_count.saturating_add(1),
            ..piece
        });
    }
}
