//! In which order moves are tried: the better the order, the less is searched.

use shakmaty::attacks;
use shakmaty::variant::Variant as Rules;
use shakmaty::{Bitboard, Color, Move, MoveList, Role, Square};

use super::eval::value;
use super::node::Node;
use super::table::code;

/// No position has more moves than a list has room for: some of crazyhouse have three hundred.
const MOVES_MAX: usize = 512;
/// The longest line that is looked at. Each step of it takes some ten kilobytes of a thread's two megabytes.
pub(super) const PLY_MAX: usize = 80;

const FROM_TABLE: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 28;
const KILLER: i32 = 1 << 27;
const BAD_CAPTURE: i32 = -(1 << 28);
const HISTORY_MAX: i32 = 1 << 14;

/// What was learned during a search about quiet moves.
pub(super) struct Memory {
    killers: [[u16; 2]; PLY_MAX],
    /// By side, by where it comes from (a square, or one of the roles in hand) and where it goes.
    history: Box<[[[i16; 64]; 70]; 2]>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            killers: [[0; 2]; PLY_MAX],
            history: Box::new([[[0; 64]; 70]; 2]),
        }
    }

    pub(super) fn clear(&mut self) {
        self.killers = [[0; 2]; PLY_MAX];
        *self.history = [[[0; 64]; 70]; 2];
    }

    fn history(&mut self, turn: Color, m: Move) -> &mut i16 {
        let from = match m {
            Move::Put { role, .. } => 63 + role as usize,
            _ => m.from().map_or(0, |from| from as usize),
        };
        &mut self.history[turn.fold_wb(0, 1)][from][m.to() as usize]
    }

    /// How well a quiet move did elsewhere.
    pub(super) fn worth(&mut self, turn: Color, m: Move) -> i32 {
        i32::from(*self.history(turn, m))
    }

    /// A quiet move refuted the one before it; those tried earlier did not.
    pub(super) fn learn(
        &mut self,
        turn: Color,
        ply: usize,
        best: Move,
        others: &[Option<Move>],
        depth: i32,
    ) {
        let killers = &mut self.killers[ply.min(PLY_MAX - 1)];
        if killers[0] != code(best) {
            *killers = [code(best), killers[0]];
        }
        let gain = (depth * depth * 8).min(1600);
        self.shift(turn, best, gain);
        for m in others.iter().flatten() {
            self.shift(turn, *m, -gain);
        }
    }

    fn shift(&mut self, turn: Color, m: Move, by: i32) {
        let entry = self.history(turn, m);
        let old = i32::from(*entry);
        // The nearer the bound, the smaller the step.
        *entry = (old + by - old * by.abs() / HISTORY_MAX) as i16;
    }
}

/// Moves with what they promise, taken best first.
pub(super) struct Ordered {
    moves: MoveList,
    scores: [i32; MOVES_MAX],
    next: usize,
}

impl Ordered {
    pub(super) fn new<P: Node>(
        position: &P,
        moves: MoveList,
        memory: &mut Memory,
        from_table: u16,
        ply: usize,
    ) -> Ordered {
        let mut scores = [0; MOVES_MAX];
        let killers = memory.killers[ply.min(PLY_MAX - 1)];
        for (m, score) in moves.iter().zip(&mut scores) {
            let code = code(*m);
            *score = if code == from_table {
                FROM_TABLE
            } else if is_noisy(*m) {
                noisy(position, *m)
            } else if killers[0] == code {
                KILLER + 1
            } else if killers[1] == code {
                KILLER
            } else {
                memory.worth(position.turn(), *m)
            };
        }
        Ordered {
            moves,
            scores,
            next: 0,
        }
    }

    /// Only captures and promotions, of which those that lose material are left out.
    pub(super) fn noisy<P: Node>(position: &P, moves: MoveList, from_table: u16) -> Ordered {
        let mut scores = [0; MOVES_MAX];
        for (m, score) in moves.iter().zip(&mut scores) {
            *score = if code(*m) == from_table {
                FROM_TABLE
            } else {
                noisy(position, *m)
            };
        }
        Ordered {
            moves,
            scores,
            next: 0,
        }
    }

    /// The next move, and whether it is a capture that loses material.
    pub(super) fn take(&mut self) -> Option<(Move, bool)> {
        let rest = &self.scores[self.next..self.moves.len()];
        // The first of the best, so that the order follows from the scores alone.
        let mut best = 0;
        for (n, score) in rest.iter().enumerate() {
            if *score > rest[best] {
                best = n;
            }
        }
        if rest.is_empty() {
            return None;
        }
        self.moves.swap(self.next, self.next + best);
        self.scores.swap(self.next, self.next + best);
        self.next += 1;
        let taken = self.next - 1;
        Some((
            self.moves[taken],
            self.scores[taken] <= BAD_CAPTURE + 100_000,
        ))
    }
}

/// Whether a move changes the material.
pub(super) fn is_noisy(m: Move) -> bool {
    m.is_capture() || m.promotion() == Some(Role::Queen)
}

fn noisy<P: Node>(position: &P, m: Move) -> i32 {
    let rules = position.rules();
    let gain = match rules {
        Rules::Atomic => return sorted_by(blast(position, m)),
        // All captures are forced there; which of them is good, the search must find out.
        Rules::Antichess => return GOOD_CAPTURE + value(rules, m.role()),
        _ => m.capture().map_or(0, |role| value(rules, role)),
    };
    let promoted = m.promotion().map_or(0, |role| value(rules, role));
    let order = (gain + promoted) * 8 - value(rules, m.role()) / 8;
    if gain >= value(rules, m.role()) || m.role() == Role::King || see(position, m) >= 0 {
        GOOD_CAPTURE + order
    } else {
        BAD_CAPTURE + order
    }
}

fn sorted_by(gain: i32) -> i32 {
    if gain >= 0 {
        GOOD_CAPTURE + gain
    } else {
        BAD_CAPTURE + gain + 50_000
    }
}

/// What an atomic capture gains: all that is blown up there, less what is ours.
pub(super) fn blast<P: Node>(position: &P, m: Move) -> i32 {
    let (board, rules) = (position.board(), position.rules());
    let worth = |role| match role {
        Role::King => 20_000,
        _ => value(rules, role),
    };
    if !m.is_capture() {
        return m.promotion().map_or(0, worth);
    }
    let around = attacks::king_attacks(m.to()) & !board.pawns();
    let mut gain = m.capture().map_or(0, worth) - worth(m.role());
    for square in around & board.occupied() {
        if Some(square) == m.from() {
            continue;
        }
        let worth = board.role_at(square).map_or(0, worth);
        let theirs = position.them().contains(square);
        gain += if theirs { worth } else { -worth };
    }
    gain
}

/// What a series of captures on the target square brings if both sides take with the cheapest piece and stop when
/// it is best to.
pub(super) fn see<P: Node>(position: &P, m: Move) -> i32 {
    let (board, rules) = (position.board(), position.rules());
    let Some(from) = m.from() else { return 0 };
    let (to, mut occupied) = (m.to(), board.occupied());
    let mut gains = [0; 32];
    gains[0] = m.capture().map_or(0, |role| value(rules, role));
    let mut at_risk = value(rules, m.promotion().unwrap_or(m.role()));
    if let Some(role) = m.promotion() {
        gains[0] += value(rules, role) - value(rules, Role::Pawn);
    }
    occupied.discard(from);
    if let Move::EnPassant { .. } = m {
        occupied.discard(Square::from_coords(to.file(), from.rank()));
    }
    let (mut side, mut depth) = (!position.turn(), 0);
    while depth + 1 < gains.len() {
        let attackers = board.attacks_to(to, side, occupied) & occupied;
        let Some((role, square)) = cheapest(position, attackers) else {
            break;
        };
        // A king may not take what is defended.
        let defended = board.attacks_to(to, !side, occupied) & occupied;
        if role == Role::King && defended.any() {
            break;
        }
        depth += 1;
        gains[depth] = at_risk - gains[depth - 1];
        at_risk = value(rules, role);
        occupied.discard(square);
        side = !side;
    }
    while depth > 0 {
        gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
        depth -= 1;
    }
    gains[0]
}

fn cheapest<P: Node>(position: &P, attackers: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| {
        let of_role = attackers & position.board().by_role(role);
        of_role.first().map(|square| (role, square))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::{Board, Spelled, Variant};

    fn exchange(fen: &str, text: &str) -> i32 {
        let board = Board::from_fen(Variant::Standard, fen).expect("a good test position");
        let m = board.resolve(Spelled::read(text).expect("a move"));
        let Board::Standard(position) = &board else {
            panic!("standard chess");
        };
        see(position, m.expect("a legal move"))
    }

    #[test]
    fn exchanges_are_counted_to_their_end() {
        let pawn = value(Rules::Chess, Role::Pawn);
        let knight = value(Rules::Chess, Role::Knight);
        let rook = value(Rules::Chess, Role::Rook);
        assert_eq!(exchange("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5"), pawn);
        assert_eq!(
            exchange("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "Rxd5"),
            pawn - rook
        );
        // The second rook stands behind the first.
        let behind = exchange("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "Rxd5");
        assert!(behind < 0);
        assert_eq!(
            exchange("4k3/8/2p5/3n4/4P3/8/8/4K3 w - - 0 1", "exd5"),
            knight - pawn
        );
        assert_eq!(exchange("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6"), pawn);
    }
}
