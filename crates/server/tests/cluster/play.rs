//! Play goes on, whatever dies in the middle of it.

use std::time::Duration;

use crate::check::Rules;
use crate::cluster::{Cluster, Plan};
use crate::nodes;
use crate::stage::Stage;
use crate::world::play;

/// Moves between two troubles, and in a run without.
const MOVES: u64 = 100;
const MOVES_QUIET: u64 = 1_000;
/// How often each trouble comes.
const TIMES: usize = 3;

/// How late a flag may be told normally; a slow machine is given some time.
const SOON: Duration = Duration::from_secs(3);
/// How late it may be told if a node, the bus or the database died.
const LATE: Duration = Duration::from_secs(8);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_nodes_play_as_one() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    let rules = Rules {
        credits_max: 0,
        flag_within: SOON,
    };
    play(
        &mut cluster,
        rules,
        async |_: &mut Cluster, stage: &Stage| {
            stage.more(MOVES_QUIET).await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_dies() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    let rules = Rules {
        // Nobody is given time because one of several died.
        credits_max: 0,
        flag_within: LATE,
    };
    play(
        &mut cluster,
        rules,
        async |cluster: &mut Cluster, stage: &Stage| {
            for time in 0..TIMES {
                stage.more(MOVES).await;
                let number = time % cluster.nodes.len();
                cluster.nodes[number].kill();
                stage.more(MOVES).await;
                cluster.start_node(number).await;
            }
            stage.more(MOVES).await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bus_dies() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    let rules = Rules {
        credits_max: 0,
        flag_within: LATE,
    };
    let found = play(
        &mut cluster,
        rules,
        async |cluster: &mut Cluster, stage: &Stage| {
            for _ in 0..TIMES {
                stage.more(MOVES).await;
                cluster.kill_bus();
                stage.more(MOVES).await;
                cluster.start_bus();
            }
            stage.more(MOVES).await;
        },
    )
    .await;
    // Two seconds by the server's own promise, on a machine that has a lot to do.
    let last = found.receipts.last().expect("somebody watched");
    assert!(*last < Duration::from_secs(5), "told after {last:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_database_restarts() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    let rules = Rules {
        credits_max: TIMES,
        flag_within: LATE,
    };
    play(
        &mut cluster,
        rules,
        async |cluster: &mut Cluster, stage: &Stage| {
            for _ in 0..TIMES {
                stage.more(MOVES).await;
                cluster.stop_store();
                cluster.start_store();
            }
            stage.more(MOVES).await;
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_nodes_are_restarted_one_after_the_other() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    let rules = Rules {
        credits_max: 0,
        flag_within: LATE,
    };
    let found = play(
        &mut cluster,
        rules,
        async |cluster: &mut Cluster, stage: &Stage| {
            for _ in 0..2 {
                for number in 0..cluster.nodes.len() {
                    stage.more(MOVES).await;
                    cluster.nodes[number].stop();
                    cluster.start_node(number).await;
                }
            }
            stage.more(MOVES).await;
        },
    )
    .await;
    let slow = |(took, again): &&(Duration, u32)| *took > Duration::from_secs(3) || *again > 2;
    let slow: Vec<_> = found.acknowledged.iter().filter(slow).collect();
    assert!(slow.is_empty(), "acknowledged late: {slow:?}");
    let told = found
        .closed
        .iter()
        .filter(|code| **code == Some(1012))
        .count();
    assert!(
        told > 0,
        "nobody was told that a node stops: {:?}",
        found.closed
    );
}
