//! A way to the server that may be cut at any moment.

use std::ops::Range;
use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::sleep;

/// The longest a request may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long somebody who insists waits before asking again, in milliseconds:
/// less than is polite, but not so short that the store has no idle moment.
/// An idle writer fails soonest, perhaps before whoever asked it looks up again.
const PAUSE_MS: Range<u64> = 10..50;

/// How often such a player asks for each move at once.
const TIMES: usize = 2;

/// A way to one run of the server.
#[derive(Clone)]
pub(crate) struct Line {
    http: reqwest::Client,
    url: String,
    /// How many changes this run has acknowledged.
    pub(crate) told: watch::Sender<u64>,
    /// How often this run has answered that it cannot.
    pub(crate) refused: watch::Sender<u64>,
    /// Whether what is refused is asked again until it is answered.
    insists: bool,
    /// Whether who was refused waits before asking again.
    pub(crate) is_held: watch::Sender<bool>,
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
            refused: watch::Sender::new(0),
            insists: false,
            is_held: watch::Sender::new(false),
        }
    }

    /// A way that asks again whatever is answered with 503, in the same words.
    pub(crate) fn insisting_to(url: &str) -> Line {
        Line {
            insists: true,
            ..Line::to(url)
        }
    }

    /// What the server says of being ready: a status.
    pub(crate) async fn ready(&self) -> u16 {
        let answer = self.http.get(format!("{}/ready", self.url)).send().await;
        answer.expect("the server is there").status().as_u16()
    }

    /// Somebody new.
    pub(crate) async fn guest(&self) -> Result<Person, Down> {
        let ask = Ask {
            path: "/v1/guests".to_owned(),
            body: json!({}),
            key: None,
        };
        let guest = self.post(None, &ask).await?.json();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        Ok(Person {
            id: text(&guest["account"]["id"]),
            token: text(&guest["token"]),
        })
    }

    pub(crate) async fn get(&self, who: &Person, path: &str) -> Result<Answer, Down> {
        let request = self.http.get(format!("{}{path}", self.url));
        self.finish(request.bearer_auth(&who.token)).await
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
        self.finish(request).await
    }

    /// Asks for a move. Who insists is impatient too, and asks several times at
    /// once: so there is always one more that waits for what becomes of the first.
    pub(crate) async fn post_move(&self, who: &Person, ask: &Ask) -> Result<Answer, Down> {
        if !self.insists {
            return self.post(Some(who), ask).await;
        }
        let times = (0..TIMES).map(|_| self.post(Some(who), ask));
        let mut answers: Vec<_> = join_all(times).await;
        // Some may be cut off when others have their answer.
        answers.sort_by_key(Result::is_err);
        let rest = answers.split_off(1);
        let first = answers.remove(0)?;
        for other in rest.into_iter().flatten() {
            assert_eq!((other.status, &other.text), (first.status, &first.text));
        }
        Ok(first)
    }

    async fn finish(&self, request: reqwest::RequestBuilder) -> Result<Answer, Down> {
        loop {
            let again = request.try_clone().expect("a request that is in memory");
            match finish(again).await {
                Err(Down::Refused { retry_after }) if self.insists => {
                    assert!(retry_after, "a 503 says when to come back");
                    self.refused.send_modify(|n| *n += 1);
                    sleep(Duration::from_millis(rand::random_range(PAUSE_MS))).await;
                    let mut held = self.is_held.subscribe();
                    drop(held.wait_for(|is_held| !is_held).await);
                }
                other => return other,
            }
        }
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
