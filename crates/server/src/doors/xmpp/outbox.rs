//! What is to be sent to the XMPP server: a line that never waits.
//!
//! While there is no connection nothing is kept: whoever asked asks again. A server that
//! does not take what is sent loses the connection, like any other slow client.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::element::Element;
use crate::lock::lock;

/// So many bytes may wait.
const WAITING_MAX: usize = 64 << 20;

/// The line of one component.
#[derive(Default)]
pub(crate) struct Outbox {
    sender: Mutex<Option<UnboundedSender<String>>>,
    waiting: AtomicUsize,
    pub(super) is_stuck: Notify,
}

impl Outbox {
    /// Sends a stanza. Whether there is somebody who takes it.
    pub(crate) fn send(&self, stanza: &Element) -> bool {
        self.send_text(stanza.write())
    }

    /// Sends a stanza that is written already.
    pub(crate) fn send_text(&self, text: String) -> bool {
        let mut sender = lock(&self.sender);
        let Some(line) = &*sender else {
            return false;
        };
        let length = text.len();
        if self.waiting.fetch_add(length, Ordering::Relaxed) + length > WAITING_MAX {
            *sender = None;
            self.is_stuck.notify_one();
            return false;
        }
        line.send(text).is_ok()
    }

    /// Whether there is a connection.
    pub(crate) fn is_open(&self) -> bool {
        lock(&self.sender).is_some()
    }

    /// Whether something waits to be sent.
    pub(super) fn has_more(&self) -> bool {
        self.is_open() && self.waiting.load(Ordering::Relaxed) > 0
    }

    pub(super) fn open(&self) -> UnboundedReceiver<String> {
        let (sender, receiver) = unbounded_channel();
        *lock(&self.sender) = Some(sender);
        self.waiting.store(0, Ordering::Relaxed);
        receiver
    }

    pub(super) fn close(&self) {
        *lock(&self.sender) = None;
    }

    pub(super) fn sent(&self, bytes: usize) {
        let less = |waiting: usize| Some(waiting.saturating_sub(bytes));
        let _was = self
            .waiting
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}
