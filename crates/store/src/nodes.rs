//! The servers that share a store, and what they learn of each other by it.
//!
//! Each writes a heartbeat a few times a second. With the same question it hears
//! what it must not miss whatever the bus does: who else is there, which tokens
//! were taken back, and whether there was a time in which nobody was there.

use chess::table::{Outage, PlayerId};
use chess::{Millis, Timestamp};

use crate::{OutsideIdentity, TableId, Token};

/// A server among those that share a store: one run of it. No number is used
/// again; zero is nobody, as in a store that only one server can use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The one server of a store that is not shared.
    pub const ALONE: NodeId = NodeId(0);
}

/// After how long without a sign of any server nobody was there: that time is
/// given back to the players. A node that has not been heard of for nearly as long
/// must have stopped deciding anything by then.
pub const SILENCE: Millis = Millis(1_000);

/// After how long without a heartbeat a node counts as dead, and others take over
/// what it watched.
pub const DEAD_AFTER: Millis = Millis(2_000);

/// What a node says with its heartbeat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beat {
    /// Who.
    pub node: NodeId,
    /// Since when it could make no change, if so: this heartbeat ends that.
    pub down_since: Option<Timestamp>,
    /// The last revocation it has heard of.
    pub revocation: u64,
    /// The last outage it has heard of.
    pub outage: u64,
}

/// What a node hears when its heartbeat is durable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pulse {
    /// The store's clock, in microseconds since 1970.
    pub at_us: u64,
    /// Every node that has not been forgotten, itself too, in the order of their ids.
    pub nodes: Vec<Node>,
    /// Rights that ended since those it had heard of, in their order.
    pub revocations: Vec<Revocation>,
    /// Outages since those it had heard of, with their numbers, in their order.
    pub outages: Vec<(u64, Outage)>,
}

/// A node, as the store knows it at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Which.
    pub id: NodeId,
    /// What its operator calls it.
    pub name: String,
    /// Its last sign of life, by the store's clock.
    pub seen_at: Timestamp,
    /// Whether it said that it goes.
    pub has_left: bool,
}

impl Node {
    /// Whether it counts as being there.
    pub fn is_live(&self, now: Timestamp) -> bool {
        !self.has_left && now.since(self.seen_at) < DEAD_AFTER
    }
}

/// How many revocations a node hears of at a time. If there are more, it hears of
/// the newest, and finds by their numbers that it missed some.
pub const REVOCATIONS_HEARD_MAX: usize = 1_000;

/// A right that ended before its time, so that every node forgets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// Its number: they rise by one, in the order in which they became durable.
    /// Whoever finds a gap missed something, and forgets everything.
    pub number: u64,
    /// What ended.
    pub what: Revoked,
}

/// What ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revoked {
    /// A token, by the hash of its secret.
    Token([u8; 32]),
    /// What is known of an account changed (its name, its title, that it is barred):
    /// whatever is remembered of it is out of date.
    Account(PlayerId),
    /// What is known of an identity of an outside service changed.
    Identity {
        /// The `iss` of its tokens.
        issuer: String,
        /// Their `sub`.
        subject: String,
    },
}

impl Revoked {
    /// Tokens that ended: each of them, and after them their owners, whose streams
    /// look whether they may go on. A node may have a stream by a token that it
    /// does not remember any more.
    pub(crate) fn tokens(gone: &[Token]) -> Vec<Revoked> {
        let hashes = gone.iter().map(|token| Revoked::Token(token.hash));
        let mut owners: Vec<PlayerId> = gone.iter().map(|token| token.account).collect();
        owners.dedup();
        hashes
            .chain(owners.into_iter().map(Revoked::Account))
            .collect()
    }
}

impl From<&OutsideIdentity> for Revoked {
    fn from(who: &OutsideIdentity) -> Revoked {
        Revoked::Identity {
            issuer: who.issuer.clone(),
            subject: who.subject.clone(),
        }
    }
}

/// How far a table has come, as the store has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Which.
    pub table: TableId,
    /// Its version.
    pub version: u32,
    /// The id of its newest chat line; zero if there is none.
    pub chat: u64,
}
