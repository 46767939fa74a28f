//! Deciding about somebody whom nobody reported.

use serde_json::{Value, json};

use super::{operator, trail};
use crate::client::{Server, blitz};

#[tokio::test]
async fn somebody_is_muted_without_a_report_told_why_and_let_speak_again() {
    let server = Server::start().await;
    let olga = operator(&server).await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let game = ann.post("/v1/games", blitz()).await.expect(201);
    let game = game["id"].as_str().unwrap();
    bob.asks(game, "join").await.expect(200);
    let path = "/v1/admin/accounts/bob/sanctions/mute";
    let decide = async |path: &str, body: Value| olga.put(path, body).await;
    let past = json!({ "note": "x", "until": "2020-01-31T18:05:09Z" });
    decide(path, past).await.refused(400, "bad_request");
    let never = json!({ "note": "x", "until": "soon" });
    decide(path, never).await.refused(400, "bad_request");
    let nobody = "/v1/admin/accounts/no-such-one/sanctions/mute";
    decide(nobody, json!({ "note": "x" }))
        .await
        .refused(404, "not_found");
    let kind = "/v1/admin/accounts/bob/sanctions/what";
    decide(kind, json!({ "note": "x" }))
        .await
        .refused(404, "not_found");
    let oneself = "/v1/admin/accounts/olga/sanctions/mute";
    let refused = decide(oneself, json!({ "note": "x" })).await;
    refused.refused(409, "not_allowed");
    ann.put(path, json!({ "note": "x" }))
        .await
        .refused(403, "missing_scope");

    let until = "2099-01-31T18:05:09Z";
    let mute = json!({ "note": "insults", "until": until });
    decide(path, mute).await.expect(204);
    let said = bob
        .post(&format!("/v1/games/{game}/chat"), json!({ "text": "Hi" }))
        .await;
    let muted = said.refused(403, "muted");
    assert_eq!(muted["why"], "insults");
    let shown = olga.get("/v1/admin/accounts/bob").await.expect(200);
    let sanction = &shown["sanctions"][0];
    assert_eq!(
        (&sanction["kind"], &sanction["by"]),
        (&json!("mute"), &json!("olga"))
    );
    assert_eq!(trail(&olga).await[0], ["olga", "sanction", "bob"]);
    olga.delete(path).await.expect(204);
    let said = bob
        .post(&format!("/v1/games/{game}/chat"), json!({ "text": "Hi" }))
        .await;
    assert_eq!(said.status, 201, "{}", said.text);
}
