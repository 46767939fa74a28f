//! The browser client, as the server hands it out. Whether it was built in
//! depends on what was in `web/dist`; what must hold, holds either way.

use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use server::operate::Running;
use server::settings::Settings;

async fn start(change: impl FnOnce(&mut Settings)) -> (Running, Client) {
    let mut settings = Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        store: "memory:".into(),
        ..Settings::default()
    };
    change(&mut settings);
    let client = Client::builder().no_proxy().redirect(Policy::none());
    (
        Running::start(settings).await.unwrap(),
        client.build().unwrap(),
    )
}

#[tokio::test]
async fn every_page_runs_its_own_scripts_only() {
    let (server, client) = start(|_| {}).await;
    for path in [
        "/",
        "/tv",
        "/game/Ab3fK9xQ",
        "/join/K7M2QX",
        "/skill",
        "/skill/x",
        "/docs",
    ] {
        let page = client.get(format!("{}{path}", server.url())).send().await;
        let page = page.unwrap();
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
        let is_built = page.status() == StatusCode::OK;
        let text = page.text().await.unwrap();
        // Without a build the page says plainly how to make one.
        assert!(is_built || text.contains("npm run build"), "{path}: {text}");
        assert!(
            !text.contains("://") || is_built,
            "{path}: nothing of other hosts"
        );
    }
    let lost = client.get(format!("{}/assets/no.js", server.url())).send();
    let lost = lost.await.unwrap();
    assert_eq!(lost.status(), StatusCode::NOT_FOUND);
    assert_eq!(lost.json::<Value>().await.unwrap()["error"], "not_found");
    server.stop().await;
}

#[tokio::test]
async fn a_private_game_looks_like_one_that_is_not_there() {
    let (server, client) = start(|_| {}).await;
    let url = server.url();
    let post = async |path: &str, token: &str, body: Value| -> Value {
        let request = client.post(format!("{url}{path}")).bearer_auth(token);
        request
            .json(&body)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    };
    let guest = post("/v1/guests", "", json!({})).await;
    let token = guest["token"].as_str().unwrap();
    let terms = json!({ "time_control": null, "visibility": "private" });
    let hidden = post("/v1/games", token, terms).await;
    let page = async |id: &str| {
        let page = client.get(format!("{url}/game/{id}")).send().await.unwrap();
        (page.status(), page.text().await.unwrap())
    };
    let hidden = page(hidden["id"].as_str().unwrap()).await;
    assert_eq!(hidden, page("zzzzzzzz").await);
    assert!(
        !hidden
            .1
            .contains(guest["account"]["name"].as_str().unwrap())
    );
    server.stop().await;
}

#[tokio::test]
async fn the_source_is_where_the_operator_says() {
    let (server, client) = start(|_| {}).await;
    let answer = client.get(format!("{}/source", server.url())).send().await;
    assert!(
        answer
            .unwrap()
            .text()
            .await
            .unwrap()
            .contains("AFFERO GENERAL PUBLIC LICENSE")
    );
    server.stop().await;

    let place = "https://source.example/arbiter";
    let (server, client) = start(|s| s.source_url = Some(place.into())).await;
    let answer = client.get(format!("{}/source", server.url())).send().await;
    assert_eq!(answer.unwrap().headers()["location"], place);
    server.stop().await;
}
