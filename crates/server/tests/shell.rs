//! What surrounds every request, seen from outside.

use reqwest::{Client, Method, StatusCode};
use serde_json::Value;
use server::operate::Running;
use server::settings::Settings;

async fn start(change: impl FnOnce(&mut Settings)) -> (Running, Client) {
    let mut settings = Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        store: "memory:".into(),
        ..Settings::default()
    };
    change(&mut settings);
    let client = Client::builder().no_proxy().build().unwrap();
    (Running::start(settings).await.unwrap(), client)
}

async fn error(response: reqwest::Response) -> String {
    let body: Value = response.json().await.unwrap();
    assert!(body["detail"].is_string(), "{body}");
    body["error"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn unknown_paths_methods_and_sizes_are_refused_in_our_shape() {
    let (server, client) = start(|_| {}).await;
    let url = server.url();
    let answer = client.get(format!("{url}/nowhere")).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
    assert_eq!(error(answer).await, "not_found");

    let answer = client.delete(format!("{url}/health")).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(answer.headers()["allow"], "GET,HEAD");
    assert_eq!(error(answer).await, "method_not_allowed");

    let answer = client
        .request(Method::OPTIONS, format!("{url}/health"))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::NO_CONTENT);
    assert_eq!(answer.headers()["allow"], "GET,HEAD");

    let answer = client.head(format!("{url}/health")).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);

    let large = " ".repeat(16 * 1024 + 1);
    let answer = client
        .post(format!("{url}/v1/sessions"))
        .body(large)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(error(answer).await, "too_large");
    server.stop().await;
}

#[tokio::test]
async fn every_answer_has_an_id_and_the_headers_that_keep_browsers_honest() {
    let (server, client) = start(|s| s.public_url = Some("https://chess.example".into())).await;
    let url = format!("http://{}/nowhere", server.address);
    let answer = client
        .get(&url)
        .header("x-request-id", "abc-1")
        .send()
        .await
        .unwrap();
    let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(header("x-request-id"), "abc-1");
    assert_eq!(header("x-content-type-options"), "nosniff");
    assert_eq!(header("x-frame-options"), "DENY");
    assert_eq!(header("referrer-policy"), "no-referrer");
    assert!(header("content-security-policy").starts_with("default-src 'none'"));
    assert!(header("strict-transport-security").starts_with("max-age="));
    let answer = client
        .get(&url)
        .header("x-request-id", "a b")
        .send()
        .await
        .unwrap();
    assert_eq!(answer.headers()["x-request-id"].len(), 16);
    server.stop().await;
}

#[tokio::test]
async fn scripts_may_call_from_the_pages_that_the_operator_named() {
    let (server, client) = start(|s| s.cors_origins = vec!["https://chess.example".into()]).await;
    let ask = async |origin: &str| {
        let request = client.request(Method::OPTIONS, format!("{}/v1/games", server.url()));
        let request = request
            .header("origin", origin)
            .header("access-control-request-method", "POST");
        request
            .send()
            .await
            .unwrap()
            .headers()
            .get("access-control-allow-origin")
            .cloned()
    };
    assert_eq!(
        ask("https://chess.example").await.unwrap(),
        "https://chess.example"
    );
    assert_eq!(ask("https://evil.example").await, None);
    server.stop().await;
    let (server, client) = start(|_| {}).await;
    let request = client.get(format!("{}/v1/games", server.url()));
    let answer = request
        .header("origin", "https://chess.example")
        .send()
        .await
        .unwrap();
    assert!(
        answer
            .headers()
            .get("access-control-allow-origin")
            .is_none()
    );
    server.stop().await;
}

#[tokio::test]
async fn a_server_that_stops_refuses_new_work_and_says_so() {
    let (server, client) = start(|_| {}).await;
    let url = server.url();
    let get = async |path: &str| client.get(format!("{url}{path}")).send().await.unwrap();
    assert_eq!(get("/ready").await.status(), StatusCode::OK);
    server.app().games.live().close();
    let answer = get("/v1/games").await;
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers().contains_key("retry-after"));
    assert_eq!(error(answer).await, "unavailable");
    assert_eq!(
        get("/ready").await.status(),
        StatusCode::SERVICE_UNAVAILABLE
    );
    assert_eq!(get("/health").await.status(), StatusCode::OK);
    server.stop().await;
    assert!(client.get(format!("{url}/health")).send().await.is_err());
}

#[tokio::test]
async fn whatever_an_alert_asks_for_is_measured() {
    let (server, client) = start(|_| {}).await;
    let url = server.url();
    // The families with labels show once there is something to count.
    client
        .post(format!("{url}/v1/games/00000000/moves"))
        .send()
        .await
        .unwrap();
    let answer = client.get(format!("{url}/metrics")).send().await.unwrap();
    assert!(
        answer.headers()["content-type"]
            .to_str()
            .unwrap()
            .starts_with("application/openmetrics-text")
    );
    let text = answer.text().await.unwrap();
    let rules = include_str!("../../../deploy/prometheus-alerts.yml");
    let not_yet = include_str!("../../../deploy/not-yet.txt");
    let names = rules.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let mut seen = 0;
    for name in names.filter(|name| name.starts_with("arbiter_")) {
        if not_yet.lines().any(|line| line == name) {
            continue;
        }
        seen += 1;
        assert!(
            text.lines().any(|line| line.starts_with(name)),
            "{name} is in no line of\n{text}"
        );
    }
    assert!(seen > 10);
    assert!(
        text.contains("arbiter_moves_total{outcome=\"unauthorized\"} 1"),
        "{text}"
    );
    // Without a last bucket for everything, Prometheus finds no quantile in a histogram.
    for family in ["arbiter_move_seconds", "arbiter_store_commit_seconds"] {
        let last = format!("{family}_bucket{{le=\"+Inf\"}}");
        assert!(text.contains(&last), "{last} is not in\n{text}");
    }
    server.stop().await;
}
