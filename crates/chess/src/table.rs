//! What hosting needs to know of a game, whatever its rules.
//!
//! A table is a pure state machine. Hosting it, storing it, waking it at its
//! deadline and recovering it after a crash use these functions and nothing
//! else, so they are written once for every set of rules.

use std::fmt;
use std::num::NonZeroU32;

use crate::Timestamp;
use crate::rating::Effect;
use crate::telling::Kinds;

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

/// A time in which the server was down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// The last moment the server is known to have been up.
    pub down_since: Timestamp,
    /// When it was up again.
    pub up_at: Timestamp,
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

/// Where a table stands, whatever its rules. Nothing leaves the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// For somebody to join.
    Waiting,
    /// It is being played.
    Active,
    /// It stands still.
    Paused,
    /// It is over.
    Completed,
}

impl State {
    /// All there are.
    pub const ALL: [State; 4] = [
        State::Waiting,
        State::Active,
        State::Paused,
        State::Completed,
    ];

    /// Its name on the wire and in the store.
    pub const fn name(self) -> &'static str {
        match self {
            State::Waiting => "WAITING",
            State::Active => "ACTIVE",
            State::Paused => "PAUSED",
            State::Completed => "COMPLETED",
        }
    }

    /// The state of that name.
    pub fn named(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What lists and reports ask of a table, whatever its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Where it stands.
    pub state: State,
    /// Who made it.
    pub creator: PlayerId,
    /// The only one who may join, if it is meant for someone.
    pub opponent: Option<PlayerId>,
    /// White.
    pub white: Option<PlayerId>,
    /// Black.
    pub black: Option<PlayerId>,
    /// Whether only invited names may see it.
    pub private: bool,
    /// How far behind spectators are, in milliseconds.
    pub delay_ms: u32,
    /// Who may see a private one besides the players.
    pub invited: Vec<PlayerId>,
    /// The variant's name on the wire.
    pub variant: &'static str,
    /// Whether ratings change.
    pub rated: bool,
    /// The speed's name on the wire.
    pub speed: &'static str,
    /// What each clock starts with, in milliseconds.
    pub initial_ms: Option<u32>,
    /// What each move adds, in milliseconds.
    pub increment_ms: Option<u32>,
    /// White's clock as of the last change, in milliseconds.
    pub white_clock_ms: Option<u32>,
    /// Black's clock as of the last change, in milliseconds.
    pub black_clock_ms: Option<u32>,
    /// `w` or `b`.
    pub side_to_move: char,
    /// The half-moves played.
    pub ply: u32,
    /// The position.
    pub fen: String,
    /// How it ended: `white_wins`, ...
    pub result: Option<&'static str>,
    /// Why it ended: `checkmate`, ...
    pub reason: Option<&'static str>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When the opponent joined.
    pub started_at: Option<Timestamp>,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// One half-move of a finished game, as a database wants it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRow {
    /// From 1.
    pub ply: u32,
    /// As in a score sheet: one number for White's and Black's move.
    pub move_number: u32,
    /// `w` or `b`.
    pub color: char,
    /// In UCI.
    pub uci: String,
    /// In standard algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen_after: String,
    /// When it was received.
    pub played_at: Timestamp,
    /// What the mover took for it, in milliseconds.
    pub elapsed_ms: u32,
    /// White's clock after it, in milliseconds.
    pub white_clock_ms: Option<u32>,
    /// Black's clock after it, in milliseconds.
    pub black_clock_ms: Option<u32>,
}

/// A game that begins: two sit down to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beginning {
    /// The two.
    pub players: [PlayerId; 2],
    /// Whether they have to be there while it goes on.
    pub is_real_time: bool,
}

/// A game of some rules, as the server hosts it.
pub trait Table: Clone + Sized + Send + Sync + 'static {
    /// What one may ask for.
    type Command: Send;
    /// What can have happened.
    type Event: Clone + Send;
    /// Why something was not done.
    type Refusal: Send;
    /// What is worked out of a change by the first who needs it, for all who do.
    type Report: Default + Send + Sync;

    /// The number of its rules in the store.
    fn kind(&self) -> u8;

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

    /// Where it stands.
    fn state(&self) -> State;

    /// Whether the code by which it is joined still leads here. When it does
    /// not, another table may have it.
    fn keeps_code(&self) -> bool {
        self.state() == State::Waiting
    }

    /// Whether lists show it as they did before, but for what every move changes.
    fn is_listed_as(&self, before: &Self) -> bool {
        self.state() == before.state()
    }

    /// Whether two sit down to play, or go on, with the change that made this of
    /// `before`, which was not there if it is new. A set of rules whose games nobody
    /// waits for in a queue need not say.
    fn begins(&self, _before: Option<&Self>) -> Option<Beginning> {
        None
    }

    /// What the change from `before` means for ratings; nothing unless the rules
    /// know any.
    fn rates(&self, _before: Option<&Self>) -> Option<Effect> {
        None
    }

    /// What others may want to be told of the change that made this of `before`, which
    /// was not there if it is new. The moves of games that take days always, those of
    /// others only if `every_move` is wanted. That ratings changed is not for the rules
    /// to say.
    fn tells(&self, _before: Option<&Self>, _every_move: bool) -> Kinds {
        Kinds::NONE
    }

    /// When it last changed.
    fn last_at(&self) -> Timestamp;

    /// The one who made it, and the one who joined or is meant to.
    fn players(&self) -> [Option<PlayerId>; 2];

    /// The command by which the server asks the table to look at its clock.
    fn tick(host_seen: Timestamp) -> Self::Command;

    /// The command by which the server gives back its own downtimes, earliest first.
    fn credit(outages: Vec<Outage>) -> Self::Command;

    /// What lists and reports ask for.
    fn summary(&self) -> Summary;

    /// The moves one by one.
    fn score_sheet(&self) -> Vec<MoveRow>;

    /// The whole history, packed. It only ever grows at the end: the
    /// encoding of an earlier version is a prefix of it.
    fn encode(&self) -> Vec<u8>;

    /// What has been added to the encoding of an `earlier` version. Unlike the
    /// whole, this costs no more in a long game than in a short one.
    fn encoded_since(&self, earlier: &Self) -> Vec<u8>;

    /// Reads the one change that [`Table::encoded_since`] this table gave, as
    /// somebody else made it, and when: to be applied by [`Table::evolve`].
    ///
    /// # Errors
    /// [`Corrupt`] if the bytes are not one change that can follow here.
    fn read_next(&self, added: &[u8]) -> Result<(Timestamp, Self::Event), Corrupt>;

    /// Rebuilds a table of the rules with that number by replaying its
    /// history; `None` if it is not of these rules, [`Corrupt`] if the bytes
    /// are not the history of a possible game.
    fn restore(kind: u8, bytes: &[u8]) -> Option<Result<Self, Corrupt>>;
}
