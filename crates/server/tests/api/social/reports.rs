//! What players say about players, and what comes of it.

use serde_json::{Value, json};

use super::{delete, id, registered};
use crate::chat::moderator;
use crate::client::{Answer, Client, Server, blitz};

async fn reports(client: &Client, whom: &Client, reason: &str) -> Answer {
    let body = json!({ "player": whom.id, "reason": reason, "text": "look at it" });
    client.post("/v1/reports", body).await
}

async fn decides(boss: &Client, report: &Value, decision: Value) -> Answer {
    let path = format!("/v1/admin/reports/{}/decide", report["id"]);
    boss.post(&path, decision).await
}

async fn queue(boss: &Client, query: &str) -> Vec<Value> {
    let page = boss.get(&format!("/v1/admin/reports{query}")).await;
    page.expect(200)["reports"]
        .as_array()
        .expect("a list")
        .clone()
}

#[tokio::test]
async fn a_report_is_open_once_and_about_somebody_else() {
    let server = Server::start().await;
    let (ann, bob, game) = server.blitz().await;
    let made = reports(&ann, &bob, "abuse").await.expect(201);
    assert_eq!(
        (&made["player"], &made["reason"], &made["state"]),
        (&json!(bob.id), &json!("abuse"), &json!("open"))
    );
    reports(&ann, &bob, "abuse")
        .await
        .refused(409, "already_reported");
    reports(&ann, &bob, "spam").await.expect(201);
    let of_game = json!({ "player": bob.id, "reason": "abuse", "game_id": game });
    ann.post("/v1/reports", of_game.clone()).await.expect(201);
    ann.post("/v1/reports", of_game)
        .await
        .refused(409, "already_reported");
    reports(&ann, &ann, "abuse")
        .await
        .refused(409, "not_allowed");
    reports(&ann, &bob, "envy")
        .await
        .refused(400, "bad_request");
    let nobody = json!({ "player": "nobody-there", "reason": "spam" });
    ann.post("/v1/reports", nobody)
        .await
        .refused(404, "not_found");
    let mut hidden = blitz();
    hidden["visibility"] = json!("private");
    let hidden = bob.post("/v1/games", hidden).await.expect(201);
    let unseen = json!({ "player": bob.id, "reason": "spam", "game_id": id(&hidden) });
    ann.post("/v1/reports", unseen)
        .await
        .refused(404, "game_not_found");
    for text in ["x".repeat(1_001), "a\u{0}b".to_owned()] {
        let body = json!({ "player": bob.id, "reason": "other", "text": text });
        ann.post("/v1/reports", body)
            .await
            .refused(400, "bad_request");
    }
    let export = ann.get("/v1/me/export").await.expect(200);
    assert_eq!(export["reports"].as_array().map(Vec::len), Some(3));
    // Enough is enough.
    for _ in 3..20 {
        let other = server.guest().await;
        reports(&ann, &other, "spam").await.expect(201);
    }
    let other = server.guest().await;
    reports(&ann, &other, "spam")
        .await
        .refused(409, "too_many_reports");
}

#[tokio::test]
async fn an_operator_works_through_the_queue() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut made = Vec::new();
    for reason in ["cheating", "abuse", "spam"] {
        made.push(reports(&ann, &bob, reason).await.expect(201));
    }
    let page = boss.get("/v1/admin/reports?limit=2").await.expect(200);
    assert_eq!(page["reports"].as_array().map(Vec::len), Some(2));
    let rest = queue(&boss, &format!("?cursor={}", page["next"])).await;
    assert_eq!(rest.len(), 1);
    assert_eq!(
        (&rest[0]["reporter"], &rest[0]["player"], &rest[0]["text"]),
        (&json!(ann.id), &json!(bob.id), &json!("look at it"))
    );
    let dismiss = json!({ "decision": "dismiss", "note": "nothing in it" });
    let decided = decides(&boss, &made[1], dismiss.clone()).await.expect(200);
    assert_eq!(
        (&decided["state"], &decided["decision"]["by"]),
        (&json!("decided"), &json!(boss.id))
    );
    decides(&boss, &made[1], dismiss.clone())
        .await
        .refused(409, "already_decided");
    decides(&boss, &json!({ "id": 99_999 }), dismiss.clone())
        .await
        .refused(404, "not_found");
    assert_eq!(queue(&boss, "").await.len(), 2);
    assert_eq!(queue(&boss, "?state=decided").await.len(), 1);
    assert_eq!(queue(&boss, "?state=all").await.len(), 3);
    for wrong in [
        json!({ "decision": "mute", "note": "", "until": "tomorrow" }),
        json!({ "decision": "mute", "note": "", "until": "2001-01-01T00:00:00Z" }),
        json!({ "decision": "warn", "note": "", "until": "2999-01-01T00:00:00Z" }),
        json!({ "decision": "forgive", "note": "" }),
    ] {
        decides(&boss, &made[0], wrong)
            .await
            .refused(400, "bad_request");
    }
    let about_boss = reports(&ann, &boss, "abuse").await.expect(201);
    decides(&boss, &about_boss, dismiss)
        .await
        .refused(409, "not_allowed");
    ann.get("/v1/admin/reports")
        .await
        .refused(403, "missing_scope");
    let trail = boss.get("/v1/admin/audit").await.expect(200);
    let entry = &trail["entries"][0];
    assert_eq!(
        (&entry["action"], &entry["target"], &entry["actor"]),
        (&json!("decide_report"), &json!(bob.id), &json!(boss.id))
    );
    // What its reporter said stays when they go.
    delete(&ann, "/v1/me").await.expect(204);
    let left = queue(&boss, "").await;
    assert_eq!(
        (&left[0]["reporter"], &left[0]["text"]),
        (&json!(null), &json!("look at it"))
    );
}

#[tokio::test]
async fn who_is_warned_is_told_until_they_put_it_away() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut stream = bob.listens("/v1/stream").await;
    let report = reports(&ann, &bob, "abuse").await.expect(201);
    let warn = json!({ "decision": "warn", "note": "be kind" });
    decides(&boss, &report, warn).await.expect(200);
    let told = stream.next().await;
    assert_eq!(
        (&told["type"], &told["kind"], &told["text"]),
        (&json!("NOTICE"), &json!("warn"), &json!("be kind"))
    );
    let again = bob.listens("/v1/stream").await.next().await;
    assert_eq!(again["id"], told["id"]);
    let me = bob.get("/v1/me").await.expect(200);
    assert_eq!(me["notices"][0]["text"], "be kind");
    assert!(!me.to_string().contains(&ann.id), "who said it is not told");
    let path = format!("/v1/me/notices/{}", told["id"]);
    delete(&ann, &path).await.refused(404, "not_found");
    delete(&bob, &path).await.expect(204);
    let me = bob.get("/v1/me").await.expect(200);
    assert_eq!(me["notices"], json!([]));
    let export = bob.get("/v1/me/export").await.expect(200);
    assert_eq!(export["notices"][0]["text"], "be kind");
}

#[tokio::test]
async fn who_is_muted_speaks_nowhere_until_it_is_lifted() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob, game) = server.blitz().await;
    let path = format!("/v1/games/{game}/chat");
    let line = json!({ "text": "hello" });
    bob.post(&path, line.clone()).await.expect(201);
    let report = reports(&ann, &bob, "abuse").await.expect(201);
    let until = "2999-01-01T00:00:00.000Z";
    let mute = json!({ "decision": "mute", "note": "insults", "until": until });
    decides(&boss, &report, mute).await.expect(200);
    let refused = bob.post(&path, line.clone()).await.refused(403, "muted");
    assert_eq!(
        (&refused["until"], &refused["why"]),
        (&json!(until), &json!("insults"))
    );
    let (_, _, other) = server.blitz().await;
    let elsewhere = format!("/v1/games/{other}/chat");
    bob.post(&elsewhere, line.clone())
        .await
        .refused(403, "muted");
    // They play on.
    ann.plays(&game, "e4").await.expect(200);
    bob.plays(&game, "e5").await.expect(200);
    let lift = format!("/v1/admin/accounts/{}/sanctions/mute", bob.id);
    delete(&boss, &lift).await.expect(204);
    delete(&boss, &lift).await.refused(404, "not_found");
    bob.post(&path, line).await.expect(201);
}

#[tokio::test]
async fn who_is_barred_from_rated_games_plays_none() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob) = (
        registered(&server, "Ann").await,
        registered(&server, "Bob").await,
    );
    let mut rated = blitz();
    rated["rated"] = json!(true);
    let own = bob.post("/v1/games", rated.clone()).await.expect(201);
    let open = ann.post("/v1/games", rated.clone()).await.expect(201);
    let report = reports(&ann, &bob, "cheating").await.expect(201);
    let bar = json!({ "decision": "bar_rated", "note": "an engine played" });
    decides(&boss, &report, bar).await.expect(200);
    let refused = bob.post("/v1/games", rated).await.refused(403, "barred");
    assert_eq!(
        (&refused["why"], &refused["until"]),
        (&json!("an engine played"), &json!(null))
    );
    bob.asks(id(&open), "join").await.refused(403, "barred");
    // What they had offered before is taken by nobody.
    ann.asks(id(&own), "join")
        .await
        .refused(403, "not_accepting");
    bob.post("/v1/games", blitz()).await.expect(201);
    let me = bob.get("/v1/me").await.expect(200);
    assert_eq!(me["notices"][0]["kind"], "bar_rated");
    let lift = format!("/v1/admin/accounts/{}/sanctions/bar_rated", bob.id);
    delete(&boss, &lift).await.expect(204);
    bob.asks(id(&open), "join").await.expect(200);
}

#[tokio::test]
async fn who_is_barred_while_they_wait_is_paired_with_nobody() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob, cleo) = (
        registered(&server, "Ann").await,
        registered(&server, "Bob").await,
        registered(&server, "Cleo").await,
    );
    let rated = |seconds: u32| {
        let control = json!({ "initial_seconds": seconds, "increment_seconds": 0 });
        json!({ "time_control": control, "rated": true })
    };
    let waits = async |client: &Client, seconds| {
        let path = "/v1/matchmaking/queue";
        let entry = client.post(path, rated(seconds)).await.expect(201);
        format!(
            "{path}/{}",
            entry["queue_entry_id"].as_str().expect("an id")
        )
    };
    let bobs = waits(&bob, 300).await;
    let open = cleo.post("/v1/games", rated(60)).await.expect(201);
    let seen = |lobby: &Value| lobby["games"].as_array().map_or(0, Vec::len);
    assert_eq!(seen(&bob.get("/v1/lobby").await.expect(200)), 1);
    for barred in [&bob, &cleo] {
        let report = reports(&ann, barred, "cheating").await.expect(201);
        let bar = json!({ "decision": "bar_rated", "note": "an engine played" });
        decides(&boss, &report, bar).await.expect(200);
    }
    let ended = bob.get(&format!("{bobs}?wait=20")).await.expect(200);
    assert_eq!(ended["status"], "CANCELLED");
    // What a barred player has offered is paired with nobody either.
    let anns = waits(&ann, 60).await;
    let waiting = ann.get(&format!("{anns}?wait=2")).await.expect(200);
    assert_eq!(waiting["status"], "SEARCHING");
    let offered = ann.get(&format!("/v1/games/{}", id(&open))).await;
    assert_eq!(offered.expect(200)["state"], "WAITING");
    assert_eq!(seen(&bob.get("/v1/lobby").await.expect(200)), 0);
}

#[tokio::test]
async fn an_account_that_is_closed_is_used_by_nobody() {
    let server = Server::start().await;
    let boss = moderator(&server).await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let mut stream = bob.listens("/v1/stream").await;
    let report = reports(&ann, &bob, "spam").await.expect(201);
    let close = json!({ "decision": "close", "note": "advertising" });
    decides(&boss, &report, close).await.expect(200);
    bob.get("/v1/me").await.refused(401, "unauthorized");
    assert_eq!(stream.close_code().await, Some(1008));
    let trail = boss.get("/v1/admin/audit").await.expect(200);
    let actions: Vec<&Value> = trail["entries"]
        .as_array()
        .expect("entries")
        .iter()
        .map(|entry| &entry["action"])
        .collect();
    assert_eq!(
        actions[..2],
        [&json!("decide_report"), &json!("bar_account")]
    );
}
