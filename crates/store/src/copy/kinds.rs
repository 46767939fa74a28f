//! What there is to copy: every table of the schema, with its columns.

use self::Type::{Bool, Bytes, Int, Text};

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Bool,
    Text,
    Bytes,
}

/// One kind of row.
#[derive(Debug)]
pub(super) struct Kind {
    /// As a person calls it.
    pub(super) name: &'static str,
    pub(super) table: &'static str,
    /// Those of the key first.
    pub(super) columns: &'static [(&'static str, Type)],
    /// How many columns are the key.
    pub(super) key: usize,
    /// Rows read and written at a time.
    pub(super) page: u32,
    /// What SQLite has in place of such a table, if none: there it is only read.
    pub(super) sqlite_view: Option<&'static str>,
}

impl Kind {
    /// Where its rows are in SQLite.
    pub(super) fn sqlite_table(&self) -> &'static str {
        self.sqlite_view.unwrap_or(self.table)
    }

    pub(super) fn key_columns(&self) -> &'static [(&'static str, Type)] {
        &self.columns[..self.key]
    }

    /// Whose numbers the database chooses, in its first column: it goes on after the highest.
    pub(super) fn is_numbered(&self) -> bool {
        ["accounts", "tokens", "audit"].contains(&self.table)
    }
}

const fn kind(
    name: &'static str,
    table: &'static str,
    key: usize,
    page: u32,
    columns: &'static [(&'static str, Type)],
) -> Kind {
    Kind {
        name,
        table,
        columns,
        key,
        page,
        sqlite_view: None,
    }
}

/// What is referred to comes before what refers to it.
pub(super) const KINDS: [Kind; 14] = [
    kind(
        "accounts",
        "accounts",
        1,
        2_000,
        &[
            ("number", Int),
            ("uuid", Bytes),
            ("id", Text),
            ("name", Text),
            ("kind", Text),
            ("email", Text),
            ("password_hash", Text),
            ("title", Text),
            ("is_admin", Bool),
            ("preferences", Text),
            ("created_at", Int),
            ("deleted_at", Int),
            ("barred_at", Int),
        ],
    ),
    kind(
        "outside identities",
        "outside_identities",
        2,
        2_000,
        &[("issuer", Text), ("subject", Text), ("account", Int)],
    ),
    kind(
        "blocked identities",
        "blocked_identities",
        2,
        2_000,
        &[("issuer", Text), ("subject", Text), ("at", Int)],
    ),
    kind(
        "tokens",
        "tokens",
        1,
        2_000,
        &[
            ("id", Int),
            ("hash", Bytes),
            ("account", Int),
            ("kind", Text),
            ("name", Text),
            ("scopes", Int),
            ("created_at", Int),
            ("expires_at", Int),
        ],
    ),
    GAMES,
    kind(
        "seats",
        "seats",
        5,
        5_000,
        &[
            ("player", Int),
            ("over", Bool),
            ("sight", Int),
            ("created_at", Int),
            ("table_id", Int),
            ("seated", Bool),
        ],
    ),
    Kind {
        sqlite_view: Some(
            "(SELECT join_code AS code, id AS table_id FROM tables WHERE join_code IS NOT NULL)",
        ),
        ..kind(
            "codes",
            "join_codes",
            1,
            2_000,
            &[("code", Text), ("table_id", Int)],
        )
    },
    kind(
        "invitations",
        "invitations",
        2,
        5_000,
        &[("table_id", Int), ("account", Int)],
    ),
    kind(
        "moves",
        "moves",
        2,
        5_000,
        &[
            ("table_id", Int),
            ("ply", Int),
            ("move_number", Int),
            ("color", Text),
            ("uci", Text),
            ("san", Text),
            ("fen_after", Text),
            ("played_at", Int),
            ("elapsed_ms", Int),
            ("white_clock_ms", Int),
            ("black_clock_ms", Int),
        ],
    ),
    kind(
        "remembered answers",
        "idempotency_keys",
        2,
        2_000,
        &[
            ("account", Int),
            ("key", Text),
            ("request", Bytes),
            ("table_id", Int),
            ("version", Int),
            ("at", Int),
        ],
    ),
    kind(
        "chat lines",
        "chat",
        2,
        5_000,
        &[
            ("table_id", Int),
            ("id", Int),
            ("at", Int),
            ("account", Int),
            ("role", Text),
            ("audience", Text),
            ("notice", Bool),
            ("text", Text),
        ],
    ),
    kind(
        "room bans",
        "room_bans",
        2,
        5_000,
        &[
            ("table_id", Int),
            ("account", Int),
            ("kind", Text),
            ("by", Int),
            ("at", Int),
        ],
    ),
    kind(
        "audit trail",
        "audit",
        1,
        2_000,
        &[
            ("id", Int),
            ("at", Int),
            ("actor", Text),
            ("action", Text),
            ("target", Text),
            ("detail", Text),
        ],
    ),
    kind(
        "outages",
        "outages",
        1,
        2_000,
        &[("down_since", Int), ("up_at", Int)],
    ),
];

const GAMES: Kind = kind(
    "games",
    "tables",
    1,
    500,
    &[
        ("id", Int),
        ("kind", Int),
        ("version", Int),
        ("state", Text),
        ("creator", Int),
        ("opponent", Int),
        ("white", Int),
        ("black", Int),
        ("private", Bool),
        ("variant", Text),
        ("rated", Bool),
        ("speed", Text),
        ("initial_ms", Int),
        ("increment_ms", Int),
        ("white_clock_ms", Int),
        ("black_clock_ms", Int),
        ("side_to_move", Text),
        ("ply", Int),
        ("result", Text),
        ("reason", Text),
        ("created_at", Int),
        ("started_at", Int),
        ("updated_at", Int),
        ("ended_at", Int),
        ("deadline", Int),
        ("join_code", Text),
        ("fen", Text),
        ("delay_ms", Int),
        ("history", Bytes),
    ],
);
