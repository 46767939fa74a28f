//! What the door for language models refuses, and how it says so.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::{ACCEPT, ask, call, done, game, post, refused};
use crate::client::{Client, Server};

fn ping() -> Value {
    json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" })
}

#[tokio::test]
async fn names_and_pages_of_others_are_refused() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let told = async |header: (&str, &str)| {
        let answer = post(&nobody, &ping(), &[header]).await;
        let body: Value = serde_json::from_str(&answer.text).expect("JSON");
        (
            answer.status,
            body["error"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let host = (403, "host_not_allowed".to_owned());
    for name in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.evil.example",
        "10.0.0.1",
    ] {
        assert_eq!(told(("host", name)).await, host, "{name}");
    }
    for name in ["localhost", "localhost:7878", "127.0.0.1:1", "[::1]:7878"] {
        assert_eq!(told(("host", name)).await.0, 200, "{name}");
    }
    let origin = (403, "origin_not_allowed".to_owned());
    for page in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "rubbish",
    ] {
        assert_eq!(told(("origin", page)).await, origin, "{page}");
    }
    for page in [
        "http://localhost:3000",
        "http://127.0.0.1",
        "https://[::1]:8443",
    ] {
        assert_eq!(told(("origin", page)).await.0, 200, "{page}");
    }
}

#[tokio::test]
async fn a_server_with_a_name_is_asked_by_its_name_and_pages() {
    let server = Server::start_with(|settings| {
        settings.public_url = Some("https://chess.example".into());
        settings.cors_origins = vec!["https://lab.example:8443".into()];
    })
    .await;
    let nobody = Client {
        url: format!("http://{}", server.running().address),
        ..server.nobody()
    };
    let status = async |header: (&str, &str)| post(&nobody, &ping(), &[header]).await.status;
    assert_eq!(status(("host", "chess.example")).await, 200);
    assert_eq!(status(("host", "other.example")).await, 403);
    assert_eq!(status(("origin", "https://chess.example")).await, 200);
    assert_eq!(status(("origin", "https://lab.example:8443")).await, 200);
    assert_eq!(status(("origin", "https://lab.example")).await, 403);
    assert_eq!(status(("origin", "http://chess.example")).await, 403);
    assert_eq!(status(("origin", "http://localhost:3000")).await, 403);
}

#[tokio::test]
async fn tokens_that_are_not_good_are_told_by_the_tool() {
    let server = Server::start().await;
    let (white, _, id) = game(&server).await;
    let board = json!({ "game_id": id });
    let stranger = server.holder("arb_nonsense");
    for tool in ["whoami", "look_at_board", "my_games"] {
        let arguments = if tool == "look_at_board" {
            board.clone()
        } else {
            json!({})
        };
        assert_eq!(
            refused(&stranger, tool, arguments).await,
            "unauthorized",
            "{tool}"
        );
    }
    // What stands among the arguments says more about who is meant.
    let given = json!({ "token": white.token });
    assert_eq!(done(&stranger, "whoami", given).await["id"], white.id);
    let wrong = json!({ "token": "arb_nonsense" });
    assert_eq!(refused(&white, "whoami", wrong).await, "unauthorized");
    assert_eq!(
        refused(&server.nobody(), "whoami", json!({})).await,
        "unauthorized"
    );
    // Public games are open to nobody in particular, and to change one takes a player.
    assert_eq!(
        done(&server.nobody(), "look_at_board", board).await["you_play"],
        Value::Null
    );
    let e4 = json!({ "game_id": id, "move": "e4" });
    assert_eq!(
        refused(&server.nobody(), "make_move", e4.clone()).await,
        "unauthorized"
    );
    let other = server.guest().await;
    assert_eq!(refused(&other, "make_move", e4).await, "not_a_player");
}

#[tokio::test]
async fn a_token_does_no_more_than_its_scopes_allow() {
    let server = Server::start().await;
    let (anna, boris) = (
        server.registered("Anna").await,
        server.registered("Boris").await,
    );
    let made = done(&anna, "create_game", json!({ "color": "white" })).await;
    let id = made["game_id"].as_str().expect("an id");
    done(&boris, "join_game", json!({ "game_id": id })).await;
    let scoped = async |scope: &str| {
        let body = json!({ "name": scope, "scopes": [scope] });
        let token = anna.post("/v1/tokens", body).await.expect(201);
        server.holder(token["token"].as_str().expect("a token"))
    };
    let (reader, challenger) = (scoped("read").await, scoped("challenge").await);
    let e4 = json!({ "game_id": id, "move": "e4" });
    let seen = done(&reader, "look_at_board", json!({ "game_id": id })).await;
    assert_eq!(seen["you_play"], "white");
    assert_eq!(
        done(&reader, "my_games", json!({})).await["games"][0]["game_id"],
        id
    );
    for (holder, tool, arguments) in [
        (&reader, "make_move", e4.clone()),
        (&reader, "create_game", json!({})),
        (&reader, "say", json!({ "game_id": id, "text": "Hello" })),
        (&challenger, "make_move", e4.clone()),
        (&challenger, "resign", json!({ "game_id": id })),
    ] {
        assert_eq!(
            refused(holder, tool, arguments).await,
            "missing_scope",
            "{tool}"
        );
    }
    done(&challenger, "create_game", json!({})).await;
    done(&anna, "make_move", e4).await;
}

#[tokio::test]
async fn limits_hold_at_this_door_too() {
    let server = Server::start_with(|settings| settings.rate_limits = true).await;
    let white = server.guest().await;
    let made = done(&white, "create_game", json!({})).await;
    let words = json!({ "game_id": made["game_id"], "text": "Hello" });
    let mut codes = Vec::new();
    for _ in 0..12 {
        let said = call(&white, "say", words.clone()).await;
        codes.extend(
            said["structuredContent"]["error"]
                .as_str()
                .map(str::to_owned),
        );
    }
    assert!(
        !codes.is_empty() && codes.iter().all(|code| code == "rate_limited"),
        "{codes:?}"
    );
}

#[tokio::test]
async fn what_is_no_message_is_refused() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let send = async |body: String, headers: &[(&str, &str)]| {
        let answer = nobody.send(Method::POST, "/mcp", Some(body), headers).await;
        let body: Value = serde_json::from_str(&answer.text).expect("JSON");
        (
            answer.status,
            body["error"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let long = json!({ "jsonrpc": "2.0", "id": 1, "method": "x".repeat(20_000) }).to_string();
    assert_eq!(send(long, &[ACCEPT]).await, (413, "too_large".into()));
    let no_json = send("{".into(), &[ACCEPT]).await;
    assert_eq!(no_json, (415, "unsupported_media_type".into()));
    assert_eq!(
        send(ping().to_string(), &[]).await,
        (406, "not_acceptable".into())
    );
    let old = ("mcp-protocol-version", "1999-01-01");
    assert_eq!(send(ping().to_string(), &[ACCEPT, old]).await.0, 400);
    for method in [Method::GET, Method::DELETE] {
        let answer = nobody.send(method, "/mcp", None, &[ACCEPT]).await;
        assert_eq!(answer.status, 405);
    }
}

/// Nobody says how long it is: it is counted while it comes.
#[tokio::test]
async fn what_grows_too_long_is_refused() {
    let server = Server::start().await;
    let mut stream = TcpStream::connect(server.running().address)
        .await
        .expect("a connection");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
         accept: {}\r\ntransfer-encoding: chunked\r\n\r\n",
        ACCEPT.1
    );
    stream.write_all(head.as_bytes()).await.expect("a head");
    let piece = format!("1000\r\n{}\r\n", "x".repeat(0x1000));
    for _ in 0..5 {
        stream.write_all(piece.as_bytes()).await.expect("a piece");
    }
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 413");
}

#[tokio::test]
async fn what_does_not_exist_is_an_error_of_the_protocol() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let unknown = ask(
        &nobody,
        "tools/call",
        json!({ "name": "castle", "arguments": {} }),
    )
    .await;
    assert_eq!(unknown["error"]["code"], -32602);
    let message = unknown["error"]["message"].as_str().expect("a sentence");
    assert!(
        message.contains("unknown_tool") && message.contains("make_move"),
        "{message}"
    );
    let unknown = ask(&nobody, "castle", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601);
}

#[tokio::test]
async fn arguments_that_are_wrong_are_named() {
    let server = Server::start().await;
    let (white, _, id) = game(&server).await;
    for (tool, arguments, named) in [
        ("make_move", json!({ "game_id": id }), "move"),
        ("make_move", json!({ "game_id": id, "move": 7 }), "move"),
        ("look_at_board", json!({ "id": id }), "id"),
        ("draw", json!({ "game_id": id, "action": "beg" }), "beg"),
        ("create_game", json!({ "variant": "draughts" }), "draughts"),
        (
            "create_game",
            json!({ "forfeit_after": 0 }),
            "forfeit_after",
        ),
        ("join_game", json!({}), "join_code"),
        ("whoami", json!({ "token": 7 }), "token"),
        ("read_chat", json!({ "game_id": id, "after": "?" }), "after"),
    ] {
        let result = call(&white, tool, arguments).await;
        let told = &result["structuredContent"];
        assert_eq!(told["error"], "bad_request", "{tool}: {result}");
        let detail = told["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains(named) || named == "draughts",
            "{tool}: {detail}"
        );
    }
    let bad = json!({ "minutes": 4_000_000_000u32 });
    assert_eq!(
        refused(&white, "create_game", bad).await,
        "bad_time_control"
    );
    let nobody = json!({ "opponent": "nobody-at-all" });
    assert_eq!(refused(&white, "create_game", nobody).await, "not_found");
    assert_eq!(
        refused(&white, "create_game", json!({ "rated": true })).await,
        "cannot_be_rated"
    );
    let code = json!({ "join_code": "ZZZZZZ" });
    assert_eq!(refused(&white, "join_game", code).await, "game_not_found");
    let fast = json!({ "difficulty": "easy", "minutes": 4_000_000_000u32 });
    assert_eq!(
        refused(&white, "play_computer", fast).await,
        "bad_time_control"
    );
}
