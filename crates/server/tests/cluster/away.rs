//! The store cannot be reached: by nobody, or by one node.

use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::time::sleep;

use crate::check::Rules;
use crate::cluster::{Cluster, Plan};
use crate::duel::Duel;
use crate::nodes;
use crate::stage::Stage;
use crate::way::{Ask, Tried};
use crate::world::play;

/// The clocks, in seconds; the store is away for longer.
const SHORT: u32 = 3;
const AWAY: Duration = Duration::from_secs(4);
/// The longest a refusal may take.
const REFUSAL: Duration = Duration::from_secs(1);
/// After so long every node says that what it shows may be old. Before, what was
/// confirmed a moment ago counts as new for those who only look.
const NOTICED: Duration = Duration::from_secs(2);
/// Between two attempts of a player who is refused.
const PAUSE: Duration = Duration::from_millis(50);

fn plan() -> Plan {
    Plan {
        has_ways: true,
        has_replica: true,
        ..Plan::default()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_store_is_away() {
    if nodes() == 1 {
        return;
    }
    let Some(cluster) = Cluster::start(nodes(), plan()).await else {
        return;
    };
    let duel = Duel::begin(&cluster.ways, SHORT).await;
    duel.must_play(&cluster.ways.node(0), 1).await;
    duel.must_play(&cluster.ways.node(1), 2).await;
    for way in &cluster.store_ways {
        way.cut();
    }
    let cut = Instant::now();
    while cut.elapsed() < AWAY {
        for number in 0..nodes() {
            refuses(&cluster, &duel, number).await;
            shows(&cluster, &duel, number, cut).await;
        }
        sleep(PAUSE).await;
    }
    for way in &cluster.store_ways {
        way.resume();
    }
    // It resumes by itself, and nobody paid for it.
    let told = duel.must_play(&cluster.ways.node(1), 3).await.json();
    assert_eq!(told["game_state"], "ACTIVE", "{told}");
    duel.must_play(&cluster.ways.node(0), 4).await;
    let log = duel.log(&cluster.ways.balanced()).await;
    let credits: Vec<&Value> = log
        .iter()
        .filter(|entry| entry["type"] == "TIME_CREDITED")
        .collect();
    assert_eq!(credits.len(), 1, "{log:#?}");
    let credited = Duration::from_millis(credits[0]["ms"].as_u64().expect("a number"));
    println!("{credited:?} were credited");
    assert!(credited + Duration::from_millis(500) > AWAY, "{log:#?}");
    for number in 0..nodes() {
        let game = cluster.ways.only(number).get(None, &duel.path()).await;
        assert_ne!(game.expect(200)["stale"], true, "{}", game.text);
    }
    cluster.check_logs();
}

/// A write is refused soon, and with the time to come back.
async fn refuses(cluster: &Cluster, duel: &Duel, number: usize) {
    let (who, ask) = duel.half_move(3);
    let begun = servers::now();
    let tried = cluster.ways.only(number).attempt(Some(who), &ask).await;
    let took = servers::now() - begun;
    let is_refused = matches!(tried, Tried::Refused { retry_after: true });
    assert!(is_refused, "{tried:?}");
    assert!(took < REFUSAL, "node {number} refuses after {took:?}");
}

/// What is known is shown, as such.
async fn shows(cluster: &Cluster, duel: &Duel, number: usize, cut: Instant) {
    let is_noticed = cut.elapsed() > NOTICED;
    let way = cluster.ways.only(number);
    let tried = way.attempt(None, &Ask::get(duel.path())).await;
    let Some((200, text)) = tried.clone().answer() else {
        panic!("node {number}: {tried:?}");
    };
    let game: Value = serde_json::from_str(&text).expect("JSON");
    if is_noticed {
        assert_eq!(game["ply"], 2, "node {number}: {game}");
        assert_eq!(game["stale"], true, "node {number}: {game}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_store_is_away_from_one_node() {
    if nodes() == 1 {
        return;
    }
    let Some(mut cluster) = Cluster::start(nodes(), plan()).await else {
        return;
    };
    let rules = Rules {
        // The others went on.
        credits_max: 0,
        flag_within: Duration::from_secs(8),
    };
    let meanwhile = async |cluster: &mut Cluster, stage: &Stage| {
        for number in 0..2 {
            stage.more(100).await;
            cluster.store_ways[number].cut();
            let cut = Instant::now();
            while cut.elapsed() < AWAY {
                stage.more(20).await;
            }
            cluster.store_ways[number].resume();
            cluster.ready(&cluster.ways.only(number)).await;
        }
        stage.more(100).await;
    };
    play(&mut cluster, rules, meanwhile).await;
}
