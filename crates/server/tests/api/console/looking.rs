//! Figures, and looking for accounts, games and webhooks.

use serde_json::{Value, json};

use super::{operator, trail};
use crate::client::{Server, blitz, play};

fn ids(page: &Value, what: &str) -> Vec<String> {
    let found = page[what].as_array().expect("a list").iter();
    found
        .map(|it| it["id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn figures_are_there_from_the_first_moment() {
    let server = Server::start().await;
    let olga = operator(&server).await;
    let (_white, _black, _game) = server.blitz().await;
    let figures = loop {
        let figures = olga.get("/v1/admin/figures").await.expect(200);
        if !figures["latest"].is_null() {
            break figures;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(figures["every_seconds"], 5);
    let latest = &figures["latest"];
    assert_eq!(latest["nodes"], 1, "{latest}");
    assert_eq!(latest["moves_per_second"], 0.0);
    assert_eq!(latest["move_p50_ms"], Value::Null);
    let history = figures["history"].as_array().unwrap();
    assert_eq!(history.last(), Some(latest));
}

#[tokio::test]
async fn every_account_is_found_whatever_became_of_it() {
    let server = Server::start().await;
    let olga = operator(&server).await;
    let guest = server.guest().await;
    let ann = server.registered("ann").await;
    let _andy = server.registered("Andy").await;
    let bar = json!({ "reason": "x" });
    olga.post("/v1/admin/accounts/andy/bar", bar)
        .await
        .expect(204);
    // Whoever is gone has no name to be found by.
    ann.delete("/v1/me").await;
    let find = async |query: &str| {
        let path = format!("/v1/admin/accounts{query}");
        olga.get(&path).await.expect(200)
    };
    let found = find("?search=AN").await;
    assert_eq!(ids(&found, "accounts"), ["andy"]);
    let andy = &found["accounts"][0];
    assert_eq!(
        (&andy["kind"], andy["barred_at"].is_string()),
        (&json!("registered"), true)
    );
    let found = find(&format!("?search={}", guest.id)).await;
    assert_eq!(found["accounts"][0]["kind"], "guest");
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = find(&format!("?limit=1{cursor}")).await;
        all.extend(ids(&page, "accounts"));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let everybody = ids(&find("?limit=200").await, "accounts");
    assert_eq!(all, everybody);
    assert!(all.contains(&"olga".to_owned()) && all.contains(&guest.id));
    let shown = olga.get("/v1/admin/accounts/Andy").await.expect(200);
    assert_eq!(
        (&shown["id"], &shown["sanctions"]),
        (&json!("andy"), &json!([]))
    );
    let nobody = olga.get("/v1/admin/accounts/no-such-one").await;
    nobody.refused(404, "not_found");
    let wrong = olga.get("/v1/admin/accounts?search=a%00").await;
    wrong.refused(400, "bad_request");
    let stranger = guest.get("/v1/admin/accounts").await;
    stranger.refused(403, "missing_scope");
}

#[tokio::test]
async fn games_are_found_by_id_and_by_player_private_ones_too() {
    let server = Server::start().await;
    let olga = operator(&server).await;
    let (ann, bob) = (
        server.registered("ann").await,
        server.registered("bob").await,
    );
    let mut private = blitz();
    private["visibility"] = json!("private");
    let hidden = ann.post("/v1/games", private).await.expect(201);
    let hidden = hidden["id"].as_str().unwrap();
    let open = bob.post("/v1/games", blitz()).await.expect(201);
    let open = open["id"].as_str().unwrap();
    let find = async |query: &str| {
        let path = format!("/v1/admin/games{query}");
        ids(&olga.get(&path).await.expect(200), "games")
    };
    assert_eq!(find(&format!("?search={hidden}")).await, [hidden]);
    assert_eq!(find("?search=ANN").await, [hidden]);
    assert_eq!(find("?search=bob&state=WAITING").await, [open]);
    assert_eq!(find("?search=bob&state=ACTIVE").await, Vec::<String>::new());
    assert_eq!(find("?search=zzzzzzzz").await, Vec::<String>::new());
    assert_eq!(find("").await.len(), 2);
    let wrong = olga.get("/v1/admin/games?state=x").await;
    wrong.refused(400, "bad_request");
    let page = olga.get("/v1/admin/games?limit=1").await.expect(200);
    let next = page["next_cursor"].as_str().unwrap();
    assert_eq!(find(&format!("?limit=1&cursor={next}")).await.len(), 1);
}

#[tokio::test]
async fn everybodys_webhooks_are_seen_and_removed() {
    let server = Server::start().await;
    let olga = operator(&server).await;
    let ann = server.registered("ann").await;
    let hook = json!({ "url": "https://example.org/hook", "events": ["GameEnded"] });
    let made = ann.post("/v1/webhooks", hook).await.expect(201);
    let path = format!("/v1/admin/webhooks/{}", made["id"]);
    let all = olga.get("/v1/admin/webhooks").await.expect(200);
    assert_eq!(all["webhooks"][0]["account"], "ann", "{all}");
    assert_eq!(all["webhooks"][0]["url"], "https://example.org/hook");
    assert_eq!(all["webhooks"][0]["secret"], Value::Null);
    assert_eq!(all["next_cursor"], Value::Null);
    let sent = olga.get(&format!("{path}/deliveries")).await.expect(200);
    assert_eq!(sent["deliveries"], json!([]));
    let again = olga
        .post(&format!("{path}/deliveries/7/redeliver"), json!({}))
        .await;
    again.refused(404, "not_found");
    ann.delete(&path).await.refused(403, "missing_scope");
    olga.delete(&path).await.expect(204);
    olga.delete(&path).await.refused(404, "not_found");
    let hooks = ann.get("/v1/webhooks").await.expect(200);
    assert_eq!(hooks["webhooks"], json!([]));
    assert_eq!(trail(&olga).await[0], ["olga", "remove_webhook", "ann"]);
}

#[tokio::test]
async fn a_file_of_games_is_sent_and_taken_in_once() {
    let server = Server::start().await;
    let olga = operator(&server).await;
    let (white, black, game) = server.blitz().await;
    play(&white, &black, &game, "e4 e5").await;
    white.asks(&game, "resign").await.expect(200);
    let whole = olga.get(&format!("/v1/games/{game}/pgn")).await.text;
    let pgn = format!(
        "{}{whole}\n[Event \"broken\"]\n\n1. e4 e4 *\n\n",
        whole.replace("e5", "c5")
    );
    let send = async || {
        let sent = olga
            .http
            .post(format!("{}/v1/admin/import/pgn", olga.url))
            .bearer_auth(olga.token.as_ref().unwrap())
            .header("content-type", "application/x-chess-pgn")
            .body(pgn.clone());
        let text = sent.send().await.unwrap().text().await.unwrap();
        serde_json::from_str::<Value>(text.lines().last().unwrap()).unwrap()
    };
    let first = send().await;
    assert_eq!(
        (&first["ok"], &first["imported"]),
        (&json!(true), &json!(2)),
        "{first}"
    );
    assert_eq!(first["left_out"], 1);
    let second = send().await;
    assert_eq!(
        (&second["imported"], &second["known"]),
        (&json!(0), &json!(2))
    );
    assert_eq!(trail(&olga).await[0], ["olga", "import", "upload"]);
    let long = "x".repeat((32 << 20) + 1);
    let refused = olga
        .http
        .post(format!("{}/v1/admin/import/pgn", olga.url))
        .bearer_auth(olga.token.as_ref().unwrap())
        .body(long)
        .send();
    // The server may close before everything was sent.
    if let Ok(refused) = refused.await {
        assert_eq!(refused.status(), 413);
    }
}

#[tokio::test]
async fn a_game_is_written_with_or_without_its_clocks() {
    let server = Server::start().await;
    let (white, black, game) = server.blitz().await;
    play(&white, &black, &game, "e4 e5").await;
    let text = async |query: &str| {
        let path = format!("/v1/games/{game}/pgn{query}");
        white.get(&path).await.text
    };
    for with in ["", "?clocks=true", "?evals=true"] {
        assert!(text(with).await.contains("[%clk 0:0"), "{with}");
    }
    let without = text("?clocks=false").await;
    assert!(without.contains("\n1. e4 e5 *"), "{without}");
    assert!(without.contains("[TimeControl \"300+0\"]"), "{without}");
    let wrong = white.get(&format!("/v1/games/{game}/pgn?clocks=x")).await;
    wrong.refused(400, "bad_request");
}

#[tokio::test]
async fn tv_features_a_game_in_which_both_have_moved() {
    let server = Server::start().await;
    let nobody = server.nobody();
    let tv = nobody.get("/v1/tv").await.expect(200);
    assert_eq!(tv, json!({ "featured": null, "games": [] }));
    let (white, black, moved) = server.blitz().await;
    play(&white, &black, &moved, "e4 e5").await;
    let (white, black, begun) = server.blitz().await;
    play(&white, &black, &begun, "e4").await;
    // What is shown is up to a second old.
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(60);
    let shown = loop {
        let tv = nobody.get("/v1/tv").await.expect(200);
        if ids(&tv, "games").len() == 2 {
            break tv;
        }
        assert!(tokio::time::Instant::now() < until, "{tv}");
        tokio::task::yield_now().await;
    };
    assert_eq!(shown["featured"], *moved, "{shown}");
    assert_eq!(ids(&shown, "games"), [moved, begun]);
    assert_eq!(shown["games"][0]["variant"], "standard");
}
