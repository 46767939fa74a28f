//! Two hundred seeds, each a different history of requests and disasters.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use sim::{Options, run};

const SEEDS: u64 = 200;
const STEPS: u64 = 1_500;

fn options(seed: u64, steps: u64) -> Options {
    Options {
        seed,
        steps,
        trace: false,
        sabotage: None,
    }
}

/// Why a seed failed, with the command that replays it.
fn failure(seed: u64) -> Option<String> {
    match catch_unwind(AssertUnwindSafe(|| run(options(seed, STEPS)))) {
        Ok(Ok(_)) => None,
        Ok(Err(broken)) => Some(broken.to_string()),
        Err(_) => Some(format!(
            "seed {seed}: panicked (see above)\n\
             replay: cargo run -p sim -- --seed {seed} --steps {STEPS} --trace"
        )),
    }
}

#[test]
fn two_hundred_seeds_keep_every_invariant() {
    let next = AtomicU64::new(1);
    let failures = Mutex::new(Vec::new());
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > SEEDS {
                break;
            }
            if let Some(failure) = failure(seed) {
                failures.lock().unwrap().push(failure);
            }
        }
    };
    // Each seed runs in one thread; several seeds may run at a time.
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn a_seed_replays_exactly() {
    for seed in 1..=10 {
        let first = run(options(seed, 500)).unwrap();
        assert_eq!(first, run(options(seed, 500)).unwrap(), "seed {seed}");
        assert_ne!(first.digest, run(options(seed + 1, 500)).unwrap().digest);
    }
}

#[test]
fn everything_that_can_happen_does() {
    let mut sum = sim::Counts::default();
    for seed in 1..=40 {
        sum = sum + run(options(seed, 1_000)).unwrap().counts;
    }
    let counted = [
        ("granted", sum.granted),
        ("refused", sum.refused),
        ("already", sum.already),
        ("failed", sum.failed),
        ("orphaned", sum.orphaned),
        ("found", sum.found),
        ("ended", sum.ended),
        ("flags", sum.flags),
        ("credits", sum.credits),
        ("crashes", sum.crashes),
        ("stops", sum.stops),
        ("faults", sum.faults),
    ];
    for (what, many) in counted {
        assert!(many >= 40, "{what}: {many} in {sum:?}");
    }
}
