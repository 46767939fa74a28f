//! The search: iterative deepening, principal variation, pruning where the rules allow it.

use shakmaty::variant::Variant as Rules;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Move, Outcome};

use super::eval::evaluate;
use super::node::Node;
use super::order::{Memory, Ordered, PLY_MAX, is_noisy};
use super::quiet::{from_table, to_table, won_by};
use super::table::{Bound, Table, code};
use super::{Limits, MATE, MATE_RANGE};
use crate::situation::key_of;

/// How many quiet moves are remembered as worse than the one that refuted.
const QUIETS_MAX: usize = 48;
/// How often it is asked whether to stop.
const ASK_EVERY: u64 = 1024;

/// What may be left out under some rules.
#[derive(Clone, Copy)]
pub(super) struct Pruning {
    /// Passing is worse than the best move, nearly always.
    pass: bool,
    /// A position far above the window stays there.
    futility: i32,
    /// Late quiet moves are looked at less deeply.
    pub(super) reduce: bool,
}

fn pruning(rules: Rules) -> Pruning {
    let (pass, futility, reduce) = match rules {
        Rules::Chess => (true, 85, true),
        Rules::KingOfTheHill | Rules::ThreeCheck => (true, 140, true),
        // Drops and explosions turn a game in one move.
        Rules::Crazyhouse => (true, 170, true),
        Rules::Atomic => (true, 0, true),
        Rules::Horde => (false, 110, true),
        Rules::RacingKings => (false, 0, true),
        // Having to move is what the game is about.
        Rules::Antichess => (false, 0, false),
    };
    Pruning {
        pass,
        futility,
        reduce,
    }
}

pub(super) struct Search<'a, P> {
    pub(super) root: &'a P,
    /// The positions before, those of the line that is looked at last.
    path: Vec<u64>,
    pub(super) limits: Limits,
    stop: &'a mut dyn FnMut() -> bool,
    pub(super) table: &'a mut Table,
    pub(super) memory: &'a mut Memory,
    pub(super) nodes: u64,
    pub(super) stopped: bool,
    /// Nothing stops the first depth: there must be a move.
    pub(super) may_stop: bool,
    pub(super) pruning: Pruning,
    pub(super) depth: i32,
}

/// What a node is asked: how deep, where in the line, between which scores.
#[derive(Clone, Copy)]
struct Ask {
    depth: i32,
    ply: usize,
    alpha: i32,
    beta: i32,
    may_pass: bool,
}

impl<'a, P: Node> Search<'a, P> {
    pub(super) fn new(
        root: &'a P,
        path: Vec<u64>,
        limits: Limits,
        stop: &'a mut dyn FnMut() -> bool,
        table: &'a mut Table,
        memory: &'a mut Memory,
    ) -> Search<'a, P> {
        Search {
            pruning: pruning(root.rules()),
            root,
            path,
            limits,
            stop,
            table,
            memory,
            nodes: 0,
            stopped: false,
            may_stop: false,
            depth: 0,
        }
    }

    /// Plays a move and searches what follows.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn step(
        &mut self,
        from: &P,
        key: u64,
        m: Move,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let (next, next_key) = self.after(from, key, m);
        self.path.push(key);
        let ask = Ask {
            depth,
            ply,
            alpha,
            beta,
            may_pass: true,
        };
        let score = self.node(&next, next_key, ask);
        self.path.pop();
        score
    }

    pub(super) fn after(&self, position: &P, key: u64, m: Move) -> (P, u64) {
        let updated = position.update_zobrist_hash(Zobrist64(key), m, EnPassantMode::Legal);
        let mut next = position.clone();
        next.play_unchecked(m);
        let key = updated.map_or_else(|| key_of(&next), |key| key.0);
        (next, key)
    }

    fn node(&mut self, position: &P, key: u64, ask: Ask) -> i32 {
        let Ask {
            ply,
            mut alpha,
            beta,
            ..
        } = ask;
        if let Outcome::Known(outcome) = position.variant_outcome() {
            return won_by(outcome.winner(), position.turn(), ply);
        }
        if self.is_drawn(position, key) {
            return 0;
        }
        let check = position.is_check();
        let extended = check && (ply as i32) < 2 * self.depth;
        let depth = ask.depth + i32::from(extended);
        if depth <= 0 || ply >= PLY_MAX - 1 {
            return self.quiet(position, key, 0, ply, alpha, beta);
        }
        if self.is_over_budget() {
            return 0;
        }
        // Nothing is better than a mate that was found nearer to the root.
        let beta = beta.min(MATE - ply as i32);
        alpha = alpha.max(ply as i32 - MATE);
        if alpha >= beta {
            return alpha;
        }
        let main = beta - alpha > 1;
        let slot = self.table.get(key);
        if let Some(slot) = slot.filter(|slot| !main && i32::from(slot.depth) >= depth) {
            let score = from_table(i32::from(slot.score), ply);
            if slot.bound.settles(score, alpha, beta) {
                return score;
            }
        }
        let eval = if check { -MATE } else { evaluate(position) };
        let ask = Ask {
            depth,
            alpha,
            beta,
            ..ask
        };
        if !main
            && !check
            && let Some(score) = self.prune(position, key, ask, eval)
        {
            return score;
        }
        let from = slot.map_or(0, |slot| slot.best);
        // Without a move to begin with, a shallower look finds one.
        let depth = depth - i32::from(from == 0 && depth >= 5);
        self.moves(position, key, Ask { depth, ..ask }, (eval, check, from))
    }

    /// What can be decided without trying the moves.
    fn prune(&mut self, position: &P, key: u64, ask: Ask, eval: i32) -> Option<i32> {
        let Ask {
            depth, ply, beta, ..
        } = ask;
        let futility = self.pruning.futility;
        if beta.abs() >= MATE_RANGE {
            return None;
        }
        if futility > 0 && depth <= 6 && eval - futility * depth >= beta {
            return Some(eval);
        }
        let officers = position.us() & !position.board().pawns() & !position.board().kings();
        let may_pass = self.pruning.pass && ask.may_pass && officers.any();
        if !may_pass || depth < 3 || eval < beta {
            return None;
        }
        let next = position.pass()?;
        let reduced = depth - 3 - depth / 4 - ((eval - beta) / 200).min(2);
        self.path.push(key);
        let score = -self.node(
            &next,
            key_of(&next),
            Ask {
                depth: reduced,
                ply: ply + 1,
                alpha: -beta,
                beta: 1 - beta,
                may_pass: false,
            },
        );
        self.path.pop();
        (!self.stopped && score >= beta).then_some(score.min(MATE_RANGE - 1))
    }

    fn moves(
        &mut self,
        position: &P,
        key: u64,
        ask: Ask,
        (eval, check, from): (i32, bool, u16),
    ) -> i32 {
        let Ask {
            depth,
            ply,
            mut alpha,
            beta,
            ..
        } = ask;
        let legal = position.legal_moves();
        if legal.is_empty() {
            return if check { ply as i32 - MATE } else { 0 };
        }
        let main = beta - alpha > 1;
        let mut ordered = Ordered::new(position, legal, self.memory, from, ply);
        let (mut best, mut best_move) = (-MATE, None);
        let (mut quiets, mut quiet_count) = ([None; QUIETS_MAX], 0);
        let (mut tried, before) = (0, alpha);
        while let Some((m, loses)) = ordered.take() {
            let noisy = is_noisy(m);
            let may_skip = tried > 0 && !main && !check && best > -MATE_RANGE;
            if may_skip && self.skips(depth, quiet_count, eval - alpha, noisy, loses) {
                tried += 1;
                continue;
            }
            let worth = self.memory.worth(position.turn(), m);
            let reduced = self.reduction(depth, tried, noisy && !loses, check, main, worth);
            let score = if tried == 0 {
                -self.step(position, key, m, depth - 1, ply + 1, -beta, -alpha)
            } else {
                self.scout(
                    position,
                    key,
                    m,
                    (depth - 1, reduced),
                    ply + 1,
                    (alpha, beta),
                )
            };
            if self.stopped {
                return 0;
            }
            tried += 1;
            if score > best {
                best = score;
                if score > alpha {
                    (alpha, best_move) = (score, Some(m));
                }
                if alpha >= beta {
                    if !noisy {
                        self.memory.learn(position.turn(), ply, m, &quiets, depth);
                    }
                    break;
                }
            }
            if !noisy {
                quiets[quiet_count.min(QUIETS_MAX - 1)] = Some(m);
                quiet_count += 1;
            }
        }
        let bound = Bound::of(best, before, beta);
        let (kept, best_code) = (to_table(best, ply), best_move.map_or(0, code));
        self.table.put(key, best_code, kept, depth, bound);
        best
    }

    /// Whether a move need not be tried so near to the end of a line.
    fn skips(&self, depth: i32, quiets: usize, hope: i32, noisy: bool, loses: bool) -> bool {
        let futility = self.pruning.futility;
        if futility == 0 {
            return false;
        }
        let late = quiets as i32 > 3 + depth * depth;
        let hopeless = hope + futility * (depth + 1) <= 0;
        (depth <= 5 && !noisy && (late || hopeless)) || (loses && depth <= 2)
    }

    /// A move that is probably not the best: shallow and narrow first, then as much as it takes.
    fn scout(
        &mut self,
        position: &P,
        key: u64,
        m: Move,
        (depth, reduced): (i32, i32),
        ply: usize,
        (alpha, beta): (i32, i32),
    ) -> i32 {
        let mut score = -self.step(position, key, m, depth - reduced, ply, -alpha - 1, -alpha);
        if score > alpha && reduced > 0 && !self.stopped {
            score = -self.step(position, key, m, depth, ply, -alpha - 1, -alpha);
        }
        if score > alpha && score < beta && !self.stopped {
            score = -self.step(position, key, m, depth, ply, -beta, -alpha);
        }
        score
    }

    fn reduction(
        &self,
        depth: i32,
        tried: i32,
        good: bool,
        check: bool,
        main: bool,
        worth: i32,
    ) -> i32 {
        if !self.pruning.reduce || depth < 3 || tried < 2 || good || check {
            return 0;
        }
        // Roughly the product of the logarithms.
        let mut by = (depth.ilog2() * (tried as u32 + 1).ilog2()) as i32 / 3 + 1;
        by -= i32::from(main) + worth / 6000;
        by.clamp(0, depth - 2)
    }

    fn is_drawn(&self, position: &P, key: u64) -> bool {
        let quiet = position.halfmoves() as usize;
        if quiet >= 100 {
            return true;
        }
        // The same side is to move in every second position; two plies are not enough to come back.
        let repeated = self.path.iter().rev().take(quiet).skip(1).step_by(2);
        if quiet >= 4 && repeated.into_iter().any(|earlier| *earlier == key) {
            return true;
        }
        position.rules() == Rules::Chess
            && position.board().occupied().count() <= 4
            && position.is_insufficient_material()
    }

    /// Counts a position; true when there is no budget for it.
    pub(super) fn is_over_budget(&mut self) -> bool {
        self.nodes += 1;
        if !self.may_stop || self.stopped {
            return self.stopped;
        }
        if self.nodes > self.limits.nodes {
            self.stopped = true;
        } else if self.nodes.is_multiple_of(ASK_EVERY) {
            self.stopped = (self.stop)();
        }
        self.stopped
    }
}
