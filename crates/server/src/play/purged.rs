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
}
