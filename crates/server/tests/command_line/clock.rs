//! A machine whose clock was ahead once.

use serde_json::{Value, json};
use store::Store;

use crate::Machine;

const DAY: u64 = 86_400_000;

/// What the machine's clock shows, in milliseconds.
fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    u64::try_from(since.unwrap().as_millis()).unwrap()
}

/// As a server leaves a database that ran with the clock 40 days ahead.
fn run_ahead(machine: &Machine) {
    let url = format!("sqlite:{}", machine.path("arbiter.db").display());
    let store = Store::open(&url).unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    store.heartbeat(
        chess::Timestamp(now() + 40 * DAY + DAY / 2),
        Box::new(move |result| tell.send(result).unwrap()),
    );
    told.recv().unwrap().unwrap();
    store.close();
}

async fn post(url: &str, path: &str, token: &str, body: Value) -> Value {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let mut request = client
        .post(format!("{url}{path}"))
        .header("content-type", "application/json")
        .body(body.to_string());
    if !token.is_empty() {
        request = request.bearer_auth(token);
    }
    let text = request.send().await.unwrap().text().await.unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}"))
}

#[tokio::test]
async fn a_time_that_is_far_ahead_is_refused_accepted_or_reset() {
    let machine = Machine::new();
    run_ahead(&machine);
    let (code, text) = machine.run(&["--listen", "127.0.0.1:0"]);
    assert_eq!(code, 1, "{text}");
    for part in ["40 days ahead", "reset-clock", "--clock-ahead-seconds"] {
        assert!(text.contains(part), "{text}");
    }

    // In the games' time nothing but the games is dated ahead.
    let server = machine.serve_with(&["--clock-ahead-seconds", "9999999"]);
    let ann = post(&server.url, "/v1/guests", "", json!({})).await;
    let ends = ann["expires_at"].as_str().expect("a session ends");
    assert!(ends < &*day(now() + 91 * DAY), "{ann}");
    let token = ann["token"].as_str().expect("a token").to_owned();
    let game = post(
        &server.url,
        "/v1/games",
        &token,
        json!({ "color": "white", "time_control": { "initial_seconds": 300, "increment_seconds": 0 } }),
    )
    .await;
    let game = game["id"].as_str().expect("a game").to_owned();
    let (code, text) = machine.run(&["admin", "reset-clock"]);
    assert_eq!((code, text.contains("stop it first")), (1, true), "{text}");
    assert_eq!(server.stop(), 0);

    let text = machine.good(&["admin", "reset-clock"]);
    assert!(text.contains("the games' time was"), "{text}");
    assert!(
        text.contains("1 unfinished games") && text.contains(&game),
        "{text}"
    );
    let text = machine.good(&["admin", "reset-clock"]);
    assert!(text.contains("nothing to set back"), "{text}");

    // A game that was played ahead does not bring the time back.
    let server = machine.serve();
    let ben = post(&server.url, "/v1/guests", "", json!({})).await;
    let ben = ben["token"].as_str().expect("a token").to_owned();
    let joined = post(
        &server.url,
        &format!("/v1/games/{game}/join"),
        &ben,
        json!({}),
    )
    .await;
    assert_eq!(joined["state"], "ACTIVE", "{joined}");
    for (who, text) in [(&token, "e2e4"), (&ben, "e7e5")] {
        let path = format!("/v1/games/{game}/moves");
        let played = post(&server.url, &path, who, json!({ "move": text })).await;
        assert_eq!(played["game_state"], "ACTIVE", "{played}");
    }
    assert_eq!(server.stop(), 0);
    let server = machine.serve();
    assert_eq!(server.stop(), 0);
    let audit = machine.good(&["admin", "audit"]);
    assert!(audit.contains("cli  reset_clock"), "{audit}");
}

/// The day of a moment: `2026-01-31`.
fn day(ms: u64) -> String {
    server::text_time::rfc3339(chess::Timestamp(ms))[..10].to_owned()
}

#[test]
fn a_game_of_the_future_does_not_set_the_clock() {
    let machine = Machine::new();
    let game = "[White \"A\"]\n[Black \"B\"]\n[Date \"2099.01.01\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    std::fs::write(machine.path("in.pgn"), game).unwrap();
    let text = machine.good(&["import", "in.pgn"]);
    assert!(text.contains("1 games taken in"), "{text}");
    assert_eq!(machine.serve().stop(), 0);
}
