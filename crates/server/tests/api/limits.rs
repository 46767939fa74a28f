//! How much anyone may ask for, with the limits on.

use reqwest::Method;
use serde_json::json;
use server::auth::Scope;
use server::settings::Settings;

use crate::client::{Server, blitz};
use crate::events::with_scope;

async fn limited(change: impl FnOnce(&mut Settings)) -> Server {
    Server::start_with(|settings| {
        settings.rate_limits = true;
        change(settings);
    })
    .await
}

#[tokio::test]
async fn join_codes_cannot_be_guessed_by_the_dozen() {
    let server = limited(|s| s.wrong_passwords_per_minute = 3).await;
    let (host, guest) = (server.guest().await, server.guest().await);
    let game = host.post("/v1/games", blitz()).await.expect(201);
    let join = async |code: &str| {
        let body = json!({ "join_code": code });
        guest.post("/v1/games/join", body).await
    };
    for code in ["AAAAAA", "AAAAAB", "AAAAAC"] {
        join(code).await.refused(404, "game_not_found");
    }
    let right = game["join_code"].as_str().expect("a code");
    join(right).await.refused(429, "rate_limited");
}

#[tokio::test]
async fn commands_have_a_rate_of_their_own() {
    let server = limited(|s| s.commands_per_second = 1).await;
    let (white, _, id) = server.blitz().await;
    // Five at once and one a second: of twenty at the same time most are refused, unless
    // they take fifteen seconds.
    let path = format!("/v1/games/{id}/add-time");
    let asked = (0..20).map(|_| white.post(&path, json!({ "seconds": 5 })));
    let answers = futures_util::future::join_all(asked).await;
    let count = |status| answers.iter().filter(|it| it.status == status).count();
    assert_eq!(count(200) + count(429), 20, "{answers:?}");
    assert!((5..20).contains(&count(200)), "{answers:?}");
    white.plays(&id, "e4").await.expect(200);
}

#[tokio::test]
async fn a_rematch_counts_as_a_creation() {
    let server = limited(|s| (s.creations_per_second, s.creations_burst) = (1, 1)).await;
    let (white, black, id) = server.blitz().await;
    white.asks(&id, "resign").await.expect(200);
    // One a second: of five in a row, not all are made.
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let offered = black.asks(&id, "offer-rematch").await;
        statuses.push(offered.status);
        if offered.status == 200 {
            let rematch = offered.expect(200)["id"].clone();
            let rematch = rematch.as_str().expect("an id");
            black.asks(rematch, "cancel").await.expect(200);
        }
    }
    assert_eq!(statuses[0], 200);
    assert!(statuses.contains(&429), "{statuses:?}");
}

#[tokio::test]
async fn joining_and_playing_again_stay_within_the_unfinished_games() {
    let server = Server::start_with(|s| s.games_per_account = 2).await;
    let (ann, bob) = (server.guest().await, server.guest().await);
    let make = async || {
        let host = server.guest().await;
        let game = host.post("/v1/games", blitz()).await.expect(201);
        let id = game["id"].as_str().expect("an id").to_owned();
        (id, game["join_code"].as_str().expect("a code").to_owned())
    };
    let finished = {
        let game = ann.post("/v1/games", blitz()).await.expect(201);
        let id = game["id"].as_str().expect("an id").to_owned();
        bob.asks(&id, "join").await.expect(200);
        ann.asks(&id, "resign").await.expect(200);
        id
    };
    let mut seated = String::new();
    for _ in 0..2 {
        seated = make().await.0;
        bob.asks(&seated, "join").await.expect(200);
    }
    let (open, code) = make().await;
    bob.asks(&open, "join").await.refused(429, "rate_limited");
    let body = json!({ "join_code": code });
    let by_code = bob.post("/v1/games/join", body).await;
    by_code.refused(429, "rate_limited");
    let again = bob.asks(&finished, "offer-rematch").await;
    again.refused(429, "rate_limited");
    assert_ne!(bob.asks(&seated, "join").await.status, 429, "has a seat");
}

/// How many somebody has is remembered for a while, if it is far from the limit.
#[tokio::test]
async fn games_that_nobody_asked_for_count_among_the_unfinished() {
    let server = Server::start_with(|s| s.games_per_account = 6).await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let service = with_scope(&server, "service", Scope::Service).await;
    ann.post("/v1/games", blitz()).await.expect(201);
    for key in ["1", "2", "3", "4", "5"] {
        let mut game = blitz();
        game["white"] = json!(ann.id);
        game["black"] = json!(bob.id);
        game["start"] = json!(true);
        let key = [("idempotency-key", key)];
        let made = service.send(Method::POST, "/v1/games", Some(game.to_string()), &key);
        made.await.expect(201);
    }
    let one_more = ann.post("/v1/games", blitz()).await;
    one_more.refused(429, "rate_limited");

    let (cat, guest) = (server.registered("cat").await, server.guest().await);
    for _ in 0..5 {
        guest.post("/v1/games", blitz()).await.expect(201);
    }
    cat.post("/v1/games", blitz()).await.expect(201);
    let body = json!({ "guest_token": guest.token });
    let adopted = cat.post("/v1/me/adopt", body).await.expect(200);
    assert_eq!(adopted, json!({ "adopted": 5 }));
    let one_more = cat.post("/v1/games", blitz()).await;
    one_more.refused(429, "rate_limited");
}

#[tokio::test]
async fn a_list_of_names_is_bounded_and_names_the_one_that_is_missing() {
    let server = Server::start().await;
    let mut request = blitz();
    request["visibility"] = json!("private");
    let (white, black) = (server.guest().await, server.guest().await);
    let game = white.post("/v1/games", request).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let body = json!({ "join_code": game["join_code"] });
    black.post("/v1/games/join", body).await.expect(200);
    let friend = server.guest().await;
    let invite = async |names: &[&str]| {
        let path = format!("/v1/games/{id}/invite");
        white.post(&path, json!({ "names": names })).await
    };
    let upper = friend.id.to_uppercase();
    invite(&[&friend.id, &upper]).await.expect(200);
    friend.game(id).await;
    invite(&["nobody-at-all", &friend.id])
        .await
        .refused(404, "not_found");
    invite(&[friend.id.as_str(); 51])
        .await
        .refused(400, "bad_request");
    let mut crowd = blitz();
    crowd["invited"] = json!(vec![friend.id.clone(); 51]);
    let refused = white.post("/v1/games", crowd).await;
    refused.refused(400, "bad_request");
}

#[tokio::test]
async fn readiness_is_asked_of_the_store_once_for_many() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let writes = || server.running().app().store.stats().batches;
    nobody.get("/ready").await.expect(200);
    let (before, begun) = (writes(), std::time::Instant::now());
    for _ in 0..200 {
        nobody.get("/ready").await.expect(200);
    }
    // The heartbeat writes too, once a second; so does a ping.
    let seconds = begun.elapsed().as_secs() + 1;
    let written = writes() - before;
    assert!(written <= 4 * seconds, "{written} writes in {seconds} s");
}

#[tokio::test]
async fn metrics_can_be_kept_to_some() {
    let elsewhere = Server::start_with(|s| {
        s.metrics_from = vec!["192.0.2.0/24".parse().expect("a network")];
        s.trusted_proxies = vec!["127.0.0.1".parse().expect("an address")];
    })
    .await;
    let nobody = elsewhere.nobody();
    nobody.get("/metrics").await.refused(403, "not_allowed");
    let from = [("x-forwarded-for", "192.0.2.7")];
    let told = nobody
        .send(reqwest::Method::GET, "/metrics", None, &from)
        .await;
    assert_eq!(told.status, 200);
    let open = Server::start().await;
    assert_eq!(open.nobody().get("/metrics").await.status, 200);
}
