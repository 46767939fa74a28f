//! The bus within one process: for one node alone, and for tests of several.
//!
//! A message is put into the queue of each other bus where somebody listens; a
//! task per bus calls them. Publishers may hold locks, so they call nobody.

mod listeners;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use bytes::Bytes;
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use self::listeners::{Listener, Listeners};
use super::asking::{Asked, Questions};
use super::message::{self, Hear, Message, tell};
use super::meter::{Meter, Stats};
use super::{QUEUE, subject};

/// A handle on one bus of the process.
#[derive(Clone)]
pub(super) struct Local {
    member: Arc<Member>,
    handle: Handle,
}

/// All who hear each other.
#[derive(Default)]
struct Hub {
    members: RwLock<Vec<Arc<Shared>>>,
}

/// One of them, for as long as somebody has a handle on it.
struct Member {
    hub: Arc<Hub>,
    shared: Arc<Shared>,
}

/// What the others need of it.
struct Shared {
    listeners: Mutex<Listeners>,
    queue: mpsc::Sender<Delivery>,
    questions: Arc<Questions>,
    meter: Arc<Meter>,
    is_closed: AtomicBool,
}

/// A message on its way to one bus.
struct Delivery {
    to: Vec<Arc<Listener>>,
    subject: String,
    bytes: Bytes,
    asked: Option<Back>,
}

/// The way to whoever asked.
#[derive(Clone)]
pub(super) struct Back {
    to: Arc<Shared>,
    from: Arc<Meter>,
    number: u64,
}

/// One listener's place.
pub(super) struct Place {
    shared: Arc<Shared>,
    listener: Arc<Listener>,
}

impl Local {
    pub(super) fn open(handle: Handle) -> Local {
        Local::join(Arc::default(), handle)
    }

    pub(super) fn another(&self) -> Local {
        Local::join(Arc::clone(&self.member.hub), self.handle.clone())
    }

    fn join(hub: Arc<Hub>, handle: Handle) -> Local {
        let (queue, coming) = mpsc::channel(QUEUE);
        let meter = Arc::new(Meter::default());
        handle.spawn(deliver(coming, Arc::clone(&meter)));
        let shared = Arc::new(Shared {
            listeners: Mutex::default(),
            queue,
            questions: Arc::default(),
            meter,
            is_closed: AtomicBool::new(false),
        });
        let mut members = hub.members.write().unwrap_or_else(PoisonError::into_inner);
        members.push(Arc::clone(&shared));
        drop(members);
        Local {
            member: Arc::new(Member { hub, shared }),
            handle,
        }
    }

    pub(super) fn publish(&self, subject: &str, bytes: Bytes) {
        self.send(subject, bytes, None);
    }

    pub(super) fn ask(&self, subject: &str, bytes: Bytes, expected: usize) -> Asked {
        let asked = self.member.shared.questions.ask(expected);
        if self.send(subject, bytes, Some(asked.number())) == 0 {
            asked.is_in_vain();
        }
        asked
    }

    /// Puts a message into everybody else's queue, and says how many will hear it.
    fn send(&self, subject: &str, bytes: Bytes, question: Option<u64>) -> usize {
        let own = &self.member.shared;
        let is_sent = subject::is_subject(subject) && !own.is_closed.load(Ordering::Acquire);
        own.meter.sent(is_sent);
        if !is_sent {
            return 0;
        }
        let members = &self.member.hub.members;
        let members = members.read().unwrap_or_else(PoisonError::into_inner);
        let others = members.iter().filter(|member| !Arc::ptr_eq(member, own));
        others
            .filter_map(|other| {
                let to = other.listening(subject);
                let count = to.len();
                let delivery = (count > 0).then(|| Delivery {
                    to,
                    subject: subject.to_owned(),
                    bytes: bytes.clone(),
                    asked: question.map(|number| Back {
                        to: Arc::clone(own),
                        from: Arc::clone(&other.meter),
                        number,
                    }),
                })?;
                other.take(delivery).then_some(count)
            })
            .sum()
    }

    pub(super) fn subscribe(&self, pattern: &str, hear: Hear) -> Place {
        let listener = Arc::new(Listener::new(pattern, hear));
        let shared = Arc::clone(&self.member.shared);
        if !shared.is_closed.load(Ordering::Acquire) {
            shared.with_listeners(|all| all.add(&listener));
        }
        Place { shared, listener }
    }

    pub(super) fn stats(&self) -> Stats {
        let shared = &self.member.shared;
        let is_closed = shared.is_closed.load(Ordering::Acquire);
        shared.meter.stats(1, !is_closed)
    }

    pub(super) fn close(&self) {
        self.member.leave();
    }
}

impl Member {
    fn leave(&self) {
        self.shared.is_closed.store(true, Ordering::Release);
        let members = self.hub.members.write();
        let mut members = members.unwrap_or_else(PoisonError::into_inner);
        members.retain(|member| !Arc::ptr_eq(member, &self.shared));
        drop(members);
        // What listeners hold may be a handle on this very bus.
        let listeners = self.shared.with_listeners(std::mem::take);
        listeners.end();
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.leave();
    }
}

impl Shared {
    fn listening(&self, subject: &str) -> Vec<Arc<Listener>> {
        self.with_listeners(|all| all.on(subject))
    }

    fn with_listeners<T>(&self, look: impl FnOnce(&mut Listeners) -> T) -> T {
        look(
            &mut self
                .listeners
                .lock()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }

    fn take(&self, delivery: Delivery) -> bool {
        let is_taken = self.queue.try_send(delivery).is_ok();
        if !is_taken {
            self.meter.missed();
        }
        is_taken
    }
}

impl Back {
    pub(super) fn send(&self, bytes: Bytes) {
        self.from.sent(true);
        self.to.meter.received();
        self.to.questions.answer(self.number, Some(bytes));
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.listener.end();
        self.shared.with_listeners(|all| all.remove(&self.listener));
    }
}

/// Calls whoever listens, one after the other, until the bus is gone.
async fn deliver(mut coming: mpsc::Receiver<Delivery>, meter: Arc<Meter>) {
    while let Some(delivery) = coming.recv().await {
        for listener in delivery.to.iter().filter(|listener| !listener.is_over()) {
            meter.received();
            let message = Message {
                subject: delivery.subject.clone(),
                bytes: delivery.bytes.clone(),
                back: delivery.asked.clone().map(message::Back::Local),
            };
            tell(&listener.hear, message);
        }
    }
}
