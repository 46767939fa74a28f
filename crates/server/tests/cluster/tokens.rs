//! A token that is taken back at one node is dead at all of them.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use crate::cluster::{Cluster, Plan};
use crate::nodes;
use crate::way::{Ask, Person};

/// How long it may count elsewhere.
const LIMIT: Duration = Duration::from_secs(1);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(10);
/// The longest a socket may stay open without one.
const OPEN: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(60);

const ME: &str = "/v1/me";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tokens_die_everywhere() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    dies_everywhere(&cluster).await;
    cluster.kill_bus();
    dies_everywhere(&cluster).await;
    cluster.start_bus();
    dies_everywhere(&cluster).await;
    cluster.check_logs();
}

async fn dies_everywhere(cluster: &Cluster) {
    let who = cluster.ways.node(0).guest().await;
    for number in 0..nodes() {
        // Now it is known there.
        assert_eq!(status(cluster, &who, number).await, Some(200));
    }
    let mut sockets = Vec::new();
    for number in 0..nodes() {
        let way = cluster.ways.only(number);
        sockets.push(way.connect(Some(&who), "/v1/stream").await);
    }
    let ask = Ask::delete("/v1/sessions/current");
    let reply = cluster.ways.only(0).ask(Some(&who), &ask).await;
    assert_eq!(reply.status, 204, "{}", reply.text);
    let dead = servers::now();
    for number in 0..nodes() {
        loop {
            let asked = servers::now() - dead;
            let status = status(cluster, &who, number).await;
            if status == Some(401) {
                break;
            }
            assert!(
                asked < LIMIT,
                "node {number} says {status:?} after {asked:?}"
            );
            sleep(PAUSE).await;
        }
    }
    for (number, mut socket) in sockets.into_iter().enumerate() {
        let closed = async {
            loop {
                if let Err(code) = socket.next().await {
                    return code;
                }
            }
        };
        let begun = servers::now();
        let closed = timeout(PATIENCE, closed).await;
        assert_eq!(closed, Ok(Some(1008)), "node {number}");
        let took = servers::now() - begun;
        assert!(took < OPEN, "node {number} closes after {took:?}");
    }
}

async fn status(cluster: &Cluster, who: &Person, number: usize) -> Option<u16> {
    cluster.ways.only(number).try_once(Some(who), ME).await
}
