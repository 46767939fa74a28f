//! Who is there: disconnects and returns, leaving, and a restart in between.

use serde_json::{Value, json};

use super::guest::{Guest, Pair, order};
use crate::client::Server;

/// What the event shows of Black's connection.
fn black(event: &Value) -> (&Value, &Value) {
    (
        &event["type"],
        &event["snapshot"]["seats"][1]["connectionStatus"],
    )
}

#[tokio::test]
async fn the_other_guest_hears_of_every_disconnect_and_return() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let id = &pair.id;
    let mut other = pair.black.follows(id).await;
    assert_eq!(other.next().await["type"], "snapshot");
    let mut stream = pair.white.follows(id).await;
    let (changed, gone, back) = (
        json!("presenceChanged"),
        json!("disconnected"),
        json!("connected"),
    );
    assert_eq!(black(&stream.next().await), (&json!("snapshot"), &back));
    let revision = pair.white.sees(id).await["revision"].clone();
    for _ in 0..3 {
        drop(other);
        let event = stream.next().await;
        assert_eq!(black(&event), (&changed, &gone));
        assert_eq!(event["revision"], revision);
        let first = pair.black.follows(id).await;
        assert_eq!(black(&stream.next().await), (&changed, &back));
        // A second stream is no news, nor is the end of one of two.
        other = pair.black.follows(id).await;
        drop(first);
    }
}

/// Each event has the whole match: it is made once for all who sit there.
#[tokio::test]
async fn all_streams_of_a_guest_hear_the_same_event() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let id = &pair.id;
    let mut streams = [pair.white.follows(id).await, pair.white.follows(id).await];
    for stream in &mut streams {
        assert_eq!(stream.next().await["type"], "snapshot");
    }
    pair.black.does(id, "leaveMatch", json!({})).await;
    pair.white.plays(id, "e2e4").await;
    for kind in ["presenceChanged", "actionAccepted"] {
        let [first, second] = &mut streams;
        let told = (first.next().await, second.next().await);
        assert_eq!(told.0["type"], kind);
        assert_eq!(told.0, told.1);
    }
}

#[tokio::test]
async fn whoever_looks_at_the_match_is_back_without_a_stream() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let id = &pair.id;
    let mut stream = pair.white.follows(id).await;
    assert_eq!(stream.next().await["type"], "snapshot");
    for _ in 0..3 {
        pair.black.does(id, "leaveMatch", json!({})).await;
        let gone = (&json!("presenceChanged"), &json!("disconnected"));
        assert_eq!(black(&stream.next().await), gone);
        pair.black.sees(id).await;
        let back = (&json!("presenceChanged"), &json!("connected"));
        assert_eq!(black(&stream.next().await), back);
    }
}

#[tokio::test]
async fn leaving_marks_a_seat_and_wins_nothing() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let id = &pair.id;
    let mut stream = pair.white.follows(id).await;
    let mut other = pair.black.follows(id).await;
    assert_eq!(stream.next().await["type"], "snapshot");
    assert_eq!(other.next().await["type"], "snapshot");
    let revision = pair.white.sees(id).await["revision"].clone();
    let left = pair.black.does(id, "leaveMatch", json!({})).await;
    let gone = json!("disconnected");
    assert_eq!(black(&left), (&json!("actionAccepted"), &gone));
    assert_eq!(other.close_code().await, Some(1000));
    let event = stream.next().await;
    assert_eq!(black(&event), (&json!("presenceChanged"), &gone));
    assert_eq!(event["snapshot"]["phase"], "active");
    // Also without a stream: back, and gone again.
    let back = pair.black.does(id, "joinMatch", json!({})).await;
    assert_eq!(back["type"], "actionAccepted");
    let connected = json!("connected");
    assert_eq!(
        black(&stream.next().await),
        (&json!("presenceChanged"), &connected)
    );
    pair.black.does(id, "leaveMatch", json!({})).await;
    assert_eq!(
        black(&stream.next().await),
        (&json!("presenceChanged"), &gone)
    );
    assert_eq!(pair.white.sees(id).await["revision"], revision);
}

#[tokio::test]
async fn a_match_goes_on_after_a_restart_of_the_server() {
    let mut server = Server::start().await;
    let pair = Pair::meet(&server).await;
    pair.white.selects(&pair.id, "deadeye", Some("a2")).await;
    pair.lock().await;
    pair.play("e2e4 e7e5").await;
    let mut stream = pair.white.follows(&pair.id).await;
    assert_eq!(stream.next().await["type"], "snapshot");
    let before = pair.white.sees(&pair.id).await;
    server.restart().await;
    assert_eq!(stream.close_code().await, Some(1012));
    let pair = pair.again(&server);
    let mut streams = [
        pair.white.follows(&pair.id).await,
        pair.black.follows(&pair.id).await,
    ];
    for stream in &mut streams {
        let event = stream.next().await;
        assert_eq!(event["type"], "snapshot");
        assert_eq!(event["snapshot"]["board"], before["board"]);
        assert_eq!(event["revision"], before["revision"]);
    }
    // The same guests come back by the code, and nobody else does.
    let back = pair
        .black
        .joins(&pair.code.to_lowercase())
        .await
        .expect(200);
    assert_eq!(back["snapshot"]["seats"][1]["player"]["id"], pair.black.id);
    let third = Guest::new(&server, "Cid").joins(&pair.code).await;
    assert_eq!(third.expect(409)["code"], "roomFull");
    let deadeye = pair.white.skill(&pair.id, "a2", "deadeye").await;
    let capture = order("a2a7", Some(&deadeye));
    let event = pair.white.does(&pair.id, "makeMove", capture).await;
    for stream in &mut streams {
        let told = stream.hears("actionAccepted").await;
        assert_eq!(told["actionID"], event["actionID"]);
    }
}
