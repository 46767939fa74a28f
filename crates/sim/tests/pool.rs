//! A pool over three nodes: those who wait are paired once and play one game at a time,
//! what they play is rated once, and ratings find out who is strong.

use sim::{PoolCounts, PoolOptions, run_pool, run_pools};

const SEEDS: u64 = 300;

#[test]
fn two_thousand_players_over_three_nodes_get_what_the_policy_promises() {
    let report =
        run_pool(PoolOptions::large(15, 2_000)).unwrap_or_else(|broken| panic!("{broken}"));
    println!("{report:#?}");
    let counts = report.counts;
    assert!(counts.paired >= 40_000, "forty games each: {counts:?}");
    for (what, many) in faults(counts) {
        assert!(many >= 5, "{what}: {many} in {counts:?}");
    }
}

#[test]
fn hundreds_of_pools_in_which_nothing_goes_well_keep_every_invariant() {
    let result = run_pools(PoolOptions::hostile(1), SEEDS, |_| {});
    let counts = result.unwrap_or_else(|failures| panic!("\n{}", failures.join("\n")));
    let more = [
        ("agreed", counts.agreed),
        ("beyond", counts.beyond),
        ("aborted", counts.aborted),
        ("cancelled", counts.cancelled),
        ("timed out", counts.timed_out),
    ];
    for (what, many) in faults(counts).into_iter().chain(more) {
        assert!(many >= 50, "{what}: {many} in {counts:?}");
    }
}

/// What went wrong in every run that says anything.
fn faults(counts: PoolCounts) -> [(&'static str, u64); 7] {
    [
        ("refused", counts.refused),
        ("disputed", counts.disputed),
        ("unsure", counts.unsure),
        ("had one", counts.had_one),
        ("deaths", counts.deaths),
        ("deaths while games are opened", counts.deaths_opening),
        ("deaths while games end", counts.deaths_ending),
    ]
}

#[test]
fn a_seed_of_a_pool_replays_exactly() {
    for seed in 1..=5 {
        let run = |seed| run_pool(PoolOptions::hostile(seed)).unwrap();
        let first = run(seed);
        assert_eq!(first, run(seed), "seed {seed}");
        assert_ne!(first.digest, run(seed + 1).digest);
    }
}
