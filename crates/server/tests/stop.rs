//! A stop is as long as the server needs, whatever its clients do: over real sockets.

use std::time::Duration;

use serde_json::{Value, json};
use server::operate::Running;
use server::settings::Settings;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::{sleep, timeout};

/// The longest a stop may take.
const LIMIT: Duration = Duration::from_millis(1_500);
/// The longest anything else may take.
const PATIENCE: Duration = Duration::from_secs(60);

async fn start() -> Running {
    let settings = Settings {
        listen: ([127, 0, 0, 1], 0).into(),
        store: "memory:".into(),
        rate_limits: false,
        ..Settings::default()
    };
    Running::start(settings).await.expect("the server starts")
}

async fn connect(server: &Running) -> TcpStream {
    let connected = TcpStream::connect(server.address).await;
    connected.expect("the server listens")
}

/// Sends bytes, and reads until the answer so far contains something.
async fn say(client: &mut TcpStream, bytes: impl AsRef<[u8]>, until: &[u8]) -> Vec<u8> {
    client.write_all(bytes.as_ref()).await.expect("it is sent");
    let mut heard = Vec::new();
    let hear = async {
        while !heard.windows(until.len()).any(|part| part == until) {
            let mut buffer = [0; 4096];
            let read = client.read(&mut buffer).await.expect("an answer");
            assert!(read > 0, "closed: {}", String::from_utf8_lossy(&heard));
            heard.extend_from_slice(&buffer[..read]);
        }
    };
    timeout(PATIENCE, hear).await.expect("an answer in time");
    heard
}

/// The head of a request whose body never ends; the server says when it waits for it.
async fn half_a_request(server: &Running) -> TcpStream {
    let mut client = connect(server).await;
    let head = "POST /v1/guests HTTP/1.1\r\nHost: chess.example\r\nContent-Length: 12\r\n\
                Expect: 100-continue\r\n\r\n";
    say(&mut client, head, b"100 Continue\r\n\r\n").await;
    client.write_all(b"{").await.expect("it is sent");
    client
}

async fn stops_soon(server: Running) {
    let begun = servers::now();
    server.stop().await;
    let took = servers::now() - begun;
    println!("stopped in {took:?}");
    assert!(took < LIMIT, "a stop took {took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_head_is_not_waited_for() {
    let server = start().await;
    let mut client = connect(&server).await;
    // The server is known to read what comes after a whole request.
    let bytes = "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\nHo";
    say(&mut client, bytes, b"arbiter").await;
    let mut other = connect(&server).await;
    other.write_all(b"POST /v1/gu").await.expect("it is sent");
    stops_soon(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_body_is_not_waited_for() {
    let server = start().await;
    let mut clients = Vec::new();
    for _ in 0..20 {
        clients.push(half_a_request(&server).await);
    }
    stops_soon(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_trickles_is_not_waited_for() {
    let server = start().await;
    let mut client = half_a_request(&server).await;
    let trickle = tokio::spawn(async move {
        while client.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(250)).await;
        }
    });
    stops_soon(server).await;
    trickle.abort();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_that_comes_too_late_is_refused() {
    let server = start().await;
    let mut client = half_a_request(&server).await;
    server.app().games.live().close();
    let answer = say(&mut client, b"           }", b"\r\n\r\n").await;
    let answer = String::from_utf8_lossy(&answer).to_lowercase();
    assert!(answer.starts_with("http/1.1 503 "), "{answer}");
    assert!(answer.contains("\r\nconnection: close\r\n"), "{answer}");
    assert!(answer.contains("\r\nretry-after: "), "{answer}");
    stops_soon(server).await;
}

/// One frame of HTTP/2.
fn frame(kind: u8, flags: u8, stream: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).expect("a short frame");
    let mut frame = vec![0, 0, length, kind, flags, 0, 0, 0, stream];
    frame.extend_from_slice(payload);
    frame
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn half_a_body_is_not_waited_for_in_http_2() {
    let server = start().await;
    let mut client = connect(&server).await;
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    // SETTINGS, empty.
    bytes.extend(frame(4, 0, 0, b""));
    // HEADERS: POST, http, a path and an authority; the body is to follow.
    let head = b"\x83\x86\x44\x0a/v1/guests\x41\x01a";
    bytes.extend(frame(1, 4, 1, head));
    // DATA, of which there is more to come.
    bytes.extend(frame(0, 0, 1, b"{"));
    // PING: the answer comes after all of that has been read.
    let ping = *b"in order";
    bytes.extend(frame(6, 0, 0, &ping));
    say(&mut client, bytes, &frame(6, 1, 0, &ping)).await;
    stops_soon(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_takes_no_answer_is_not_waited_for() {
    let server = start().await;
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let mut client = socket.connect(server.address).await.expect("a connection");
    // Far more than the system holds for somebody who does not read.
    let many = "GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(500);
    client.write_all(many.as_bytes()).await.expect("it is sent");
    let begun = timeout(PATIENCE, client.peek(&mut [0; 1])).await;
    begun.expect("in time").expect("the answer has begun");
    stops_soon(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stream_that_does_not_answer_the_close_is_not_waited_for() {
    let server = start().await;
    let (http, url) = (reqwest::Client::new(), server.url());
    let post = async |path: &str, token: &str, body: Value| -> Value {
        let request = http.post(format!("{url}{path}")).bearer_auth(token);
        let answer = request.json(&body).send().await.expect("an answer");
        answer.json().await.expect("a body")
    };
    let answer = http.post(format!("{url}/v1/guests")).send().await;
    let guest: Value = answer.expect("an answer").json().await.expect("a body");
    let token = guest["token"].as_str().expect("a token");
    let control = json!({ "initial_seconds": 300, "increment_seconds": 2 });
    let game = post("/v1/games", token, json!({ "time_control": control })).await;
    let id = game["id"].as_str().expect("an id");
    let mut clients = Vec::new();
    for (path, more) in [
        ("stream", "Connection: upgrade\r\nUpgrade: websocket\r\n"),
        ("events", ""),
    ] {
        let head = format!(
            "GET /v1/games/{id}/{path} HTTP/1.1\r\nHost: a\r\n{more}Sec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        let mut client = connect(&server).await;
        say(&mut client, head, b"\"type\"").await;
        clients.push(client);
    }
    stops_soon(server).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_waits_for_their_password_is_refused() {
    let server = start().await;
    let body = json!({ "username": "nobody", "password": "the wrong password" }).to_string();
    let length = body.len();
    let request = format!(
        "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    );
    let mut clients = Vec::new();
    for _ in 0..400 {
        let mut client = connect(&server).await;
        client
            .write_all(request.as_bytes())
            .await
            .expect("it is sent");
        clients.push(client);
    }
    // The first was answered: the rest wait, each for its turn.
    say(&mut clients[0], b"", b"HTTP/1.1 401 ").await;
    stops_soon(server).await;
}
