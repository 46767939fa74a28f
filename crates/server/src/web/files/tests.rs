use http_body_util::BodyExt;

use super::*;

const SCRIPT: Embedded = Embedded {
    path: "assets/main-abc.js",
    plain: b"plain",
    br: Some(b"brotli"),
    gz: Some(b"gzip"),
};

async fn served(accept: &'static str) -> (Option<String>, Vec<u8>) {
    let mut asked = HeaderMap::new();
    asked.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accept));
    let answer = SCRIPT.answer(&asked);
    let encoding = answer.headers().get(header::CONTENT_ENCODING).cloned();
    let encoding = encoding.map(|value| value.to_str().unwrap().to_owned());
    let body = answer.into_body().collect().await.unwrap().to_bytes();
    (encoding, body.to_vec())
}

#[tokio::test]
async fn a_client_gets_the_smallest_form_that_it_understands() {
    for (accept, encoding, body) in [
        ("gzip, deflate, br", Some("br"), "brotli"),
        ("gzip", Some("gzip"), "gzip"),
        ("br;q=0, GZIP;q=0.5", Some("gzip"), "gzip"),
        ("identity", None, "plain"),
        ("brotli", None, "plain"),
    ] {
        let (told, bytes) = served(accept).await;
        assert_eq!(
            (told.as_deref(), &bytes[..]),
            (encoding, body.as_bytes()),
            "{accept}"
        );
    }
}

#[test]
fn what_has_its_digest_in_its_name_is_fetched_once() {
    let answer = SCRIPT.answer(&HeaderMap::new());
    assert_eq!(answer.headers()[header::CACHE_CONTROL], FOREVER);
    let icon = Embedded {
        path: "favicon.svg",
        ..SCRIPT
    };
    let answer = icon.answer(&HeaderMap::new());
    assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-cache");

    let mut again = HeaderMap::new();
    again.insert(
        header::IF_NONE_MATCH,
        answer.headers()[header::ETAG].clone(),
    );
    assert_eq!(icon.answer(&again).status(), StatusCode::NOT_MODIFIED);
}
