//! What a crash leaves undone is done later.

use chess::Millis;
use chess::game::{Command, MoveCommand};
use chess::table::Actor;
use serde_json::json;

use super::{bring, bring_as, by_days, days_between, number, planned, plans};
use crate::client::Server;

/// A move is committed, and the server ends before the answer to it is.
#[tokio::test]
async fn an_answer_that_a_crash_left_out_is_played_at_the_next_start() {
    let mut server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    white.plays(&id, "e4").await.expect(200);
    plans(&white, &id, &["e5 Nf3"]).await.expect(200);
    let command = Command::Move(MoveCommand::new("e5"));
    bring(&server, &black, &id, command).await;
    server.restart().await;
    let white = server.again(&white);
    let mut watcher = white.watches(&id).await;
    if watcher.next().await["ply"] == 2 {
        assert_eq!(watcher.hears("MOVE").await["san"], "Nf3");
    }
    let log = white.log(&id).await;
    let moves: Vec<_> = log.iter().filter(|entry| entry["type"] == "MOVE").collect();
    assert_eq!(moves.len(), 3);
    assert_eq!(moves[2]["san"], "Nf3");
    assert_eq!(planned(&white, &id).await, json!([]));
}

/// The vacation is written down, and the server ends before the games know of it.
#[tokio::test]
async fn a_vacation_that_a_crash_left_out_is_noted_at_the_next_start() {
    let mut server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    let who = number(&server, &white).await;
    let app = server.running().app().clone();
    let (now, week) = (app.now(), Millis::from_days(7));
    let began = app.store.begin_vacation(who, now, now + week).await;
    assert_eq!(began, Ok(true));
    drop(app);
    server.restart().await;
    let black = server.again(&black);
    let mut watcher = black.watches(&id).await;
    let state = watcher.next().await;
    if state["players"]["white"]["vacation_until"].is_null() {
        watcher.hears("VACATION_BEGAN").await;
    }
    let game = black.game(&id).await;
    let left = days_between(&game["started_at"], &game["move_deadline"]);
    assert!((9.99..10.01).contains(&left), "{left} days");
    let log = black.log(&id).await;
    let noted = log.iter().filter(|entry| entry["type"] == "VACATION_BEGAN");
    assert_eq!(noted.count(), 1);
}

/// Another node still works on the vacation as it was, and is the last to tell of it.
#[tokio::test]
async fn an_older_end_that_is_told_late_does_not_stand() {
    let server = Server::start().await;
    let (white, black, id) = server.game(by_days()).await;
    let path = "/v1/me/vacation";
    white.put(path, json!({ "days": 3 })).await.expect(200);
    let who = number(&server, &white).await;
    let app = server.running().app().clone();
    let old = app.store.vacations_of(who, app.now()).await.expect("rows")[0];
    let new = white.put(path, json!({ "days": 7 })).await.expect(200);
    let late = Command::Vacation {
        of: who,
        until: Some(old.ends_at),
    };
    bring_as(&server, Actor::Server, &id, late).await;
    app.store.vacation_told(old, true).await.expect("noted");
    // Whoever records next, for whatever reason, sets it right.
    black.put(path, json!({ "days": 1 })).await.expect(200);
    let game = black.game(&id).await;
    assert_eq!(game["players"]["white"]["vacation_until"], new["until"]);
}
