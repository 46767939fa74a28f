//! Who says nothing, or takes nothing, does not stay.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use server::operate::Running;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{Instant, sleep, timeout};

use crate::client::{Client, Server};
use crate::wire::{Request, exchange};

/// Whatever takes longer does not happen.
const PATIENCE: Duration = Duration::from_secs(60);
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

async fn hasty() -> Server {
    Server::start_with(|s| (s.head_seconds, s.answer_seconds) = (1, 1)).await
}

async fn connect(to: SocketAddr) -> TcpStream {
    TcpStream::connect(to).await.expect("the server listens")
}

/// Says something, and waits for the server to hang up; returns what it said.
async fn closed(mut client: TcpStream, bytes: &[u8]) -> Vec<u8> {
    client.write_all(bytes).await.expect("it is sent");
    let mut heard = Vec::new();
    let end = timeout(PATIENCE, client.read_to_end(&mut heard)).await;
    assert!(
        end.is_ok(),
        "still open after {:?}",
        String::from_utf8_lossy(bytes)
    );
    heard
}

/// Waits until nobody is connected any more.
async fn everybody_has_left(server: &Running) {
    let deadline = Instant::now() + PATIENCE;
    while server.app().connections.open() > 0 {
        assert!(Instant::now() < deadline, "somebody is still connected");
        sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_connection_without_a_request_is_closed() {
    let server = hasty().await;
    let address = server.running().address;
    let with_settings = [PREFACE, SETTINGS].concat();
    let openings: [&[u8]; 8] = [
        b"",
        b"G",
        b"GET /health HTTP/1.1\r\nHost: a\r\n",
        &PREFACE[..1],
        &PREFACE[..12],
        PREFACE,
        &with_settings,
        &[0x16, 3, 1],
    ];
    let mut ends = Vec::new();
    for opening in openings {
        ends.push(closed(connect(address).await, opening));
    }
    futures_util::future::join_all(ends).await;
    everybody_has_left(server.running()).await;
}

#[tokio::test]
async fn a_first_head_that_trickles_is_not_waited_for() {
    let server = hasty().await;
    let mut client = connect(server.running().address).await;
    let trickle = async {
        while client.write_all(b"G").await.is_ok() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    assert!(timeout(PATIENCE, trickle).await.is_ok(), "it is still read");
}

#[tokio::test]
async fn a_later_head_is_not_waited_for_either() {
    let server = hasty().await;
    let client = connect(server.running().address).await;
    let bytes = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\n";
    let mut client = {
        let mut client = client;
        client.write_all(&bytes[..34]).await.expect("it is sent");
        client
    };
    let mut heard = vec![0; 4096];
    let answered = timeout(PATIENCE, client.read(&mut heard)).await;
    answered.expect("in time").expect("an answer");
    closed(client, &bytes[34..]).await;
}

#[tokio::test]
async fn a_handshake_that_never_begins_is_not_waited_for() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/safety");
    let server = Server::start_with(|s| {
        s.head_seconds = 1;
        s.tls_cert = Some(own.join("localhost.pem"));
        s.tls_key = Some(own.join("localhost.key.pem"));
    })
    .await;
    let address = server.running().address;
    closed(connect(address).await, b"").await;
    closed(connect(address).await, &[0x16, 3, 1, 2]).await;
    everybody_has_left(server.running()).await;
}

/// Asks for far more than the system holds for somebody who does not read.
async fn asks_for_much(server: &Running) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut client = socket.connect(server.address).await.expect("a connection");
    let many = "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(400);
    client.write_all(many.as_bytes()).await.expect("it is sent");
    let begun = timeout(PATIENCE, client.peek(&mut [0; 1])).await;
    begun.expect("in time").expect("the answer has begun");
    client
}

#[tokio::test]
async fn who_takes_nothing_of_an_answer_is_given_up() {
    let server = hasty().await;
    let _client = asks_for_much(server.running()).await;
    everybody_has_left(server.running()).await;
}

#[tokio::test]
async fn who_takes_an_answer_byte_by_byte_is_given_up() {
    let server = hasty().await;
    let mut client = asks_for_much(server.running()).await;
    let trickle = tokio::spawn(async move {
        while let Ok(1..) = client.read(&mut [0; 1]).await {
            sleep(Duration::from_millis(50)).await;
        }
    });
    everybody_has_left(server.running()).await;
    trickle.abort();
}

#[tokio::test]
async fn who_takes_all_of_it_gets_all_of_it() {
    let server = hasty().await;
    let mut client = asks_for_much(server.running()).await;
    let mut heard = 0;
    let mut buffer = vec![0; 1 << 20];
    let one = Request::new("GET", "/v1/openapi.json")
        .send(server.running().address)
        .await;
    let whole = 400 * one.body.len();
    let hear = async {
        while heard < whole {
            let read = client.read(&mut buffer).await.expect("the rest");
            assert!(read > 0, "cut after {heard} of {whole} bytes");
            heard += read;
        }
    };
    assert!(timeout(PATIENCE, hear).await.is_ok());
}

/// Opens a stream by hand, and reads until it has begun.
async fn stream(client: &Client, address: SocketAddr, game: &str, path: &str) -> TcpStream {
    let upgrade = match path {
        "stream" => "Connection: upgrade\r\nUpgrade: websocket\r\n",
        _ => "",
    };
    let token = client.token.as_deref().expect("a token");
    let head = format!(
        "GET /v1/games/{game}/{path} HTTP/1.1\r\nHost: a\r\n{upgrade}Sec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    let mut socket = connect(address).await;
    socket.write_all(head.as_bytes()).await.expect("it is sent");
    hears(&mut socket, "\"type\"").await;
    socket
}

async fn hears(socket: &mut TcpStream, what: &str) {
    let mut heard = Vec::new();
    let hear = async {
        while !String::from_utf8_lossy(&heard).contains(what) {
            let mut buffer = [0; 4096];
            let read = socket.read(&mut buffer).await.expect("news");
            assert!(read > 0, "closed: {}", String::from_utf8_lossy(&heard));
            heard.extend_from_slice(&buffer[..read]);
        }
    };
    assert!(timeout(PATIENCE, hear).await.is_ok(), "no {what}");
}

#[tokio::test]
async fn streams_are_not_cut_by_any_of_this() {
    let server = hasty().await;
    let address = server.running().address;
    let (white, black, game) = server.blitz().await;
    let mut socket = stream(&white, address, &game, "stream").await;
    let mut events = stream(&black, address, &game, "events").await;
    // Somebody who is cut after their time, twice: so much time has passed.
    for _ in 0..2 {
        closed(connect(address).await, b"").await;
    }
    white.plays(&game, "e4").await.expect(200);
    hears(&mut socket, "e2e4").await;
    hears(&mut events, "e2e4").await;
}

#[tokio::test]
async fn a_head_has_at_most_32_kib() {
    let server = Server::start().await;
    let address = server.running().address;
    let ask = async |bytes: usize| {
        let head = format!(
            "GET /health HTTP/1.1\r\nConnection: close\r\nA: {}\r\n\r\n",
            "b".repeat(bytes)
        );
        exchange(address, head.as_bytes()).await
    };
    assert_eq!(ask(32_000).await.expect("an answer").status, 200);
    assert_eq!(ask(33_000).await.expect("an answer").status, 431);
}

/// Connections from here that are answered, out of so many.
async fn let_in(server: &Server, many: usize) -> (usize, Vec<TcpStream>) {
    let mut held = Vec::new();
    let mut answered = 0;
    for _ in 0..many {
        let mut client = connect(server.running().address).await;
        let asked = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n";
        // One too many may find the connection closed before it has asked.
        drop(client.write_all(asked).await);
        let mut heard = [0; 4096];
        let read = timeout(PATIENCE, client.read(&mut heard)).await;
        let read = read.expect("in time").unwrap_or_default();
        let is_answered = heard[..read].starts_with(b"HTTP/1.1 200");
        let is_refused = read == 0 || heard[..read].starts_with(b"HTTP/1.1 503");
        assert_ne!(is_answered, is_refused);
        answered += usize::from(is_answered);
        held.push(client);
    }
    (answered, held)
}

#[tokio::test]
async fn an_address_has_so_many_connections() {
    let server = Server::start_with(|s| {
        s.rate_limits = true;
        s.connections_per_address = 5;
    })
    .await;
    let (answered, held) = let_in(&server, 12).await;
    assert_eq!(answered, 5);
    assert_eq!(server.running().app().connections.refused(), 7);
    drop(held);
    everybody_has_left(server.running()).await;
    assert_eq!(let_in(&server, 5).await.0, 5);
}

#[tokio::test]
async fn a_trusted_proxy_and_a_load_test_have_as_many_as_there_may_be() {
    let server = Server::start_with(|s| {
        s.rate_limits = true;
        s.connections_per_address = 5;
        s.trusted_proxies = vec!["127.0.0.1".parse().expect("an address")];
    })
    .await;
    assert_eq!(let_in(&server, 12).await.0, 12);
    let server = Server::start_with(|s| (s.connections_per_address, s.connections_max) = (5, 8));
    assert_eq!(let_in(&server.await, 12).await.0, 8);
}

/// Many who say nothing keep nobody out for long.
#[tokio::test]
async fn a_crowd_of_the_silent_is_outlasted() {
    let server = Server::start_with(|s| (s.head_seconds, s.connections_max) = (1, 50)).await;
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(connect(server.running().address).await);
    }
    let deadline = Instant::now() + PATIENCE;
    while let_in(&server, 1).await.0 == 0 {
        assert!(Instant::now() < deadline, "nobody gets in");
        sleep(Duration::from_millis(50)).await;
    }
    let guest = server.nobody().post("/v1/guests", json!({})).await;
    guest.expect(201);
}
