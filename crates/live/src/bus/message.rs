//! What is heard, and the way back.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bytes::Bytes;

use super::{local, nats};

/// Who listens.
pub(super) type Hear = Box<dyn Fn(Message) + Send + Sync>;

/// What somebody published.
pub struct Message {
    /// The subject it was published on, as the publisher named it.
    pub subject: String,
    /// What was published.
    pub bytes: Bytes,
    pub(super) back: Option<Back>,
}

/// The way to whoever asked.
pub(super) enum Back {
    Local(local::Back),
    Nats(nats::Back),
}

impl Message {
    /// Whether somebody waits for a reply.
    pub fn is_question(&self) -> bool {
        self.back.is_some()
    }

    /// Answers whoever asked, as publishing does: at once, if all goes well. What
    /// was no question is not answered.
    pub fn reply(&self, bytes: impl Into<Bytes>) {
        match &self.back {
            Some(Back::Local(back)) => back.send(bytes.into()),
            Some(Back::Nats(back)) => back.send(bytes.into()),
            None => {}
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("subject", &self.subject)
            .field("bytes", &self.bytes)
            .field("is_question", &self.is_question())
            .finish()
    }
}

/// Tells one who listens. If that panics, it costs them this message and nobody else.
pub(super) fn tell(hear: &Hear, message: Message) {
    let subject = message.subject.clone();
    if catch_unwind(AssertUnwindSafe(|| hear(message))).is_err() {
        tracing::error!(subject, "whoever listens on the bus panicked");
    }
}
