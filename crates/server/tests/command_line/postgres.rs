//! The same commands on a store in PostgreSQL, with and without servers on it.

use serde_json::{Value, json};

use crate::{GAMES, Machine, write};

/// A machine, and what to say so that commands use the database.
fn machine() -> Option<(Machine, String)> {
    Some((Machine::new(), servers::postgres()?))
}

/// What a command prints that must work.
fn good(machine: &Machine, url: &str, arguments: &[&str]) -> String {
    machine.good(&[&["--store", url], arguments].concat())
}

/// What a command prints that must not work.
fn bad(machine: &Machine, url: &str, arguments: &[&str]) -> String {
    let (code, text) = machine.run(&[&["--store", url], arguments].concat());
    assert_eq!(code, 1, "{arguments:?}: {text}");
    text
}

async fn post(url: &str, path: &str, token: &str, body: Value) -> Value {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(format!("{url}{path}")).body(body.to_string());
    let request = request.header("content-type", "application/json");
    let request = match token {
        "" => request,
        token => request.bearer_auth(token),
    };
    let text = request.send().await.unwrap().text().await.unwrap();
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{path}: {text}"))
}

fn blitz() -> Value {
    json!({ "color": "white", "time_control": { "initial_seconds": 300, "increment_seconds": 0 } })
}

fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("no text: {value}"))
        .to_owned()
}

#[test]
fn games_come_in_are_checked_archived_and_go_out() {
    let Some((machine, url)) = machine() else {
        return;
    };
    write(&machine.path("in.pgn"), GAMES);
    let (code, said) = machine.run(&["--store", &url, "import", "in.pgn"]);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("2 games taken in, 0 were there already"),
        "{said}"
    );
    let everything = |machine: &Machine| {
        let checked = good(machine, &url, &["check"]);
        assert!(
            checked.contains("2 games, all as they should be"),
            "{checked}"
        );
        let out = good(machine, &url, &["export"]);
        assert_eq!(out.matches("[Event ").count(), 2, "{out}");
        let out = good(machine, &url, &["export", "--player", "nobody"]);
        assert_eq!(out.matches("[Event ").count(), 1, "{out}");
    };
    everything(&machine);
    let server = machine.serve_with(&["--store", &url]);
    everything(&machine);
    let archived = good(&machine, &url, &["archive", "--before", "9999-01"]);
    assert!(archived.contains("2 games archived"), "{archived}");
    everything(&machine);
    let archived = good(&machine, &url, &["archive", "--older-than-days", "0"]);
    assert!(archived.contains("0 games archived"), "{archived}");
    let (_, said) = machine.run(&["--store", &url, "import", "in.pgn"]);
    assert!(
        said.contains("0 games taken in, 2 were there already"),
        "{said}"
    );
    assert_eq!(server.stop(), 0);
    for arguments in [&["archive"][..], &["archive", "--before", "2026"]] {
        assert_eq!(machine.run(arguments).0, 2, "{arguments:?}");
    }
}

#[tokio::test]
async fn an_operator_rules_beside_two_servers() {
    let Some((machine, url)) = machine() else {
        return;
    };
    let password = "rook takes queen\n";
    let admin = ["--store", &url, "admin", "create-admin", "boss"];
    let (code, said) = machine.run_with(&admin, password);
    assert_eq!(code, 0, "{said}");
    let servers = [(); 2].map(|()| machine.serve_with(&["--store", &url]));
    let issue = ["admin", "issue-token", "boss", "--scopes", "play"];
    assert!(good(&machine, &url, &issue).starts_with("arb_"));
    for server in &servers {
        let ann = post(&server.url, "/v1/guests", "", json!({})).await;
        let game = post(&server.url, "/v1/games", &text(&ann["token"]), blitz()).await;
        let game = text(&game["id"]);
        let ben = post(&server.url, "/v1/guests", "", json!({})).await;
        let joined = format!("/v1/games/{game}/join");
        post(&server.url, &joined, &text(&ben["token"]), json!({})).await;
        let said = good(&machine, &url, &["admin", "adjudicate", &game, "white"]);
        assert!(said.contains("white_wins"), "{said}");
        let said = good(&machine, &url, &["admin", "show", &game]);
        assert!(said.contains("white_wins"), "{said}");
    }
    for server in servers {
        assert_eq!(server.stop(), 0);
    }
    let audit = good(&machine, &url, &["admin", "audit"]);
    for action in ["create_account", "issue_token", "adjudicate"] {
        let by_cli = |line: &str| line.contains("  cli  ") && line.contains(action);
        assert!(audit.lines().any(by_cli), "{audit}");
    }
}

#[tokio::test]
async fn a_repair_waits_until_no_server_is_there() {
    let Some((machine, url)) = machine() else {
        return;
    };
    let server = machine.serve_with(&["--store", &url]);
    let ann = post(&server.url, "/v1/guests", "", json!({})).await;
    post(&server.url, "/v1/games", &text(&ann["token"]), blitz()).await;
    let said = bad(&machine, &url, &["check", "--repair"]);
    assert!(said.contains("stop it before a repair"), "{said}");
    assert_eq!(server.stop(), 0);
}

#[test]
fn what_only_a_file_has_is_refused_with_a_reason() {
    let Some((machine, url)) = machine() else {
        return;
    };
    for (arguments, why) in [
        (&["backup", "b.db"][..], "pg_dump"),
        (&["restore", "b.db"], "pg_dump"),
        (&["admin", "reset-clock"], "the database's clock"),
    ] {
        let said = bad(&machine, &url, arguments);
        assert!(said.contains(why), "{said}");
    }
    let said = bad(
        &machine,
        "sqlite:none.db",
        &["archive", "--before", "2026-01"],
    );
    assert!(said.contains("PostgreSQL"), "{said}");
}

#[test]
fn a_copy_is_refused_from_a_store_in_use_and_to_one_that_is_not_empty() {
    let Some((machine, url)) = machine() else {
        return;
    };
    write(&machine.path("in.pgn"), GAMES);
    machine.run(&["import", "in.pgn"]);
    let copy = ["copy", "--from", "sqlite:arbiter.db", "--to", &url];
    let server = machine.serve();
    let (code, said) = machine.run(&copy);
    assert_eq!((code, said.contains("another server")), (1, true), "{said}");
    assert_eq!(server.stop(), 0);
    let said = machine.good(&copy);
    assert!(said.contains("everything is there, and the same"), "{said}");
    assert!(good(&machine, &url, &["check"]).contains("2 games, all as they should be"));
    let (code, said) = machine.run(&copy);
    assert_eq!((code, said.contains("is not empty")), (1, true), "{said}");
    let (code, said) = machine.run(&["copy", "--from", "sqlite:none.db", "--to", &url]);
    assert_eq!(
        (code, said.contains("there is no database")),
        (1, true),
        "{said}"
    );
}
