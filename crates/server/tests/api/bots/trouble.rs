//! Restarts, and engines that do not behave: the game goes on.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use super::{Guest, against, from, server_with};
use crate::client::Server;

/// No theory: an engine is asked from the first move on.
const MIDDLE: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P1B2/2N1PN2/PP2BPPP/R2Q1RK1 w - - 0 9";

/// A program in a few words of shell; it writes its number into `DIR/ids`.
pub(crate) fn script(dir: &TempDir, body: &str) -> PathBuf {
    let (path, ids) = (dir.path().join("engine"), dir.path().join("ids"));
    let text = format!("#!/bin/sh\necho $$ >> {}\n{body}\n", ids.display());
    std::fs::write(&path, text).expect("a script");
    let run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, run).expect("permissions");
    path
}

/// The process that was started last.
fn newest(dir: &Path) -> Pid {
    let text = std::fs::read_to_string(dir.join("ids")).expect("it was started");
    let id = text.lines().last().and_then(|line| line.parse().ok());
    Pid::from_raw(id.expect("a number")).expect("a process")
}

async fn with_engine(path: PathBuf) -> Server {
    server_with(|settings| {
        settings.engines = true;
        settings.engine_paths = vec![path];
        settings.bot_workers = 1;
    })
    .await
}

/// What greets as an engine does, and then does `then` for every question.
pub(crate) fn greets(then: &str) -> String {
    format!(
        "while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {then};; esac; done"
    )
}

async fn round(guest: &mut Guest) {
    let text = guest.any();
    guest.makes(&text).await;
    guest.waits().await;
}

#[tokio::test]
async fn an_engine_that_is_killed_or_stopped_costs_the_game_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let body = format!("exec {} uci", env!("CARGO_BIN_EXE_arbiter"));
    let server = with_engine(script(&dir, &body)).await;
    let (mut guest, _) = Guest::plays(&server, from("expert", MIDDLE)).await;
    round(&mut guest).await;
    let house = || server.running().app().house.stats().engines;
    assert_eq!((house().by_uci, house().faults), (1, 0));
    for (n, signal) in [Signal::KILL, Signal::STOP].into_iter().enumerate() {
        kill_process(newest(dir.path()), signal).expect("a signal");
        round(&mut guest).await;
        assert_eq!(house().faults, n as u64 + 1);
    }
    assert_eq!(house().by_uci, 3, "started again each time");
    let last = newest(dir.path());
    drop(guest);
    let mut server = server;
    server.stop().await;
    assert!(
        rustix::process::test_kill_process(last).is_err(),
        "no process is left"
    );
}

#[tokio::test]
async fn whatever_an_engine_answers_the_bot_moves() {
    for then in [
        "exit 3",
        "echo bestmove e2e5",
        "head -c 100000 /dev/urandom",
        "kill -STOP $$",
    ] {
        let dir = tempfile::tempdir().expect("a directory");
        let server = with_engine(script(&dir, &greets(then))).await;
        let (mut guest, _) = Guest::plays(&server, from("expert", MIDDLE)).await;
        round(&mut guest).await;
        let engines = server.running().app().house.stats().engines;
        assert!(
            engines.faults > 0 && engines.by_uci == 0,
            "{then}: {engines:?}"
        );
    }
}

#[tokio::test]
async fn an_engine_that_is_not_there_is_none() {
    let server = with_engine("/nowhere/engine".into()).await;
    let (mut guest, _) = Guest::plays(&server, from("master", MIDDLE)).await;
    round(&mut guest).await;
}

/// Whatever is installed here, or nothing.
#[tokio::test]
async fn engines_of_the_system_are_used_where_there_are_any() {
    let server = server_with(|settings| settings.engines = true).await;
    let (mut guest, _) = Guest::plays(&server, from("master", MIDDLE)).await;
    round(&mut guest).await;
    let path = std::env::var_os("PATH");
    let has_any = !bots::uci::config::installed(path.as_deref()).is_empty();
    let engines = server.running().app().house.stats().engines;
    assert_eq!(engines.by_uci > 0, has_any, "{engines:?}");
}

#[tokio::test]
async fn after_a_restart_the_bot_goes_on() {
    // It thinks for a while, so that the restart comes first.
    let mut server = server_with(|settings| settings.bot_thinking = true).await;
    let (guest, game) = Guest::plays(&server, against("easy")).await;
    let id = game["id"].as_str().expect("an id").to_owned();
    guest.client.plays_at(&id, "e2e4", 1).await.expect(200);
    server.restart().await;
    let client = server.again(&guest.client);
    let mut guest = Guest::at(&client, &id).await;
    guest.hears_move(2).await;
    round(&mut guest).await;
}

/// News that nobody heard: the store knows of the game.
#[tokio::test]
async fn a_challenge_made_while_the_bots_were_away_is_taken() {
    let mut server = server_with(|settings| settings.bot_thinking = true).await;
    let ann = server.guest().await;
    let mut terms = crate::client::blitz();
    terms["opponent_id"] = "bot-easy-800".into();
    server.running().app().house.close().await;
    let game = ann.post("/v1/games", terms).await.expect(201);
    let id = game["id"].as_str().expect("an id").to_owned();
    server.restart().await;
    let ann = server.again(&ann);
    let mut socket = ann.watches(&id).await;
    let state = socket.hears("STATE").await;
    if state["state"] == "WAITING" {
        socket.hears("STARTED").await;
    }
    assert_eq!(ann.game(&id).await["state"], "ACTIVE");
}
