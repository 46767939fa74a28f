//! Rooms: making, listing, joining.

use serde_json::{Value, json};

use super::guest::{Guest, Pair, new_uuid};
use crate::client::Server;

async fn rooms(guest: &Guest) -> Vec<Value> {
    let listed = guest.client.get("/v1/matches/rooms").await.expect(200);
    listed.as_array().expect("a bare array").clone()
}

#[tokio::test]
async fn a_room_is_listed_until_it_is_joined() {
    let server = Server::start().await;
    let (ann, ben) = (Guest::new(&server, "Ann"), Guest::new(&server, "  Ben "));
    assert_eq!(rooms(&ben).await, [] as [Value; 0]);
    let made = ann.hosts().await;
    let snapshot = &made["snapshot"];
    assert_eq!(
        (&snapshot["phase"], &snapshot["revision"]),
        (&json!("waitingForPlayers"), &json!(1))
    );
    let seats = snapshot["seats"].as_array().expect("seats");
    assert_eq!(seats.len(), 2);
    assert_eq!(seats[0]["connectionStatus"], "connected");
    assert_eq!(
        seats[1],
        json!({
            "color": "black", "isHost": false, "isLocalDevice": false, "isReady": false,
            "connectionStatus": "invited",
            "player": {
                "id": "00000000-0000-0000-0000-000000000000", "displayName": "",
                "createdAt": snapshot["createdAt"],
            },
        })
    );
    let id = snapshot["id"].as_str().expect("an id");
    let url = format!(
        "{}{}",
        ann.client.url.replacen("http", "ws", 1),
        ann.live(id)
    );
    assert_eq!(made["webSocketURL"], url);
    let listed = rooms(&ben).await;
    let [room] = &listed[..] else {
        panic!("{listed:?}")
    };
    let host = &room["host"];
    assert_ne!(host["id"], ann.id, "a guest's id is a secret");
    assert_eq!(
        *room,
        json!({
            "id": id, "roomCode": snapshot["roomCode"], "createdAt": snapshot["createdAt"],
            "updatedAt": snapshot["updatedAt"],
            "host": { "id": host["id"], "displayName": "Ann", "createdAt": host["createdAt"] },
        })
    );
    let code = snapshot["roomCode"].as_str().expect("a code");
    assert_eq!(code.len(), 6);
    let joined = ben.joins(&code.to_lowercase()).await.expect(200);
    let snapshot = &joined["snapshot"];
    assert_eq!(
        (&snapshot["phase"], &snapshot["revision"]),
        (&json!("drafting"), &json!(2))
    );
    // Each sees their own id, and the public one of the other.
    assert_eq!(snapshot["seats"][0]["player"], *host);
    assert_eq!(snapshot["seats"][1]["player"]["id"], ben.id);
    assert_eq!(snapshot["seats"][1]["player"]["displayName"], "Ben");
    let seen = ann.sees(id).await;
    assert_eq!(seen["seats"][0]["player"]["id"], ann.id);
    assert_ne!(seen["seats"][1]["player"]["id"], ben.id);
    assert_eq!(rooms(&ann).await, [] as [Value; 0]);
    // Coming again is coming back, under a new name if one likes.
    let renamed = Guest {
        name: "Benjamin".into(),
        ..ben.clone()
    };
    let back = renamed.joins(code).await.expect(200);
    assert_eq!(back["snapshot"]["revision"], 2);
    assert_eq!(
        ann.sees(id).await["seats"][1]["player"]["displayName"],
        "Benjamin"
    );
    // The host's own room is no opponent's.
    assert_eq!(
        ann.joins(code).await.expect(200)["snapshot"]["seats"][0]["player"]["id"],
        ann.id
    );
}

#[tokio::test]
async fn a_host_closes_a_room_by_leaving_it() {
    let server = Server::start().await;
    let (ann, ben) = (Guest::new(&server, "Ann"), Guest::new(&server, "Ben"));
    let made = ann.hosts().await;
    let text = |field: &str| made["snapshot"][field].as_str().expect("text").to_owned();
    let (id, code) = (text("id"), text("roomCode"));
    let mut stream = ann.follows(&id).await;
    assert_eq!(stream.next().await["type"], "snapshot");
    let leaves = ann.action(&id, "leaveMatch", json!({})).await;
    let event = ann.sends(&id, &leaves).await.expect(200);
    assert_eq!(
        (&event["type"], &event["revision"]),
        (&json!("finished"), &json!(2))
    );
    let told = stream.next().await;
    assert_eq!((&told["type"], &told["id"]), (&event["type"], &event["id"]));
    let snapshot = &told["snapshot"];
    assert_eq!(snapshot["phase"], "finished");
    assert_eq!(snapshot["outcome"]["kind"], "aborted");
    assert_eq!(snapshot["seats"].as_array().map(Vec::len), Some(1));
    assert_eq!(rooms(&ben).await, [] as [Value; 0]);
    assert_eq!(ben.joins(&code).await.expect(404)["code"], "roomNotFound");
    // Asked again, it is closed.
    let again = ann.sends(&id, &leaves).await.expect(200);
    assert_eq!(
        (&again["type"], &again["id"]),
        (&event["type"], &event["id"])
    );
}

#[tokio::test]
async fn what_makes_no_sense_is_said_so() {
    let server = Server::start().await;
    let ann = Guest::new(&server, "Ann");
    let long = "x".repeat(25);
    for (body, code) in [
        (json!({ "displayName": "Ann" }), "missingGuestId"),
        (
            json!({ "guestID": "me", "displayName": "Ann" }),
            "missingGuestId",
        ),
        (json!({ "guestID": new_uuid() }), "invalidDisplayName"),
        (
            json!({ "guestID": new_uuid(), "displayName": "  " }),
            "invalidDisplayName",
        ),
        (
            json!({ "guestID": new_uuid(), "displayName": long }),
            "invalidDisplayName",
        ),
        (
            json!({ "guestID": new_uuid(), "displayName": "a\nb" }),
            "invalidDisplayName",
        ),
        (json!({ "guestID": 7 }), "invalidPayload"),
    ] {
        for path in ["/v1/matches", "/v1/matches/join"] {
            let refused = ann.client.post(path, body.clone()).await.expect(400);
            assert_eq!(refused["code"], code, "{path} {body}");
            assert!(refused["message"].as_str().is_some_and(|m| !m.is_empty()));
        }
    }
    for bad in ["", "ABCDE", "ABCDEFG", "AAAAA0", "O1IL00"] {
        assert_eq!(
            ann.joins(bad).await.expect(400)["code"],
            "invalidRoomCode",
            "{bad}"
        );
    }
    assert_eq!(
        ann.joins("ABCDEF").await.expect(404)["code"],
        "roomNotFound"
    );
    let longest = Guest {
        name: "ä".repeat(24),
        ..ann.clone()
    };
    longest.hosts().await;
}

#[tokio::test]
async fn codes_cannot_be_guessed_by_the_dozen() {
    let server = Server::start_with(|settings| {
        settings.rate_limits = true;
        settings.wrong_passwords_per_minute = 3;
    })
    .await;
    let cid = Guest::new(&server, "Cid");
    for code in ["AAAAAA", "AAAAAB", "AAAAAC"] {
        cid.joins(code).await.expect(404);
    }
    let refused = Guest::new(&server, "Dan").joins("AAAAAD").await;
    assert_eq!(refused.expect(429)["code"], "rateLimited");
}

#[tokio::test]
async fn a_name_cannot_be_changed_without_end() {
    let server = Server::start_with(|settings| {
        settings.rate_limits = true;
        settings.commands_per_second = 1;
    })
    .await;
    let ann = Guest::new(&server, "Ann");
    ann.hosts().await;
    let mut statuses = Vec::new();
    for n in 0..10 {
        let body = json!({ "guestID": ann.id, "displayName": format!("Ann {n}") });
        statuses.push(ann.client.post("/v1/matches", body).await.status);
    }
    assert_eq!(statuses[0], 200);
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[tokio::test]
async fn codes_of_chess_and_of_skill_chess_lead_to_their_own_tables() {
    let server = Server::start().await;
    let ann = Guest::new(&server, "Ann");
    let player = server.guest().await;
    let game = player
        .post("/v1/games", crate::client::blitz())
        .await
        .expect(201);
    let code = game["join_code"].as_str().expect("a code");
    assert_eq!(ann.joins(code).await.expect(404)["code"], "roomNotFound");
    let made = ann.hosts().await;
    let code = made["snapshot"]["roomCode"].clone();
    let body = json!({ "join_code": code });
    let other = server.guest().await;
    other
        .post("/v1/games/join", body)
        .await
        .refused(404, "game_not_found");
}

#[tokio::test]
async fn an_operator_can_call_a_match_off() {
    let server = Server::start().await;
    let pair = Pair::begin(&server).await;
    let mut stream = pair.white.follows(&pair.id).await;
    assert_eq!(stream.next().await["type"], "snapshot");
    let boss = crate::chat::moderator(&server).await;
    let path = format!("/v1/admin/matches/{}/abort", pair.id);
    server
        .guest()
        .await
        .post(&path, json!({}))
        .await
        .refused(403, "missing_scope");
    let settled = boss.post(&path, json!({})).await.expect(200);
    assert_eq!(
        (&settled["phase"], &settled["outcome"]),
        (&json!("finished"), &json!("aborted"))
    );
    let event = stream.next().await;
    assert_eq!(
        (&event["type"], &event["actionID"]),
        (&json!("finished"), &Value::Null)
    );
    assert_eq!(event["snapshot"]["outcome"]["kind"], "aborted");
    assert_eq!(event["snapshot"]["outcome"]["winner"], Value::Null);
    let audit = boss.get("/v1/admin/audit").await.expect(200).to_string();
    assert!(audit.contains(&pair.id), "{audit}");
    assert_eq!(boss.post(&path, json!({})).await.expect(200), settled);
}
