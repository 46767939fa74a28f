//! Accounts, and what lets somebody use one.

use rusqlite::types::Value;

use super::walk::{Subject, nothing_else, plain};
use crate::accounts::id_of;

pub(super) const ACCOUNTS: Subject = Subject {
    name: "accounts",
    from: "accounts a",
    key: &["a.number"],
    shown: &["a.id", "a.name", "a.password_hash"],
    about: |values| format!("account {}", plain(&values[0])),
    wrong_if: &[
        (
            "a.number NOT BETWEEN 1 AND 4294967295",
            "no account can have this number",
        ),
        (
            "typeof(a.uuid) <> 'blob' OR length(a.uuid) <> 16",
            "its UUID does not have 16 bytes",
        ),
        (
            "a.kind NOT IN ('registered', 'guest', 'outside')",
            "its kind is unknown",
        ),
        (
            "a.is_admin NOT IN (0, 1)",
            "it does not say whether it is an administrator's",
        ),
        (
            "CASE WHEN json_valid(a.preferences) THEN json_type(a.preferences) <> 'object' ELSE 1 END",
            "its preferences are not a JSON object",
        ),
        (
            "a.created_at NOT BETWEEN 0 AND ?1",
            "it was made at an impossible time",
        ),
        (
            "a.deleted_at NOT BETWEEN a.created_at AND ?1",
            "it was deleted at an impossible time",
        ),
        (
            "a.deleted_at IS NOT NULL AND (a.email IS NOT NULL OR a.password_hash IS NOT NULL \
             OR a.title IS NOT NULL OR a.is_admin <> 0)",
            "it was deleted, but keeps what should be forgotten",
        ),
        (
            "a.kind = 'outside' AND a.deleted_at IS NULL \
             AND NOT EXISTS (SELECT 1 FROM outside_identities o WHERE o.account = a.number)",
            "nobody can be it: its outside identity is missing",
        ),
        (
            "a.alias_of IS NOT NULL AND NOT EXISTS \
             (SELECT 1 FROM accounts o WHERE o.number = a.alias_of AND o.alias_of IS NULL)",
            "whom it leads to does not exist, or leads further",
        ),
        (
            "a.alias_token IS NOT NULL AND (typeof(a.alias_token) <> 'blob' OR length(a.alias_token) <> 32)",
            "the token's hash does not have 32 bytes",
        ),
    ],
    also: |values| {
        let mut wrong = Vec::new();
        if let (Value::Text(id), Value::Text(name)) = (&values[1], &values[2])
            && *id != id_of(name)
        {
            wrong.push("its id is not its name in small letters");
        }
        if let Value::Text(hash) = &values[3]
            && !is_phc(hash)
        {
            wrong.push("its password's hash is damaged");
        }
        wrong
    },
};

pub(super) const OUTSIDE_IDENTITIES: Subject = Subject {
    name: "outside_identities",
    from: "outside_identities o LEFT JOIN accounts a ON a.number = o.account",
    key: &["o.issuer", "o.subject"],
    shown: &["o.account"],
    // The subject may be the hash of a guest's secret: it is not shown.
    about: |values| format!("outside identity of account {}", plain(&values[2])),
    wrong_if: &[
        ("a.number IS NULL", "the account does not exist"),
        ("a.deleted_at IS NOT NULL", "the account was deleted"),
        (
            "a.kind = 'registered'",
            "the account signs in with a password",
        ),
    ],
    also: nothing_else,
};

pub(super) const TOKENS: Subject = Subject {
    name: "tokens",
    from: "tokens t LEFT JOIN accounts a ON a.number = t.account",
    key: &["t.id"],
    shown: &["t.account"],
    about: |values| {
        format!(
            "token {} of account {}",
            plain(&values[0]),
            plain(&values[1])
        )
    },
    wrong_if: &[
        ("a.number IS NULL", "the account does not exist"),
        ("a.deleted_at IS NOT NULL", "the account was deleted"),
        (
            "typeof(t.hash) <> 'blob' OR length(t.hash) <> 32",
            "its hash does not have 32 bytes",
        ),
        (
            "t.kind NOT IN ('session', 'personal')",
            "its kind is unknown",
        ),
        (
            "t.scopes NOT BETWEEN 0 AND 65535",
            "its scopes are none there can be",
        ),
        (
            "t.created_at NOT BETWEEN 0 AND ?1",
            "it was made at an impossible time",
        ),
        ("t.expires_at < t.created_at", "it ends before it was made"),
        (
            "t.id > coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'tokens'), 0)",
            "its number would be given out again",
        ),
    ],
    also: nothing_else,
};

/// Whether it has the form `$algorithm$...$salt$hash`. Which algorithm is not
/// the store's business, nor is whether any password fits.
fn is_phc(hash: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"+/.-=,$".contains(&byte);
    let fields: Vec<&str> = hash.split('$').collect();
    fields.len() >= 4
        && fields[0].is_empty()
        && fields[1..].iter().all(|field| !field.is_empty())
        && hash.bytes().all(is_plain)
}
