//! A third guest can neither act, nor see, nor take a seat; and neither can
//! anyone by the native door.

use serde_json::{Value, json};
use store::TableId;

use super::guest::{Guest, Pair, order};
use crate::client::Server;

#[tokio::test]
async fn a_match_is_for_its_two_guests_alone() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let Pair {
        white, id, code, ..
    } = &pair;
    let seen = white.sees(id).await;
    // One who was never here, one who plays elsewhere, and one who has learnt
    // the public id of a seat's owner.
    let never = Guest::new(&server, "Cid");
    let elsewhere = Guest::new(&server, "Dan");
    elsewhere.hosts().await;
    let public = &seen["seats"][1]["player"]["id"];
    let thief = Guest {
        id: public.as_str().expect("an id").to_owned(),
        ..never.clone()
    };
    for third in [&never, &elsewhere, &thief] {
        let not_yours = |answer: Value| assert_eq!(answer["code"], "seatOwnership");
        not_yours(third.looks(id).await.expect(403));
        let kinds =
            "joinMatch makeMove offerDraw acceptDraw declineDraw resign leaveMatch lockDraft";
        for kind in kinds.split(' ') {
            let mut action = white.action(id, kind, order("e2e4", None)).await;
            action["actorID"] = json!(third.id);
            not_yours(third.sends(id, &action).await.expect(403));
        }
        let refused = third.client.tries_to_listen(&third.live(id)).await;
        assert_eq!(refused.err(), Some(403));
        let events = format!("/v1/matches/{id}/events?guestID={}", third.id);
        not_yours(third.client.get(&events).await.expect(403));
        assert_eq!(third.joins(code).await.expect(409)["code"], "roomFull");
    }
    assert_eq!(white.sees(id).await["revision"], seen["revision"]);
    for path in [
        format!("/v1/matches/{id}"),
        format!("/v1/matches/{id}/events"),
    ] {
        let refused = white.client.get(&path).await.expect(400);
        assert_eq!(refused["code"], "missingGuestId");
    }
    let nowhere = "61726269-7465-8000-8000-000000000001";
    for wrong in [nowhere, "x", &white.id] {
        assert_eq!(
            white.looks(wrong).await.expect(404)["code"],
            "matchNotFound"
        );
    }
}

#[tokio::test]
async fn the_native_door_knows_no_matches_and_this_one_no_games() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let number = u64::from_str_radix(&pair.id[24..], 16).expect("hexadecimal");
    let table = TableId::from_number(number).expect("a table");
    let player = server.guest().await;
    for what in ["", "/log", "/pgn", "/events", "/chat"] {
        let path = format!("/v1/games/{table}{what}");
        player.get(&path).await.refused(404, "game_not_found");
    }
    player
        .plays(&table.to_string(), "e4")
        .await
        .refused(404, "game_not_found");
    player
        .asks(&table.to_string(), "join")
        .await
        .refused(404, "game_not_found");
    let listed = player.get("/v1/games").await.expect(200);
    assert!(!listed.to_string().contains(&table.to_string()), "{listed}");
    let (_, _, game) = server.blitz().await;
    let number = game.parse::<TableId>().expect("an id").number();
    let id = format!("61726269-7465-8000-8000-{number:012x}");
    assert_eq!(
        pair.white.looks(&id).await.expect(404)["code"],
        "matchNotFound"
    );
}
