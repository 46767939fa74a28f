//! Rooms, remembered answers, and what the server notes about itself.

use super::walk::{Subject, nothing_else, plain, table};

pub(super) const CHAT: Subject = Subject {
    name: "chat",
    from: "chat c LEFT JOIN tables t ON t.id = c.table_id LEFT JOIN accounts a ON a.number = c.account",
    key: &["c.table_id", "c.id"],
    shown: &["c.account"],
    about: |values| {
        format!(
            "{}, line {} of account {}",
            table(&values[0]),
            plain(&values[1]),
            plain(&values[2])
        )
    },
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        ("a.number IS NULL", "the account does not exist"),
        ("c.id < 0", "no line can have this id"),
        (
            "c.role NOT IN ('player', 'observer', 'moderator')",
            "the speaker's role is unknown",
        ),
        (
            "c.audience NOT IN ('room', 'observers')",
            "whom it is for is unknown",
        ),
        (
            "c.notice NOT IN (0, 1)",
            "it does not say whether it is a notice",
        ),
        (
            "c.at NOT BETWEEN 0 AND ?1",
            "it was said at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const ROOM_BANS: Subject = Subject {
    name: "room_bans",
    from: "room_bans b LEFT JOIN tables t ON t.id = b.table_id LEFT JOIN accounts a ON a.number = b.account
             LEFT JOIN accounts j ON j.number = b.by",
    key: &["b.table_id", "b.account"],
    shown: &[],
    about: |values| format!("{}, ban of account {}", table(&values[0]), plain(&values[1])),
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        ("a.number IS NULL", "the account does not exist"),
        ("j.number IS NULL", "whoever decided it does not exist"),
        ("b.kind NOT IN ('muted', 'removed')", "its kind is unknown"),
        ("b.at NOT BETWEEN 0 AND ?1", "it was decided at an impossible time"),
    ],
    also: nothing_else,
};

/// A version may be in the journal alone.
pub(super) const IDEMPOTENCY_KEYS: Subject = Subject {
    name: "idempotency_keys",
    from: "idempotency_keys k LEFT JOIN tables t ON t.id = k.table_id LEFT JOIN accounts a ON a.number = k.account
             LEFT JOIN (SELECT table_id, max(version) AS version FROM journal GROUP BY table_id) j
               ON j.table_id = k.table_id",
    key: &["k.account", "k.key"],
    shown: &["k.table_id"],
    about: |values| format!("{}, remembered answer to account {}", table(&values[2]), plain(&values[0])),
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        ("a.number IS NULL", "the account does not exist"),
        (
            "t.id IS NOT NULL AND k.version NOT BETWEEN 1 AND max(t.version, ifnull(j.version, 0))",
            "the table never had this version",
        ),
        ("typeof(k.request) <> 'blob' OR length(k.request) <> 32", "the request's hash does not have 32 bytes"),
        ("k.at NOT BETWEEN 0 AND ?1", "it was given at an impossible time"),
    ],
    also: nothing_else,
};

pub(super) const META: Subject = Subject {
    name: "meta",
    from: "meta m",
    key: &["m.key"],
    shown: &[],
    about: |values| format!("meta {}", plain(&values[0])),
    wrong_if: &[
        (
            "m.key NOT IN ('alive_at', 'seq', 'pings', 'setup_code')",
            "nobody knows this number",
        ),
        (
            "typeof(m.value) <> 'integer' OR m.value < 0",
            "it is not a number from 0 on",
        ),
        (
            "m.key = 'alive_at' AND m.value > ?1",
            "the server was up at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const OUTAGES: Subject = Subject {
    name: "outages",
    from: "outages o",
    key: &["o.down_since"],
    shown: &[],
    about: |values| format!("outage since {}", plain(&values[0])),
    wrong_if: &[
        ("o.up_at < o.down_since", "it ended before it began"),
        (
            "o.down_since < 0 OR o.up_at > ?1",
            "it was at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const AUDIT: Subject = Subject {
    name: "audit",
    from: "audit e",
    key: &["e.id"],
    shown: &[],
    about: |values| format!("audit entry {}", plain(&values[0])),
    wrong_if: &[
        (
            "e.at NOT BETWEEN 0 AND ?1",
            "it was written at an impossible time",
        ),
        (
            "e.actor = '' OR e.action = ''",
            "it does not say who did what",
        ),
    ],
    also: nothing_else,
};
