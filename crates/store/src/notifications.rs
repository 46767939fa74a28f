//! Whom to tell, where, and what was told.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::TableId;

/// A way of telling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// A letter.
    Email,
    /// A browser's own.
    Push,
    /// The account's own stream: told by being written.
    Stream,
    /// Nobody is told: it is looked at when it is due.
    Plan,
}

impl Channel {
    const ALL: [Channel; 4] = [
        Channel::Email,
        Channel::Push,
        Channel::Stream,
        Channel::Plan,
    ];

    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Email => "email",
            Channel::Push => "push",
            Channel::Stream => "stream",
            Channel::Plan => "plan",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Channel> {
        Channel::ALL.into_iter().find(|some| some.name() == name)
    }
}

/// Something to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNotification {
    /// One per event, account and way of telling: the same is written once.
    pub key: String,
    /// Whom.
    pub account: PlayerId,
    /// What kind of thing.
    pub kind: String,
    /// How.
    pub channel: Channel,
    /// The table it is about.
    pub table: Option<TableId>,
    /// The version of the table.
    pub version: u32,
    /// Which browser.
    pub subscription: Option<u64>,
    /// When it happened.
    pub at: Timestamp,
    /// When to tell it.
    pub due_at: Timestamp,
}

/// Something that is, or was, to be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Later ones have larger ids.
    pub id: u64,
    /// What it is.
    pub what: NewNotification,
    /// How often it was tried, this time included.
    pub tries: u32,
    /// Until when somebody has it in hand, if so.
    pub claimed_until: Timestamp,
    /// Whether having it in hand counts as a try: what only comes along with another does not.
    pub is_tried: bool,
}

impl Notification {
    /// What somebody has in hand who has this.
    pub fn held(&self) -> Held {
        Held {
            id: self.id,
            until: self.claimed_until,
            is_tried: self.is_tried,
        }
    }
}

/// Something that is in hand: what became of it counts while it is in nobody else's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// Its number.
    pub id: u64,
    /// Until when: nobody else's claim ends in the same moment.
    pub until: Timestamp,
    /// Whether this counts as a try.
    pub is_tried: bool,
}

/// Which of those that are due to take in hand, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotificationClaim {
    /// Those that are told in this way.
    pub channel: Channel,
    /// Those that are due at this time.
    pub now: Timestamp,
    /// After that somebody else may.
    pub until: Timestamp,
    /// At most so many.
    pub limit: u32,
    /// At most so many of one account, with those that anybody has in hand already.
    pub per_account: u32,
}

/// What became of something that was to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// It was told.
    Sent(Timestamp),
    /// Nobody needs to be told any more, or can be.
    Dropped(Timestamp),
    /// To be tried again then.
    Later(Timestamp),
    /// To be told then; this was no try.
    Put(Timestamp),
}

/// A step of somebody who reads the outbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutboxStep {
    /// Who reads.
    pub name: String,
    /// Which node does.
    pub holder: u64,
    /// Where they were.
    pub from: String,
    /// Where they are afterwards.
    pub to: String,
}

/// What is known of the address of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address it is known of.
    pub email: String,
    /// Since when it is known that its owner reads it.
    pub confirmed_at: Option<Timestamp>,
    /// When mail was refused for good.
    pub bounced_at: Option<Timestamp>,
}

/// What something that was sent by mail is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MailPurpose {
    /// Shows that somebody reads an address.
    Confirm,
    /// Opens the way to a new password.
    Reset,
}

impl MailPurpose {
    /// Its name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MailPurpose::Confirm => "confirm",
            MailPurpose::Reset => "reset",
        }
    }

    pub(crate) fn named(name: &str) -> Option<MailPurpose> {
        let all = [MailPurpose::Confirm, MailPurpose::Reset];
        all.into_iter().find(|some| some.name() == name)
    }
}

/// Something that was sent by mail to be brought back, once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailToken {
    /// The hash of what was sent.
    pub hash: [u8; 32],
    /// Whose it is.
    pub account: PlayerId,
    /// What it is for.
    pub purpose: MailPurpose,
    /// Where it was sent.
    pub email: String,
    /// Until when it counts.
    pub expires_at: Timestamp,
}

/// A browser that somebody wants to be told in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscription {
    /// Later ones have larger ids; 0 before it is kept.
    pub id: u64,
    /// Whose.
    pub account: PlayerId,
    /// Where to send what is to be told.
    pub endpoint: String,
    /// The browser's public key.
    pub p256dh: Vec<u8>,
    /// What only the browser and we know.
    pub auth: Vec<u8>,
    /// Since when.
    pub created_at: Timestamp,
}

/// An address as it is looked for.
pub(crate) fn folded(email: &str) -> String {
    email.to_ascii_lowercase()
}
