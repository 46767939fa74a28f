//! Whom to tell, where, and what was told.

use super::walk::{Subject, nothing_else, plain};

/// What every row of these must be: of an account that is there.
const NOBODYS: (&str, &str) = ("a.number IS NULL", "the account does not exist");
const DELETED: (&str, &str) = ("a.deleted_at IS NOT NULL", "the account was deleted");

pub(super) const ADDRESSES: Subject = Subject {
    name: "addresses",
    from: "addresses d LEFT JOIN accounts a ON a.number = d.account",
    key: &["d.account"],
    shown: &[],
    about: |values| format!("address of account {}", plain(&values[0])),
    wrong_if: &[NOBODYS, DELETED],
    also: nothing_else,
};

pub(super) const SETTINGS: Subject = Subject {
    name: "notification_settings",
    from: "notification_settings s LEFT JOIN accounts a ON a.number = s.account",
    key: &["s.account"],
    shown: &[],
    about: |values| format!("notification settings of account {}", plain(&values[0])),
    wrong_if: &[
        NOBODYS,
        DELETED,
        ("NOT json_valid(s.settings)", "they are no JSON"),
    ],
    also: nothing_else,
};

pub(super) const SUBSCRIPTIONS: Subject = Subject {
    name: "push_subscriptions",
    from: "push_subscriptions p LEFT JOIN accounts a ON a.number = p.account",
    key: &["p.id"],
    shown: &[],
    about: |values| format!("push subscription {}", plain(&values[0])),
    wrong_if: &[
        NOBODYS,
        DELETED,
        (
            "length(p.p256dh) <> 65 OR length(p.auth) <> 16",
            "its keys are none",
        ),
    ],
    also: nothing_else,
};

pub(super) const NOTIFICATIONS: Subject = Subject {
    name: "notifications",
    from: "notifications n LEFT JOIN accounts a ON a.number = n.account",
    key: &["n.id"],
    shown: &[],
    about: |values| format!("notification {}", plain(&values[0])),
    wrong_if: &[
        NOBODYS,
        DELETED,
        (
            "(n.done_at IS NULL) <> (n.outcome IS NULL)",
            "it is half told",
        ),
    ],
    also: nothing_else,
};
