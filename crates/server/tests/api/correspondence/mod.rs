//! Games with days per move.

mod conditional;
mod recovery;
mod vacation;

use chess::game::Command;
use chess::table::{Actor, PlayerId};
use live::With;
use serde_json::{Value, json};

use crate::client::{Answer, Client, Server};

/// Three days for each move.
fn by_days() -> Value {
    json!({ "time_control": { "days_per_move": 3 } })
}

/// Somebody's number.
async fn number(server: &Server, player: &Client) -> PlayerId {
    let account = server.running().app().store.account_by_id(&player.id).await;
    account.expect("a store").expect("an account").number
}

/// A player's command is committed, and nothing that would follow happens.
async fn bring(server: &Server, player: &Client, id: &str, command: Command) {
    let who = Actor::Player(number(server, player).await);
    bring_as(server, who, id, command).await;
}

/// The same for whoever it is.
async fn bring_as(server: &Server, who: Actor, id: &str, command: Command) {
    let app = server.running().app().clone();
    let table = id.parse().expect("an id");
    let brought = app
        .games
        .submit(table, who, command, app.now(), With::default());
    let outcome = brought.await.expect("an outcome");
    assert!(matches!(outcome, live::Outcome::Changed { .. }));
}

/// Says how somebody answers: a line each, their move and the answer in turn.
async fn plans(player: &Client, id: &str, lines: &[&str]) -> Answer {
    let lines: Vec<Vec<&str>> = lines
        .iter()
        .map(|line| line.split_whitespace().collect())
        .collect();
    let path = format!("/v1/games/{id}/conditional-moves");
    player.put(&path, json!({ "lines": lines })).await
}

/// What is left of somebody's conditional moves.
async fn planned(player: &Client, id: &str) -> Value {
    let path = format!("/v1/games/{id}/conditional-moves");
    player.get(&path).await.expect(200)["lines"].clone()
}

/// Milliseconds from one time on the wire to another, within a month.
fn days_between(from: &Value, to: &Value) -> f64 {
    let at = |text: &Value| {
        let text = text.as_str().expect("a time");
        server::text_time::read_rfc3339(text).expect("a time").0 as f64
    };
    (at(to) - at(from)) / 86_400_000.0
}
