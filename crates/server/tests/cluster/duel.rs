//! One game of two who know what they want, for tests of a single thing.

use std::sync::Arc;
use std::time::Instant;

use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::watch::{Room, Watched, Watcher};
use crate::way::{Ask, Person, Reply, Way, Ways, text};

/// The moves they make.
const MOVES: [&str; 4] = ["e2e4", "e7e5", "g1f3", "b8c6"];

/// A game that has begun.
pub(crate) struct Duel {
    pub(crate) id: String,
    /// White and Black.
    pub(crate) players: [Person; 2],
    pub(crate) room: Arc<Room>,
}

impl Duel {
    /// Begins a game with so many seconds for each; White comes by the first node,
    /// Black by the second.
    pub(crate) async fn begin(ways: &Ways, seconds: u32) -> Duel {
        let (first, second) = (ways.node(0), ways.node(1));
        let players = [first.guest().await, second.guest().await];
        let control = json!({ "initial_seconds": seconds, "increment_seconds": 0 });
        let ask = Ask::post("/v1/games", json!({ "time_control": control }));
        let game = first.ask(Some(&players[0]), &ask).await.expect(201);
        let id = text(&game["id"]);
        let ask = Ask::post(format!("/v1/games/{id}/join"), json!({}));
        second.ask(Some(&players[1]), &ask).await.expect(200);
        let room = Room::new(&id);
        Duel { id, players, room }
    }

    pub(crate) fn path(&self) -> String {
        format!("/v1/games/{}", self.id)
    }

    /// The request for a half-move, the first of which is 1, and who makes it.
    pub(crate) fn half_move(&self, ply: usize) -> (&Person, Ask) {
        let body = json!({ "move": MOVES[ply - 1], "ply": ply });
        let who = &self.players[(ply + 1) % 2];
        (who, Ask::post(format!("{}/moves", self.path()), body))
    }

    pub(crate) async fn must_play(&self, way: &Way, ply: usize) -> Reply {
        let (who, ask) = self.half_move(ply);
        let reply = way.ask(Some(who), &ask).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply
    }

    /// Somebody without a name watches.
    pub(crate) fn watch(&self, way: Way) -> JoinHandle<Watched> {
        let room = Arc::clone(&self.room);
        let who = None;
        tokio::spawn(
            Watcher {
                room,
                way,
                who,
                is_player: false,
            }
            .watch(),
        )
    }

    /// Says the last word, after which nobody has to watch any more.
    pub(crate) async fn part(&self, way: &Way) {
        let body = json!({ "text": "good game" });
        let ask = Ask::post(format!("{}/chat", self.path()), body);
        let line = way.ask(Some(&self.players[0]), &ask).await.expect(201);
        let id = text(&line["id"]);
        self.room.lines.send_replace(Some(vec![id]));
    }

    pub(crate) async fn log(&self, way: &Way) -> Vec<Value> {
        let path = format!("{}/log", self.path());
        let log = way.get(Some(&self.players[0]), &path).await.expect(200);
        log.as_array().expect("entries").clone()
    }
}

/// When an answer was there.
pub(crate) fn answered(reply: &Reply) -> Instant {
    reply.sent + reply.took
}
