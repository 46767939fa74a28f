//! A way to the server that may be cut at any moment.

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tokio::sync::watch;

/// The longest a request may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A way to one run of the server.
#[derive(Clone)]
pub(crate) struct Line {
    http: reqwest::Client,
    url: String,
    /// How many changes this run has acknowledged.
    pub(crate) told: watch::Sender<u64>,
}

/// Someone with an account.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) id: String,
    pub(crate) token: String,
}

/// A request.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) path: String,
    pub(crate) body: Value,
    pub(crate) key: Option<String>,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) text: String,
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Down {
    /// The connection was refused or cut.
    Cut,
    /// 503.
    Refused {
        /// Whether it said when to come back.
        retry_after: bool,
    },
}

impl Line {
    pub(crate) fn to(url: &str) -> Line {
        let http = reqwest::Client::builder()
            .no_proxy()
            .timeout(PATIENCE)
            .build()
            .expect("a client");
        Line {
            http,
            url: url.to_owned(),
            told: watch::Sender::new(0),
        }
    }

    pub(crate) async fn get(&self, who: &Person, path: &str) -> Result<Answer, Down> {
        let request = self.http.get(format!("{}{path}", self.url));
        finish(request.bearer_auth(&who.token)).await
    }

    pub(crate) async fn post(&self, who: Option<&Person>, ask: &Ask) -> Result<Answer, Down> {
        let mut request = self
            .http
            .request(Method::POST, format!("{}{}", self.url, ask.path))
            .json(&ask.body);
        if let Some(who) = who {
            request = request.bearer_auth(&who.token);
        }
        if let Some(key) = &ask.key {
            request = request.header("idempotency-key", key);
        }
        finish(request).await
    }

    /// Notes one more acknowledged change.
    pub(crate) fn count(&self) {
        self.told.send_modify(|n| *n += 1);
    }
}

async fn finish(request: reqwest::RequestBuilder) -> Result<Answer, Down> {
    let response = request.send().await.map_err(|_| Down::Cut)?;
    let status = response.status().as_u16();
    let retry_after = response.headers().contains_key("retry-after");
    let text = response.text().await.map_err(|_| Down::Cut)?;
    if status == 503 {
        return Err(Down::Refused { retry_after });
    }
    assert!(status < 500, "{status} {text}");
    Ok(Answer { status, text })
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }
}
