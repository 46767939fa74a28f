//! A win is claimed only of somebody who is gone from every node.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::time::sleep;

use crate::cluster::{Cluster, Plan};
use crate::duel::Duel;
use crate::nodes;
use crate::way::{Ask, Reply, Way};

/// The clocks, in seconds: bullet.
const CLOCK: u32 = 60;
/// How long somebody may be away in bullet.
const GRACE: Duration = Duration::from_secs(10);
/// How much longer it may take until a win can be claimed.
const MORE: Duration = Duration::from_secs(10);
/// Between two claims.
const PAUSE: Duration = Duration::from_millis(200);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_absent_player_is_claimed_only_if_gone_everywhere() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    let (first, last) = (0, nodes() - 1);
    let leaves = Duel::begin(&cluster.ways, CLOCK).await;
    let stays = Duel::begin(&cluster.ways, CLOCK).await;
    // Both have moved, and Black looks on at the last node, White claims at the first.
    let mut sockets = Vec::new();
    for duel in [&leaves, &stays] {
        duel.must_play(&cluster.ways.only(first), 1).await;
        duel.must_play(&cluster.ways.only(last), 2).await;
        let path = format!("{}/stream", duel.path());
        let black = Some(&duel.players[1]);
        let mut socket = cluster.ways.only(last).connect(black, &path).await;
        assert_eq!(socket.next().await.expect("a state")["type"], "STATE");
        sockets.push(socket);
        refused(&claim(duel, &cluster.ways.only(first)).await);
    }
    let socket = sockets.remove(0);
    socket.close().await;
    let left = Instant::now();
    let took = claimed(&leaves, &cluster.ways.only(first), left).await;
    println!("claimed {took:?} after leaving");
    // Who stayed was never gone, however long ago they did anything.
    refused(&claim(&stays, &cluster.ways.only(first)).await);
    // Whoever's node dies is given time to come back.
    cluster.nodes[last].kill();
    let died = Instant::now();
    let took = claimed(&stays, &cluster.ways.only(first), died).await;
    println!("claimed {took:?} after a node died");
    drop(sockets);
    cluster.check_logs();
}

/// Claims again and again: how long after that it was given, which is not too soon.
async fn claimed(duel: &Duel, way: &Way, gone: Instant) -> Duration {
    loop {
        let reply = claim(duel, way).await;
        let after = gone.elapsed();
        if reply.status == 200 {
            assert_eq!(reply.json()["reason"], "abandoned", "{}", reply.text);
            // Requests count too, and the clocks differ by a little.
            assert!(after + PAUSE >= GRACE, "claimed after {after:?}");
            return after;
        }
        refused(&reply);
        assert!(after < GRACE + MORE, "never claimed: {}", reply.text);
        sleep(PAUSE).await;
    }
}

async fn claim(duel: &Duel, way: &Way) -> Reply {
    let ask = Ask::post(format!("{}/claim-win", duel.path()), json!({}));
    way.ask(Some(&duel.players[0]), &ask).await
}

fn refused(reply: &Reply) {
    let is_right = reply.status == 409 && reply.json()["error"] == "not_yet";
    assert!(is_right, "{} {}", reply.status, reply.text);
}
