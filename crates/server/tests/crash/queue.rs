//! Those who queue and play rated games while the server is killed: whoever was found
//! an opponent has that one game, and every game that ended is rated once.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::line::{Ask, Down, Line, Person};
use crate::machine::Machine;
use crate::process::Server;

const PLAYERS: usize = 8;
/// Games that end between two kills.
const GAMES: u64 = 12;
const QUEUE: &str = "/v1/matchmaking/queue";

/// Somebody, and what they were told.
struct Player {
    who: Person,
    matched: BTreeSet<String>,
    resigned: BTreeSet<String>,
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn ask(path: impl Into<String>, body: Value) -> Ask {
    Ask {
        path: path.into(),
        body,
        key: None,
    }
}

async fn registered(line: &Line, number: usize) -> Player {
    let name = format!("player{number}");
    let account = json!({ "username": name, "password": "correct horse battery" });
    let made = line.post(None, &ask("/v1/accounts", account)).await;
    let made = made.expect("nobody has killed it yet").json();
    Player {
        who: Person {
            id: text(&made["account"]["id"]),
            token: text(&made["token"]),
        },
        matched: BTreeSet::new(),
        resigned: BTreeSet::new(),
    }
}

impl Player {
    /// Queues, and gives up whatever comes of it, until the server is gone.
    async fn go_on(&mut self, line: &Line) {
        while self.play_one(line).await.is_ok() {}
    }

    async fn play_one(&mut self, line: &Line) -> Result<(), Down> {
        let wish = json!({
            "time_control": { "initial_seconds": 60, "increment_seconds": 0 }, "rated": true,
        });
        let answer = line.post(Some(&self.who), &ask(QUEUE, wish)).await?.json();
        if answer["error"] == "active_game_exists" {
            return self.resign(line, &text(&answer["game_id"])).await;
        }
        // Also if there was one already: it may have been made without an answer.
        let ticket = text(&answer["queue_entry_id"]);
        loop {
            let path = format!("{QUEUE}/{ticket}?wait=5");
            let entry = line.get(&self.who, &path).await?.json();
            match entry["status"].as_str() {
                Some("SEARCHING") => {}
                Some("MATCHED") => {
                    let game = text(&entry["game_id"]);
                    self.matched.insert(game.clone());
                    return self.resign(line, &game).await;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Gives up, unless the other was quicker.
    async fn resign(&mut self, line: &Line, game: &str) -> Result<(), Down> {
        let path = format!("/v1/games/{game}/resign");
        let answer = line.post(Some(&self.who), &ask(path, json!({}))).await?;
        if answer.status == 200 {
            self.resigned.insert(game.to_owned());
            line.count();
        }
        Ok(())
    }

    /// Everything that was acknowledged is there, and nothing twice.
    async fn check(&self, line: &Line) -> usize {
        let games = self.games(line).await;
        let id = |game: &Value| text(&game["id"]);
        let known: BTreeSet<String> = games.iter().map(id).collect();
        assert!(known.is_superset(&self.matched), "a game is gone");
        let active = games.iter().filter(|game| game["state"] == "ACTIVE");
        assert!(active.count() <= 1, "in two games at once");
        let ended = |game: &&Value| game["state"] == "COMPLETED" && game["result"] != "aborted";
        let ended: Vec<&Value> = games.iter().filter(ended).collect();
        let lost = ended.iter().filter(|game| {
            let winner = game["winner"].as_str().expect("they were resigned");
            game[winner] != self.who.id.as_str()
        });
        let lost: BTreeSet<String> = lost.map(|game| id(game)).collect();
        assert!(lost.is_superset(&self.resigned), "a resignation is gone");
        let path = format!("/v1/players/{}/rating-history?speed=bullet", self.who.id);
        let history = line.get(&self.who, &path).await.expect("it runs").json();
        let points = history["points"].as_array().expect("points").clone();
        let rated: Vec<String> = points.iter().map(|point| text(&point["game_id"])).collect();
        let once: BTreeSet<String> = rated.iter().cloned().collect();
        assert_eq!(once.len(), rated.len(), "a game was rated twice");
        let ended: BTreeSet<String> = ended.into_iter().map(id).collect();
        assert_eq!(once, ended, "every game that ended is rated, and no other");
        ended.len()
    }

    async fn games(&self, line: &Line) -> Vec<Value> {
        let mut games = Vec::new();
        let mut cursor = String::new();
        loop {
            let path = format!("/v1/games?player={}&limit=100{cursor}", self.who.id);
            let page = line.get(&self.who, &path).await.expect("it runs").json();
            games.extend(page["games"].as_array().expect("games").iter().cloned());
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return games,
            }
        }
    }
}

/// Kills the server so often while everybody queues and gives up.
pub(crate) async fn crash(kills: u64) {
    let mut machine = Machine::new();
    machine.set("ARBITER_RATED_GAMES_PER_DAY", 1_000);
    let server = machine.must_start();
    let line = Line::to(&server.url);
    let mut players = Vec::new();
    for number in 0..PLAYERS {
        players.push(registered(&line, number).await);
    }
    server.kill();
    for _ in 0..kills {
        let server = machine.must_start();
        let line = Line::to(&server.url);
        let mut told = line.told.subscribe();
        let kill = async {
            told.wait_for(|games| *games >= GAMES)
                .await
                .expect("it goes on");
            tokio::task::spawn_blocking(move || Server::kill(server)).await
        };
        let play = join_all(players.iter_mut().map(|player| player.go_on(&line)));
        let (killed, _) = tokio::join!(kill, play);
        killed.expect("it can be killed");
    }
    let server = machine.must_start();
    let line = Line::to(&server.url);
    let mut ended = 0;
    for player in &players {
        ended += player.check(&line).await;
    }
    println!("{kills} kills, {} rated games", ended / 2);
    assert!(ended as u64 / 2 >= kills * GAMES);
    assert!(server.stop().success());
}
