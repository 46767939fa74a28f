//! The bus over NATS, which any number of nodes may share.
//!
//! What is published waits in the `outbox` for a moment and leaves with what else
//! came. All who listen are futures of one task, which polls those for whom
//! something has come (`listening`).
//!
//! The client connects again by itself and subscribes again to what was
//! subscribed. Meanwhile publishing drops: what comes late is worth nothing.

mod address;
mod connect;
mod listening;
mod outbox;

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::message::OutboundMessage;
use async_nats::{Client, HeaderMap, Request, StatusCode, Subject, Subscriber};
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use tokio::runtime::Handle;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use self::connect::Config;
use self::listening::Listeners;
pub(super) use self::listening::Place;
use self::outbox::Outbox;
use super::asking::{Asked, Questions};
use super::message::{self, Hear, Message, tell};
use super::meter::{Meter, Stats};
use super::{BadUrl, subject};

/// How long closing waits for what is still to be sent.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// A handle on one connection.
#[derive(Clone)]
pub(super) struct Nats {
    inner: Arc<Inner>,
}

/// What ends with the last handle.
struct Inner {
    link: Arc<Link>,
    config: Config,
    listeners: Listeners,
    /// The task that sends.
    sending: AbortHandle,
    _answers: Place,
}

/// What listeners and answers need of the connection.
struct Link {
    client: Client,
    outbox: Arc<Outbox>,
    /// What all subjects of this cluster begin with.
    prefix: String,
    /// Where answers come in.
    inbox: String,
    questions: Arc<Questions>,
    meter: Arc<Meter>,
}

/// The way to whoever asked.
pub(super) struct Back {
    link: Arc<Link>,
    to: Subject,
}

impl Nats {
    pub(super) fn open(url: &str, space: &str, handle: Handle) -> Result<Nats, BadUrl> {
        let config = Config {
            servers: address::parse(url)?,
            prefix: format!("arbiter.{space}."),
            handle,
        };
        Ok(Nats::connect(config))
    }

    pub(super) fn another(&self) -> Nats {
        Nats::connect(self.inner.config.clone())
    }

    fn connect(config: Config) -> Nats {
        let meter = Arc::new(Meter::default());
        let client = config.connect(Arc::clone(&meter));
        let outbox = Arc::new(Outbox::new(client.clone(), Arc::clone(&meter)));
        let sending = config.handle.spawn(Arc::clone(&outbox).run());
        let link = Arc::new(Link {
            outbox,
            prefix: config.prefix.clone(),
            inbox: client.new_inbox(),
            client,
            questions: Arc::default(),
            meter,
        });
        let listeners = Listeners::start(&config.handle);
        let answers = listeners.add(Arc::clone(&link).take_answers().boxed());
        let inner = Inner {
            link,
            config,
            listeners,
            sending: sending.abort_handle(),
            _answers: answers,
        };
        Nats {
            inner: Arc::new(inner),
        }
    }

    pub(super) fn publish(&self, subject: &str, bytes: Bytes) {
        self.inner.link.send(subject, None, bytes);
    }

    pub(super) fn ask(&self, subject: &str, bytes: Bytes, expected: usize) -> Asked {
        let link = &self.inner.link;
        let asked = link.questions.ask(expected);
        let inbox = format!("{}.{}", link.inbox, asked.number());
        if !link.send(subject, Some(inbox.into()), bytes) {
            asked.is_in_vain();
        }
        asked
    }

    pub(super) async fn request(
        &self,
        subject: &str,
        headers: &[(&str, &str)],
        bytes: Bytes,
        within: Duration,
    ) -> Option<Bytes> {
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.insert(*name, *value);
        }
        let request = Request::new()
            .headers(all)
            .payload(bytes)
            .timeout(Some(within));
        let client = &self.inner.link.client;
        let answer = client.send_request(subject.to_owned(), request).await;
        answer.ok().map(|answer| answer.payload)
    }

    pub(super) fn subscribe(&self, pattern: &str, hear: Hear) -> Place {
        let link = Arc::clone(&self.inner.link);
        let subject = format!("{}{pattern}", link.prefix);
        self.inner.listeners.add(link.listen(subject, hear).boxed())
    }

    pub(super) fn stats(&self) -> Stats {
        let link = &self.inner.link;
        let connects = link.client.statistics().connects.load(Ordering::Relaxed);
        link.meter.stats(connects, link.outbox.is_connected())
    }

    pub(super) async fn close(&self) {
        let last_words = self.inner.link.outbox.close();
        let is_sent = timeout(LAST_WORDS, last_words).await.unwrap_or(false);
        tracing::debug!(is_sent, "the bus is closed");
        self.inner.end();
    }
}

impl Inner {
    fn end(&self) {
        self.sending.abort();
        self.listeners.end();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.end();
    }
}

impl Link {
    /// Has a message sent, if that is possible soon.
    fn send(&self, subject: &str, reply: Option<Subject>, payload: Bytes) -> bool {
        if !subject::is_subject(subject) {
            self.meter.sent(false);
            return false;
        }
        self.outbox.push(OutboundMessage {
            subject: format!("{}{subject}", self.prefix).into(),
            reply,
            payload,
            headers: None,
        })
    }

    /// Subscribes, and calls whoever listens with what comes.
    async fn listen(self: Arc<Link>, subject: String, hear: Hear) {
        let Some(mut coming) = self.subscribe(subject).await else {
            return;
        };
        while let Some(message) = coming.next().await {
            let Some(subject) = message.subject.strip_prefix(&self.prefix) else {
                continue;
            };
            self.meter.received();
            let message = Message {
                subject: subject.to_owned(),
                bytes: message.payload,
                back: message.reply.map(|to| {
                    message::Back::Nats(Back {
                        link: Arc::clone(&self),
                        to,
                    })
                }),
            };
            tell(&hear, message);
        }
    }

    /// Takes the answers to this node's questions, each of which has its own subject.
    async fn take_answers(self: Arc<Link>) {
        let Some(mut coming) = self.subscribe(format!("{}.*", self.inbox)).await else {
            return;
        };
        while let Some(message) = coming.next().await {
            let number = message.subject.rsplit('.').next().map(str::parse);
            let Some(Ok(number)) = number else {
                continue;
            };
            if message.status == Some(StatusCode::NO_RESPONDERS) {
                self.questions.answer(number, None);
            } else {
                self.meter.received();
                self.questions.answer(number, Some(message.payload));
            }
        }
    }

    /// Waits for room in the client's queue; there is none any more when it is closed.
    async fn subscribe(&self, subject: String) -> Option<Subscriber> {
        let subscribed = self.client.subscribe(subject).await;
        subscribed
            .inspect_err(|error| tracing::debug!(%error, "cannot subscribe"))
            .ok()
    }
}

impl Back {
    pub(super) fn send(&self, bytes: Bytes) {
        self.link.outbox.push(OutboundMessage {
            subject: self.to.clone(),
            reply: None,
            payload: bytes,
            headers: None,
        });
    }
}
