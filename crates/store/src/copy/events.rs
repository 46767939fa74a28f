//! What others are told, as it is copied. Leases are not: nobody holds any there.

use super::kinds::Type::{Bool, Int, Text};
use super::kinds::{Kind, kind};

pub(super) const OUTBOX: Kind = kind(
    "outbox",
    "outbox",
    1,
    5_000,
    &[
        ("id", Int),
        ("at", Int),
        ("type", Text),
        ("table_id", Int),
        ("version", Int),
        ("xid", Int),
        ("report", Int),
    ],
);

/// Places mean the same in the copy: what is written there comes after all of it.
pub(super) const CURSORS: Kind = kind(
    "event cursors",
    "event_cursors",
    1,
    100,
    &[("name", Text), ("xid", Int), ("id", Int)],
);

pub(super) const WEBHOOKS: Kind = kind(
    "webhooks",
    "webhooks",
    1,
    1_000,
    &[
        ("id", Int),
        ("account", Int),
        ("url", Text),
        ("kinds", Int),
        ("everything", Bool),
        ("secret", Text),
        ("old_secret", Text),
        ("old_until", Int),
        ("created_at", Int),
    ],
);

pub(super) const DELIVERIES: Kind = kind(
    "deliveries",
    "deliveries",
    1,
    5_000,
    &[
        ("id", Int),
        ("webhook", Int),
        ("queue", Int),
        ("xid", Int),
        ("event", Int),
        ("at", Int),
        ("type", Text),
        ("table_id", Int),
        ("version", Int),
        ("report", Int),
        ("state", Text),
        ("tries", Int),
        ("next_at", Int),
        ("claimed_until", Int),
        ("status", Int),
        ("error", Text),
        ("created_at", Int),
        ("ended_at", Int),
    ],
);
