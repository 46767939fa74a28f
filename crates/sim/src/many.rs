//! Many seeds, on all cores.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::{Counts, Options, run};

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
    let next = AtomicU64::new(0);
    let through = AtomicU64::new(0);
    let failures: Mutex<Vec<(u64, String)>> = Mutex::default();
    let counts = Mutex::new(Counts::default());
    let lock = |failures: &Mutex<Vec<_>>| {
        let failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.len()
    };
    let work = || {
        let mut mine = Counts::default();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= seeds || lock(&failures) >= FAILURES_MAX {
                break;
            }
            let seed = options.seed.saturating_add(index);
            match one(Options { seed, ..options }) {
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

fn one(options: Options) -> Result<Counts, String> {
    let Options {
        seed,
        steps,
        is_cluster,
        ..
    } = options;
    let cluster = if is_cluster { "--cluster " } else { "" };
    match catch_unwind(AssertUnwindSafe(|| run(options))) {
        Ok(Ok(report)) => Ok(report.counts),
        Ok(Err(broken)) => Err(broken.to_string()),
        Err(_) => Err(format!(
            "seed {seed}: panicked (see above)\n\
             replay: cargo run -p sim -- {cluster}--seed {seed} --steps {steps} --trace"
        )),
    }
}
