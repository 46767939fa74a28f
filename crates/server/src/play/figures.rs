//! How the server is doing, for people: a look every few seconds, and those of the last
//! minutes, so that whoever opens the console sees what went before.
//!
//! They are this node's own, and gone with a restart: Prometheus has the rest.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chess::Timestamp;

use crate::lock::lock;

/// How often somebody looks.
pub(crate) const EVERY: Duration = Duration::from_secs(5);
/// So many looks are kept: ten minutes.
const KEPT: usize = 120;

/// The upper bounds of what is counted of moves, in microseconds. What took longer than
/// the last counts as much as that.
pub(crate) const BOUNDS_US: [u64; 18] = [
    100, 200, 350, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 8_000, 13_000, 20_000, 50_000,
    100_000, 250_000, 1_000_000, 5_000_000,
];

/// What is counted as it happens, and what was seen.
pub struct Figures {
    /// What this node is called.
    pub(crate) node: String,
    moves: [AtomicU64; BOUNDS_US.len()],
    seen: Mutex<VecDeque<Figure>>,
}

impl Figures {
    /// Nothing seen yet.
    pub fn new(node: String) -> Figures {
        Figures {
            node,
            moves: Default::default(),
            seen: Mutex::default(),
        }
    }

    /// A move was made, durable after so long: by whichever door, by a bot too.
    pub(crate) fn moved(&self, took: Duration) {
        let us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bound = BOUNDS_US.iter().position(|bound| us <= *bound);
        self.moves[bound.unwrap_or(BOUNDS_US.len() - 1)].fetch_add(1, Ordering::Relaxed);
    }

    /// The moves so far, by [`BOUNDS_US`].
    pub(crate) fn moves(&self) -> Vec<u64> {
        let moves = self.moves.iter();
        moves.map(|many| many.load(Ordering::Relaxed)).collect()
    }

    /// Keeps a look.
    pub(crate) fn keep(&self, figure: Figure) {
        let mut seen = lock(&self.seen);
        if seen.len() == KEPT {
            seen.pop_front();
        }
        seen.push_back(figure);
    }

    /// What was seen, oldest first.
    pub(crate) fn seen(&self) -> Vec<Figure> {
        lock(&self.seen).iter().cloned().collect()
    }
}

/// What is counted since the start.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Counts {
    /// Moves, by [`BOUNDS_US`].
    pub(crate) moves: Vec<u64>,
    /// Changes of any kind.
    pub(crate) changes: u64,
    /// Commits, by [`store::LATENCY_BOUNDS_US`].
    pub(crate) commits: Vec<u64>,
    /// Processor time.
    pub(crate) cpu_seconds: Option<f64>,
}

/// What stands at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels {
    pub(crate) games: usize,
    pub(crate) games_timed: usize,
    pub(crate) connections: usize,
    pub(crate) streams: usize,
    pub(crate) nodes: usize,
    pub(crate) tickets_waiting: usize,
    pub(crate) store_waiting: usize,
    pub(crate) bot_questions_waiting: usize,
    pub(crate) deliveries_waiting: u64,
    pub(crate) notifications_waiting_ms: u64,
    pub(crate) memory_bytes: Option<u64>,
}

/// A look: what stands, and what happened since the look before.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    pub(crate) at: Timestamp,
    pub(crate) levels: Levels,
    pub(crate) moves_per_second: f64,
    pub(crate) changes_per_second: f64,
    /// Half of the moves took no longer, and of a hundred all but one; in milliseconds.
    pub(crate) move_ms: Option<(f64, f64)>,
    /// The same of commits.
    pub(crate) commit_ms: Option<(f64, f64)>,
    /// Of one processor.
    pub(crate) cpu_percent: Option<f64>,
}

impl Figure {
    /// What there was between two counts.
    pub(crate) fn between(
        before: &Counts,
        after: &Counts,
        elapsed: Duration,
        at: Timestamp,
        levels: Levels,
    ) -> Figure {
        let seconds = elapsed.as_secs_f64().max(0.001);
        let moves = more(&before.moves, &after.moves);
        let commits = more(&before.commits, &after.commits);
        let cpu = before.cpu_seconds.zip(after.cpu_seconds);
        let moved: u64 = moves.iter().sum();
        let changed = after.changes.saturating_sub(before.changes);
        Figure {
            at,
            levels,
            moves_per_second: moved as f64 / seconds,
            changes_per_second: changed as f64 / seconds,
            move_ms: quantiles(&moves, &BOUNDS_US),
            commit_ms: quantiles(&commits, &store::LATENCY_BOUNDS_US),
            cpu_percent: cpu.map(|(then, now)| 100.0 * (now - then).max(0.0) / seconds),
        }
    }
}

/// What was counted since.
fn more(before: &[u64], after: &[u64]) -> Vec<u64> {
    let before = before.iter().copied().chain(std::iter::repeat(0));
    let both = after.iter().zip(before);
    both.map(|(now, then)| now.saturating_sub(then)).collect()
}

fn quantiles(counts: &[u64], bounds_us: &[u64]) -> Option<(f64, f64)> {
    let at = |share| quantile(counts, bounds_us, share);
    at(0.5).zip(at(0.99))
}

/// How long that share of them took at most, in milliseconds: as if those below one bound
/// and above the last were spread evenly. `None` if there was nothing.
fn quantile(counts: &[u64], bounds_us: &[u64], share: f64) -> Option<f64> {
    let total: u64 = counts.iter().sum();
    let wanted = total as f64 * share;
    let (mut passed, mut lower) = (0.0, 0.0);
    for (count, bound) in counts.iter().zip(bounds_us) {
        let (count, upper) = (*count as f64, *bound as f64);
        if count > 0.0 && passed + count >= wanted {
            let inside = (wanted - passed) / count;
            return Some((lower + (upper - lower) * inside) / 1000.0);
        }
        passed += count;
        lower = upper;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_what_was_counted_lies_below_the_median() {
        let bounds = [1_000, 2_000, 4_000];
        assert_eq!(quantile(&[0, 0, 0], &bounds, 0.5), None);
        assert_eq!(quantile(&[10, 0, 0], &bounds, 0.5), Some(0.5));
        assert_eq!(quantile(&[10, 10, 0], &bounds, 0.5), Some(1.0));
        assert_eq!(quantile(&[0, 0, 10], &bounds, 0.5), Some(3.0));
        assert_eq!(quantile(&[98, 0, 2], &bounds, 0.99), Some(3.0));
    }

    #[test]
    fn a_look_tells_what_happened_since_the_one_before() {
        let figures = Figures::new("here".into());
        let counts = |changes, cpu| Counts {
            moves: figures.moves(),
            changes,
            commits: vec![changes],
            cpu_seconds: Some(cpu),
        };
        figures.moved(Duration::from_secs(3_600));
        let before = counts(100, 1.0);
        for _ in 0..20 {
            figures.moved(Duration::from_micros(90));
        }
        let after = counts(150, 2.0);
        let figure = Figure::between(
            &before,
            &after,
            Duration::from_secs(5),
            Timestamp(7),
            Levels::default(),
        );
        assert_eq!(figure.moves_per_second, 4.0);
        assert_eq!(figure.changes_per_second, 10.0);
        assert_eq!(figure.cpu_percent, Some(20.0));
        let (half, most) = figure.move_ms.unwrap();
        assert!(half == 0.05 && most < 0.1, "{half} {most}");
        assert!(figure.commit_ms.is_some());
        let still = Figure::between(
            &after,
            &after,
            Duration::from_secs(5),
            Timestamp(8),
            Levels::default(),
        );
        assert_eq!((still.moves_per_second, still.move_ms), (0.0, None));
    }

    #[test]
    fn the_last_ten_minutes_are_kept() {
        let figures = Figures::new("here".into());
        let nothing = Counts::default();
        for at in 0..KEPT as u64 + 3 {
            figures.keep(Figure::between(
                &nothing,
                &nothing,
                EVERY,
                Timestamp(at),
                Levels::default(),
            ));
        }
        let seen = figures.seen();
        assert_eq!((seen.len(), seen[0].at), (KEPT, Timestamp(3)));
        assert_eq!(EVERY * KEPT as u32, Duration::from_secs(600));
    }
}
