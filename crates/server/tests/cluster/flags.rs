//! Flags fall, though the node that watched them died.

use std::time::Duration;

use crate::check::{flag, watched};
use crate::cluster::{Cluster, Plan};
use crate::duel::{Duel, answered};
use crate::nodes;
use crate::stage::await_at_least;

const GAMES: usize = 10;
/// The clocks, in seconds.
const SHORT: u32 = 3;
/// How late a flag may be whose node died.
const WITHIN: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn flags_fall_though_their_node_died() {
    let Some(mut cluster) = Cluster::start(nodes(), Plan::default()).await else {
        return;
    };
    let mut games = Vec::new();
    for _ in 0..GAMES {
        let duel = Duel::begin(&cluster.ways, SHORT).await;
        let others = (1..nodes()).map(|number| duel.watch(cluster.ways.only(number)));
        let others: Vec<_> = others.collect();
        // Whoever wrote last watches the clock.
        duel.must_play(&cluster.ways.only(0), 1).await;
        let last = duel.must_play(&cluster.ways.only(0), 2).await;
        games.push((duel, others, answered(&last)));
    }
    for (duel, others, _) in &games {
        await_at_least(&duel.room.arrived, others.len(), "watchers").await;
    }
    cluster.nodes[0].kill();
    for (duel, others, _) in &games {
        await_at_least(&duel.room.ended, others.len(), "that hear of a flag").await;
        duel.part(&cluster.ways.only(1)).await;
    }
    cluster.start_node(0).await;
    for (duel, others, left) in games {
        let log = duel.log(&cluster.ways.only(0)).await;
        assert_eq!(log, duel.log(&cluster.ways.only(1)).await);
        let ends = log.iter().filter(|entry| entry["type"] == "GAME_OVER");
        assert_eq!(ends.count(), 1, "{log:#?}");
        let mut heard = Vec::new();
        for other in others {
            let watched = other.await.expect("somebody watched");
            let checked = watched::check(&watched, &log);
            checked.unwrap_or_else(|why| panic!("{why}: {log:#?}"));
            heard.push(watched);
        }
        let checked = flag::check(&log, left, &heard, WITHIN);
        checked.unwrap_or_else(|why| panic!("{why}: {log:#?}"));
    }
    cluster.check_logs();
}
