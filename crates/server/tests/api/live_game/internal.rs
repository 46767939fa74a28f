//! What other services ask: which games are over, and to be told again.

use serde_json::{Value, json};
use server::auth::Scope;

use super::player::{Player, begun, id_of, pair, play, refused, uuid_of};
use crate::client::{Client, Server, blitz};
use crate::events::with_scope;

/// All events after a place, once there are so many; and the place after them.
async fn pulled(service: &Client, since: &str, many: usize) -> (Vec<Value>, String) {
    let (mut events, mut next) = (Vec::new(), since.to_owned());
    while events.len() < many {
        let path = format!("/live/internal/events?since={next}&wait=20");
        let page = service.get(&path).await.expect(200);
        events.extend(page["events"].as_array().expect("a list").clone());
        page["next"]
            .as_str()
            .expect("a place")
            .clone_into(&mut next);
    }
    (events, next)
}

#[tokio::test]
async fn a_game_that_is_over_is_told_and_told_again_when_asked() {
    let server = Server::start().await;
    let service = with_scope(&server, "leaderboard", Scope::Service).await;
    let (a, b, id) = pair(&server).await;
    play(&a, &b, &id, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7").await;
    let expected = json!({
        "type": "GameEnded", "game_id": id, "white_account_id": a.account_id,
        "black_account_id": b.account_id, "result": "1-0", "end_reason": "checkmate",
        "time_control": { "initial_seconds": 300, "increment_seconds": 0 },
    });
    let (told, next) = pulled(&service, "", 1).await;
    assert_eq!(told, std::slice::from_ref(&expected));

    let before = (a.sees(&id).await, a.log(&id_of(&id)).await);
    let path = format!("/live/internal/games/{id}/finalize");
    assert_eq!(service.post(&path, json!({})).await.expect(200), expected);
    let (told, next) = pulled(&service, &next, 1).await;
    assert_eq!(told, [expected]);
    let after = (a.sees(&id).await, a.log(&id_of(&id)).await);
    assert_eq!(after, before, "the game stays as it is");

    // Whoever listens at the other door is told too, with the same version.
    let events = service.get("/v1/events?types=GameEnded").await.expect(200);
    let versions: Vec<&Value> = events["events"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|e| &e["version"])
        .collect();
    assert_eq!(versions, [9, 9]);

    let second = begun(&a, &b).await;
    b.does(&second, "resign").await.expect(200);
    let (told, _) = pulled(&service, &next, 1).await;
    assert_eq!(
        (&told[0]["game_id"], &told[0]["end_reason"]),
        (&json!(second), &json!("resignation"))
    );
}

#[tokio::test]
async fn only_a_game_that_is_over_is_told_again() {
    let server = Server::start().await;
    let service = with_scope(&server, "leaderboard", Scope::Service).await;
    let (a, _, id) = pair(&server).await;
    let path = format!("/live/internal/games/{id}/finalize");
    refused(&service.post(&path, json!({})).await, 409, "game_not_ended");
    let waiting = a.creates(super::player::challenge(None)).await;
    let path = format!("/live/internal/games/{waiting}/finalize");
    refused(&service.post(&path, json!({})).await, 409, "game_not_ended");
    for wrong in [
        "1",
        "7f3c1e52-9a60-4b0e-8d53-2f1f4c0a9b11",
        "61726269-7465-8000-8000-000000000001",
    ] {
        let path = format!("/live/internal/games/{wrong}/finalize");
        refused(&service.post(&path, json!({})).await, 404, "game_not_found");
    }
    let events = service.get("/v1/events?types=GameEnded").await.expect(200);
    assert_eq!(events["events"], json!([]), "nothing was told");
}

#[tokio::test]
async fn what_is_internal_needs_the_scope_of_a_service() {
    let server = Server::start().await;
    let (a, b, id) = pair(&server).await;
    b.does(&id, "resign").await.expect(200);
    let path = format!("/live/internal/games/{id}/finalize");
    let admin = with_scope(&server, "boss", Scope::Admin).await;
    for client in [&a.client, &b.client, &admin] {
        refused(&client.post(&path, json!({})).await, 403, "missing_scope");
        refused(
            &client.get("/live/internal/events").await,
            403,
            "missing_scope",
        );
    }
    let nobody = server.nobody();
    refused(&nobody.post(&path, json!({})).await, 401, "unauthorized");
    refused(
        &nobody.get("/live/internal/events").await,
        401,
        "unauthorized",
    );
    let service = with_scope(&server, "leaderboard", Scope::Service).await;
    for bad in ["since=x", "wait=31", "wait=x"] {
        let path = format!("/live/internal/events?{bad}");
        refused(&service.get(&path).await, 400, "bad_request");
    }
    // A service reads and tells; it does not play.
    let service = Player {
        client: service,
        account_id: String::new(),
    };
    refused(&service.does(&id, "resign").await, 403, "missing_scope");
}

#[tokio::test]
async fn games_of_other_kinds_are_not_told_here() {
    let server = Server::start().await;
    let service = with_scope(&server, "leaderboard", Scope::Service).await;
    let mut terms = blitz();
    terms["variant"] = json!("atomic");
    let (_, black, other) = server.game(terms).await;
    black.asks(&other, "resign").await.expect(200);
    let path = format!("/live/internal/games/{}/finalize", uuid_of(&other));
    refused(&service.post(&path, json!({})).await, 404, "game_not_found");
    let (_, black, ours) = server.blitz().await;
    black.asks(&ours, "resign").await.expect(200);
    let (told, _) = pulled(&service, "", 1).await;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0]["game_id"], json!(uuid_of(&ours)));
}
