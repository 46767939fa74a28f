//! Talking to a server as any client does.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use crate::outside::tls;

/// Longer than any answer takes.
const PATIENCE: Duration = Duration::from_secs(30);
/// More than any answer has.
const ANSWER_MAX: usize = 16 << 20;
/// How often a request is put again to a server that says: later.
const TRIES: u32 = 10;
/// More than any line of a stream has.
const LINE_MAX: usize = 1 << 20;

/// A server.
pub(super) struct Web {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    base: String,
}

impl Web {
    /// The server of that address. Nothing is asked yet.
    ///
    /// # Errors
    /// It is no address.
    pub(super) fn new(url: &str) -> Result<Web, String> {
        let base = url.trim_end_matches('/');
        base.parse::<Uri>()
            .map_err(|why| format!("{url} is no address of a server: {why}"))?;
        let connector = HttpsConnectorBuilder::new()
            .with_tls_config(tls())
            .https_or_http()
            .enable_http1()
            .build();
        Ok(Web {
            client: Client::builder(TokioExecutor::new()).build(connector),
            base: base.to_owned(),
        })
    }

    /// Its address.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// # Errors
    /// The code of a refusal and what it says, or why there is no answer.
    pub(super) async fn get(&self, path: &str, token: Option<&str>) -> Result<Value, String> {
        self.call(Method::GET, path, token, String::new()).await
    }

    /// # Errors
    /// See [`Web::get`].
    pub(super) async fn post(
        &self,
        path: &str,
        token: Option<&str>,
        body: Value,
    ) -> Result<Value, String> {
        let body = body.to_string();
        self.call(Method::POST, path, token, body).await
    }

    async fn call(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: String,
    ) -> Result<Value, String> {
        let mut tries = 0;
        loop {
            let request = self.request(method.clone(), path, token, &body)?;
            let whole = async {
                let answer = self.client.request(request).await;
                let answer = answer.map_err(|error| self.unreachable(&error))?;
                let status = answer.status();
                let body = Limited::new(answer.into_body(), ANSWER_MAX).collect().await;
                let body = body.map_err(|error| format!("{}: {error}", self.base))?;
                Ok::<_, String>((status, body.to_bytes()))
            };
            let late = || format!("{} does not answer", self.base);
            let (status, body) = timeout(PATIENCE, whole).await.map_err(|_| late())??;
            let answer: Value = serde_json::from_slice(&body).unwrap_or_default();
            tries += 1;
            match status {
                _ if status.is_success() => return Ok(answer),
                StatusCode::TOO_MANY_REQUESTS if tries < TRIES => {
                    let wait = answer["retry_after_seconds"].as_u64().unwrap_or(1);
                    sleep(Duration::from_secs(wait.clamp(1, 60))).await;
                }
                _ => {
                    let said = |field: &str| answer[field].as_str().unwrap_or_default().to_owned();
                    let (code, detail) = (said("error"), said("detail"));
                    return Err(match code.is_empty() {
                        true => format!("{} answered {status}", self.base),
                        false => format!("{code}: {detail}"),
                    });
                }
            }
        }
    }

    /// What a server tells until it has no more to say.
    ///
    /// # Errors
    /// See [`Web::get`].
    pub(super) async fn stream(&self, path: &str, token: Option<&str>) -> Result<Stream, String> {
        let request = self.request(Method::GET, path, token, "")?;
        let answer = timeout(PATIENCE, self.client.request(request)).await;
        let late = || format!("{} does not answer", self.base);
        let answer = answer.map_err(|_| late())?;
        let answer = answer.map_err(|error| self.unreachable(&error))?;
        match answer.status().is_success() {
            true => Ok(Stream {
                body: Body::new(answer.into_body()),
                text: Vec::new(),
            }),
            false => Err(format!("{} answered {}", self.base, answer.status())),
        }
    }

    fn request(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: &str,
    ) -> Result<Request<Full<Bytes>>, String> {
        let mut request = Request::new(Full::from(body.to_owned()));
        *request.method_mut() = method;
        let uri = format!("{}{path}", self.base).parse();
        *request.uri_mut() = uri.map_err(|_| format!("{path} is nothing that a server has"))?;
        let headers = request.headers_mut();
        let json = HeaderValue::from_static("application/json");
        headers.insert(header::CONTENT_TYPE, json);
        if let Some(token) = token {
            let value = HeaderValue::from_str(&format!("Bearer {}", token.trim()));
            let mut value = value.map_err(|_| "the token has signs in it that no token has")?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        Ok(request)
    }

    fn unreachable(&self, error: &dyn std::error::Error) -> String {
        let behind = std::iter::successors(error.source(), |error| error.source());
        let said = behind.last().map(ToString::to_string);
        let why = said.unwrap_or_else(|| error.to_string());
        format!("no server answers at {}: {why}", self.base)
    }
}

/// Server-sent events.
pub(super) struct Stream {
    body: Body,
    text: Vec<u8>,
}

impl Stream {
    /// Waits for an event of one of these types; `false`: there are no more.
    pub(super) async fn hears(&mut self, types: &[&str]) -> bool {
        loop {
            while let Some(end) = self.text.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.text.drain(..=end).collect();
                if is_one_of(&line, types) {
                    return true;
                }
            }
            if self.text.len() > LINE_MAX {
                return false;
            }
            match self.body.frame().await {
                Some(Ok(frame)) => {
                    let data = frame.into_data().unwrap_or_default();
                    self.text.extend_from_slice(&data);
                }
                Some(Err(_)) | None => return false,
            }
        }
    }
}

fn is_one_of(line: &[u8], types: &[&str]) -> bool {
    let Some(data) = line.strip_prefix(b"data:") else {
        return false;
    };
    let message: Value = serde_json::from_slice(data.trim_ascii()).unwrap_or_default();
    types.iter().any(|kind| message["type"] == *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_told_apart_by_their_types() {
        let types = ["MOVE", "STARTED"];
        assert!(is_one_of(
            b"data: {\"type\":\"MOVE\",\"ply\":1}\r\n",
            &types
        ));
        for line in [
            b"data: {\"type\":\"CLOCK\"}\n".as_slice(),
            b": MOVE\n",
            b"event: MOVE\n",
            b"data: MOVE\n",
            b"\n",
        ] {
            assert!(!is_one_of(line, &types), "{line:?}");
        }
    }
}
