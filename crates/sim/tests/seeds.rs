//! A thousand seeds, each a different history of requests and disasters.

use sim::{Options, run, run_many};

const SEEDS: u64 = 1_000;
const STEPS: u64 = 1_500;

fn options(seed: u64, steps: u64) -> Options {
    Options {
        seed,
        steps,
        trace: false,
        sabotage: None,
        is_cluster: false,
    }
}

#[test]
fn a_thousand_seeds_keep_every_invariant() {
    let failures = run_many(options(1, STEPS), SEEDS, |_| {}).err();
    assert!(failures.is_none(), "\n{}", failures.unwrap().join("\n"));
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
        ("outages", sum.outages),
        ("crashes", sum.crashes),
        ("stops", sum.stops),
        ("faults", sum.faults),
    ];
    for (what, many) in counted {
        assert!(many >= 40, "{what}: {many} in {sum:?}");
    }
}
