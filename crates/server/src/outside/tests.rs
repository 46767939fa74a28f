//! What targets may be and may do.

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::routing::{MethodRouter, post};
use futures_util::stream;
use tokio::net::TcpListener;

use super::*;

fn outside(networks: &[&str], allows_http: bool) -> Outside {
    Outside::new(&Settings {
        outside_networks: networks.iter().map(|it| it.parse().unwrap()).collect(),
        outside_http: allows_http,
        ..Settings::default()
    })
}

/// A target on this machine; its address by number and by name.
async fn target(answers: MethodRouter) -> (String, String) {
    let router = Router::new().fallback_service(answers);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
    )
}

async fn posts(outside: &Outside, url: &str) -> Result<u16, Failed> {
    let headers = HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/plain"))]);
    let answer = outside.post(url, headers, Bytes::from_static(b"e4")).await;
    answer.map(|status| status.as_u16())
}

#[test]
fn a_target_is_an_address_of_the_web() {
    let strict = outside(&[], false);
    assert!(strict.check("https://chess.example/hook?club=1").is_ok());
    for (url, why) in [
        ("http://chess.example/", "https"),
        ("ftp://chess.example/", "web"),
        ("file:///etc/passwd", "web"),
        ("https://ann:secret@chess.example/", "password"),
        ("https://chess.example/#top", "#"),
        ("chess.example", "relative"),
        (
            &format!("https://chess.example/{}", "a".repeat(3_000)),
            "2048",
        ),
    ] {
        match strict.check(url) {
            Err(Failed::Unfit(said)) => assert!(said.contains(why), "{url}: {said}"),
            other => panic!("{url}: {other:?}"),
        }
    }
    assert!(outside(&[], true).check("http://chess.example/").is_ok());
}

/// However it is written.
#[test]
fn an_address_within_is_refused_by_number() {
    let strict = outside(&[], false);
    for url in [
        "https://127.0.0.1/",
        "https://127.1/",
        "https://2130706433/",
        "https://0x7f.0.0.1/",
        "https://[::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest/meta-data",
    ] {
        assert_eq!(strict.check(url), Err(Failed::Refused), "{url}");
    }
}

#[tokio::test]
async fn an_address_within_is_refused_by_name_when_it_is_looked_up() {
    let (_, by_name) = target(post(async || "")).await;
    let strict = outside(&[], true);
    assert_eq!(posts(&strict, &by_name).await, Err(Failed::Refused));
    let allowed = outside(&["127.0.0.0/8"], true);
    assert_eq!(posts(&allowed, &by_name).await, Ok(200));
}

#[tokio::test]
async fn what_was_posted_arrives_and_the_status_comes_back() {
    let echo = post(async |headers: HeaderMap, body: String| {
        let is_right = body == "e4" && headers[CONTENT_TYPE] == "text/plain";
        assert!(is_right, "{headers:?} {body}");
        StatusCode::IM_A_TEAPOT
    });
    let (url, _) = target(echo).await;
    assert_eq!(posts(&outside(&["127.0.0.1"], true), &url).await, Ok(418));
}

#[tokio::test]
async fn no_redirect_is_followed() {
    let moved = async |uri: Uri| {
        assert_eq!(uri.path(), "/", "it was followed");
        (StatusCode::FOUND, [(LOCATION, "/elsewhere")])
    };
    let (url, _) = target(post(moved)).await;
    assert_eq!(posts(&outside(&["127.0.0.1"], true), &url).await, Ok(302));
}

/// Nobody waits for the end of an answer that has none.
#[tokio::test]
async fn an_endless_answer_is_left() {
    let endless = async || {
        let chunk = || Ok::<_, std::io::Error>(Bytes::from_static(&[b'x'; 1_024]));
        Body::from_stream(stream::repeat_with(chunk))
    };
    let (url, _) = target(post(endless)).await;
    assert_eq!(posts(&outside(&["127.0.0.1"], true), &url).await, Ok(200));
}

/// A status is an answer, also if nothing ever comes after it.
#[tokio::test]
async fn an_answer_that_is_never_finished_counts() {
    let stalled = async || Body::from_stream(stream::pending::<std::io::Result<Bytes>>());
    let (url, _) = target(post(stalled)).await;
    let mut outside = outside(&["127.0.0.1"], true);
    outside.patience = Duration::from_millis(500);
    assert_eq!(posts(&outside, &url).await, Ok(200));
}

#[tokio::test]
async fn who_never_answers_is_not_waited_for() {
    let (url, _) = target(post(std::future::pending::<()>)).await;
    let mut outside = outside(&["127.0.0.1"], true);
    outside.patience = Duration::from_millis(50);
    assert_eq!(posts(&outside, &url).await, Err(Failed::TimedOut));
}

#[tokio::test]
async fn nobody_there_is_said() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let outside = outside(&["127.0.0.1"], true);
    assert_eq!(posts(&outside, &url).await, Err(Failed::Unreachable));
    // And one that speaks no TLS.
    let (url, _) = target(MethodRouter::new()).await;
    let url = url.replace("http:", "https:");
    assert_eq!(posts(&outside, &url).await, Err(Failed::Unreachable));
}
