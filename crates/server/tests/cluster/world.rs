//! Many pairs who play while something happens to the cluster, and the last word.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::check::{Found, Rules};
use crate::cluster::Cluster;
use crate::pair::Pair;
use crate::stage::{Spread, Stage};

/// Pairs that play at the same time.
const PAIRS: u64 = 12;
/// The longest everybody may take to come to an end.
const PATIENCE: Duration = Duration::from_secs(180);

/// Lets everybody play while something happens, then checks what they know.
pub(crate) async fn play(
    cluster: &mut Cluster,
    rules: Rules,
    meanwhile: impl AsyncFnOnce(&mut Cluster, &Stage),
) -> Found {
    play_spread(cluster, Spread::Anywhere, rules, meanwhile).await
}

/// The same, and who goes where.
pub(crate) async fn play_spread(
    cluster: &mut Cluster,
    spread: Spread,
    rules: Rules,
    meanwhile: impl AsyncFnOnce(&mut Cluster, &Stage),
) -> Found {
    let seed = crate::seed();
    let stage = Arc::new(Stage::new(cluster.ways.clone(), spread));
    let mut playing = JoinSet::new();
    for number in 0..PAIRS {
        let pair = Pair::new(Arc::clone(&stage), number, seed).await;
        playing.spawn(pair.play());
    }
    tokio::select! {
        () = meanwhile(cluster, &stage) => {}
        Some(first) = playing.join_next() => come_home(first.map(|_| "nobody told them to stop")),
    }
    stage.is_closing.send_replace(true);
    let mut pairs = Vec::new();
    let all = async {
        while let Some(pair) = playing.join_next().await {
            pairs.push(pair.unwrap_or_else(|e| std::panic::resume_unwind(e.into_panic())));
        }
    };
    timeout(PATIENCE, all).await.expect("all games end");
    cluster.come_near();
    let mut found = Found::default();
    for checked in join_all(pairs.into_iter().map(|pair| pair.check(&stage, rules))).await {
        found.add(checked);
    }
    cluster.check_logs();
    found.tell();
    found
}

/// Fails with the reason why somebody stopped too early.
fn come_home(stopped: Result<&str, tokio::task::JoinError>) {
    match stopped {
        Ok(why) => panic!("somebody stopped to play: {why}"),
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
