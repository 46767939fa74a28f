//! What players decide about each other, and what is decided about them.

use super::walk::{Subject, nothing_else, plain, table};

pub(super) const BLOCKS: Subject = Subject {
    name: "blocks",
    from: "blocks b LEFT JOIN accounts a ON a.number = b.account LEFT JOIN accounts o ON o.number = b.blocked",
    key: &["b.account", "b.blocked"],
    shown: &[],
    about: |values| {
        format!(
            "block of account {} by account {}",
            plain(&values[1]),
            plain(&values[0])
        )
    },
    wrong_if: &[
        ("a.number IS NULL", "the account does not exist"),
        ("o.number IS NULL", "whoever is blocked does not exist"),
        (
            "a.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL",
            "an account of it was deleted",
        ),
        (
            "b.at NOT BETWEEN 0 AND ?1",
            "it was made at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const FOLLOWS: Subject = Subject {
    name: "follows",
    from: "follows f LEFT JOIN accounts a ON a.number = f.account LEFT JOIN accounts o ON o.number = f.followed",
    key: &["f.account", "f.followed"],
    shown: &[],
    about: |values| {
        format!(
            "account {}, who follows account {}",
            plain(&values[0]),
            plain(&values[1])
        )
    },
    wrong_if: &[
        ("a.number IS NULL", "the account does not exist"),
        ("o.number IS NULL", "whoever is followed does not exist"),
        (
            "a.deleted_at IS NOT NULL OR o.deleted_at IS NOT NULL",
            "an account of it was deleted",
        ),
        (
            "f.at NOT BETWEEN 0 AND ?1",
            "it was made at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const REPORTS: Subject = Subject {
    name: "reports",
    from: "reports r LEFT JOIN accounts a ON a.number = r.reporter LEFT JOIN accounts o ON o.number = r.reported",
    key: &["r.id"],
    shown: &[],
    about: |values| format!("report {}", plain(&values[0])),
    wrong_if: &[
        (
            "r.reporter IS NOT NULL AND (a.number IS NULL OR a.deleted_at IS NOT NULL)",
            "whoever said it does not exist",
        ),
        ("o.number IS NULL", "whoever it is about does not exist"),
        (
            "r.at NOT BETWEEN 0 AND ?1",
            "it was made at an impossible time",
        ),
        (
            "(r.decision IS NULL) <> (r.decided_by IS NULL) OR (r.decision IS NULL) <> (r.decided_at IS NULL)",
            "it is half decided",
        ),
    ],
    also: nothing_else,
};

pub(super) const SANCTIONS: Subject = Subject {
    name: "sanctions",
    from: "sanctions s LEFT JOIN accounts a ON a.number = s.account",
    key: &["s.account", "s.kind"],
    shown: &[],
    about: |values| format!("sanction of account {}", plain(&values[0])),
    wrong_if: &[
        ("a.number IS NULL", "the account does not exist"),
        ("s.kind NOT IN ('mute', 'bar_rated')", "its kind is unknown"),
        (
            "s.at NOT BETWEEN 0 AND ?1",
            "it was made at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const NOTICES: Subject = Subject {
    name: "notices",
    from: "notices n LEFT JOIN accounts a ON a.number = n.account",
    key: &["n.id"],
    shown: &["n.account"],
    about: |values| {
        format!(
            "notice {} to account {}",
            plain(&values[0]),
            plain(&values[1])
        )
    },
    wrong_if: &[
        ("a.number IS NULL", "the account does not exist"),
        (
            "n.at NOT BETWEEN 0 AND ?1",
            "it was made at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const SIGNALS: Subject = Subject {
    name: "signals",
    from: "signals s LEFT JOIN tables t ON t.id = s.table_id LEFT JOIN accounts a ON a.number = s.account",
    key: &["s.id"],
    shown: &["s.table_id"],
    about: |values| format!("{}, signal {}", table(&values[1]), plain(&values[0])),
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        ("a.number IS NULL", "the account does not exist"),
    ],
    also: nothing_else,
};
