//! What nodes tell each other: a hint, never the truth.
//!
//! Whatever counts is in the store; the bus only makes others look sooner. So
//! publishing never waits and never fails: what cannot be sent is dropped and
//! counted. Whoever listens must live with losses, which the store repairs.
//!
//! A subject is words between dots (`table.5`). Whoever subscribes may write `*`
//! for any one word and a last `>` for one or more. A bus does not hear itself:
//! what a node has to know of its own doings it knows already.
//!
//! Unlike the rest of this crate the bus waits and spawns: on the runtime that it
//! is given, where also whoever listens is called.

mod asking;
mod local;
mod message;
mod meter;
mod nats;
mod subject;

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use tokio::runtime::Handle;

use self::local::Local;
pub use self::message::Message;
pub use self::meter::Stats;
use self::nats::Nats;

/// How many messages may wait to be sent, or to be heard, before more are lost.
pub const QUEUE: usize = 16_384;

/// One bus, whatever is behind it: cheap to clone, safe to share.
///
/// The choice is made once, at start, by URL. It ends with [`Bus::close`], or when
/// the last clone goes; subscriptions and messages do not keep it.
#[derive(Clone)]
pub struct Bus {
    backend: Backend,
}

#[derive(Clone)]
enum Backend {
    Local(Local),
    Nats(Nats),
}

/// Somebody who listens, for as long as this is kept.
///
/// Once it is dropped nothing more is heard, but for a call that is under way.
#[must_use = "listening ends when this is dropped"]
pub struct Subscription {
    _place: Place,
}

/// What takes the listener off its bus when it is dropped.
enum Place {
    Local {
        _place: local::Place,
    },
    Nats {
        _place: nats::Place,
    },
    /// The subject can be nobody's.
    Nowhere,
}

/// Why there is no such bus, in a sentence for operators; passwords are not in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadUrl(String);

impl Bus {
    /// Opens the bus that a URL names: `local:`, within this process, or
    /// `nats://[user:password@]host[:port]` (`tls://` to insist on TLS), several
    /// of them between commas.
    ///
    /// It is there at once, whether or not a server can be reached yet; that is
    /// tried again and again. `space` keeps clusters apart that share a server: a
    /// word of letters, digits, `-` and `_`. A NATS server must let its user
    /// publish and subscribe to `arbiter.SPACE.>` and `_INBOX.>`.
    ///
    /// # Errors
    /// Only if the URL or the space makes no sense.
    pub fn open(url: &str, space: &str, handle: Handle) -> Result<Bus, BadUrl> {
        if !subject::is_word(space) {
            return Err(BadUrl(format!(
                "'{space}' cannot name a space of the bus: letters, digits, '-' and '_' can"
            )));
        }
        let backend = match url {
            "local" | "local:" => Backend::Local(Local::open(handle)),
            _ => Backend::Nats(Nats::open(url, space, handle)?),
        };
        Ok(Bus { backend })
    }

    /// Another bus beside this one, as another node has it: the two hear each other.
    pub fn another(&self) -> Bus {
        let backend = match &self.backend {
            Backend::Local(local) => Backend::Local(local.another()),
            Backend::Nats(nats) => Backend::Nats(nats.another()),
        };
        Bus { backend }
    }

    /// Tells all others who listen on a subject, if all goes well: from any
    /// thread, at once. Those of one thread are heard in their order.
    pub fn publish(&self, subject: &str, bytes: impl Into<Bytes>) {
        match &self.backend {
            Backend::Local(local) => local.publish(subject, bytes.into()),
            Backend::Nats(nats) => nats.publish(subject, bytes.into()),
        }
    }

    /// Has `hear` called with whatever others publish on a subject: from any
    /// thread, at once. What this bus publishes from then on, everybody gets after
    /// the subscription is in force.
    ///
    /// `hear` is called by the bus's task, where everybody else waits meanwhile:
    /// it must be quick, and if it blocks the whole runtime may stand still. It may
    /// use the bus; a handle that it keeps also keeps the bus. Of one publisher and
    /// subject, messages are heard in order.
    pub fn subscribe(
        &self,
        subject: &str,
        hear: impl Fn(Message) + Send + Sync + 'static,
    ) -> Subscription {
        let place = if !subject::is_pattern(subject) {
            tracing::error!(subject, "nobody can subscribe to this");
            Place::Nowhere
        } else {
            match &self.backend {
                Backend::Local(local) => Place::Local {
                    _place: local.subscribe(subject, Box::new(hear)),
                },
                Backend::Nats(nats) => Place::Nats {
                    _place: nats.subscribe(subject, Box::new(hear)),
                },
            }
        };
        Subscription { _place: place }
    }

    /// Asks all others who listen on a subject, and gives back what they answered
    /// ([`Message::reply`]): when as many as expected have, when the time is over,
    /// or at once if nobody listens or the question cannot be sent.
    ///
    /// To be awaited in a runtime with timers.
    pub async fn ask(
        &self,
        subject: &str,
        bytes: impl Into<Bytes>,
        expected: usize,
        within: Duration,
    ) -> Vec<Bytes> {
        let asked = match &self.backend {
            Backend::Local(local) => local.ask(subject, bytes.into(), expected),
            Backend::Nats(nats) => nats.ask(subject, bytes.into(), expected),
        };
        asked.answers(within).await
    }

    /// Asks something of the server of the bus itself, on a subject as it is, such as
    /// to keep a message; nothing if no answer came in time, or there is no server.
    ///
    /// To be awaited in a runtime with timers.
    pub async fn request(
        &self,
        subject: &str,
        headers: &[(&str, &str)],
        bytes: Bytes,
        within: Duration,
    ) -> Option<Bytes> {
        match &self.backend {
            Backend::Local(_) => None,
            Backend::Nats(nats) => nats.request(subject, headers, bytes, within).await,
        }
    }

    /// Whether others can be reached, as far as this is known.
    pub fn is_connected(&self) -> bool {
        self.stats().is_connected
    }

    /// Whether other processes can be on this bus.
    pub fn is_shared(&self) -> bool {
        matches!(self.backend, Backend::Nats(_))
    }

    /// What the bus has done since it was opened.
    pub fn stats(&self) -> Stats {
        match &self.backend {
            Backend::Local(local) => local.stats(),
            Backend::Nats(nats) => nats.stats(),
        }
    }

    /// Sends what was published, for a second at most, and ends the bus: nobody
    /// hears anything more, and what is published is dropped.
    pub async fn close(&self) {
        match &self.backend {
            Backend::Local(local) => local.close(),
            Backend::Nats(nats) => nats.close().await,
        }
    }
}

impl fmt::Display for BadUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadUrl {}
