//! The bus over NATS, which any number of nodes may share.
//!
//! The client's own queue is the only one, so a message goes from the publisher
//! straight to the task that writes many of them at once to the socket. Whoever
//! publishes looks into that queue once and never waits (`now`). All listeners
//! are futures of one task, which polls those for whom something has come.
//!
//! The client connects again by itself and subscribes again to what was
//! subscribed. Meanwhile publishing drops: what comes late is worth nothing.

mod address;
mod connect;

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::{Client, PublishError, StatusCode, Subscriber};
use bytes::Bytes;
use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::{self, coop::unconstrained};
use tokio::time::timeout;

use self::connect::Config;
use super::asking::{Asked, Questions};
use super::message::{self, Hear, Message, tell};
use super::meter::{Meter, Stats};
use super::{BadUrl, subject};

/// How long closing waits for what is still to be sent.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Somebody's listening, from subscribing to the end.
type Listening = Abortable<BoxFuture<'static, ()>>;

/// A handle on one connection.
#[derive(Clone)]
pub(super) struct Nats {
    inner: Arc<Inner>,
}

/// What ends with the last handle.
struct Inner {
    link: Arc<Link>,
    config: Config,
    listen: UnboundedSender<Listening>,
    /// The task of all who listen.
    listeners: task::AbortHandle,
    _answers: Place,
}

/// What listeners and answers need of the connection.
struct Link {
    client: Client,
    /// What all subjects of this cluster begin with.
    prefix: String,
    /// Where answers come in.
    inbox: String,
    questions: Arc<Questions>,
    meter: Arc<Meter>,
    is_closed: AtomicBool,
}

/// The way to whoever asked.
pub(super) struct Back {
    link: Arc<Link>,
    to: async_nats::Subject,
}

/// One listener's place.
pub(super) struct Place {
    listening: AbortHandle,
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
        let link = Arc::new(Link {
            prefix: config.prefix.clone(),
            inbox: client.new_inbox(),
            client,
            questions: Arc::default(),
            meter,
            is_closed: AtomicBool::new(false),
        });
        let (listen, coming) = mpsc::unbounded_channel();
        let listeners = config.handle.spawn(run(coming)).abort_handle();
        let answers = begin(&listen, Arc::clone(&link).take_answers().boxed());
        let inner = Inner {
            link,
            config,
            listen,
            listeners,
            _answers: answers,
        };
        Nats {
            inner: Arc::new(inner),
        }
    }

    pub(super) fn publish(&self, subject: &str, bytes: Bytes) {
        let send = |client: &Client, subject| now(client.publish(subject, bytes));
        self.inner.link.send(subject, send);
    }

    pub(super) fn ask(&self, subject: &str, bytes: Bytes, expected: usize) -> Asked {
        let link = &self.inner.link;
        let asked = link.questions.ask(expected);
        let inbox = format!("{}.{}", link.inbox, asked.number());
        let is_sent = link.send(subject, |client, subject| {
            now(client.publish_with_reply(subject, inbox, bytes))
        });
        if !is_sent {
            asked.is_in_vain();
        }
        asked
    }

    pub(super) fn subscribe(&self, pattern: &str, hear: Hear) -> Place {
        let link = Arc::clone(&self.inner.link);
        let subject = format!("{}{pattern}", link.prefix);
        begin(&self.inner.listen, link.listen(subject, hear).boxed())
    }

    pub(super) fn stats(&self) -> Stats {
        let link = &self.inner.link;
        let connects = link.client.statistics().connects.load(Ordering::Relaxed);
        link.meter.stats(connects, link.is_connected())
    }

    pub(super) async fn close(&self) {
        let link = &self.inner.link;
        let is_connected = link.is_connected();
        if link.is_closed.swap(true, Ordering::AcqRel) {
            return;
        }
        let last_words = async {
            // It would wait for a connection.
            is_connected && link.client.flush().await.is_ok() && link.client.drain().await.is_ok()
        };
        let is_sent = timeout(LAST_WORDS, last_words).await.unwrap_or(false);
        tracing::debug!(is_sent, "the bus is closed");
        self.inner.listeners.abort();
    }
}

impl Link {
    fn is_connected(&self) -> bool {
        !self.is_closed.load(Ordering::Acquire)
            && self.client.connection_state() == State::Connected
    }

    /// Hands a message over to the client, if that is possible at once.
    fn send(&self, subject: &str, send: impl FnOnce(&Client, String) -> Sent) -> bool {
        let is_sent = subject::is_subject(subject)
            && self.is_connected()
            && matches!(
                send(&self.client, format!("{}{subject}", self.prefix)),
                Some(Ok(()))
            );
        self.meter.sent(is_sent);
        is_sent
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
        let is_sent = self.link.is_connected()
            && matches!(
                now(self.link.client.publish(self.to.clone(), bytes)),
                Some(Ok(()))
            );
        self.link.meter.sent(is_sent);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// What the client says to a message; nothing if its queue is full.
type Sent = Option<Result<(), PublishError>>;

/// Does what can be done without waiting. The caller may be a task that has used up
/// its turn, which must not look like a full queue.
fn now<T>(doing: impl Future<Output = T>) -> Option<T> {
    unconstrained(doing).now_or_never()
}

/// Has somebody listen. The first step, which subscribes, is made here if there is room
/// in the client's queue, so that what is published next comes after it.
fn begin(listen: &UnboundedSender<Listening>, mut listening: BoxFuture<'static, ()>) -> Place {
    let (handle, registration) = AbortHandle::new_pair();
    if now(&mut listening).is_none() {
        // Nobody takes it when the connection is closed.
        drop(listen.send(Abortable::new(listening, registration)));
    }
    Place { listening: handle }
}

/// Drives all who listen until the bus is gone.
async fn run(mut coming: UnboundedReceiver<Listening>) {
    let mut all = FuturesUnordered::new();
    loop {
        tokio::select! {
            next = coming.recv() => match next {
                Some(listening) => all.push(listening),
                None => return,
            },
            Some(_) = all.next() => {}
        }
    }
}
