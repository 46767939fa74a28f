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
        "/account",
        "/analysis",
        "/analysis/Ab3fK9xQ",
        "/console",
        "/console/audit",
        "/embed/Ab3fK9xQ",
        "/players",
        "/tv",
        "/tv/many",
        "/@/nobody",
        "/game/Ab3fK9xQ",
        "/Ab3fK9xQ",
        "/join/K7M2QX",
        "/skill",
        "/skill/x",
        "/docs",
        "/nowhere/at/all",
    ] {
        let page = client.get(format!("{}{path}", server.url()));
        let page = page.header("accept", "text/html").send().await.unwrap();
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(
            policy.starts_with("default-src 'none'; script-src 'self';"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
        let others_may = policy.ends_with("frame-ancestors *");
        assert_eq!(others_may, path.starts_with("/embed/"), "{path}: {policy}");
        let is_closed = page.headers().get("x-frame-options").is_some();
        assert_eq!(is_closed, !others_may, "{path}");
        let text = page.text().await.unwrap();
        let is_built = !text.contains("The browser client is not built in");
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

/// People are shown a page with a way home, programs are told as always.
#[tokio::test]
async fn where_nothing_is_there_is_a_page_for_people() {
    let (server, client) = start(|_| {}).await;
    let ask = async |path: &str, accept: &str| {
        let request = client.get(format!("{}{path}", server.url()));
        let answer = request.header("accept", accept).send().await.unwrap();
        let media = answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .to_owned();
        (answer.status(), media)
    };
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    let page = (StatusCode::NOT_FOUND, "text/html; charset=utf-8".to_owned());
    let told = (StatusCode::NOT_FOUND, "application/json".to_owned());
    for path in [
        "/tv/",
        "/game/",
        "/console/a/b/c",
        "/what",
        "/a/b/c",
        "/what.txt",
        "/index.html",
    ] {
        assert_eq!(ask(path, browser).await, page, "{path}");
        assert_eq!(ask(path, "*/*").await, told, "{path}");
        assert_eq!(ask(path, "application/json").await, told, "{path}");
    }
    for path in ["/v1/what", "/api/what", "/live/what", "/assets/what.js"] {
        assert_eq!(ask(path, browser).await, told, "{path}");
    }
    // No game, and no player: the page, which says so.
    for path in [
        "/game/zzzzzzzz",
        "/aaaaaaaa",
        "/game/x",
        "/embed/x",
        "/@/no-such-one",
    ] {
        assert_eq!(ask(path, "*/*").await, page, "{path}");
    }
    let posted = client.post(format!("{}/tv/", server.url()));
    let posted = posted.header("accept", browser).send().await.unwrap();
    assert_eq!(posted.headers()["content-type"], "application/json");
    server.stop().await;
}

#[tokio::test]
async fn browsers_find_an_icon_and_the_worker() {
    let (server, client) = start(|_| {}).await;
    let icon = client.get(format!("{}/favicon.ico", server.url())).send();
    assert!(icon.await.unwrap().status().is_success());
    let worker = client
        .get(format!("{}/service-worker.js", server.url()))
        .send();
    let worker = worker.await.unwrap();
    let head = worker.headers();
    assert_eq!(head["service-worker-allowed"], "/");
    let policy = head["content-security-policy"].to_str().unwrap();
    assert!(policy.contains("connect-src 'self'"), "{policy}");
    if worker.status() == StatusCode::OK {
        assert_eq!(head["cache-control"], "no-cache");
        assert_eq!(head["content-type"], "text/javascript; charset=utf-8");
    }
    server.stop().await;
}

/// Who is told nothing without signing in is not told whether there is a game either.
#[tokio::test]
async fn where_only_members_look_every_game_has_a_page() {
    let (server, client) = start(|settings| settings.anonymous_reads = false).await;
    let page = async |path: &str| {
        let page = client.get(format!("{}{path}", server.url())).send().await;
        let page = page.unwrap();
        (page.status(), page.text().await.unwrap())
    };
    assert_eq!(page("/game/aaaaaaaa").await, page("/").await);
    assert_eq!(page("/@/no-such-one").await, page("/").await);
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
