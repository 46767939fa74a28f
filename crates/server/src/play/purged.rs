//! What the server has forgotten, because nobody needs it any more.

use std::sync::atomic::AtomicU64;

/// How many were forgotten since the start.
#[derive(Default)]
pub struct Purged {
    /// Guests who never played.
    pub guests: AtomicU64,
    /// Tokens that had ended.
    pub tokens: AtomicU64,
    /// Idempotency keys.
    pub keys: AtomicU64,
    /// Events that others could ask for.
    pub events: AtomicU64,
    /// What was told to players, and codes that were sent by mail.
    pub notifications: AtomicU64,
    /// Deliveries to webhooks.
    pub deliveries: AtomicU64,
}
