//! Ways into the cluster: by the load balancer or to a node, and clients who ask
//! again until they are answered.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::sleep;

/// The longest anybody waits for an answer, over all attempts.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest one attempt may take.
const ATTEMPT: Duration = Duration::from_secs(10);
/// How long a client waits before it asks again.
const PAUSE: Duration = Duration::from_millis(100);

/// All ways into a cluster.
#[derive(Clone)]
pub(crate) struct Ways {
    http: reqwest::Client,
    nodes: Arc<[String]>,
    balancer: String,
}

/// One of them: where it is asked first, and where if nobody answers there.
#[derive(Clone)]
pub(crate) struct Way {
    http: reqwest::Client,
    pub(crate) urls: Vec<String>,
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
    method: Method,
    path: String,
    body: Option<Value>,
    /// An `Idempotency-Key`.
    key: Option<String>,
    /// An `Arbiter-Version`.
    seen: Option<u32>,
}

/// An answer, and what it took.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) text: String,
    /// When it was first asked for.
    pub(crate) sent: Instant,
    pub(crate) took: Duration,
    /// How often it was asked for again.
    pub(crate) retries: u32,
}

/// What became of one attempt.
#[derive(Clone, Debug)]
pub(crate) enum Tried {
    Answered {
        status: u16,
        text: String,
    },
    /// Nobody there, or gone before the answer was.
    Cut,
    /// 503 by a node.
    Refused {
        /// Whether it said when to come back.
        retry_after: bool,
    },
}

impl Ways {
    pub(crate) fn new(nodes: Vec<String>, balancer: &str) -> Ways {
        let http = reqwest::Client::builder()
            .no_proxy()
            .timeout(ATTEMPT)
            .build()
            .expect("a client");
        Ways {
            http,
            nodes: nodes.into(),
            balancer: balancer.to_owned(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.nodes.len()
    }

    /// By the load balancer.
    pub(crate) fn balanced(&self) -> Way {
        self.way(vec![self.balancer.clone()])
    }

    /// To a node, and to the next ones if it is not there.
    pub(crate) fn node(&self, number: usize) -> Way {
        let all = self.nodes.iter().cycle().skip(number % self.count());
        self.way(all.take(self.count()).cloned().collect())
    }

    /// To a node and no other.
    pub(crate) fn only(&self, number: usize) -> Way {
        self.way(vec![self.nodes[number].clone()])
    }

    fn way(&self, urls: Vec<String>) -> Way {
        let http = self.http.clone();
        Way { http, urls }
    }
}

impl Ask {
    pub(crate) fn get(path: impl Into<String>) -> Ask {
        Ask {
            method: Method::GET,
            path: path.into(),
            body: None,
            key: None,
            seen: None,
        }
    }

    pub(crate) fn post(path: impl Into<String>, body: Value) -> Ask {
        Ask {
            method: Method::POST,
            body: Some(body),
            ..Ask::get(path)
        }
    }

    pub(crate) fn delete(path: impl Into<String>) -> Ask {
        Ask {
            method: Method::DELETE,
            ..Ask::get(path)
        }
    }

    pub(crate) fn with_key(self, key: String) -> Ask {
        Ask {
            key: Some(key),
            ..self
        }
    }

    /// Of nobody who knows less.
    pub(crate) fn having_seen(self, version: u32) -> Ask {
        Ask {
            seen: Some(version),
            ..self
        }
    }
}

impl Way {
    /// Asks, in the same words, until there is an answer.
    pub(crate) async fn ask(&self, who: Option<&Person>, ask: &Ask) -> Reply {
        let sent = servers::now();
        for (retries, url) in (0..).zip(self.urls.iter().cycle()) {
            match self.once(url, who, ask).await {
                Tried::Answered { status, text } => {
                    let took = servers::now() - sent;
                    return Reply {
                        status,
                        text,
                        sent,
                        took,
                        retries,
                    };
                }
                Tried::Refused { retry_after } => {
                    assert!(retry_after, "a 503 says when to come back: {ask:?}");
                }
                Tried::Cut => {}
            }
            assert!(servers::now() - sent < PATIENCE, "nobody answers {ask:?}");
            sleep(PAUSE).await;
        }
        unreachable!("there is always another way");
    }

    pub(crate) async fn get(&self, who: Option<&Person>, path: &str) -> Reply {
        self.ask(who, &Ask::get(path)).await
    }

    /// The status of one attempt to read something, if there is an answer.
    pub(crate) async fn try_once(&self, who: Option<&Person>, path: &str) -> Option<u16> {
        match self.once(&self.urls[0], who, &Ask::get(path)).await {
            Tried::Answered { status, .. } => Some(status),
            Tried::Cut | Tried::Refused { .. } => None,
        }
    }

    /// One attempt where it is asked first.
    pub(crate) async fn attempt(&self, who: Option<&Person>, ask: &Ask) -> Tried {
        self.once(&self.urls[0], who, ask).await
    }

    async fn once(&self, url: &str, who: Option<&Person>, ask: &Ask) -> Tried {
        let url = format!("{url}{}", ask.path);
        let mut request = self.http.request(ask.method.clone(), url);
        if let Some(body) = &ask.body {
            request = request.json(body);
        }
        if let Some(who) = who {
            request = request.bearer_auth(&who.token);
        }
        if let Some(key) = &ask.key {
            request = request.header("idempotency-key", key);
        }
        if let Some(version) = ask.seen {
            request = request.header("arbiter-version", version);
        }
        let Ok(response) = request.send().await else {
            return Tried::Cut;
        };
        let status = response.status().as_u16();
        let retry_after = response.headers().contains_key("retry-after");
        let Ok(text) = response.text().await else {
            return Tried::Cut;
        };
        match status {
            // What the load balancer says by itself is a page, not an object.
            502..=504 if !text.starts_with('{') => Tried::Cut,
            503 => Tried::Refused { retry_after },
            500.. => panic!("{status} {text}: {ask:?}"),
            _ => Tried::Answered { status, text },
        }
    }

    /// Somebody new.
    pub(crate) async fn guest(&self) -> Person {
        let reply = self.ask(None, &Ask::post("/v1/guests", json!({}))).await;
        let guest = reply.expect(201);
        Person {
            id: text(&guest["account"]["id"]),
            token: text(&guest["token"]),
        }
    }
}

impl Tried {
    /// The status and the body, if there was an answer.
    pub(crate) fn answer(self) -> Option<(u16, String)> {
        match self {
            Tried::Answered { status, text } => Some((status, text)),
            Tried::Cut | Tried::Refused { .. } => None,
        }
    }
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {}", self.text))
    }

    /// The body, if the status is as expected.
    #[track_caller]
    pub(crate) fn expect(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }
}

/// A field that is a text.
#[track_caller]
pub(crate) fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// A field that is a version.
#[track_caller]
pub(crate) fn version(told: &Value) -> u32 {
    let version = told["version"].as_u64().expect("a version");
    u32::try_from(version).expect("a version")
}
