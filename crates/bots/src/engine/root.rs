//! The root of a search: deeper and deeper, and the best move first.

use shakmaty::{Move, MoveList, Outcome};

use super::eval::evaluate;
use super::node::Node;
use super::order::{Ordered, is_noisy};
use super::quiet::won_by;
use super::search::Search;
use super::table::{Bound, code};
use super::{Found, MATE, MATE_RANGE, Ranked, Ranking, Score};
use crate::situation::key_of;

/// Who is ahead by more than this is winning, and how much more does not matter.
const CLEAR: i32 = 3_000;
/// The first window around the score of the depth before.
const WINDOW: i32 = 28;

impl<P: Node> Search<'_, P> {
    /// The best move within the limits.
    pub(super) fn best(mut self) -> Option<Found> {
        let mut moves = self.root_moves();
        let mut best = *moves.first()?;
        let (mut score, mut depth) = (-MATE, 0);
        let key = key_of(self.root);
        for next in 1..=self.limits.depth.clamp(1, 64) {
            self.depth = next;
            let Some((value, m)) = self.aspire(&mut moves, key, next, score) else {
                break;
            };
            (score, best, depth) = (value, m, next);
            self.may_stop = true;
            // A mate that was found will not become shorter than the depth that found it.
            let sure = score.abs() >= MATE_RANGE && MATE - score.abs() <= next;
            if sure || self.nodes >= self.limits.nodes || (moves.len() == 1 && next >= 4) {
                break;
            }
        }
        Some(Found {
            line: self.line(best),
            best,
            score: Score::from_raw(score),
            depth,
            nodes: self.nodes,
        })
    }

    /// All moves with their scores; see [`super::Engine::rank`].
    pub(super) fn rank(mut self, margin: i32) -> Ranking {
        let key = key_of(self.root);
        let mut ranked: Vec<Ranked> = self
            .root_moves()
            .into_iter()
            .map(|m| {
                let mut after = self.root.clone();
                after.play_unchecked(m);
                let naive = match after.variant_outcome() {
                    Outcome::Known(outcome) => -won_by(outcome.winner(), after.turn(), 1),
                    Outcome::Unknown => -evaluate(&after),
                };
                Ranked {
                    m,
                    score: naive,
                    naive,
                }
            })
            .collect();
        ranked.sort_by_key(|r| std::cmp::Reverse(r.score));
        let mut reached = 0;
        for depth in 1..=self.limits.depth.clamp(1, 64) {
            self.depth = depth;
            let mut scores = Vec::with_capacity(ranked.len());
            let mut best = -MATE;
            for r in &ranked {
                // Beside a mate or a queen, whatever is less is just that.
                let alpha = (best.min(CLEAR) - margin).max(-MATE);
                let score = -self.step(self.root, key, r.m, depth - 1, 1, -MATE, -alpha);
                if self.stopped {
                    break;
                }
                best = best.max(score);
                scores.push(score.max(alpha));
            }
            if self.stopped {
                break;
            }
            for (r, score) in ranked.iter_mut().zip(scores) {
                r.score = Score::from_raw(score).value();
            }
            ranked.sort_by_key(|r| std::cmp::Reverse(r.score));
            (reached, self.may_stop) = (depth, true);
            if self.nodes >= self.limits.nodes {
                break;
            }
        }
        Ranking {
            moves: ranked,
            depth: reached,
            nodes: self.nodes,
        }
    }

    fn root_moves(&mut self) -> MoveList {
        if self.root.variant_outcome().is_known() {
            return MoveList::new();
        }
        let mut ordered = Ordered::new(self.root, self.root.legal_moves(), self.memory, 0, 0);
        let mut moves = MoveList::new();
        while let Some((m, _)) = ordered.take() {
            moves.push(m);
        }
        moves
    }

    /// A search with a narrow window around the last score, wider if the score is outside.
    fn aspire(
        &mut self,
        moves: &mut MoveList,
        key: u64,
        depth: i32,
        last: i32,
    ) -> Option<(i32, Move)> {
        let mut width = if depth >= 4 { WINDOW } else { 2 * MATE };
        let (mut alpha, mut beta) = ((last - width).max(-MATE), (last + width).min(MATE));
        if width > MATE {
            (alpha, beta) = (-MATE, MATE);
        }
        loop {
            let (score, m) = self.root_search(moves, key, depth, alpha, beta)?;
            width *= 3;
            if score <= alpha && alpha > -MATE {
                alpha = (score - width).max(-MATE);
            } else if score >= beta && beta < MATE {
                beta = (score + width).min(MATE);
            } else {
                return Some((score, m));
            }
        }
    }

    /// None if it was stopped before the first move was done.
    fn root_search(
        &mut self,
        moves: &mut MoveList,
        key: u64,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<(i32, Move)> {
        let mut best: Option<(i32, usize)> = None;
        for n in 0..moves.len() {
            let m = moves[n];
            let score = if n == 0 {
                -self.step(self.root, key, m, depth - 1, 1, -beta, -alpha)
            } else {
                let late = n > 6 && depth > 3 && self.pruning.reduce && !is_noisy(m);
                let narrow = depth - 1 - i32::from(late);
                let score = -self.step(self.root, key, m, narrow, 1, -alpha - 1, -alpha);
                if score > alpha && !self.stopped {
                    -self.step(self.root, key, m, depth - 1, 1, -beta, -alpha)
                } else {
                    score
                }
            };
            if self.stopped {
                break;
            }
            if best.is_none_or(|(so_far, _)| score > so_far) {
                best = Some((score, n));
                alpha = alpha.max(score);
                if alpha >= beta {
                    break;
                }
            }
        }
        let (score, n) = best?;
        // The best move first next time, the others as they were.
        moves[..=n].rotate_right(1);
        self.table
            .put(key, code(moves[0]), score, depth, Bound::Exact);
        Some((score, moves[0]))
    }

    /// What the table remembers of the best line.
    fn line(&self, best: Move) -> Vec<Move> {
        let mut line = vec![best];
        let (mut position, mut key) = self.after(self.root, key_of(self.root), best);
        while line.len() < 12 {
            let Some(slot) = self.table.get(key).filter(|slot| slot.best != 0) else {
                break;
            };
            let moves = position.legal_moves();
            let Some(m) = moves.into_iter().find(|m| code(*m) == slot.best) else {
                break;
            };
            line.push(m);
            (position, key) = self.after(&position, key, m);
        }
        line
    }
}
