//! How good a position looks without calculating, in hundredths of a pawn.
//!
//! Everything is counted for the middle game and for the endgame, and what is left on the board says how much of
//! each counts. Most variants are chess with other weights ([`Weights`]) and something of their own
//! (`variants.rs`); antichess and racing kings have an evaluation to themselves.

mod pieces;
mod squares;
mod variants;

use shakmaty::variant::Variant as Rules;
use shakmaty::{Board, ByRole, Color, Role};

use super::node::Node;

/// A value in the middle game and in the endgame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pair {
    mg: i32,
    eg: i32,
}

const fn pair(mg: i32, eg: i32) -> Pair {
    Pair { mg, eg }
}

impl Pair {
    fn add(&mut self, other: Pair) {
        self.mg += other.mg;
        self.eg += other.eg;
    }

    fn add_times(&mut self, other: Pair, times: i32) {
        self.mg += other.mg * times;
        self.eg += other.eg * times;
    }
}

/// What pieces are worth under some rules, and how much the terms of `pieces.rs` count, in percent.
pub(super) struct Weights {
    values: [Pair; 6],
    mobility: i32,
    danger: i32,
    structure: i32,
    squares: i32,
}

const USUAL: [Pair; 6] = [
    pair(86, 112),
    pair(322, 305),
    pair(334, 322),
    pair(478, 548),
    pair(985, 990),
    pair(0, 0),
];

static STANDARD: Weights = Weights {
    values: USUAL,
    mobility: 100,
    danger: 100,
    structure: 100,
    squares: 100,
};

static THREE_CHECK: Weights = Weights {
    danger: 170,
    ..STANDARD
};

/// Pieces come back, so they differ less in worth, and a king without shelter is soon mated.
static CRAZYHOUSE: Weights = Weights {
    values: [
        pair(95, 95),
        pair(300, 300),
        pair(295, 295),
        pair(390, 390),
        pair(680, 680),
        pair(0, 0),
    ],
    mobility: 70,
    danger: 240,
    structure: 40,
    squares: 70,
};

/// Pawns take no part in explosions, and minor pieces are often just fuel.
static ATOMIC: Weights = Weights {
    values: [
        pair(120, 160),
        pair(260, 240),
        pair(260, 230),
        pair(420, 460),
        pair(880, 900),
        pair(0, 0),
    ],
    mobility: 110,
    danger: 60,
    structure: 60,
    squares: 80,
};

static HORDE: Weights = Weights {
    values: [
        pair(92, 105),
        pair(300, 300),
        pair(320, 320),
        pair(500, 540),
        pair(930, 960),
        pair(0, 0),
    ],
    mobility: 80,
    danger: 60,
    structure: 50,
    squares: 70,
};

fn weights(rules: Rules) -> &'static Weights {
    match rules {
        Rules::Chess | Rules::KingOfTheHill => &STANDARD,
        Rules::ThreeCheck => &THREE_CHECK,
        Rules::Crazyhouse => &CRAZYHOUSE,
        Rules::Atomic => &ATOMIC,
        Rules::Horde => &HORDE,
        Rules::Antichess | Rules::RacingKings => &STANDARD,
    }
}

/// What a piece is worth when it is exchanged.
pub(super) fn value(rules: Rules, role: Role) -> i32 {
    if rules == Rules::Antichess {
        return variants::ANTICHESS[role as usize - 1];
    }
    weights(rules).values[role as usize - 1].mg
}

/// How much the pieces weigh when it is decided between middle game and endgame; all of them are 24.
const PHASE: ByRole<i32> = ByRole {
    pawn: 0,
    knight: 1,
    bishop: 1,
    rook: 2,
    queen: 4,
    king: 0,
};
const PHASE_ALL: i32 = 24;

/// It is good to be the one to move.
const TEMPO: i32 = 12;

/// The evaluation for the side to move.
pub(super) fn evaluate<P: Node>(position: &P) -> i32 {
    let rules = position.rules();
    let white = match rules {
        Rules::Antichess => return variants::antichess(position),
        Rules::RacingKings => variants::racing(position),
        _ => general(position, rules),
    };
    let score = position.turn().fold_wb(white, -white) + TEMPO;
    score.clamp(-super::EVAL_MAX, super::EVAL_MAX)
}

/// Chess and what resembles it, as White sees it.
fn general<P: Node>(position: &P, rules: Rules) -> i32 {
    let (board, weights) = (position.board(), weights(rules));
    let mut score = Pair::default();
    for color in Color::ALL {
        let mut own = pieces::of(board, color, weights);
        own.add(variants::extra(position, rules, color));
        score.add_times(own, color.fold_wb(1, -1));
    }
    let phase = phase(position);
    let white = (score.mg * phase + score.eg * (PHASE_ALL - phase)) / PHASE_ALL;
    match rules {
        Rules::Chess => scaled(board, white),
        _ => white,
    }
}

fn phase<P: Node>(position: &P) -> i32 {
    let board = position.board();
    let mut phase = 0;
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        phase += *PHASE.get(role) * board.by_role(role).count() as i32;
    }
    if position.pockets().is_some() {
        // What was taken is still in the game: there is no endgame.
        return PHASE_ALL;
    }
    phase.min(PHASE_ALL)
}

/// An advantage counts less where it is hard to win with, and a won endgame is steered towards mate.
fn scaled(board: &Board, white: i32) -> i32 {
    let strong = if white >= 0 {
        Color::White
    } else {
        Color::Black
    };
    let own = board.by_color(strong);
    let bishops = board.bishops();
    if (board.pawns() & own).is_empty() {
        let material = |color| {
            let side = board.by_color(color);
            let count = |role: Role| (board.by_role(role) & side).count() as i32;
            3 * (count(Role::Knight) + count(Role::Bishop))
                + 5 * count(Role::Rook)
                + 9 * count(Role::Queen)
        };
        let (ours, theirs) = (material(strong), material(!strong));
        // A minor piece ahead and no pawns: that is a draw, as a rule.
        if ours - theirs <= 3 && ours < 9 {
            return white / 8;
        }
        return white + strong.fold_wb(1, -1) * drive(board, strong);
    }
    let each_one = (bishops & own).count() == 1 && (bishops & !own).count() == 1;
    let only_bishops = (board.knights() | board.rooks_and_queens()).is_empty();
    let colors = (bishops & shakmaty::Bitboard::DARK_SQUARES).count();
    if each_one && only_bishops && colors == 1 {
        return white / 2;
    }
    white
}

/// The lone king is driven to the edge, and the other king comes near.
fn drive(board: &Board, strong: Color) -> i32 {
    let (Some(ours), Some(theirs)) = (board.king_of(strong), board.king_of(!strong)) else {
        return 0;
    };
    let (rank, file) = (theirs as i32 / 8, theirs as i32 % 8);
    let edge = (2 * rank - 7).abs().max((2 * file - 7).abs());
    let corner = (2 * rank - 7).abs() + (2 * file - 7).abs();
    edge * 8 + corner * 4 + (14 - 2 * squares::distance(ours, theirs)) * 4
}

#[cfg(test)]
mod tests;
