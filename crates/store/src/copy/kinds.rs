//! What there is to copy: every table of the schema, with its columns.

use self::Type::{Bool, Bytes, Int, Text};
use super::events;
use super::told;

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
        [
            "accounts",
            "tokens",
            "audit",
            "outbox",
            "reports",
            "notices",
            "signals",
            "tickets",
            "push_subscriptions",
            "notifications",
            "webhooks",
            "deliveries",
        ]
        .contains(&self.table)
    }
}

pub(super) const fn kind(
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
pub(super) const KINDS: [Kind; 38] = [
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
            ("alias_of", Int),
            ("alias_token", Bytes),
            ("display_name", Text),
            ("links", Int),
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
    RATINGS,
    RATING_HISTORY,
    events::OUTBOX,
    events::CURSORS,
    events::WEBHOOKS,
    events::DELIVERIES,
    kind(
        "blocks",
        "blocks",
        2,
        5_000,
        &[("account", Int), ("blocked", Int), ("at", Int)],
    ),
    kind(
        "follows",
        "follows",
        2,
        5_000,
        &[("account", Int), ("followed", Int), ("at", Int)],
    ),
    kind(
        "conditional moves",
        "conditional_moves",
        2,
        500,
        &[
            ("table_id", Int),
            ("account", Int),
            ("version", Int),
            ("ply", Int),
            ("lines", Text),
        ],
    ),
    kind(
        "vacations",
        "vacations",
        2,
        5_000,
        &[
            ("account", Int),
            ("began_at", Int),
            ("ends_at", Int),
            ("recorded", Bool),
        ],
    ),
    kind(
        "challenge rules",
        "challenge_rules",
        1,
        2_000,
        &[
            ("account", Int),
            ("accept", Text),
            ("rating_min", Int),
            ("rating_max", Int),
        ],
    ),
    REPORTS,
    kind(
        "sanctions",
        "sanctions",
        2,
        2_000,
        &[
            ("account", Int),
            ("kind", Text),
            ("until", Int),
            ("why", Text),
            ("by", Text),
            ("at", Int),
        ],
    ),
    kind(
        "notices",
        "notices",
        1,
        2_000,
        &[
            ("id", Int),
            ("account", Int),
            ("at", Int),
            ("kind", Text),
            ("text", Text),
            ("until", Int),
            ("seen_at", Int),
        ],
    ),
    kind(
        "signals",
        "signals",
        1,
        5_000,
        &[
            ("id", Int),
            ("table_id", Int),
            ("account", Int),
            ("kind", Text),
            ("at", Int),
            ("ply", Int),
        ],
    ),
    TICKETS,
    told::SECRETS,
    told::ADDRESSES,
    told::MAIL_TOKENS,
    told::NOTIFICATION_SETTINGS,
    told::PUSH_SUBSCRIPTIONS,
    told::NOTIFICATIONS,
    told::NOTIFY_CURSORS,
    told::ANALYSES,
];

const RATINGS: Kind = kind(
    "ratings",
    "ratings",
    2,
    5_000,
    &[
        ("account", Int),
        ("category", Int),
        ("points_milli", Int),
        ("deviation_milli", Int),
        ("volatility_nano", Int),
        ("games", Int),
        ("wins", Int),
        ("draws", Int),
        ("losses", Int),
        ("rated_at", Int),
        ("unsure_from", Int),
        ("known_at", Int),
    ],
);

const RATING_HISTORY: Kind = kind(
    "rated games",
    "rating_history",
    4,
    5_000,
    &[
        ("account", Int),
        ("category", Int),
        ("at", Int),
        ("table_id", Int),
        ("opponent", Int),
        ("color", Text),
        ("score", Int),
        ("before_points_milli", Int),
        ("before_deviation_milli", Int),
        ("before_volatility_nano", Int),
        ("after_points_milli", Int),
        ("after_deviation_milli", Int),
        ("after_volatility_nano", Int),
        ("known_at", Int),
    ],
);

const REPORTS: Kind = kind(
    "reports",
    "reports",
    1,
    2_000,
    &[
        ("id", Int),
        ("reporter", Int),
        ("reported", Int),
        ("reason", Text),
        ("table_id", Int),
        ("text", Text),
        ("at", Int),
        ("decision", Text),
        ("decided_by", Text),
        ("decided_at", Int),
        ("until", Int),
        ("note", Text),
    ],
);

const TICKETS: Kind = kind(
    "tickets",
    "tickets",
    1,
    5_000,
    &[
        ("id", Int),
        ("account", Int),
        ("pool", Text),
        ("is_real_time", Bool),
        ("points_milli", Int),
        ("deviation_milli", Int),
        ("volatility_nano", Int),
        ("range_min", Int),
        ("range_max", Int),
        ("sides", Text),
        ("last_opponent", Int),
        ("since", Int),
        ("seen_at", Int),
        ("fate", Text),
        ("table_id", Int),
        ("ended_at", Int),
        ("side", Text),
    ],
);

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
