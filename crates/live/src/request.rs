//! What is asked of a table, and what comes back.

use std::fmt;
use std::sync::Arc;

use chess::Timestamp;
use chess::table::{Actor, PlayerId, Table};
use chess::tables::{AnyTable, Hosted};
use store::Remembered;

/// A command, who gives it, and when it was received at the door.
pub struct Submission<T: Table> {
    /// Who.
    pub who: Actor,
    /// What.
    pub command: T::Command,
    /// When the door received it.
    pub received: Timestamp,
    /// What is stored with the change.
    pub with: With,
}

/// What is stored with a change, or the change is not made.
#[derive(Clone, Debug, Default)]
pub struct With {
    /// The idempotency key, if the client sent one; table and version are filled in
    /// here.
    pub remember: Option<Remembered>,
    /// The tickets of those who waited for the game that begins with it: they end.
    pub tickets: Vec<u64>,
}

impl From<Option<Remembered>> for With {
    fn from(remember: Option<Remembered>) -> With {
        With {
            remember,
            ..With::default()
        }
    }
}

/// A change that was made, as those around the table are told of it.
pub struct Changed<T: Table> {
    /// The table as it was; none before its creation.
    pub before: Option<Arc<T>>,
    /// The table as it is.
    pub after: Arc<T>,
    /// What happened, unless it was its creation.
    pub event: Option<T::Event>,
    /// What is worked out of it once, for the one who asked for it and for all
    /// who are told.
    pub report: Arc<T::Report>,
    /// What was added to the history; empty if no other node is to hear of it.
    pub payload: Vec<u8>,
    /// Whether another node made it.
    pub is_foreign: bool,
}

/// A table as somebody may see it now.
pub struct View<T> {
    /// The table.
    pub table: Arc<T>,
    /// Whether the store could not say that nothing is newer.
    pub is_stale: bool,
}

/// What became of a submission.
pub enum Outcome<T: Table> {
    /// Accepted, durable, applied.
    Changed {
        /// The table as it was.
        before: Arc<T>,
        /// The table as it is.
        after: Arc<T>,
        /// What happened.
        event: T::Event,
        /// What is worked out of it, shared with those who are told.
        report: Arc<T::Report>,
    },
    /// It was so already: answer as at that version.
    Already {
        /// The version that answered the first time.
        version: u32,
        /// The table as it is.
        table: Arc<T>,
    },
    /// Not allowed.
    Refused {
        /// Why.
        why: T::Refusal,
        /// The table as it is, also after what the attempt brought about.
        table: Arc<T>,
    },
}

impl Outcome<AnyTable> {
    /// The outcome in the words of one set of rules. A table of others is
    /// one that whoever speaks these does not know: [`Failure::NotFound`].
    ///
    /// # Errors
    /// [`Failure::NotFound`].
    pub fn of<T: Hosted>(self) -> Result<Outcome<T>, Failure> {
        let of = |table: &AnyTable| T::of(table).cloned();
        let outcome = match self {
            Outcome::Changed {
                before,
                after,
                event,
                report,
            } => of(&before).zip(of(&after)).zip(T::happened(event)).map(
                |((before, after), event)| Outcome::Changed {
                    before,
                    after,
                    event,
                    report: T::reported(report),
                },
            ),
            Outcome::Already { version, table } => {
                of(&table).map(|table| Outcome::Already { version, table })
            }
            Outcome::Refused { why, table } => T::refused(why)
                .zip(of(&table))
                .map(|(why, table)| Outcome::Refused { why, table }),
        };
        outcome.ok_or(Failure::NotFound)
    }
}

/// Why there is no outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// There is no such table.
    NotFound,
    /// There is one of that id already: choose another.
    Taken,
    /// Too many wait for this table.
    Busy,
    /// The store cannot say; try again later. For the log, not for clients.
    Unavailable(String),
    /// What is stored is no table. For the log, not for clients.
    Corrupt(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NotFound => f.write_str("no such table"),
            Failure::Taken => f.write_str("the id is taken"),
            Failure::Busy => f.write_str("too many requests wait for this table"),
            Failure::Unavailable(why) => write!(f, "unavailable: {why}"),
            Failure::Corrupt(why) => write!(f, "corrupt: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Failure {
        match error {
            store::Error::Conflict => Failure::Unavailable("changed by somebody else".into()),
            store::Error::Unavailable(why) => Failure::Unavailable(why),
            store::Error::Corrupt(why) => Failure::Corrupt(why),
        }
    }
}

/// Called exactly once with what came of it; must be quick.
pub type Reply<V> = Box<dyn FnOnce(Result<V, Failure>) + Send>;

/// Who reads.
#[derive(Clone, Copy)]
pub(crate) enum Reader {
    /// Somebody, who has been seen if they play there.
    Viewer(Option<PlayerId>),
    /// The server itself, which wants to know what is newest.
    Newest,
}

impl Reader {
    pub(crate) fn viewer(self) -> Option<PlayerId> {
        match self {
            Reader::Viewer(viewer) => viewer,
            Reader::Newest => None,
        }
    }
}

/// What waits for a table.
pub(crate) enum Request<T: Table> {
    Submit {
        submission: Submission<T>,
        reply: Reply<Outcome<T>>,
    },
    Read {
        reader: Reader,
        asked: Timestamp,
        reply: Reply<View<T>>,
    },
    /// The player's last stream was closed.
    Left { player: PlayerId, at: Timestamp },
    /// The table's deadline has come.
    Tick {
        now: Timestamp,
        /// When the one who waits for an opponent was last seen by any node, if
        /// all were asked: `None` within if not all of them answered.
        host: Option<Option<Timestamp>>,
    },
}

impl<T: Table> Request<T> {
    /// When it came.
    pub(crate) fn came(&self) -> Timestamp {
        match self {
            Request::Submit { submission, .. } => submission.received,
            Request::Read { asked, .. } => *asked,
            Request::Left { at, .. } => *at,
            Request::Tick { now, .. } => *now,
        }
    }

    /// The player who was there to make it, if one was.
    pub(crate) fn player(&self) -> Option<PlayerId> {
        match self {
            Request::Submit { submission, .. } => match submission.who {
                Actor::Player(player) => Some(player),
                Actor::Server | Actor::Operator => None,
            },
            Request::Read { reader, .. } => reader.viewer(),
            Request::Left { player, .. } => Some(*player),
            Request::Tick { .. } => None,
        }
    }

    pub(crate) fn fail(self, failure: Failure) {
        match self {
            Request::Submit { reply, .. } => reply(Err(failure)),
            Request::Read { reply, .. } => reply(Err(failure)),
            Request::Left { .. } | Request::Tick { .. } => {}
        }
    }
}
