//! Coming back: exactly what was missed, in order, once.

use serde_json::{Value, json};

use super::listener::is_change;
use crate::client::{Client, Server, play};

fn strip(mut message: Value) -> Value {
    let fields = message.as_object_mut().expect("an object");
    fields
        .remove("game_id")
        .expect("every message says of which game");
    message
}

#[tokio::test]
async fn with_since_the_missed_changes_come_in_order_and_then_sync() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5 Nf3 Nc6").await;
    black.asks(&id, "offer-draw").await.expect(200);
    let path = format!("/v1/games/{id}/stream?since=3");
    let mut socket = white.listens(&path).await;
    for entry in &white.log(&id).await[3..] {
        assert_eq!(strip(socket.next().await), *entry);
    }
    let sync = socket.next().await;
    assert_eq!(sync["type"], "SYNC");
    assert_eq!(sync["version"], 7);
    assert_eq!(sync["role"], "player");
    assert_eq!(
        sync["offers"],
        json!({ "draw": "black", "takeback": null, "pause": null })
    );
    assert!(sync["clock_ms"]["white"].is_u64());
    assert_eq!(sync["presence"]["white"]["online"], true);
    // Nothing missed: nothing but SYNC.
    let mut socket = white
        .listens(&format!("/v1/games/{id}/stream?since=7"))
        .await;
    assert_eq!(socket.next().await["type"], "SYNC");
}

#[tokio::test]
async fn a_since_that_makes_no_sense_gives_the_whole_state_again() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    play(&white, &black, &id, "e4 e5").await;
    for since in ["5", "99999", "-1", "x", "", "4294967296"] {
        let path = format!("/v1/games/{id}/stream?since={since}");
        let state = white.listens(&path).await.next().await;
        assert_eq!(
            (&state["type"], &state["resync"]),
            (&json!("STATE"), &json!(true)),
            "{since}"
        );
        assert_eq!(state["version"], 4);
    }
}

#[tokio::test]
async fn more_than_a_thousand_behind_is_too_much() {
    let server = Server::start().await;
    let terms = json!({ "time_control": null });
    let (white, black, id) = server.game(terms).await;
    // A game that is stopped and resumed never ends: the shortest way to a long one.
    for _ in 0..251 {
        white.asks(&id, "offer-pause").await.expect(200);
        black.asks(&id, "accept-pause").await.expect(200);
        white.asks(&id, "resume").await.expect(200);
        black.asks(&id, "resume").await.expect(200);
    }
    let version = white.game(&id).await["version"].as_u64().expect("a number");
    let first = |since: u64| {
        let (white, path) = (
            white.clone(),
            format!("/v1/games/{id}/stream?since={since}"),
        );
        async move { white.listens(&path).await.next().await }
    };
    assert_eq!(first(version - 1_001).await["resync"], true);
    let missed = first(version - 1_000).await;
    assert_eq!(missed["version"], json!(version - 999));
}

/// A small generator, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// What somebody has received so far, over however many connections.
struct Follower {
    client: Client,
    received: Vec<Value>,
    version: Option<u64>,
    last_id: String,
}

impl Follower {
    /// Connects by one road or the other, takes in everything up to `version`
    /// and goes again, in the middle of it if `breaks_off`.
    async fn catch_up(&mut self, id: &str, version: u64, by_events: bool, breaks_off: Option<u64>) {
        let mut taken = 0;
        if by_events {
            let mut events = self.client.events(id, &self.last_id).await;
            while self.version != Some(version) && breaks_off.is_none_or(|n| taken < n) {
                let message = events.next().await;
                self.take(message);
                self.last_id.clone_from(&events.last_id);
                self.version = self
                    .last_id
                    .split_once('~')
                    .map(|(v, _)| v.parse().expect("a version"));
                taken += 1;
            }
        } else {
            let since = self
                .version
                .map(|v| format!("?since={v}"))
                .unwrap_or_default();
            let mut socket = self
                .client
                .listens(&format!("/v1/games/{id}/stream{since}"))
                .await;
            while self.version != Some(version) && breaks_off.is_none_or(|n| taken < n) {
                let message = socket.next().await;
                self.version = message["version"].as_u64().or(self.version);
                self.last_id = format!("{}~", self.version.unwrap_or(0));
                self.take(message);
                taken += 1;
            }
        }
    }

    fn take(&mut self, message: Value) {
        assert_eq!(message.get("resync"), None, "{message}");
        if is_change(&message) {
            self.received.push(strip(message));
        }
    }
}

/// The rounds of the test below; more by hand: `ARBITER_RESUMES=1000`.
fn rounds() -> u64 {
    let rounds = std::env::var("ARBITER_RESUMES").ok();
    rounds.map_or(60, |rounds| rounds.parse().expect("a number"))
}

#[tokio::test]
async fn whatever_breaks_in_between_everyone_receives_the_log_once() {
    let mut dice = Dice(20_261_115);
    let mut server = Server::start_with(|settings| {
        settings.idle_seconds = 1;
        settings.resident_max = 1;
    })
    .await;
    let terms = json!({ "time_control": null });
    let (mut white, mut black, id) = server.game(terms.clone()).await;
    let follower = |client: Client| Follower {
        client,
        received: Vec::new(),
        version: None,
        last_id: String::new(),
    };
    let mut followers = vec![
        follower(white.clone()),
        follower(black.clone()),
        follower(server.guest().await),
        follower(server.nobody()),
    ];
    let mut versions = white.game(&id).await["version"].as_u64().expect("a number");
    for follower in &mut followers {
        follower.catch_up(&id, versions, false, None).await;
    }
    let begun = versions as usize;
    for _ in 0..rounds() {
        // Something happens: mostly a little, sometimes a lot.
        let many = if dice.roll(10) == 0 {
            dice.roll(60)
        } else {
            1 + dice.roll(4)
        };
        for step in 0..many {
            let (player, command) = match (versions + step) % 4 {
                2 => (&white, "offer-pause"),
                3 => (&black, "accept-pause"),
                0 => (&white, "resume"),
                _ => (&black, "resume"),
            };
            player.asks(&id, command).await.expect(200);
        }
        versions = white.game(&id).await["version"].as_u64().expect("a number");
        match dice.roll(12) {
            0 => {
                server.restart().await;
                for follower in &mut followers {
                    follower.client = server.again(&follower.client);
                }
                (white, black) = (server.again(&white), server.again(&black));
            }
            // Another game takes the only place in memory.
            1 => drop(server.game(terms.clone()).await),
            _ => {}
        }
        versions = versions.max(white.game(&id).await["version"].as_u64().expect("a number"));
        for follower in &mut followers {
            if dice.roll(3) == 0 {
                continue;
            }
            let breaks_off = (dice.roll(2) == 0).then(|| dice.roll(5));
            follower
                .catch_up(&id, versions, dice.roll(2) == 0, breaks_off)
                .await;
        }
    }
    let log = white.log(&id).await;
    for follower in &mut followers {
        follower.catch_up(&id, versions, false, None).await;
        assert_eq!(follower.received, log[begun..]);
    }
}
