//! One message to the server, and what it answers.

use std::sync::Mutex;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::lock::lock;
use crate::outside::tls;

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long it may take to find out whether a server is there.
const FINDING: Duration = Duration::from_secs(10);
/// More than any answer has.
const ANSWER_MAX: usize = 16 << 20;

/// What JSON-RPC calls a text that is no JSON, and one that is no message.
const NO_JSON: i32 = -32_700;
const NO_MESSAGE: i32 = -32_600;
/// What it leaves to servers: here, that there is none.
const NO_ANSWER: i32 = -32_000;

/// Where a request says which revision of the protocol it is in.
const VERSION_IN_BODY: &str = "io.modelcontextprotocol/protocolVersion";

/// A message of the client.
#[derive(Debug)]
pub(super) struct Message(Value);

impl Message {
    /// Reads a line.
    ///
    /// # Errors
    /// What to answer to a line that is no message.
    pub(super) fn read(line: &str) -> Result<Message, Value> {
        let failed = |code, why: &str| failure(&Value::Null, code, why);
        let value: Value = serde_json::from_str(line)
            .map_err(|error| failed(NO_JSON, &format!("this line is no JSON: {error}")))?;
        match value.is_object() {
            true => Ok(Message(value)),
            false => Err(failed(
                NO_MESSAGE,
                "a line has one message, which is an object",
            )),
        }
    }

    /// What its answer refers to; none if it wants no answer.
    pub(super) fn id(&self) -> Option<String> {
        let is_request = self.0["method"].is_string();
        let id = &self.0["id"];
        (is_request && !id.is_null()).then(|| id.to_string())
    }

    /// The request that it takes back.
    pub(super) fn cancels(&self) -> Option<String> {
        let takes_back = self.0["method"] == "notifications/cancelled";
        takes_back.then(|| self.0["params"]["requestId"].to_string())
    }

    /// What whoever routes by headers wants to know of it.
    fn headers(&self, negotiated: Option<&str>) -> Vec<(HeaderName, HeaderValue)> {
        let Value::Object(message) = &self.0 else {
            return Vec::new();
        };
        let method = message.get("method").and_then(Value::as_str);
        let params = &self.0["params"];
        let said = params["_meta"][VERSION_IN_BODY].as_str();
        let version = said.or(negotiated.filter(|_| method != Some("initialize")));
        let name = params["name"].as_str().or(params["uri"].as_str());
        let named = [
            ("mcp-protocol-version", version.map(str::to_owned)),
            ("mcp-method", method.map(str::to_owned)),
            ("mcp-name", name.map(in_header)),
        ];
        let values = named.into_iter().filter_map(|(header, value)| {
            let value = HeaderValue::from_str(&value?).ok()?;
            Some((HeaderName::from_static(header), value))
        });
        values.collect()
    }
}

/// A value as a header can have it.
fn in_header(value: &str) -> String {
    let is_plain = value.bytes().all(|byte| (0x21..0x7f).contains(&byte));
    match is_plain && !value.starts_with("=?base64?") {
        true => value.to_owned(),
        false => format!("=?base64?{}?=", STANDARD.encode(value)),
    }
}

/// The way to the server.
pub(super) struct Relay {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    base: String,
    door: Uri,
    token: Option<HeaderValue>,
    /// The revision that client and server agreed on.
    version: Mutex<Option<String>>,
}

impl Relay {
    /// To the server of that address, as whoever has the token.
    ///
    /// # Errors
    /// What is wrong with them.
    pub(super) fn new(url: &str, token: Option<&str>) -> Result<Relay, String> {
        let base = url.trim_end_matches('/').trim_end_matches("/mcp");
        let is_web = base.starts_with("http://") || base.starts_with("https://");
        let door = format!("{base}/mcp").parse().ok().filter(|_| is_web);
        let door = door.ok_or_else(|| {
            format!("{url:?} is no address of a server: it begins with http:// or https://")
        })?;
        let header = |token: &str| {
            let value = HeaderValue::from_str(&format!("Bearer {}", token.trim()));
            let mut value = value.map_err(|_| "the token has signs in it that no token has")?;
            value.set_sensitive(true);
            Ok::<_, String>(value)
        };
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls())
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Relay {
            client: Client::builder(TokioExecutor::new()).build(connector),
            base: base.to_owned(),
            door,
            token: token.map(header).transpose()?,
            version: Mutex::default(),
        })
    }

    /// Insists that a server is there: better now than with the first move.
    ///
    /// # Errors
    /// What to do about it.
    pub(super) async fn find_server(&self) -> Result<(), String> {
        let base = &self.base;
        let health: Uri = format!("{base}/health")
            .parse()
            .map_err(|_| format!("{base:?} is no address"))?;
        let mut request = Request::new(Full::default());
        *request.uri_mut() = health;
        let (status, body) = self.send(request, FINDING).await.map_err(|why| {
            format!("no server answers at {base}: {why}\nstart one with `arbiter serve`, or say where it is with --url")
        })?;
        let health: Value = serde_json::from_slice(&body).unwrap_or_default();
        match status == StatusCode::OK && health["service"] == "arbiter" {
            true => Ok(()),
            false => Err(format!("{base} is something else: its /health is {status}")),
        }
    }

    /// The answer to a message; none if it wants none.
    pub(super) async fn ask(&self, message: &Message) -> Option<Value> {
        let answer = self.answer(message).await;
        message.id()?;
        let id = &message.0["id"];
        Some(match answer {
            Ok(Some(answer)) => {
                self.note_version(&answer);
                answer
            }
            Ok(None) => failure(id, NO_ANSWER, "the server answered nothing"),
            Err(why) => failure(id, NO_ANSWER, &why),
        })
    }

    async fn answer(&self, message: &Message) -> Result<Option<Value>, String> {
        let mut request = Request::new(Full::from(message.0.to_string()));
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.door.clone();
        let version = lock(&self.version).clone();
        let headers = request.headers_mut();
        headers.extend(message.headers(version.as_deref()));
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        let both = HeaderValue::from_static("application/json, text/event-stream");
        headers.insert(header::ACCEPT, both);
        if let Some(token) = &self.token {
            headers.insert(header::AUTHORIZATION, token.clone());
        }
        let unreachable = |why: String| {
            format!(
                "unavailable: the server at {} does not answer: {why}",
                self.base
            )
        };
        let sent = self.send(request, PATIENCE).await;
        let (status, body) = sent.map_err(unreachable)?;
        let answer: Option<Value> = serde_json::from_slice(&body).ok();
        match answer {
            Some(answer) if answer["jsonrpc"] == "2.0" => Ok(Some(answer)),
            Some(error) if error["error"].is_string() => {
                let said = |field: &str| error[field].as_str().unwrap_or_default().to_owned();
                Err(format!("{}: {}", said("error"), said("detail")))
            }
            None if status.is_success() => Ok(None),
            _ => Err(format!(
                "unavailable: the server at {} answered {status}",
                self.base
            )),
        }
    }

    async fn send(
        &self,
        request: Request<Full<Bytes>>,
        patience: Duration,
    ) -> Result<(StatusCode, Bytes), String> {
        let whole = async {
            let answer = self.client.request(request).await;
            let answer = answer.map_err(|error| causes(&error))?;
            let status = answer.status();
            let body = Limited::new(answer.into_body(), ANSWER_MAX).collect().await;
            let body = body.map_err(|error| error.to_string())?;
            Ok((status, body.to_bytes()))
        };
        let answered = timeout(patience, whole).await;
        answered.unwrap_or_else(|_| Err(format!("it took more than {} s", patience.as_secs())))
    }

    fn note_version(&self, answer: &Value) {
        if let Some(version) = answer["result"]["protocolVersion"].as_str() {
            *lock(&self.version) = Some(version.to_owned());
        }
    }
}

/// An error and what is behind it, which says more.
fn causes(error: &dyn std::error::Error) -> String {
    let behind = std::iter::successors(error.source(), |error| error.source());
    let said = behind.last().map(ToString::to_string);
    said.unwrap_or_else(|| error.to_string())
}

fn failure(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(value: Value) -> Message {
        Message::read(&value.to_string()).expect("a message")
    }

    #[test]
    fn a_line_that_is_no_message_is_answered() {
        let code =
            |line: &str| Message::read(line).expect_err("no message")["error"]["code"].clone();
        assert_eq!(code("{"), NO_JSON);
        assert_eq!(code("[]"), NO_MESSAGE);
        assert_eq!(code("7"), NO_MESSAGE);
    }

    #[test]
    fn only_requests_are_answered() {
        let ping = json!({ "jsonrpc": "2.0", "id": "a", "method": "ping" });
        assert_eq!(message(ping).id().as_deref(), Some("\"a\""));
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(message(told).id(), None);
        let back = json!({ "method": "notifications/cancelled", "params": { "requestId": 7 } });
        assert_eq!(message(back).cancels().as_deref(), Some("7"));
    }

    #[test]
    fn headers_say_what_the_body_says() {
        let headers = |value: Value, negotiated| -> Vec<(String, String)> {
            let headers = message(value).headers(negotiated).into_iter();
            let text = |value: HeaderValue| value.to_str().expect("ASCII").to_owned();
            headers
                .map(|(name, value)| (name.to_string(), text(value)))
                .collect()
        };
        let own = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let first =
            json!({ "method": "initialize", "params": { "protocolVersion": "2025-11-25" } });
        assert_eq!(headers(first, Some("x")), [own("mcp-method", "initialize")]);
        let call = json!({ "method": "tools/call", "params": {
            "name": "ö", "_meta": { VERSION_IN_BODY: "2026-07-28" } } });
        let expected = [
            own("mcp-protocol-version", "2026-07-28"),
            own("mcp-method", "tools/call"),
            own("mcp-name", "=?base64?w7Y=?="),
        ];
        assert_eq!(headers(call, Some("2025-11-25")), expected);
    }

    #[test]
    fn addresses_lead_to_the_door() {
        let door = |url: &str| Relay::new(url, Some("t")).map(|relay| relay.door.to_string());
        assert_eq!(
            door("http://localhost:7878").as_deref(),
            Ok("http://localhost:7878/mcp")
        );
        assert_eq!(
            door("https://a.example/mcp/").as_deref(),
            Ok("https://a.example/mcp")
        );
        assert!(door("localhost:7878").is_err());
        assert!(Relay::new("http://localhost", Some("a\nb")).is_err());
    }
}
