//! What there is to copy of what is told to players.

use super::kinds::Type::{Bytes, Int, Text};
use super::kinds::{Kind, kind};

pub(super) const SECRETS: Kind = kind(
    "secrets",
    "server_secrets",
    1,
    2_000,
    &[("name", Text), ("value", Bytes)],
);

pub(super) const ADDRESSES: Kind = kind(
    "addresses",
    "addresses",
    1,
    2_000,
    &[
        ("account", Int),
        ("email", Text),
        ("folded", Text),
        ("confirmed_at", Int),
        ("bounced_at", Int),
    ],
);

pub(super) const MAIL_TOKENS: Kind = kind(
    "tokens sent by mail",
    "mail_tokens",
    1,
    2_000,
    &[
        ("hash", Bytes),
        ("account", Int),
        ("purpose", Text),
        ("email", Text),
        ("expires_at", Int),
    ],
);

pub(super) const NOTIFICATION_SETTINGS: Kind = kind(
    "notification settings",
    "notification_settings",
    1,
    2_000,
    &[("account", Int), ("settings", Text)],
);

pub(super) const PUSH_SUBSCRIPTIONS: Kind = kind(
    "push subscriptions",
    "push_subscriptions",
    1,
    2_000,
    &[
        ("id", Int),
        ("account", Int),
        ("endpoint", Text),
        ("p256dh", Bytes),
        ("auth", Bytes),
        ("created_at", Int),
    ],
);

pub(super) const NOTIFY_CURSORS: Kind = kind(
    "readers of the outbox",
    "notify_cursors",
    1,
    2_000,
    &[
        ("name", Text),
        ("place", Text),
        ("holder", Int),
        ("until", Int),
    ],
);

pub(super) const NOTIFICATIONS: Kind = kind(
    "notifications",
    "notifications",
    1,
    5_000,
    &[
        ("id", Int),
        ("key", Text),
        ("account", Int),
        ("kind", Text),
        ("channel", Text),
        ("table_id", Int),
        ("version", Int),
        ("subscription", Int),
        ("at", Int),
        ("due_at", Int),
        ("tries", Int),
        ("claimed_until", Int),
        ("done_at", Int),
        ("outcome", Text),
    ],
);

/// Who is at one there goes on; whoever copies has stopped the server that was.
pub(super) const ANALYSES: Kind = kind(
    "analyses",
    "analyses",
    1,
    200,
    &[
        ("table_id", Int),
        ("asked_by", Int),
        ("asked_at", Int),
        ("leased_until", Int),
        ("attempt", Int),
        ("done", Int),
        ("total", Int),
        ("result", Text),
    ],
);
