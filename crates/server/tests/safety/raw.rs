//! What is hardly HTTP at all.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::client::Server;
use crate::logs;
use crate::wire::{PATIENCE, Request, SOON, exchange};

/// Whole requests, each wrong in its own way.
fn malformed() -> Vec<Vec<u8>> {
    let close = "Connection: close\r\n\r\n";
    let texts = [
        "GARBAGE\r\n\r\n".to_owned(),
        "\0\0\0\0\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET /health\r\n\r\n".to_owned(),
        "GET /health HTTP/9.9\r\n\r\n".to_owned(),
        "GET /health HTTP/0.9\r\n\r\n".to_owned(),
        "GET /health HTTP/1.0\r\n\r\n".to_owned(),
        format!("get /health HTTP/1.1\r\n{close}"),
        format!("GET  /health  HTTP/1.1\r\n{close}"),
        format!("GET /hea lth HTTP/1.1\r\n{close}"),
        format!("GET health HTTP/1.1\r\n{close}"),
        format!("GET //evil.example/%2f.. HTTP/1.1\r\n{close}"),
        format!("GET ?x HTTP/1.1\r\n{close}"),
        format!("GET http://evil.example/v1/games HTTP/1.1\r\n{close}"),
        format!("GET http://[::1 HTTP/1.1\r\n{close}"),
        format!("CONNECT evil.example:80 HTTP/1.1\r\n{close}"),
        format!("CONNECT /v1/games HTTP/1.1\r\n{close}"),
        format!("OPTIONS * HTTP/1.1\r\n{close}"),
        format!("TRACE /v1/me HTTP/1.1\r\n{close}"),
        format!("GET /{} HTTP/1.1\r\n{close}", "a".repeat(70_000)),
        format!("GET /health HTTP/1.1\r\nno colon\r\n{close}"),
        format!("GET /health HTTP/1.1\r\nA : b\r\n{close}"),
        format!("GET /health HTTP/1.1\r\nA: b\r\n folded\r\n{close}"),
        format!("GET /health HTTP/1.1\r\nA: \0\x01\r\n{close}"),
        format!("GET /health HTTP/1.1\r\n: b\r\n{close}"),
        format!(
            "GET /health HTTP/1.1\r\n{}{close}",
            "A: b\r\n".repeat(2_000)
        ),
        format!(
            "GET /health HTTP/1.1\r\nA: {}\r\n{close}",
            "b".repeat(1 << 20)
        ),
        format!("GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n{close}"),
        format!("GET /v1/me HTTP/1.1\r\nUpgrade: h2c\r\nConnection: upgrade, close\r\n{close}"),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\nthis is no frame, and neither is that".to_owned(),
        "\x16\x03\x01\x02\x00\x01\x00\x01\u{fc}\x03\x03".to_owned() + &"x".repeat(600) + "\r\n\r\n",
    ];
    let bodies = [
        ("Content-Length: -1", ""),
        ("Content-Length: 99999999999999999999999", ""),
        ("Content-Length: 18446744073709551615", "{}"),
        ("Content-Length: 2\r\nContent-Length: 3", "{}"),
        ("Content-Length: two", "{}"),
        (
            "Transfer-Encoding: chunked\r\nContent-Length: 2",
            "2\r\n{}\r\n0\r\n\r\n",
        ),
        ("Transfer-Encoding: chunked", "zz\r\n{}\r\n0\r\n\r\n"),
        (
            "Transfer-Encoding: chunked",
            "FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n",
        ),
        ("Transfer-Encoding: chunked", "-2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: gzip, chunked", "2\r\n{}\r\n0\r\n\r\n"),
        ("Transfer-Encoding: gzip", "{}"),
        ("Content-Length: 2\r\nExpect: 100-continue", "{}"),
        ("Content-Length: 2\r\nExpect: tea", "{}"),
    ];
    let bodies =
        bodies.map(|(head, body)| format!("POST /v1/sessions HTTP/1.1\r\n{head}\r\n{close}{body}"));
    texts
        .into_iter()
        .chain(bodies)
        .map(String::into_bytes)
        .collect()
}

#[tokio::test]
async fn what_is_no_http_is_refused_or_hung_up_on() {
    logs::listen();
    let server = Server::start().await;
    let address = server.running().address;
    for bytes in malformed() {
        let reply = exchange(address, &bytes).await;
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(80)]).into_owned();
        if let Some(reply) = reply {
            assert!(reply.status < 500, "{} to {shown:?}", reply.status);
        }
    }
    assert_eq!(
        Request::new("GET", "/ready").send(address).await.status,
        200
    );
    assert_eq!(logs::panics(), Vec::<String>::new());
}

#[tokio::test]
async fn who_hangs_up_half_way_harms_nobody() {
    logs::listen();
    let server = Server::start().await;
    let address = server.running().address;
    let whole = b"POST /v1/guests HTTP/1.1\r\nHost: a\r\nContent-Length: 20\r\n\r\n{\"display_name\":\"A\"}";
    for length in 0..whole.len() {
        let mut socket = TcpStream::connect(address)
            .await
            .expect("the server listens");
        socket.write_all(&whole[..length]).await.expect("it reads");
        socket.shutdown().await.expect("it can be told");
        let mut rest = Vec::new();
        let begun = servers::now();
        let end = timeout(PATIENCE, socket.read_to_end(&mut rest)).await;
        let is_soon = servers::now() - begun < SOON;
        assert!(
            end.is_ok() && is_soon,
            "the server waits on after {length} bytes"
        );
        let is_failure = rest.starts_with(b"HTTP/1.1 500");
        assert!(
            !is_failure,
            "after {length} bytes: {}",
            String::from_utf8_lossy(&rest)
        );
    }
    assert_eq!(
        Request::new("GET", "/ready").send(address).await.status,
        200
    );
    assert_eq!(logs::panics(), Vec::<String>::new());
}

/// Whoever promises a body and does not send it is answered when the time is up.
#[tokio::test]
async fn a_body_that_never_comes_is_not_waited_for() {
    let server = Server::start_with(|settings| settings.request_seconds = 1).await;
    let head =
        b"POST /v1/guests HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9\r\n\r\n{";
    let begun = Instant::now();
    let reply = exchange(server.running().address, head)
        .await
        .expect("an answer");
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!(reply.status, 503);
    assert_eq!(reply.flaw("POST"), None);
}

/// A body of unknown length is cut off at the limit.
#[tokio::test]
async fn chunks_beyond_the_limit_are_not_read() {
    let server = Server::start().await;
    let chunk = format!("1000\r\n{}\r\n", " ".repeat(4096));
    let head = "POST /v1/guests HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n";
    let ask = async |chunks: usize| {
        let text = format!("{head}{}0\r\n\r\n", chunk.repeat(chunks));
        let reply = exchange(server.running().address, text.as_bytes()).await;
        reply.expect("an answer")
    };
    assert_eq!(ask(4).await.status, 201);
    for chunks in [5, 40] {
        let reply = ask(chunks).await;
        assert_eq!((reply.status, reply.code().as_str()), (413, "too_large"));
        assert_eq!(reply.flaw("POST"), None);
    }
}
