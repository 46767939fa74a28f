//! The server speaks TLS by itself: REST, a watcher, and a certificate that is renewed.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::client::{Server, blitz};

/// Longer than anything takes that is going to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A certificate of its own making, where the server looks for it.
struct Certificate {
    folder: TempDir,
}

impl Certificate {
    fn new() -> Certificate {
        let folder = tempfile::tempdir().expect("a temporary directory");
        Certificate { folder }
    }

    /// Makes a certificate and puts it in place; whoever trusts it is returned.
    fn issue(&self) -> Trust {
        let names = vec!["localhost".to_owned()];
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(names).expect("a certificate");
        let write = |name: &str, text: String| {
            std::fs::write(self.folder.path().join(name), text).expect("a file is written");
        };
        write("cert.pem", cert.pem());
        write("key.pem", signing_key.serialize_pem());
        Trust(cert.der().clone())
    }
}

/// Somebody who trusts one certificate and no other.
struct Trust(CertificateDer<'static>);

impl Trust {
    async fn connect(&self, server: &Server) -> std::io::Result<TlsStream<TcpStream>> {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.clone()).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions of TLS")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let url = server.running().url();
        let address = url.strip_prefix("https://").expect("a server with TLS");
        let stream = TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").expect("a name");
        TlsConnector::from(Arc::new(config))
            .connect(name, stream)
            .await
    }

    /// One request over a connection of its own.
    async fn asks(&self, server: &Server, line: &str, token: &str, body: Option<Value>) -> Value {
        let mut stream = self.connect(server).await.expect("a connection");
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let request = format!(
            "{line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        // Who has no token sends no header about it.
        let request = match token {
            "" => request.replace("authorization: Bearer \r\n", ""),
            _ => request,
        };
        stream
            .write_all(request.as_bytes())
            .await
            .expect("the request is sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer");
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        assert!(head.starts_with("HTTP/1.1 20"), "{line}: {answer}");
        serde_json::from_str(body).expect("JSON")
    }

    async fn watches(&self, server: &Server, game: &str) -> WebSocketStream<TlsStream<TcpStream>> {
        let stream = self.connect(server).await.expect("a connection");
        let url = format!("wss://localhost/v1/games/{game}/stream");
        let request = url.into_client_request().expect("a good address");
        let (socket, _) = client_async(request, stream).await.expect("a WebSocket");
        socket
    }
}

/// The next message of that type.
async fn next(socket: &mut WebSocketStream<TlsStream<TcpStream>>, kind: &str) -> Value {
    loop {
        let message = timeout(PATIENCE, socket.next())
            .await
            .expect("a message in time");
        if let Message::Text(text) = message.expect("an open socket").expect("a message") {
            let told: Value = serde_json::from_str(&text).expect("JSON");
            if told["type"] == kind {
                return told;
            }
        }
    }
}

async fn start(certificate: &Certificate) -> Server {
    let path = |name: &str| Some(certificate.folder.path().join(name));
    let (cert, key) = (path("cert.pem"), path("key.pem"));
    Server::start_with(|settings| {
        settings.tls_cert = cert;
        settings.tls_key = key;
    })
    .await
}

#[tokio::test]
async fn a_game_is_played_and_watched_over_tls() {
    let certificate = Certificate::new();
    let trust = certificate.issue();
    let server = start(&certificate).await;
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let guest = trust
            .asks(&server, "POST /v1/guests", "", Some(json!({})))
            .await;
        tokens.push(guest["token"].as_str().expect("a token").to_owned());
    }
    let game = trust
        .asks(&server, "POST /v1/games", &tokens[0], Some(blitz()))
        .await;
    let id = game["id"].as_str().expect("an id");
    let join = format!("POST /v1/games/{id}/join");
    trust.asks(&server, &join, &tokens[1], None).await;

    let mut watcher = trust.watches(&server, id).await;
    assert_eq!(next(&mut watcher, "STATE").await["ply"], 0);
    let moves = format!("POST /v1/games/{id}/moves");
    let body = json!({ "move": "e4", "ply": 1 });
    let played = trust.asks(&server, &moves, &tokens[0], Some(body)).await;
    let told = next(&mut watcher, "MOVE").await;
    assert_eq!(
        (&told["san"], &told["version"]),
        (&json!("e4"), &played["version"])
    );

    // Whoever speaks plainly is not understood.
    let url = server.running().url().replacen("https", "http", 1);
    assert!(reqwest::get(format!("{url}/health")).await.is_err());
}

#[tokio::test]
async fn a_renewed_certificate_is_shown_without_a_restart() {
    let certificate = Certificate::new();
    let old = certificate.issue();
    let server = start(&certificate).await;
    let new = certificate.issue();
    assert!(old.connect(&server).await.is_ok());
    assert!(new.connect(&server).await.is_err());
    server.running().reload().await;
    assert!(new.connect(&server).await.is_ok());
    assert!(old.connect(&server).await.is_err());
}

/// Where bytes are encrypted on the way, nothing is written past whoever does that.
#[tokio::test]
async fn s1_a_stream_of_lines_goes_through_tls_too() {
    let certificate = Certificate::new();
    let trust = certificate.issue();
    let server = start(&certificate).await;
    let guest = trust.asks(&server, "POST /v1/guests", "", Some(json!({})));
    let guest = guest.await;
    let mut stream = trust.connect(&server).await.expect("a connection");
    let token = guest["token"].as_str().expect("a token");
    let request = format!(
        "GET /api/stream/event HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    let sent = stream.write_all(request.as_bytes()).await;
    sent.expect("the request is sent");
    let mut answer = Vec::new();
    let mut piece = [0; 1024];
    while !answer.ends_with(b"\r\n\r\n1\r\n\n\r\n") {
        let read = timeout(PATIENCE, stream.read(&mut piece)).await;
        let length = read
            .expect("an empty line in time")
            .expect("an open stream");
        answer.extend_from_slice(&piece[..length]);
    }
    let answer = String::from_utf8(answer).expect("text");
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(
        answer.contains("transfer-encoding: chunked\r\n"),
        "{answer}"
    );
}
