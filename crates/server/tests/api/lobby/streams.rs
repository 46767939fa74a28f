//! The lobby's streams.

use chess::Millis;
use chess::game::Command;
use chess::table::Actor;
use serde_json::{Value, json};

use super::{ids, opens, registered, text};
use crate::client::{Client, Server};
use crate::streams::listener::Listener;

async fn reads(client: &Client) -> (Listener, Value) {
    let mut socket = client.listens("/v1/lobby/stream").await;
    let state = socket.next().await;
    assert_eq!(state["type"], "STATE");
    assert_eq!(state.get("resync"), None);
    (socket, state)
}

fn opened(message: &Value) -> String {
    assert_eq!(message["type"], "OPENED", "{message}");
    text(&message["game"]["id"])
}

fn gone(message: &Value) -> (String, String) {
    assert_eq!(message["type"], "GONE", "{message}");
    (text(&message["game_id"]), text(&message["reason"]))
}

#[tokio::test]
async fn games_come_and_go_as_they_are_made_joined_and_withdrawn() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let early = opens(&ann, |_| {}).await;
    let (mut nobody, state) = reads(&server.nobody()).await;
    assert_eq!(
        (ids(&state), &state["more"]),
        (vec![early.clone()], &json!(false))
    );
    let mut events = bob.event_stream("/v1/lobby/events", "").await;
    assert_eq!(ids(&events.next().await), [&*early]);
    // Whose it is is not told of it.
    let (mut own, state) = reads(&ann).await;
    assert_eq!(ids(&state), [""; 0]);

    let second = opens(&ann, |_| {}).await;
    let message = nobody.next().await;
    assert_eq!(opened(&message), second);
    assert_eq!(message["game"]["creator"], json!(ann.id));
    assert_eq!(message["game"].get("join_code"), None);
    assert_eq!(
        events.next().await["game"],
        message["game"],
        "the same words"
    );
    bob.asks(&second, "join").await.expect(200);
    ann.asks(&early, "cancel").await.expect(200);
    // Told together, perhaps, and then in no particular order.
    let mut expected = [
        (second, "joined".to_owned()),
        (early, "cancelled".to_owned()),
    ];
    expected.sort_unstable();
    let mut told = [nobody.next().await, nobody.next().await].map(|message| gone(&message));
    told.sort_unstable();
    assert_eq!(told, expected);
    let mut told = [events.next().await, events.next().await].map(|message| gone(&message));
    told.sort_unstable();
    assert_eq!(told, expected);
    let others = opens(&bob, |_| {}).await;
    assert_eq!(opened(&own.next().await), others, "the first she may join");
}

#[tokio::test]
async fn private_and_directed_games_are_never_told_of() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let (mut socket, _) = reads(&bob).await;
    for change in [
        json!({ "opponent_id": bob.id }),
        json!({ "visibility": "private" }),
        json!({ "visibility": "private", "invited": [bob.id] }),
        json!({ "visibility": "members" }),
    ] {
        let hidden = opens(&ann, |terms| {
            let fields = change.as_object().expect("fields").clone();
            terms.as_object_mut().expect("fields").extend(fields);
        })
        .await;
        ann.asks(&hidden, "cancel").await.expect(200);
    }
    let shown = opens(&ann, |_| {}).await;
    assert_eq!(opened(&socket.next().await), shown);
}

#[tokio::test]
async fn each_reader_hears_of_what_they_may_join_and_asked_for() {
    let server = Server::start().await;
    let cleo = registered(&server, "cleo").await;
    let (mut guest, _) = reads(&server.guest().await).await;
    let (mut dora, _) = reads(&registered(&server, "dora").await).await;
    let mut filtered = server
        .nobody()
        .listens("/v1/lobby/stream?variant=horde&speed=blitz&rated=false")
        .await;
    filtered.hears("STATE").await;
    let rated = opens(&cleo, |terms| terms["rated"] = json!(true)).await;
    let casual = opens(&cleo, |_| {}).await;
    let horde = opens(&cleo, |terms| terms["variant"] = json!("horde")).await;
    assert_eq!(opened(&guest.next().await), casual, "no rated one");
    assert_eq!(opened(&guest.next().await), horde);
    for id in [&rated, &casual, &horde] {
        assert_eq!(opened(&dora.next().await), *id);
    }
    assert_eq!(opened(&filtered.next().await), horde);
}

/// The rules end it, whoever notices that its time has come.
#[tokio::test]
async fn a_game_whose_creator_is_gone_vanishes_when_it_expires() {
    let server = Server::start().await;
    let ann = server.guest().await;
    let (mut socket, _) = reads(&server.nobody()).await;
    let id = opens(&ann, |_| {}).await;
    assert_eq!(opened(&socket.next().await), id);
    let app = server.running().app();
    let table = id.parse().expect("an id");
    let host_seen = app.now();
    let tick = Command::Tick { host_seen };
    let later = host_seen + Millis::from_secs(60);
    let submitted = app
        .games
        .submit(table, Actor::Server, tick, later, live::With::default());
    assert!(submitted.await.is_ok());
    assert_eq!(gone(&socket.next().await), (id, "expired".to_owned()));
    assert_eq!(
        ids(&server.nobody().get("/v1/lobby").await.expect(200)),
        [""; 0]
    );
}

/// What is read anew is told only to those who know something else.
#[tokio::test]
async fn whoever_missed_something_begins_anew() {
    let server = Server::start().await;
    let ann = server.guest().await;
    let (mut socket, _) = reads(&server.nobody()).await;
    let rooms = server.running().app().rooms.clone();
    let id = opens(&ann, |_| {}).await;
    assert_eq!(opened(&socket.next().await), id);
    rooms.lobby().lost();
    let second = opens(&ann, |_| {}).await;
    // Whether it was told before the store was read or with it, it is told once.
    let message = socket.next().await;
    match message["type"].as_str() {
        Some("OPENED") => assert_eq!(opened(&message), second),
        _ => {
            assert_eq!(message["resync"], true);
            assert_eq!(ids(&message), [&*second, &*id]);
        }
    }
    ann.asks(&second, "cancel").await.expect(200);
    assert_eq!(gone(&socket.next().await).0, second);
}

#[tokio::test]
async fn a_reader_may_ask_whether_the_server_is_there() {
    let server = Server::start().await;
    let (mut socket, _) = reads(&server.nobody()).await;
    socket.says(json!({ "type": "PING", "id": 7 })).await;
    assert_eq!(socket.next().await, json!({ "type": "PONG", "id": 7 }));
}

#[tokio::test]
async fn a_server_that_stops_tells_those_who_read_the_lobby() {
    let mut server = Server::start().await;
    let (mut socket, _) = reads(&server.nobody()).await;
    server.restart().await;
    assert_eq!(socket.close_code().await, Some(1012));
}

#[tokio::test]
async fn a_token_that_dies_ends_its_stream_of_the_lobby() {
    let server = Server::start().await;
    let ann = server.guest().await;
    let (mut socket, _) = reads(&ann).await;
    let path = "/v1/sessions/current";
    let answer = ann.send(reqwest::Method::DELETE, path, None, &[]).await;
    answer.expect(204);
    assert_eq!(socket.close_code().await, Some(1008));
}
