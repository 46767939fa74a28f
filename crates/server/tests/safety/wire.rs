//! HTTP by hand: what goes over the socket is what the test says, byte for byte.

use std::net::SocketAddr;
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// The longest anything is waited for.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// How soon the server answers, or hangs up: sooner than it gives up somebody who is slow.
pub(crate) const SOON: Duration = Duration::from_secs(5);

/// A request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, Vec<u8>)>,
    pub(crate) body: Vec<u8>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn new(method: &str, target: impl Into<String>) -> Request {
        Request {
            method: method.to_owned(),
            target: target.into(),
            ..Request::default()
        }
    }

    pub(crate) fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Request {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// The same with a token, if there is one.
    pub(crate) fn bearer(self, token: Option<&str>) -> Request {
        match token {
            Some(token) => self.header("authorization", format!("Bearer {token}")),
            None => self,
        }
    }

    pub(crate) fn json(self, body: &Value) -> Request {
        let body = body.to_string().into_bytes();
        let with = self
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        Request { body, ..with }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = format!("{} {} HTTP/1.1\r\n", self.method, self.target).into_bytes();
        let length = self.body.len().to_string().into_bytes();
        let own = [
            ("host", b"127.0.0.1".to_vec()),
            ("connection", b"close".to_vec()),
            ("content-length", length),
        ];
        let is_chosen = |name: &str| self.headers.iter().any(|(n, _)| n == name);
        let own = own.into_iter().filter(|(name, _)| !is_chosen(name));
        let own = own.map(|(name, value)| (name.to_owned(), value));
        for (name, value) in own.chain(self.headers.iter().cloned()) {
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(b": ");
            bytes.extend_from_slice(&value);
            bytes.extend_from_slice(b"\r\n");
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(&self.body);
        bytes
    }

    /// Sends it and waits for the whole answer.
    ///
    /// # Panics
    /// If there is none in time.
    pub(crate) async fn send(&self, to: SocketAddr) -> Reply {
        let answer = exchange(to, &self.bytes()).await;
        answer.unwrap_or_else(|| panic!("no answer to {self:?}"))
    }
}

/// Sends bytes and reads the first answer; `None` if the server hangs up
/// without one.
///
/// # Panics
/// If the server does neither in time.
pub(crate) async fn exchange(to: SocketAddr, bytes: &[u8]) -> Option<Reply> {
    let talk = async {
        let mut socket = TcpStream::connect(to).await.expect("the server listens");
        // A server that has refused the head need not read the rest.
        drop(socket.write_all(bytes).await);
        let mut answer = Vec::new();
        let mut piece = [0; 16 * 1024];
        while let Ok(length @ 1..) = socket.read(&mut piece).await {
            answer.extend_from_slice(&piece[..length]);
            // A stream has no end: its head is the answer.
            if is_stream(&answer) {
                break;
            }
        }
        answer
    };
    let begun = servers::now();
    let answer = timeout(PATIENCE, talk).await;
    let is_soon = servers::now() - begun < SOON;
    let shown = || String::from_utf8_lossy(&bytes[..bytes.len().min(600)]).into_owned();
    let answer = answer.ok().filter(|_| is_soon);
    let answer = answer.unwrap_or_else(|| panic!("the server hangs on {}", shown()));
    Reply::read(&answer)
}

fn is_stream(answer: &[u8]) -> bool {
    let head = Reply::read(answer);
    head.is_some_and(|head| {
        let is_events = head.header("content-type") == Some("text/event-stream");
        is_events || head.header("x-accel-buffering") == Some("no")
    })
}

impl Reply {
    fn read(bytes: &[u8]) -> Option<Reply> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers = lines.filter_map(|line| line.split_once(':'));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()));
        Some(Reply {
            status,
            headers: headers.collect(),
            body: bytes[end + 4..].to_vec(),
        })
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON; `null` if it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The stable code of an error.
    pub(crate) fn code(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }

    /// What is wrong with it, whatever was asked: ours are all hardened, and
    /// errors have one shape.
    pub(crate) fn flaw(&self, method: &str) -> Option<String> {
        let fixed = [
            ("x-content-type-options", "nosniff"),
            ("x-frame-options", "DENY"),
            ("referrer-policy", "no-referrer"),
        ];
        for (name, value) in fixed {
            if self.header(name) != Some(value) {
                return Some(format!("no {name}: {value}"));
            }
        }
        let policy = self.header("content-security-policy").unwrap_or_default();
        if !policy.starts_with("default-src 'none'") || !policy.contains("frame-ancestors 'none'") {
            return Some(format!("the policy is {policy:?}"));
        }
        let id = self.header("x-request-id").unwrap_or_default();
        if id.is_empty() || id.len() > 64 {
            return Some(format!("the request id is {id:?}"));
        }
        if self.status < 400 {
            return None;
        }
        if self.status >= 500 && self.status != 503 {
            return Some("it is a failure of ours".into());
        }
        let needs = match self.status {
            401 => Some("www-authenticate"),
            405 => Some("allow"),
            429 | 503 => Some("retry-after"),
            _ => None,
        };
        if let Some(name) = needs.filter(|name| self.header(name).is_none()) {
            return Some(format!("no {name}"));
        }
        if self.header("content-type") != Some("application/json") {
            return Some("an error that is no JSON".into());
        }
        let body = self.json();
        let has = |field: &str| body[field].as_str().is_some_and(|text| !text.is_empty());
        let is_ours = has("error") && has("detail");
        // The doors of Collector Chess and of live-game-api have shapes of their own.
        let is_theirs = (has("code") || has("error")) && has("message");
        // And JSON-RPC is what models speak.
        let is_rpc = body["jsonrpc"] == "2.0" && body["error"]["message"].is_string();
        // The Lichess door says a sentence, or what is wrong with which field.
        let fields = body.as_object().map_or(0, |fields| fields.len());
        let is_sentence = has("error") && (fields == 1 || body["ratelimit"].is_object());
        let is_form = body["error"].is_object() && fields == 1;
        let is_lichess = is_sentence || is_form;
        (method != "HEAD" && !is_ours && !is_theirs && !is_rpc && !is_lichess)
            .then(|| "an error in another shape".into())
    }
}
