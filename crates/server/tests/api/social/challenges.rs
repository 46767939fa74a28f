//! Whose challenges somebody takes.

use reqwest::Method;
use serde_json::json;

use super::{challenges, follows, patch_me, registered, service};
use crate::client::{Server, blitz};

#[tokio::test]
async fn everybody_is_welcome_until_somebody_says_otherwise() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let me = ann.get("/v1/me").await.expect(200);
    let open = json!({ "accept": "everybody", "rating_min": null, "rating_max": null });
    assert_eq!(me["challenges"], open);
    assert_eq!(me["notices"], json!([]));
    challenges(&bob, &ann).await.expect(201);
    let closed = json!({ "accept": "nobody" });
    let me = patch_me(&ann, json!({ "challenges": closed })).await;
    assert_eq!(me.expect(200)["challenges"]["accept"], "nobody");
    challenges(&bob, &ann).await.refused(403, "not_accepting");
    // Anything else is left as it was.
    let me = patch_me(&ann, json!({ "preferences": { "board": "blue" } })).await;
    assert_eq!(me.expect(200)["challenges"]["accept"], "nobody");
    // Who takes no challenges may challenge, and be challenged to what they offer again.
    challenges(&ann, &bob).await.expect(201);
}

#[tokio::test]
async fn some_take_challenges_of_those_they_follow() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let rule = json!({ "accept": "follows" });
    patch_me(&ann, json!({ "challenges": rule }))
        .await
        .expect(200);
    challenges(&bob, &ann).await.refused(403, "not_accepting");
    // That they follow somebody is not enough.
    follows(&bob, &ann).await;
    challenges(&bob, &ann).await.refused(403, "not_accepting");
    follows(&ann, &bob).await;
    challenges(&bob, &ann).await.expect(201);
}

#[tokio::test]
async fn some_take_rated_games_only() {
    let server = Server::start().await;
    let (ann, bob) = (
        registered(&server, "Ann").await,
        registered(&server, "Bob").await,
    );
    let rule = json!({ "accept": "rated_only" });
    patch_me(&ann, json!({ "challenges": rule }))
        .await
        .expect(200);
    challenges(&bob, &ann).await.refused(403, "not_accepting");
    let mut terms = blitz();
    (terms["opponent_id"], terms["rated"]) = (json!(ann.id), json!(true));
    bob.post("/v1/games", terms).await.expect(201);
}

#[tokio::test]
async fn a_service_is_not_kept_out_by_preferences() {
    let server = Server::start().await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let rule = json!({ "accept": "nobody" });
    patch_me(&ann, json!({ "challenges": rule }))
        .await
        .expect(200);
    let mut terms = blitz();
    (terms["white"], terms["black"], terms["start"]) = (json!(ann.id), json!(bob.id), json!(true));
    let key = [("idempotency-key", "pair-1")];
    let body = Some(terms.to_string());
    let pairing = service(&server).await;
    pairing
        .send(Method::POST, "/v1/games", body, &key)
        .await
        .expect(201);
}

#[tokio::test]
async fn a_rule_that_makes_no_sense_is_refused() {
    let server = Server::start().await;
    let ann = server.guest().await;
    for wrong in [
        json!({ "accept": "friends" }),
        json!({ "rating_min": 1_000 }),
        json!({ "accept": "everybody", "rating_min": 2_000, "rating_max": 1_000 }),
        json!({ "accept": "everybody", "rating_max": 4_001 }),
    ] {
        let answer = patch_me(&ann, json!({ "challenges": wrong })).await;
        answer.refused(400, "bad_request");
    }
    let rule = json!({ "accept": "rated_only", "rating_min": 1_200, "rating_max": 1_800 });
    let me = patch_me(&ann, json!({ "challenges": rule }))
        .await
        .expect(200);
    assert_eq!(me["challenges"], rule);
}
