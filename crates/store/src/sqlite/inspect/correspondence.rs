//! What the players of slow games decide for days ahead.

use super::walk::{Subject, nothing_else, plain, table};

pub(super) const CONDITIONAL_MOVES: Subject = Subject {
    name: "conditional_moves",
    from: "conditional_moves c LEFT JOIN tables t ON t.id = c.table_id LEFT JOIN accounts a ON a.number = c.account",
    key: &["c.table_id", "c.account"],
    shown: &[],
    about: |values| {
        format!(
            "{}, conditional moves of account {}",
            table(&values[0]),
            plain(&values[1])
        )
    },
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        (
            "a.number IS NULL OR a.deleted_at IS NOT NULL",
            "the account does not exist",
        ),
        (
            "c.account IS NOT t.white AND c.account IS NOT t.black",
            "the account does not play there",
        ),
    ],
    also: nothing_else,
};

pub(super) const VACATIONS: Subject = Subject {
    name: "vacations",
    from: "vacations v LEFT JOIN accounts a ON a.number = v.account",
    key: &["v.account", "v.began_at"],
    shown: &[],
    about: |values| format!("vacation of account {}", plain(&values[0])),
    wrong_if: &[
        (
            "a.number IS NULL OR a.deleted_at IS NOT NULL",
            "the account does not exist",
        ),
        (
            "v.began_at NOT BETWEEN 0 AND ?1 OR v.ends_at < v.began_at",
            "it is at an impossible time",
        ),
    ],
    also: nothing_else,
};
