//! Durable truth: tables (games), their rooms' chat, accounts, tokens, the audit trail.
//!
//! One [`Store`], its backend chosen by URL. What is acknowledged here is on
//! disk. Nothing in this crate knows HTTP or what a client looks like, and no
//! SQL stands outside it.
//!
//! How a backend keeps tables is its own business. The embedded one appends a
//! record per change to a journal and brings the tables' rows up to date in its own
//! time (`behind`); whoever uses the store sees nothing of it.

mod accounts;
mod aliases;
mod analyses;
mod attempts;
mod behind;
mod callback;
mod chat;
mod copy;
mod correspondence;
#[cfg(feature = "damage")]
pub mod damage;
mod error;
mod fair;
mod finished;
mod flaws;
mod id_map;
mod ids;
mod inspector;
mod list_sql;
mod loss;
pub mod memory;
mod nodes;
mod notifications;
mod outbox;
mod played;
mod postgres;
mod ratings;
mod seats;
mod setup;
mod social;
mod sqlite;
mod stats;
mod store;
mod stored;
mod tables;
mod tickets;
mod webhooks;

pub use accounts::{
    Account, AccountKind, AuditEntry, Creation, NewAccount, NewToken, OutsideIdentity,
    ProfileChange, Token, TokenKind,
};
pub use aliases::{Adopting, Adoption, Becoming, GuestRegistration};
pub use analyses::{ANALYSIS_ATTEMPTS_MAX, Analysis, AnalysisAsked, NewAnalysis};
pub use attempts::{Counting, Share};
pub use chat::{Ban, BanKind, ChatFilter, ChatLine, ChatNumbering, NewChatLine, NextChatId};
pub use chess::telling::{Kind as EventKind, Kinds as EventKinds};
pub use copy::{CopyReport, CopyStep};
pub use correspondence::{Plan, Vacation};
pub use error::Error;
pub use fair::{
    Decided, Deciding, NewNotice, NewReport, Notice, Report, Reporting, Sanction, SanctionKind,
    Signal, Verdict,
};
pub use finished::{Finished, FinishedPlace, FinishedQuery};
pub use flaws::{FileReport, Flaw, FlawPage, JournalRecords, RowPage};
pub use id_map::{IdHasher, IdMap, shard_of};
pub use ids::{BadTableId, TableId};
pub use inspector::Inspector;
pub use loss::Loss;
pub use nodes::{
    Beat, DEAD_AFTER, Node, NodeId, Pulse, REVOCATIONS_HEARD_MAX, Revocation, Revoked, SILENCE,
    Standing,
};
pub use notifications::{
    Address, Channel, Held, MailPurpose, MailToken, NewNotification, Notification,
    NotificationClaim, OutboxStep, Settled, Subscription,
};
pub use outbox::{BadEventPlace, EventPlace, OutboxEvent, OutboxPage, OutboxQuery};
pub use played::{Played, PlayedQuery};
pub use ratings::{
    LeaderboardQuery, PROGRESS_GAMES, Place, PlayerRating, RatedGame, Rates, RatingProfile,
    RatingStep,
};
pub use setup::{FirstAdmin, Installed};
pub use social::{Accept, ChallengeRule};
pub use sqlite::{Lock, real_path, schema, sync_directory};
pub use stats::{LATENCY_BOUNDS_US, ReplicaStats, Stats};
pub use store::{Archived, Store};
pub use stored::{StoredRow, StoredSummary};
pub use tables::{
    Change, Cursor, Done, Due, Head, JournalRecord, ListQuery, Listed, Past, PlayerOutcome,
    Remembered, Row, Snapshot, Stored, Telling, TimeReset, ToRow, Upcoming, Upkeep,
};
pub use tickets::{Begins, Queued, Ticket, TicketFate, Wish};
pub use webhooks::{
    Backlog, Claim, Delivery, DeliveryState, FannedOut, MovesWanted, NewWebhook, Then, Tried,
    Webhook,
};
