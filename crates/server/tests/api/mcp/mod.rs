//! The door for language models: what they can do with nothing but its tools.

mod refusals;
mod waiting;

use reqwest::Method;
use serde_json::{Value, json};

use crate::client::{Answer, Client, Server};

/// What a client of the protocol accepts.
const ACCEPT: (&str, &str) = ("accept", "application/json, text/event-stream");

/// A message to the door, and the HTTP answer.
async fn post(client: &Client, message: &Value, headers: &[(&str, &str)]) -> Answer {
    let headers = [&[ACCEPT], headers].concat();
    let body = Some(message.to_string());
    client.send(Method::POST, "/mcp", body, &headers).await
}

/// The answer to a request of the protocol.
async fn ask(client: &Client, method: &str, params: Value) -> Value {
    let message = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let answer = post(client, &message, &[]).await.expect(200);
    assert_eq!(answer["id"], 7);
    answer
}

/// What a tool answers, whatever that is.
pub(crate) async fn call(client: &Client, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    ask(client, "tools/call", params).await["result"].clone()
}

/// What a tool answers that does what it is asked for.
pub(crate) async fn done(client: &Client, tool: &str, arguments: Value) -> Value {
    let result = call(client, tool, arguments).await;
    assert_eq!(result["isError"], false, "{tool}: {result}");
    result["structuredContent"].clone()
}

/// The code of a tool's refusal; what the model reads begins with it.
async fn refused(client: &Client, tool: &str, arguments: Value) -> String {
    let result = call(client, tool, arguments).await;
    assert_eq!(result["isError"], true, "{tool}: {result}");
    let code = result["structuredContent"]["error"]
        .as_str()
        .expect("a code");
    let text = result["content"][0]["text"].as_str().expect("a sentence");
    assert!(text.starts_with(&format!("{code}: ")), "{text}");
    code.to_owned()
}

/// Two guests at a game of five minutes; the first has White.
async fn game(server: &Server) -> (Client, Client, String) {
    server.blitz().await
}

#[tokio::test]
async fn a_client_learns_what_there_is() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let hello = json!({
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" },
    });
    let answer = ask(&nobody, "initialize", hello).await;
    let result = &answer["result"];
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "arbiter");
    assert!(result["capabilities"]["tools"].is_object());
    assert!(
        result["instructions"]
            .as_str()
            .expect("words")
            .contains("make_move")
    );
    let begun = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(post(&nobody, &begun, &[]).await.status, 202);
    let tools = ask(&nobody, "tools/list", json!({})).await;
    assert_eq!(tools["result"]["tools"].as_array().map(Vec::len), Some(16));
    let templates = ask(&nobody, "resources/templates/list", json!({})).await;
    let templates = templates["result"]["resourceTemplates"].as_array().cloned();
    assert_eq!(templates.map(|all| all.len()), Some(3));
}

#[tokio::test]
async fn two_models_meet_by_the_lobby_and_play_to_mate() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let guest = async |name: &str| {
        let made = done(&nobody, "sign_in_as_guest", json!({ "display_name": name })).await;
        made["token"].as_str().expect("a token").to_owned()
    };
    let (anna, boris) = (guest("Anna").await, guest("Boris").await);
    let made = done(
        &nobody,
        "create_game",
        json!({ "token": anna, "color": "white" }),
    )
    .await;
    let id = made["game_id"].as_str().expect("an id");
    assert_eq!(made["state"], "WAITING");
    assert_eq!(made["time_control"], "15 minutes + 10 seconds a move");
    let open = done(&nobody, "find_games", json!({ "token": boris })).await;
    assert_eq!(open["open"][0]["game_id"], id);
    let own = done(&nobody, "find_games", json!({ "token": anna })).await;
    assert_eq!(own["open"], json!([]));
    let joined = done(
        &nobody,
        "join_game",
        json!({ "token": boris, "game_id": id }),
    )
    .await;
    assert_eq!(
        (&joined["state"], &joined["you_play"]),
        (&json!("ACTIVE"), &json!("black"))
    );
    for (ply, text) in (1..).zip(["f3", "e7e5", "g4", "Qh4"]) {
        let token = if ply % 2 == 1 { &anna } else { &boris };
        let order = json!({ "token": token, "game_id": id, "move": text, "ply": ply });
        let played = done(&nobody, "make_move", order.clone()).await;
        assert_eq!(played["ply"], ply);
        // A call that is made again does no harm.
        assert_eq!(
            done(&nobody, "make_move", order).await["played"],
            played["played"]
        );
    }
    let over = done(&nobody, "look_at_board", json!({ "game_id": id })).await;
    assert_eq!(
        (&over["result"], &over["reason"]),
        (&json!("black_wins"), &json!("checkmate"))
    );
    assert_eq!(over["last_moves"], json!(["f3", "e5", "g4", "Qh4#"]));
    assert!(
        over["board"]
            .as_str()
            .expect("a board")
            .contains("The game is over: Black won")
    );
    let mine = done(&nobody, "my_games", json!({ "token": anna })).await;
    assert_eq!(mine["games"], json!([]));
    let mine = done(
        &nobody,
        "my_games",
        json!({ "token": anna, "finished": true }),
    )
    .await;
    assert_eq!(mine["games"][0]["game_id"], id);
}

#[tokio::test]
async fn draws_resignations_and_games_called_off() {
    let server = Server::start().await;
    let (white, black, id) = game(&server).await;
    let named = |action: &str| json!({ "game_id": id, "action": action });
    assert_eq!(refused(&white, "draw", named("accept")).await, "no_offer");
    assert_eq!(
        refused(&white, "draw", named("claim")).await,
        "nothing_to_claim"
    );
    let played = json!({ "game_id": id, "move": "e4", "offer_draw": true });
    let result = call(&white, "make_move", played).await;
    let text = result["content"][0]["text"].as_str().expect("words");
    assert!(text.contains("too soon to offer a draw"), "{text}");
    let off = json!({ "game_id": id });
    done(&black, "make_move", json!({ "game_id": id, "move": "e5" })).await;
    assert_eq!(refused(&white, "call_off", off).await, "too_late_to_abort");
    let played = json!({ "game_id": id, "move": "Nf3", "offer_draw": true });
    done(&white, "make_move", played).await;
    let seen = done(&black, "look_at_board", json!({ "game_id": id })).await;
    assert_eq!(seen["draw_offer_by"], "white");
    done(&black, "draw", named("decline")).await;
    assert_eq!(refused(&white, "draw", named("offer")).await, "too_soon");
    let over = done(&black, "resign", json!({ "game_id": id })).await;
    assert_eq!(
        (&over["result"], &over["reason"]),
        (&json!("white_wins"), &json!("resignation"))
    );

    let made = done(
        &white,
        "create_game",
        json!({ "opponent": black.id, "days_per_move": 3 }),
    )
    .await;
    let offered = done(&black, "find_games", json!({})).await;
    assert_eq!(offered["challenges"][0]["game_id"], made["game_id"]);
    let off = done(&black, "call_off", json!({ "game_id": made["game_id"] })).await;
    assert_eq!(off["result"], "aborted");
    let made = done(
        &white,
        "create_game",
        json!({ "no_clock": true, "private": true }),
    )
    .await;
    let hidden = refused(
        &black,
        "look_at_board",
        json!({ "game_id": made["game_id"] }),
    )
    .await;
    assert_eq!(hidden, "game_not_found");
    let code = json!({ "join_code": made["join_code"] });
    let joined = done(&black, "join_game", code).await;
    assert_eq!(joined["time_control"], "no clock");
    let off = done(&black, "call_off", json!({ "game_id": made["game_id"] })).await;
    assert_eq!(off["result"], "aborted");
}

#[tokio::test]
async fn illegal_attempts_count_where_the_game_counts_them() {
    let server = Server::start().await;
    let (white, black) = (server.guest().await, server.guest().await);
    let made = json!({ "color": "white", "forfeit_after": 2 });
    let made = done(&white, "create_game", made).await;
    let id = made["game_id"].as_str().expect("an id");
    done(&black, "join_game", json!({ "game_id": id })).await;
    let attempt = |text: &str| json!({ "game_id": id, "move": text });
    assert_eq!(
        refused(&white, "make_move", attempt("e2e5")).await,
        "illegal_move"
    );
    let seen = done(&white, "look_at_board", json!({ "game_id": id })).await;
    let counted = json!({ "white": 1, "black": 0, "forfeit_after": 2 });
    assert_eq!(seen["illegal_attempts"], counted);
    assert_eq!(
        refused(&white, "make_move", attempt("Ke2")).await,
        "illegal_move"
    );
    let over = done(&white, "look_at_board", json!({ "game_id": id })).await;
    assert_eq!(over["result"], "black_wins");
    let log = white.log(id).await;
    let attempts = log
        .iter()
        .filter(|entry| entry["type"] == "ILLEGAL_ATTEMPT");
    assert_eq!(attempts.count(), 2, "{log:#?}");
}

#[tokio::test]
async fn a_game_is_read_as_pgn_and_pictures_by_those_who_may_see_it() {
    let server = Server::start().await;
    let (white, black, id) = game(&server).await;
    done(&white, "make_move", json!({ "game_id": id, "move": "e4" })).await;
    let read = async |client: &Client, form: &str| {
        let uri = format!("arbiter://games/{id}/{form}");
        ask(client, "resources/read", json!({ "uri": uri })).await
    };
    let pgn = read(&black, "pgn").await;
    let text = pgn["result"]["contents"][0]["text"].as_str().expect("PGN");
    assert!(text.contains("1. e4"), "{text}");
    let svg = read(&server.nobody(), "board.svg").await;
    assert_eq!(svg["result"]["contents"][0]["mimeType"], "image/svg+xml");
    let png = read(&server.nobody(), "board.png").await;
    let blob = png["result"]["contents"][0]["blob"]
        .as_str()
        .expect("a blob");
    assert!(blob.starts_with("iVBORw0KGgo"), "{blob}");
    let none = read(&black, "board.gif").await;
    assert!(
        none["error"]["message"]
            .as_str()
            .is_some_and(|m| m.contains("not_found")),
        "{none}"
    );
    let own = ask(&white, "resources/list", json!({})).await;
    assert_eq!(own["result"]["resources"].as_array().map(Vec::len), Some(3));
    let others = ask(&server.nobody(), "resources/list", json!({})).await;
    assert_eq!(others["result"]["resources"], json!([]));

    let made = done(&white, "create_game", json!({ "private": true })).await;
    let uri = format!(
        "arbiter://games/{}/pgn",
        made["game_id"].as_str().expect("an id")
    );
    let hidden = ask(&black, "resources/read", json!({ "uri": uri })).await;
    assert_eq!(hidden["error"]["data"]["error"], "game_not_found");
}
