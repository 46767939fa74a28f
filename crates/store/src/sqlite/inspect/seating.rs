//! Tables, and the rows that hang on them for lists.

use super::walk::{Subject, nothing_else, plain, table};

/// Whether somebody in a column of the row has no seat that says so.
macro_rules! seat_missing {
    ($who:literal, $seated:literal) => {
        concat!(
            $who,
            " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.player = ",
            $who,
            " AND s.over = (t.state = 'COMPLETED') AND s.sight = t.sight AND s.created_at = t.created_at",
            " AND s.table_id = t.id AND s.seated = ",
            $seated,
            ")"
        )
    };
}

/// Whether somebody in a column of the row is nobody.
macro_rules! account_missing {
    ($who:literal) => {
        concat!(
            $who,
            " IS NOT NULL AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.number = ",
            $who,
            ")"
        )
    };
}

pub(super) const TABLES: Subject = Subject {
    name: "tables",
    from: "tables t",
    key: &["t.id"],
    shown: &[],
    about: |values| table(&values[0]),
    wrong_if: &[
        (
            "t.id NOT BETWEEN 0 AND 140737488355327",
            "no table can have this id",
        ),
        (account_missing!("t.creator"), "its creator has no account"),
        (
            account_missing!("t.opponent"),
            "its opponent has no account",
        ),
        (account_missing!("t.white"), "its White has no account"),
        (account_missing!("t.black"), "its Black has no account"),
        (
            seat_missing!("t.creator", "1"),
            "its creator's lists do not have it: the seat is missing",
        ),
        (
            seat_missing!("t.white", "1"),
            "White's lists do not have it: the seat is missing",
        ),
        (
            seat_missing!("t.black", "1"),
            "Black's lists do not have it: the seat is missing",
        ),
        (
            seat_missing!(
                "t.opponent",
                "(t.opponent IN (t.creator, ifnull(t.white, 0), ifnull(t.black, 0)))"
            ),
            "its opponent's lists do not have it: the seat is missing",
        ),
        (
            "t.join_code NOT GLOB '[A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9][A-Z0-9]'",
            "its join code is none that can be typed",
        ),
        (
            "t.join_code IS NOT NULL \
             AND (SELECT o.id FROM tables o WHERE o.join_code = t.join_code LIMIT 1) IS NOT t.id",
            "its join code does not lead to it",
        ),
        (
            "(t.look_at IS NULL) <> (t.deadline IS NULL) OR t.look_at > t.deadline",
            "it is not looked at when it is due",
        ),
    ],
    also: nothing_else,
};

pub(super) const SEATS: Subject = Subject {
    name: "seats",
    from: "seats s LEFT JOIN tables t ON t.id = s.table_id LEFT JOIN accounts a ON a.number = s.player",
    key: &[
        "s.player",
        "s.over",
        "s.sight",
        "s.created_at",
        "s.table_id",
    ],
    shown: &[],
    about: |values| {
        format!(
            "{}, seat of account {}",
            table(&values[4]),
            plain(&values[0])
        )
    },
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        ("a.number IS NULL", "the account does not exist"),
        (
            "t.id IS NOT NULL AND s.player NOT IN \
             (t.creator, ifnull(t.opponent, 0), ifnull(t.white, 0), ifnull(t.black, 0))",
            "the table is not theirs",
        ),
        (
            "s.over <> (t.state = 'COMPLETED')",
            "it does not say whether the game is over",
        ),
        (
            "s.sight <> t.sight",
            "it does not say whom lists show the table to",
        ),
        (
            "s.created_at <> t.created_at",
            "it says that the table was made at another time",
        ),
        (
            "t.id IS NOT NULL AND s.seated <> (s.player IN (t.creator, ifnull(t.white, 0), ifnull(t.black, 0)))",
            "it does not say whether they sit there or were only asked to",
        ),
    ],
    also: nothing_else,
};

pub(super) const INVITATIONS: Subject = Subject {
    name: "invitations",
    from: "invitations i LEFT JOIN tables t ON t.id = i.table_id LEFT JOIN accounts a ON a.number = i.account",
    key: &["i.table_id", "i.account"],
    shown: &[],
    about: |values| {
        format!(
            "{}, invitation of account {}",
            table(&values[0]),
            plain(&values[1])
        )
    },
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        ("a.number IS NULL", "the account does not exist"),
    ],
    also: nothing_else,
};

/// Each table with a score sheet once, found by jumping from one to the next:
/// there are many more moves than tables.
pub(super) const MOVES: Subject = Subject {
    name: "moves",
    from: "(WITH RECURSIVE sheet (id) AS (
              SELECT min(table_id) FROM moves WHERE table_id > coalesce(?3, -9223372036854775808)
              UNION ALL
              SELECT (SELECT min(table_id) FROM moves WHERE table_id > sheet.id)
                FROM sheet WHERE sheet.id IS NOT NULL
              LIMIT ?2)
            SELECT id FROM sheet WHERE id IS NOT NULL) m
           LEFT JOIN tables t ON t.id = m.id",
    key: &["m.id"],
    shown: &[],
    about: |values| format!("{}, score sheet", table(&values[0])),
    wrong_if: &[("t.id IS NULL", "the table does not exist")],
    also: nothing_else,
};
