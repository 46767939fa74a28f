//! A handler that parses a move, checks a bearer and returns as many bytes,
//! behind a listener with the settings of the server's own.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use axum_server::Server;
use axum_server::accept::NoDelayAcceptor;
use hyper_util::rt::TokioTimer;
use serde::Deserialize;
use tokio::net::TcpSocket;

const BACKLOG: u32 = 4096;
const SILENCE: Duration = Duration::from_secs(90);
/// The bytes of the head of its answers.
const HEAD: usize = 109;

#[derive(Deserialize)]
struct Move {
    #[serde(rename = "move")]
    text: String,
    ply: u32,
}

struct Known {
    token: String,
    answer: Bytes,
}

/// Serves until it is killed.
pub(crate) fn serve(token: String, answer_bytes: usize) -> Result<(), String> {
    let text = "x".repeat(answer_bytes.saturating_sub(HEAD + 2));
    let known = Known {
        token,
        answer: format!("\"{text}\"").into(),
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
    runtime.block_on(listen(known)).map_err(|e| e.to_string())
}

async fn listen(known: Known) -> std::io::Result<()> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
    let listener = socket.listen(BACKLOG)?;
    println!("bare handler listens on {}", listener.local_addr()?);
    let mut server = Server::<SocketAddr>::from_listener(listener);
    let mut http = server.http_builder().http1();
    http.timer(TokioTimer::new())
        .header_read_timeout(SILENCE)
        .keep_alive(true);
    let router = Router::new()
        .route("/v1/games/{id}/moves", post(answer))
        .with_state(Arc::new(known));
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    server.acceptor(NoDelayAcceptor::new()).serve(service).await
}

async fn answer(
    State(known): State<Arc<Known>>,
    headers: HeaderMap,
    Json(m): Json<Move>,
) -> Response {
    let bearer = headers.get(header::AUTHORIZATION).map(|v| v.as_bytes());
    let token = bearer.and_then(|b| b.strip_prefix(b"Bearer "));
    if token != Some(known.token.as_bytes()) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if m.ply == 0 || m.text.is_empty() {
        return StatusCode::UNPROCESSABLE_ENTITY.into_response();
    }
    let json = [(header::CONTENT_TYPE, "application/json")];
    (json, known.answer.clone()).into_response()
}
