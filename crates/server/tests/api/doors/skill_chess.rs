//! The door of skill chess, whose matches are at no other: what one guest does there the
//! other is told. It has no chat.

use serde_json::{Value, json};

use super::all;
use crate::client::Server;
use crate::live_game::player::{Player, id_of, uuid_of};
use crate::matches::guest::{Guest, Pair};
use crate::xmpp::joined;

#[tokio::test]
async fn what_one_guest_does_the_other_is_told() {
    let server = Server::start().await;
    let (ann, ben) = (Guest::new(&server, "Ann"), Guest::new(&server, "Ben"));
    let made = ann.hosts().await;
    let text = |field: &str| made["snapshot"][field].as_str().expect("text").to_owned();
    let (id, code) = (text("id"), text("roomCode"));
    let rooms = ben.client.get("/v1/matches/rooms").await.expect(200);
    assert_eq!(rooms[0]["roomCode"], json!(code));

    let mut host = ann.follows(&id).await;
    ben.joins(&code).await.expect(200);
    let phase = |phase: &'static str| move |event: &Value| event["snapshot"]["phase"] == phase;
    host.hears_of("the join", phase("drafting")).await;
    for guest in [&ann, &ben] {
        guest.does(&id, "lockDraft", json!({})).await;
    }
    let mut joined = ben.follows(&id).await;
    joined.hears_of("the match", phase("active")).await;
    ann.plays(&id, "e2e4").await;
    let moved = |event: &Value| event["snapshot"]["board"]["moveHistory"][0].is_object();
    joined.hears_of("the move", moved).await;
    ben.plays(&id, "e7e5").await;
    ann.does(&id, "offerDraw", json!({})).await;
    let offered = |event: &Value| event["snapshot"]["drawOfferedBy"] == "white";
    joined.hears_of("the offer", offered).await;
    ann.does(&id, "resign", json!({})).await;
    let over = joined.hears_of("the end", phase("finished")).await;
    assert_eq!(over["snapshot"]["outcome"]["kind"], "resignation");
}

/// Skill chess is another game: neither side finds the other's.
#[tokio::test]
async fn a_match_is_at_its_own_door_alone() {
    let (server, fake) = joined().await;
    let ann = Player::registered(&server, "ann").await;
    let ben = Player::registered(&server, "ben").await;
    let pair = Pair::begin(&server).await;
    for door in all(fake) {
        let is_there = door.finds(&ann, &id_of(&pair.id)).await;
        assert!(!is_there, "{}", door.name());
        let game = door.creates(&ann, &ben).await;
        assert!(door.finds(&ann, &game).await, "{}", door.name());
        let there = pair.white.looks(&uuid_of(&game)).await;
        assert_eq!(there.status, 404, "{}", there.text);
    }
}
