//! Every message of a stream is one that `/v1/asyncapi.json` describes.

use std::cell::RefCell;
use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use super::listener::{Events, Listener};
use crate::chat::moderator;
use crate::client::{Client, Server, blitz, play};
use crate::contract::Contract;

/// Of what does not happen here: an operator sets clocks, somebody is invited, the
/// server was down. That a guest has a name is told by `STATE`, and stands in the log.
const UNHEARD: [&str; 4] = ["CLOCK_SET", "INVITED", "RESEATED", "TIME_CREDITED"];

/// What the streams promise, and what was heard of it.
struct Promised {
    contract: Contract,
    heard: RefCell<BTreeSet<String>>,
}

impl Promised {
    async fn by(server: &Server) -> Promised {
        Promised {
            contract: Contract::read(format!("{}/v1/asyncapi.json", server.nobody().url)).await,
            heard: RefCell::default(),
        }
    }

    /// Panics if that channel has no such message.
    fn check(&self, channel: &str, message: &Value) {
        let document = &self.contract.document;
        let kind = message["type"].as_str().expect("every message has a type");
        let name = match channel {
            "account" | "lobby" => format!("{channel}.{kind}"),
            _ => kind.to_owned(),
        };
        let place = document["channels"][channel]["messages"][&name]["$ref"].as_str();
        let place = place.and_then(|place| place.strip_prefix('#'));
        let described = place.and_then(|place| document.pointer(place));
        let told = format!("the stream of the {channel} said {message}");
        let described = described.unwrap_or_else(|| panic!("undescribed: {told}"));
        self.contract
            .check_value(&described["payload"], message, &told);
        self.heard.borrow_mut().insert(name);
    }

    /// Hears a socket out up to such a message.
    async fn hears(
        &self,
        channel: &str,
        socket: &mut Listener,
        is_last: impl Fn(&Value) -> bool,
    ) -> Value {
        let is_it = |message: &Value| {
            self.check(channel, message);
            is_last(message)
        };
        socket.hears_of("the last of them", is_it).await
    }

    /// The same without a socket.
    async fn reads(&self, events: &mut Events, is_last: impl Fn(&Value) -> bool) {
        loop {
            let message = events.next().await;
            self.check("game", &message);
            if is_last(&message) {
                return;
            }
        }
    }

    /// What is described and was not heard.
    fn unheard(&self) -> BTreeSet<&str> {
        let messages = &self.contract.document["components"]["messages"];
        let names = messages.as_object().expect("messages").keys();
        let heard = self.heard.borrow();
        names
            .map(String::as_str)
            .filter(|name| !name.starts_with("client.") && !heard.contains(*name))
            .collect()
    }
}

fn is(kind: &str) -> impl Fn(&Value) -> bool {
    move |message| message["type"] == kind
}

async fn challenges(from: &Client, to: &Client) -> String {
    let mut terms = blitz();
    terms["opponent_id"] = json!(to.id);
    terms["illegal_moves"] = json!({ "forfeit_after": 3 });
    let game = from.post("/v1/games", terms).await.expect(201);
    game["id"].as_str().expect("an id").to_owned()
}

/// From the first move to mate, with whatever players may ask for on the way.
async fn play_it_all(white: &Client, black: &Client, id: &str) {
    let asks = async |player: &Client, what: &str| player.asks(id, what).await.expect(200);
    let illegal = white.plays_at(id, "e2e5", 1).await;
    illegal.refused(422, "illegal_move");
    play(white, black, id, "e4 e5 Bc4").await;
    asks(black, "offer-draw").await;
    asks(white, "decline-draw").await;
    black.plays(id, "Nc6").await.expect(200);
    white.plays(id, "Qf3").await.expect(200);
    asks(white, "offer-takeback").await;
    asks(black, "accept-takeback").await;
    let path = format!("/v1/games/{id}/chat");
    let line = json!({ "text": "sorry", "audience": "room" });
    white.post(&path, line).await.expect(201);
    let path = format!("/v1/games/{id}/add-time");
    white
        .post(&path, json!({ "seconds": 15 }))
        .await
        .expect(200);
    asks(white, "offer-pause").await;
    asks(black, "accept-pause").await;
    asks(white, "resume").await;
    asks(black, "resume").await;
    white.plays(id, "Qh5").await.expect(200);
    black.plays(id, "Nf6").await.expect(200);
    white.plays(id, "Qxf7#").await.expect(200);
}

/// What an account hears that has to do with others, and with operators.
async fn follow_and_warn(server: &Server, promised: &Promised) {
    let (white, black, fan) = (
        server.guest().await,
        server.guest().await,
        server.guest().await,
    );
    let path = format!("/v1/me/follows/{}", white.id);
    fan.send(Method::PUT, &path, None, &[]).await.expect(204);
    let mut stream = fan.listens("/v1/stream").await;
    let id = challenges(&white, &black).await;
    black.asks(&id, "join").await.expect(200);
    let begun = is("FOLLOWED_STARTED");
    promised.hears("account", &mut stream, begun).await;
    let body = json!({ "player": fan.id, "reason": "spam" });
    let report = white.post("/v1/reports", body).await.expect(201);
    let path = format!("/v1/admin/reports/{}/decide", report["id"]);
    let warn = json!({ "decision": "warn", "note": "enough" });
    let boss = moderator(server).await;
    boss.post(&path, warn).await.expect(200);
    promised.hears("account", &mut stream, is("NOTICE")).await;
    let id = challenges(&white, &fan).await;
    let told = is("NOTIFICATION");
    promised.hears("account", &mut stream, told).await;
    fan.asks(&id, "decline").await.expect(200);
}

/// Somebody goes on vacation and comes back.
async fn go_away(server: &Server, promised: &Promised) {
    let terms = json!({ "time_control": { "days_per_move": 2 } });
    let (white, _, id) = server.game(terms).await;
    let mut socket = server.nobody().watches(&id).await;
    for (wish, told) in [
        (json!({ "days": 1 }), "VACATION_BEGAN"),
        (json!({ "until": null }), "VACATION_ENDED"),
    ] {
        let body = Some(wish.to_string());
        let set = white.send(Method::PUT, "/v1/me/vacation", body, &[]).await;
        set.expect(200);
        promised.hears("game", &mut socket, is(told)).await;
    }
}

/// Somebody is found an opponent.
async fn pair(server: &Server, promised: &Promised) {
    let (one, other) = (server.guest().await, server.guest().await);
    let mut stream = one.listens("/v1/stream").await;
    for player in [&one, &other] {
        let entry = player.post("/v1/matchmaking/queue", blitz()).await;
        entry.expect(201);
    }
    promised.hears("account", &mut stream, is("PAIRED")).await;
}

/// What is asked for over a socket is answered there.
async fn ask(server: &Server, promised: &Promised) {
    let (white, _, id) = server.blitz().await;
    let own = format!("/v1/games/{id}/stream");
    let mut socket = white.watches(&id).await;
    let order = json!({ "type": "MOVE", "id": 7, "move": "e2e4", "ply": 1 });
    socket.says(order).await;
    promised.hears("game", &mut socket, is("ACK")).await;
    for (channel, path) in [
        ("game", &*own),
        ("account", "/v1/stream"),
        ("lobby", "/v1/lobby/stream"),
    ] {
        let mut socket = white.listens(path).await;
        for (what, told) in [("tick", "ACK"), ("accept-draw", "REFUSED")] {
            let order = json!({ "type": "COMMAND", "id": 8, "game_id": id, "do": what });
            socket.says(order).await;
            promised.hears(channel, &mut socket, is(told)).await;
        }
    }
}

#[tokio::test]
async fn every_message_of_a_whole_game_is_as_it_is_described() {
    let server = Server::start_with(|settings| settings.analysis_nodes = 100).await;
    let promised = Promised::by(&server).await;
    let (white, black, nobody) = (server.guest().await, server.guest().await, server.nobody());
    let mut accounts = [
        white.listens("/v1/stream").await,
        black.listens("/v1/stream").await,
    ];
    let declined = challenges(&white, &black).await;
    let path = format!("/v1/games/{declined}/decline");
    let why = json!({ "reason": "later" });
    black.post(&path, why).await.expect(200);

    let mut lobby = nobody.listens("/v1/lobby/stream").await;
    promised.hears("lobby", &mut lobby, is("STATE")).await;
    let open = white.post("/v1/games", blitz()).await.expect(201);
    promised.hears("lobby", &mut lobby, is("OPENED")).await;
    let open = open["id"].as_str().expect("an id");
    white.asks(open, "cancel").await.expect(200);
    promised.hears("lobby", &mut lobby, is("GONE")).await;

    let id = challenges(&white, &black).await;
    let mut sockets = [white.watches(&id).await, nobody.watches(&id).await];
    let mut events = nobody.events(&id, "").await;
    black.asks(&id, "join").await.expect(200);
    // A player goes; another comes to watch; a second passes.
    drop(black.watches(&id).await);
    let has_left = |message: &Value| message.get("claim_at").is_some();
    promised.hears("game", &mut sockets[0], has_left).await;
    let _another = nobody.watches(&id).await;
    let is_crowd = |message: &Value| message["type"] == "PRESENCE" && message["spectators"] == 3;
    promised.hears("game", &mut sockets[1], is_crowd).await;
    promised.hears("game", &mut sockets[1], is("CLOCK")).await;
    play_it_all(&white, &black, &id).await;
    let path = format!("/v1/games/{id}/analysis");
    white.post(&path, json!({})).await.expect(202);
    let is_analysed = |m: &Value| m["type"] == "ANALYSIS" && m["done"] == m["total"];
    promised.hears("game", &mut sockets[1], is_analysed).await;
    white.asks(&id, "offer-rematch").await.expect(200);
    let rematch = black.asks(&id, "accept-rematch").await.expect(200);

    let is_accepted = |message: &Value| message["type"] == "REMATCH" && message["accepted"] == true;
    for socket in &mut sockets {
        promised.hears("game", socket, is_accepted).await;
    }
    promised.reads(&mut events, is_accepted).await;
    let has_begun =
        |message: &Value| message["type"] == "GAME_STARTED" && message["game_id"] == rematch["id"];
    for account in &mut accounts {
        promised.hears("account", account, has_begun).await;
    }

    // What is only said to whoever asks or comes late.
    let [socket, unnamed] = &mut sockets;
    socket.says(json!({ "type": "PING", "id": "now" })).await;
    promised.hears("game", socket, is("PONG")).await;
    unnamed
        .says(json!({ "type": "CHAT", "text": "hello" }))
        .await;
    promised.hears("game", unnamed, is("ERROR")).await;
    let path = format!("/v1/games/{id}/stream?since=0");
    let mut late = nobody.listens(&path).await;
    promised.hears("game", &mut late, is("SYNC")).await;
    let mut late = black.listens("/v1/stream").await;
    promised.hears("account", &mut late, is("YOUR_TURN")).await;

    pair(&server, &promised).await;
    follow_and_warn(&server, &promised).await;
    go_away(&server, &promised).await;
    ask(&server, &promised).await;
    assert_eq!(promised.unheard(), BTreeSet::from(UNHEARD));
}
