//! What waits to be sent.
//!
//! The first message after a pause leaves at once, and whatever comes in the
//! millisecond after it leaves together. One write to the socket for each would
//! cost several times as much, here and in the server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::client::traits::Publisher;
use async_nats::connection::State;
use async_nats::message::OutboundMessage;
use tokio::sync::Notify;
use tokio::time::sleep;

use super::super::QUEUE;
use super::super::meter::Meter;
use super::listening::now;

/// How long others are waited for once something has left.
const PAUSE: Duration = Duration::from_millis(1);

/// The way out of one connection.
pub(super) struct Outbox {
    client: Client,
    meter: Arc<Meter>,
    waiting: Mutex<Vec<OutboundMessage>>,
    /// Held by whoever sends, so that what was published first leaves first.
    sending: Mutex<()>,
    bell: Notify,
    is_closed: AtomicBool,
}

impl Outbox {
    pub(super) fn new(client: Client, meter: Arc<Meter>) -> Outbox {
        Outbox {
            client,
            meter,
            waiting: Mutex::default(),
            sending: Mutex::default(),
            bell: Notify::new(),
            is_closed: AtomicBool::new(false),
        }
    }

    pub(super) fn is_connected(&self) -> bool {
        !self.is_closed.load(Ordering::Acquire)
            && self.client.connection_state() == State::Connected
    }

    /// Takes a message, unless it could not be sent soon; it is counted either way.
    pub(super) fn push(&self, message: OutboundMessage) -> bool {
        let is_taken = self.is_connected() && self.put(message);
        if !is_taken {
            self.meter.sent(false);
        }
        is_taken
    }

    fn put(&self, message: OutboundMessage) -> bool {
        let mut waiting = lock(&self.waiting);
        let count = waiting.len();
        if count < QUEUE {
            waiting.push(message);
        }
        drop(waiting);
        if count == 0 {
            self.bell.notify_one();
        }
        count < QUEUE
    }

    /// Sends whatever is pushed, for as long as it is awaited.
    pub(super) async fn run(self: Arc<Outbox>) {
        loop {
            self.bell.notified().await;
            while self.send() {
                sleep(PAUSE).await;
            }
        }
    }

    /// Hands all that waits over to the client, and says whether there was something.
    fn send(&self) -> bool {
        let _turn = lock(&self.sending);
        let messages = std::mem::take(&mut *lock(&self.waiting));
        let is_some = !messages.is_empty();
        for message in messages {
            // What comes late is worth nothing, so it does not wait for a connection.
            let is_sent = self.client.connection_state() == State::Connected
                && matches!(now(self.client.publish_message(message)), Some(Ok(())));
            self.meter.sent(is_sent);
        }
        is_some
    }

    /// Takes nothing more, sends the rest and ends the connection.
    pub(super) async fn close(&self) -> bool {
        // Otherwise the client would wait until it is connected.
        let is_connected = self.is_connected();
        let is_first = !self.is_closed.swap(true, Ordering::AcqRel);
        self.send();
        is_first
            && is_connected
            && self.client.flush().await.is_ok()
            && self.client.drain().await.is_ok()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
