//! The way in. Nearly everything goes by the routes; a move, of which there are thousands a
//! second, goes straight to its handler: finding the route, and all that is boxed and copied on
//! the way, takes as long as deciding the move.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::Method;
use axum::response::Response;
use axum::routing::future::RouteFuture;
use axum::{BoxError, Router};
use futures_util::future::Either;
use tower::Service;

use super::shell::{Shell, Way};

/// Everything that can be asked for.
#[derive(Clone)]
pub struct Entrance {
    shell: Shell,
    router: Router,
    /// Whether moves go straight to their handler. Where pages from elsewhere are let in,
    /// what is around the routes must see them.
    is_direct: bool,
}

impl Entrance {
    /// The way in to all routes.
    pub fn new(shell: Shell, is_direct: bool) -> Entrance {
        let router = shell.router();
        Entrance {
            shell,
            router,
            is_direct,
        }
    }
}

/// What comes of a request.
type Answering = Either<
    Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>,
    RouteFuture<Infallible>,
>;

impl<B> Service<Request<B>> for Entrance
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Answering;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // The routes always are.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Answering {
        if !self.is_direct || !is_move(&request) {
            return Either::Right(self.router.call(request));
        }
        let shell = self.shell.clone();
        let request = request.map(Body::new);
        Either::Left(Box::pin(async move {
            Ok(shell.surround(request, Way::Move).await)
        }))
    }
}

/// Whether it is `POST /v1/games/{id}/moves`, with an id that needs no decoding.
fn is_move<B>(request: &Request<B>) -> bool {
    *request.method() == Method::POST && game_of(request.uri().path()).is_some()
}

/// The game in the address of its moves.
pub(super) fn game_of(path: &str) -> Option<&str> {
    let id = path.strip_prefix("/v1/games/")?.strip_suffix("/moves")?;
    let is_id = id.len() == 8 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_id.then_some(id)
}

#[cfg(test)]
mod tests {
    use axum::http::header;
    use http_body_util::BodyExt;
    use serde_json::Value;

    use super::*;
    use crate::operate::open;
    use crate::settings::Settings;

    /// The status, the headers that are not chance, and the body.
    type Answer = (u16, Vec<(String, String)>, String);

    async fn ask(entrance: &mut Entrance, token: &str, path: &str, body: &str) -> Answer {
        let mut request = Request::builder().method("POST").uri(path);
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let (parts, body) = entrance.call(request).await.unwrap().into_parts();
        let told = parts.headers.iter();
        let told = told.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
        // How long it is, whoever writes it to the wire says where the routes did not.
        let told = told.filter(|(name, _)| !["x-request-id", "content-length"].contains(&&**name));
        let bytes = body.collect().await.unwrap().to_bytes();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        (parts.status.as_u16(), told.collect(), text)
    }

    fn field(answer: &Answer, name: &str) -> String {
        let body: Value = serde_json::from_str(&answer.2).unwrap();
        body[name].as_str().unwrap().to_owned()
    }

    #[tokio::test]
    async fn a_move_is_answered_alike_whichever_way_it_takes() {
        let settings = Settings {
            store: "memory:".into(),
            ..Settings::default()
        };
        let shell = Shell::new(open(settings).await.unwrap());
        let [mut direct, mut routed] = [true, false].map(|is| Entrance::new(shell.clone(), is));
        let mut players = Vec::new();
        for _ in 0..2 {
            let guest = ask(&mut routed, "", "/v1/guests", "{}").await;
            players.push(field(&guest, "token"));
        }
        let new =
            r#"{"time_control":{"initial_seconds":600,"increment_seconds":0},"color":"white"}"#;
        let id = field(&ask(&mut routed, &players[0], "/v1/games", new).await, "id");
        let join = format!("/v1/games/{id}/join");
        assert_eq!(ask(&mut routed, &players[1], &join, "").await.0, 200);
        let moves = format!("/v1/games/{id}/moves");
        assert_eq!(game_of(&moves), Some(&*id));
        let ([white, black], moves) = ([&*players[0], &*players[1]], &*moves);
        // The ply makes the second of two the first again.
        for (token, path, body, status) in [
            (white, moves, r#"{"move":"e2e4","ply":1}"#, 200),
            (white, moves, r#"{"move":"e2e4","ply":1}"#, 200),
            (white, moves, r#"{"move":"d2d4","ply":2}"#, 409),
            (black, moves, r#"{"move":"e7e4","ply":2}"#, 422),
            (black, moves, r#"{"move":5}"#, 400),
            (black, moves, "[", 400),
            (black, moves, "", 400),
            ("", moves, "{}", 401),
            ("wrong", moves, "{}", 401),
            (black, "/v1/games/00000000/moves", "{}", 404),
            (black, "/v1/games/zzzzzzzz/moves", "{}", 404),
        ] {
            let one = ask(&mut direct, token, path, body).await;
            let other = ask(&mut routed, token, path, body).await;
            assert_eq!(one, other, "{path} {body}");
            assert_eq!(one.0, status, "{path} {body}: {}", one.2);
        }
    }

    #[test]
    fn only_a_plain_address_of_moves_is_one() {
        assert_eq!(game_of("/v1/games/abcdEF12/moves"), Some("abcdEF12"));
        for other in [
            "/v1/games/abcdEF1/moves",
            "/v1/games/abcdEF123/moves",
            "/v1/games/abcd%4612/moves",
            "/v1/games/abcdEF12/moves/",
            "/v1/games/abcdEF12/join",
            "/v1/games//moves",
            "/v2/games/abcdEF12/moves",
        ] {
            assert_eq!(game_of(other), None, "{other}");
        }
    }
}
