//! One node is far away from the store and the bus.

use std::time::Duration;

use crate::check::Rules;
use crate::cluster::{Cluster, Plan};
use crate::nodes;
use crate::stage::{Spread, Stage};
use crate::world::play_spread;

const MOVES: u64 = 600;
/// The longest until the opponent knows of a move, of 99 in 100.
const LIMIT: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_far_node() {
    let plan = Plan {
        far_node: Some(0),
        ..Plan::default()
    };
    let Some(mut cluster) = Cluster::start(nodes(), plan).await else {
        return;
    };
    let rules = Rules {
        credits_max: 0,
        flag_within: Duration::from_secs(4),
    };
    let meanwhile = async |_: &mut Cluster, stage: &Stage| stage.more(MOVES).await;
    let mut found = play_spread(&mut cluster, Spread::FirstAndSecond, rules, meanwhile).await;
    found.opponents.sort();
    let count = found.opponents.len();
    let slow = found.opponents[count * 99 / 100];
    let median = found.opponents[count / 2];
    println!("opponents knew of {count} moves after {median:?} (median), {slow:?} (99 %)");
    assert!(slow < LIMIT, "{slow:?}");
}
