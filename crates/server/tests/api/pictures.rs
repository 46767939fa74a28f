//! Pictures of a board, and who may keep them.

use serde_json::json;

use crate::client::{Client, Server, blitz};

/// Status, tag and caching of a picture.
async fn picture(client: &Client, path: &str, known: Option<&str>) -> (u16, String, String) {
    let mut request = client.http.get(format!("{}{path}", client.url));
    if let Some(token) = &client.token {
        request = request.bearer_auth(token);
    }
    if let Some(known) = known {
        request = request.header("if-none-match", known);
    }
    let answer = request.send().await.expect("an answer");
    let header = |name: &str| {
        let value = answer.headers().get(name).expect(name);
        value.to_str().expect("ASCII").to_owned()
    };
    let found = (
        answer.status().as_u16(),
        header("etag"),
        header("cache-control"),
    );
    let body = answer.bytes().await.expect("a body");
    assert_eq!(body.is_empty(), found.0 == 304, "{path}");
    found
}

#[tokio::test]
async fn a_picture_that_the_client_has_is_not_sent_again() {
    let server = Server::start().await;
    let (white, black, id) = server.blitz().await;
    let nobody = server.nobody();
    for form in ["svg", "png"] {
        let path = format!("/v1/games/{id}/board.{form}");
        let (status, tag, caching) = picture(&nobody, &path, None).await;
        assert_eq!((status, caching.as_str()), (200, "public, no-cache"));
        assert!(tag.starts_with('"'), "a strong tag: {tag}");
        assert_eq!(picture(&nobody, &path, Some(&tag)).await.0, 304);
        let list = format!("\"x\", {tag}");
        assert_eq!(picture(&white, &path, Some(&list)).await.0, 304);
        // Another look at the same board is another picture.
        let other = format!("{path}?orientation=black");
        let (status, other_tag, _) = picture(&nobody, &other, Some(&tag)).await;
        assert_eq!(status, 200);
        assert_ne!(tag, other_tag);
    }
    let png = format!("/v1/games/{id}/board.png");
    let (_, before, _) = picture(&nobody, &png, None).await;
    white.plays(&id, "e4").await.expect(200);
    let (status, after, _) = picture(&nobody, &png, Some(&before)).await;
    assert_eq!(status, 200);
    assert_ne!(before, after);
    black.asks(&id, "resign").await.expect(200);
    let (status, over, caching) = picture(&nobody, &png, None).await;
    assert_eq!((status, caching.as_str()), (200, "public, max-age=3600"));
    assert_eq!(over, after, "it shows the same");
}

#[tokio::test]
async fn a_private_picture_is_kept_by_nobody() {
    let server = Server::start().await;
    let mut request = blitz();
    request["visibility"] = json!("private");
    let host = server.guest().await;
    let game = host.post("/v1/games", request).await.expect(201);
    let id = game["id"].as_str().expect("an id");
    let path = format!("/v1/games/{id}/board.png");
    assert_eq!(picture(&host, &path, None).await.2, "no-store");
    assert_eq!(server.nobody().get(&path).await.status, 404);
}

#[tokio::test]
async fn a_rush_for_pictures_is_drawn_or_refused_and_nothing_else() {
    let server = Server::start().await;
    let (_, _, id) = server.blitz().await;
    let nobody = server.nobody();
    let asked = (0..300).map(|n| {
        let path = format!("/v1/games/{id}/board.png?size={}", 700 + n);
        let request = nobody.http.get(format!("{}{path}", nobody.url));
        async move {
            let answer = request.send().await.expect("an answer");
            let is_told_when = answer.headers().contains_key("retry-after");
            (answer.status().as_u16(), is_told_when)
        }
    });
    let answers = futures_util::future::join_all(asked).await;
    let drawn = answers.iter().filter(|a| **a == (200, false)).count();
    let refused = answers.iter().filter(|a| **a == (503, true)).count();
    assert_eq!(drawn + refused, answers.len(), "{answers:?}");
    assert!(drawn > 0);
    server.nobody().get("/health").await.expect(200);
}
