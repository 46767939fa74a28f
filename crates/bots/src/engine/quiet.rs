//! Quiescence: captures are played out before a position is judged.

use shakmaty::variant::Variant as Rules;
use shakmaty::{Move, Outcome};

use super::eval::{evaluate, value};
use super::node::Node;
use super::order::{Ordered, PLY_MAX};
use super::search::Search;
use super::table::{Bound, code};
use super::{MATE, MATE_RANGE};

/// How far forced captures of antichess are followed.
const FORCED_MAX: i32 = 12;
/// A capture that leaves the side that far below is not worth a look.
const DELTA: i32 = 180;

impl<P: Node> Search<'_, P> {
    /// The value of a position when no capture changes it any more. `depth` counts down from 0.
    pub(super) fn quiet(
        &mut self,
        position: &P,
        key: u64,
        depth: i32,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if self.is_over_budget() {
            return 0;
        }
        if let Outcome::Known(outcome) = position.variant_outcome() {
            return won_by(outcome.winner(), position.turn(), ply);
        }
        if ply >= PLY_MAX - 1 {
            return evaluate(position);
        }
        if position.rules() == Rules::Antichess {
            return self.forced(position, depth, ply, alpha, beta);
        }
        let slot = self.table.get(key);
        if let Some(slot) = slot {
            let score = from_table(i32::from(slot.score), ply);
            if slot.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let check = depth > -4 && position.is_check();
        let stand = if check {
            ply as i32 - MATE
        } else {
            evaluate(position)
        };
        let mut best = stand;
        if best >= beta {
            return best;
        }
        let before = alpha;
        alpha = alpha.max(best);
        let from = slot.map_or(0, |slot| slot.best);
        let mut moves = self.moves_to_try(position, check, from, ply);
        let mut best_code = 0;
        while let Some((m, loses)) = moves.take() {
            let skips = loses || is_hopeless(position, m, stand, alpha);
            if skips && !check && best > -MATE_RANGE {
                continue;
            }
            let (next, next_key) = self.after(position, key, m);
            let score = -self.quiet(&next, next_key, depth - 1, ply + 1, -beta, -alpha);
            if self.stopped {
                return 0;
            }
            if score > best {
                best = score;
                best_code = code(m);
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        let bound = Bound::of(best, before, beta);
        self.table
            .put(key, best_code, to_table(best, ply), 0, bound);
        best
    }

    /// In check every move, else captures and promotions.
    fn moves_to_try(&mut self, position: &P, check: bool, from: u16, ply: usize) -> Ordered {
        if check {
            let moves = position.legal_moves();
            return Ordered::new(position, moves, self.memory, from, ply);
        }
        let mut moves = position.capture_moves();
        for m in position.promotion_moves() {
            if !m.is_capture() && m.promotion() == Some(shakmaty::Role::Queen) {
                moves.push(m);
            }
        }
        Ordered::noisy(position, moves, from)
    }

    /// Antichess: whoever can take must, so nobody may stand still before all is taken.
    fn forced(&mut self, position: &P, depth: i32, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        let moves = position.legal_moves();
        let must_take = moves.first().is_some_and(|m| m.is_capture());
        if !must_take || depth < -FORCED_MAX {
            return evaluate(position);
        }
        let mut best = -MATE;
        for m in moves {
            let mut next = position.clone();
            next.play_unchecked(m);
            let score = -self.quiet(&next, 0, depth - 1, ply + 1, -beta, -alpha);
            if self.stopped {
                return 0;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// Whether a capture would not even bring the side near to what it has elsewhere.
fn is_hopeless<P: Node>(position: &P, m: Move, stand: i32, alpha: i32) -> bool {
    let rules = position.rules();
    let worth = |role| value(rules, role).max(0);
    let gain = m.capture().map_or(0, worth) + m.promotion().map_or(0, worth);
    // An explosion takes more than what is captured.
    rules != Rules::Atomic && stand + gain + DELTA <= alpha
}

/// The score of a game that is over, for the side to move.
pub(super) fn won_by(winner: Option<shakmaty::Color>, turn: shakmaty::Color, ply: usize) -> i32 {
    match winner {
        None => 0,
        Some(winner) if winner == turn => MATE - ply as i32,
        Some(_) => ply as i32 - MATE,
    }
}

/// In the table a mate is counted from the position, in a search from its root.
pub(super) fn to_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= MATE_RANGE => s + ply as i32,
        s if s <= -MATE_RANGE => s - ply as i32,
        s => s,
    }
}

/// The inverse of [`to_table`].
pub(super) fn from_table(score: i32, ply: usize) -> i32 {
    match score {
        s if s >= MATE_RANGE => s - ply as i32,
        s if s <= -MATE_RANGE => s + ply as i32,
        s => s,
    }
}
