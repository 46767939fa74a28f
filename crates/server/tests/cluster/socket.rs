//! WebSockets that are opened again wherever somebody answers.

use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::way::{Person, Way};

/// The longest anybody tries to get in.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(5);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// An open WebSocket.
pub(crate) struct Socket {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// What somebody heard, in order.
#[derive(Debug)]
pub(crate) enum Heard {
    /// A socket was opened, with that `since`.
    Opened { at: Instant, since: Option<u32> },
    /// It was closed, with that code if there was one.
    Closed { at: Instant, code: Option<u16> },
    /// A message.
    Said { at: Instant, message: Value },
}

impl Way {
    /// Opens a WebSocket, where somebody is.
    pub(crate) async fn connect(&self, who: Option<&Person>, path: &str) -> Socket {
        let begun = Instant::now();
        for url in self.urls.iter().cycle() {
            match timeout(ATTEMPT, open(url, who, path)).await {
                Ok(Ok(socket)) => return socket,
                Ok(Err(Some(status))) if !(502..=504).contains(&status) => {
                    panic!("{path} at {url} is refused: {status}");
                }
                Ok(Err(_)) | Err(_) => {}
            }
            assert!(begun.elapsed() < PATIENCE, "nobody opens {path}");
            sleep(PAUSE).await;
        }
        unreachable!("there is always another way");
    }
}

/// Opens a WebSocket, or says with which status it was refused, if with any.
async fn open(url: &str, who: Option<&Person>, path: &str) -> Result<Socket, Option<u16>> {
    let url = format!("{}{path}", url.replacen("http", "ws", 1));
    let mut request = url.into_client_request().expect("a good address");
    if let Some(who) = who {
        let bearer = format!("Bearer {}", who.token).parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
    }
    match connect_async(request).await {
        Ok((stream, _)) => Ok(Socket { stream }),
        Err(Error::Http(refused)) => Err(Some(refused.status().as_u16())),
        Err(_) => Err(None),
    }
}

impl Socket {
    /// The next message; the code of the close if there is none.
    pub(crate) async fn next(&mut self) -> Result<Value, Option<u16>> {
        loop {
            match self.stream.next().await {
                Some(Ok(Message::Text(text))) => {
                    return Ok(serde_json::from_str(&text).expect("JSON"));
                }
                Some(Ok(Message::Close(frame))) => {
                    return Err(frame.map(|frame| frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(None),
            }
        }
    }

    /// Leaves, and says so.
    pub(crate) async fn close(mut self) {
        // It fails if the server was faster.
        drop(self.stream.close(None).await);
        drop(self.stream.flush().await);
    }
}
