//! What hosting needs to know of a game, whatever its rules.
//!
//! A table is a pure state machine. Hosting it, storing it, waking it at its
//! deadline and recovering it after a crash use these functions and nothing
//! else, so they are written once for every set of rules.

use std::fmt;
use std::num::NonZeroU32;

use crate::Timestamp;

/// An account's number. Names belong to the accounts; games know numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(pub NonZeroU32);

impl PlayerId {
    /// The player with that number; zero is nobody.
    pub fn new(number: u32) -> Option<PlayerId> {
        NonZeroU32::new(number).map(PlayerId)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0.get()
    }
}

/// Who asks for a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// Someone with an account, at the table or not.
    Player(PlayerId),
    /// The server itself: timers and recovery.
    Server,
    /// An operator with the right to intervene.
    Operator,
}

/// What a table says to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict<E, R> {
    /// The one change to record.
    Change(E),
    /// Already in effect: answer as at that version, record nothing.
    Already(u32),
    /// Not allowed; nothing changes.
    Refused(R),
    /// Not allowed, and the attempt showed that something else is due: a flag
    /// that has fallen, a forfeit. That is recorded; the submitter is refused.
    RefusedBut {
        /// What the submitter is told.
        why: R,
        /// What is recorded.
        consequence: E,
    },
}

/// Stored bytes that are no table: where it went wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corrupt {
    /// The version at which reading failed.
    pub version: u32,
    /// What was wrong.
    pub why: &'static str,
}

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "stored game is corrupt at version {}: {}",
            self.version, self.why
        )
    }
}

impl std::error::Error for Corrupt {}

/// A game of some rules, as the server hosts it.
pub trait Table: Clone + Sized + Send + Sync + 'static {
    /// What one may ask for.
    type Command: Send;
    /// What can have happened.
    type Event: Clone + Send;
    /// Why something was not done.
    type Refusal: Send;

    /// Judges a command without changing anything. `now` is when the command
    /// was received.
    fn decide(
        &self,
        now: Timestamp,
        who: Actor,
        command: &Self::Command,
    ) -> Verdict<Self::Event, Self::Refusal>;

    /// Applies a change that was decided: the next version.
    fn evolve(&mut self, at: Timestamp, event: &Self::Event);

    /// The number of changes so far; creation is 1.
    fn version(&self) -> u32;

    /// When the table must be looked at even if nobody speaks. `host_seen` is
    /// when the one who waits for an opponent was last seen.
    fn next_deadline(&self, host_seen: Timestamp) -> Option<Timestamp>;

    /// Whether nothing can change any more.
    fn is_over(&self) -> bool;

    /// The whole history, packed. Appending the encoding of each further
    /// event ([`Table::tail`]) gives the encoding of the later table.
    fn encode(&self) -> &[u8];

    /// The packed form of the events after `version`.
    fn tail(&self, version: u32) -> &[u8];

    /// Rebuilds the table by replaying its history.
    ///
    /// # Errors
    /// [`Corrupt`] if the bytes are not the history of a possible game.
    fn decode(bytes: &[u8]) -> Result<Self, Corrupt>;
}
