//! Someone at the other end of a stream.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::client::Client;

/// Longer than anything takes that is going to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A WebSocket of a client.
pub(crate) struct Listener {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// Server-sent events of a client.
pub(crate) struct Events {
    response: reqwest::Response,
    buffer: String,
    /// The id of the last event.
    pub(crate) last_id: String,
}

impl Client {
    /// Opens a WebSocket.
    pub(crate) async fn listens(&self, path: &str) -> Listener {
        self.tries_to_listen(path).await.expect("a WebSocket")
    }

    /// The same, or the status of the refusal.
    pub(crate) async fn tries_to_listen(&self, path: &str) -> Result<Listener, u16> {
        let url = format!("{}{path}", self.url.replacen("http", "ws", 1));
        let mut request = url.into_client_request().expect("a good address");
        if let Some(token) = &self.token {
            let bearer = format!("Bearer {token}").parse().expect("a header");
            request.headers_mut().insert("authorization", bearer);
        }
        match connect_async(request).await {
            Ok((socket, _)) => Ok(Listener { socket }),
            Err(tokio_tungstenite::tungstenite::Error::Http(refused)) => {
                Err(refused.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Watches a game.
    pub(crate) async fn watches(&self, game: &str) -> Listener {
        self.listens(&format!("/v1/games/{game}/stream")).await
    }

    /// Watches a game without WebSocket.
    pub(crate) async fn events(&self, game: &str, last_id: &str) -> Events {
        self.event_stream(&format!("/v1/games/{game}/events"), last_id)
            .await
    }

    /// Opens a stream of server-sent events.
    pub(crate) async fn event_stream(&self, path: &str, last_id: &str) -> Events {
        let mut request = self.http.get(format!("{}{path}", self.url));
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if !last_id.is_empty() {
            request = request.header("last-event-id", last_id);
        }
        let response = request.send().await.expect("the server answers");
        assert_eq!(response.status().as_u16(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Events {
            response,
            buffer: String::new(),
            last_id: String::new(),
        }
    }
}

impl Listener {
    /// The next message of any kind but `NOTIFICATION`: these are written down before they
    /// are told, and come in their own time beside the news of what they are about.
    pub(crate) async fn next(&mut self) -> Value {
        self.hears_of("a message", |message| message["type"] != "NOTIFICATION")
            .await
    }

    async fn message(&mut self) -> Value {
        match self.frame().await {
            Some(Message::Text(text)) => serde_json::from_str(&text).expect("JSON"),
            other => panic!("no message but {other:?}"),
        }
    }

    /// The next message of that type; others are passed over.
    pub(crate) async fn hears(&mut self, kind: &str) -> Value {
        self.hears_of(kind, |message| message["type"] == kind).await
    }

    /// The next message that is no clock, presence or chat: the next change.
    pub(crate) async fn change(&mut self) -> Value {
        self.hears_of("a change", is_change).await
    }

    /// The next message that is one of those. Clocks tick for ever, so patience
    /// ends whether or not anything is said.
    pub(crate) async fn hears_of(&mut self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let heard = async {
            loop {
                let message = self.message().await;
                if is_it(&message) {
                    return message;
                }
            }
        };
        let heard = timeout(2 * PATIENCE, heard).await;
        heard.unwrap_or_else(|_| panic!("{what} never comes"))
    }

    pub(crate) async fn says(&mut self, message: Value) {
        self.sends(Message::text(message.to_string())).await;
    }

    pub(crate) async fn sends(&mut self, message: Message) {
        self.socket.send(message).await.expect("the socket is open");
    }

    /// How the server closed the socket.
    pub(crate) async fn close_code(&mut self) -> Option<u16> {
        loop {
            match self.frame().await {
                Some(Message::Close(frame)) => return frame.map(|frame| frame.code.into()),
                Some(_) => {}
                None => return None,
            }
        }
    }

    /// The stream below the socket, to send what no library would.
    pub(crate) fn raw(&mut self) -> &mut TcpStream {
        match self.socket.get_mut() {
            MaybeTlsStream::Plain(stream) => stream,
            _ => unreachable!("tests speak plainly"),
        }
    }

    async fn frame(&mut self) -> Option<Message> {
        loop {
            let frame = timeout(PATIENCE, self.socket.next()).await;
            match frame.expect("the server says something") {
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(message)) => return Some(message),
                Some(Err(_)) | None => return None,
            }
        }
    }
}

impl Events {
    /// The next event, as the object it carries.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            if let Some(end) = self.buffer.find("\n\n") {
                let event: String = self.buffer.drain(..end + 2).collect();
                let mut data = None;
                for line in event.lines() {
                    if let Some(id) = line.strip_prefix("id: ") {
                        id.clone_into(&mut self.last_id);
                    }
                    data = data.or(line.strip_prefix("data: "));
                }
                if let Some(data) = data {
                    return serde_json::from_str(data).expect("JSON");
                }
                continue;
            }
            let chunk = timeout(PATIENCE, self.response.chunk()).await;
            let chunk = chunk.expect("the server says something").expect("a stream");
            let chunk = chunk.expect("a stream does not end by itself");
            self.buffer
                .push_str(std::str::from_utf8(&chunk).expect("UTF-8"));
        }
    }

    /// The next change.
    pub(crate) async fn change(&mut self) -> Value {
        loop {
            let message = self.next().await;
            if is_change(&message) {
                return message;
            }
        }
    }

    /// Reads until the server ends the stream.
    pub(crate) async fn end(mut self) {
        let rest = async { while let Ok(Some(_)) = self.response.chunk().await {} };
        timeout(PATIENCE, rest).await.expect("the stream ends");
    }
}

pub(crate) fn is_change(message: &Value) -> bool {
    let kind = message["type"].as_str().expect("every message has a type");
    !matches!(
        kind,
        "STATE" | "SYNC" | "CLOCK" | "PRESENCE" | "CHAT" | "REMATCH" | "PONG" | "ERROR" | "NOTHING"
    )
}
