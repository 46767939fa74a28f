//! Many seeds, on all cores.

use std::fmt::Display;
use std::ops::Add;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::{Counts, Options, PoolCounts, PoolOptions, run, run_pool};

/// After so many failures nobody needs more.
const FAILURES_MAX: usize = 10;

/// Runs so many seeds from `options.seed` on, each in one thread; `done` is told
/// how many are through. What they were made of, or why some failed, with the
/// command that replays each.
///
/// # Errors
/// The failures, the lowest seed first.
pub fn run_many(
    options: Options,
    seeds: u64,
    done: impl Fn(u64) + Sync,
) -> Result<Counts, Vec<String>> {
    let (steps, is_cluster) = (options.steps, options.is_cluster);
    let cluster = if is_cluster { "--cluster " } else { "" };
    many(options.seed, seeds, done, |seed| {
        let replay = format!("{cluster}--seed {seed} --steps {steps}");
        let run = || run(Options { seed, ..options });
        Ok(caught(&replay, run)?.counts)
    })
}

/// The same with pools.
///
/// # Errors
/// The failures, the lowest seed first.
pub fn run_pools(
    options: PoolOptions,
    seeds: u64,
    done: impl Fn(u64) + Sync,
) -> Result<PoolCounts, Vec<String>> {
    many(options.seed, seeds, done, |seed| {
        let replay = format!("--pool --seed {seed}");
        let run = || run_pool(PoolOptions { seed, ..options });
        Ok(caught(&replay, run)?.counts)
    })
}

fn many<C: Add<Output = C> + Copy + Default + Send>(
    first: u64,
    seeds: u64,
    done: impl Fn(u64) + Sync,
    one: impl Fn(u64) -> Result<C, String> + Sync,
) -> Result<C, Vec<String>> {
    let next = AtomicU64::new(0);
    let through = AtomicU64::new(0);
    let failures: Mutex<Vec<(u64, String)>> = Mutex::default();
    let counts = Mutex::new(C::default());
    let lock = |failures: &Mutex<Vec<_>>| {
        let failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.len()
    };
    let work = || {
        let mut mine = C::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= seeds || lock(&failures) >= FAILURES_MAX {
                break;
            }
            let seed = first.saturating_add(index);
            match one(seed) {
                Ok(counts) => mine = mine + counts,
                Err(failure) => {
                    let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                    failures.push((seed, failure));
                }
            }
            done(through.fetch_add(1, Ordering::Relaxed) + 1);
        }
        let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
        *counts = *counts + mine;
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut failures = failures
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    if failures.is_empty() {
        return Ok(counts.into_inner().unwrap_or_else(PoisonError::into_inner));
    }
    failures.sort();
    Err(failures.into_iter().map(|(_, failure)| failure).collect())
}

/// What a run came to, or why it failed, also if it panicked.
fn caught<R, B: Display>(
    replay: &str,
    run: impl FnOnce() -> Result<R, Box<B>>,
) -> Result<R, String> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result.map_err(|broken| broken.to_string()),
        Err(_) => Err(format!(
            "panicked (see above)\nreplay: cargo run -p sim -- {replay} --trace"
        )),
    }
}
