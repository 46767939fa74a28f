//! Ratings, and the games they came of. That a rated game was not rated is no
//! damage: there may have been too many that day.

use super::walk::{Subject, nothing_else, plain, table};

pub(super) const RATINGS: Subject = Subject {
    name: "ratings",
    from: "ratings r LEFT JOIN accounts a ON a.number = r.account",
    key: &["r.account", "r.category"],
    shown: &[],
    about: |values| {
        let (account, category) = (plain(&values[0]), plain(&values[1]));
        format!("rating of account {account} in category {category}")
    },
    wrong_if: &[
        ("a.number IS NULL", "the account does not exist"),
        (
            "r.category NOT BETWEEN 0 AND 13",
            "nobody knows what it is for",
        ),
        (
            "r.points_milli NOT BETWEEN 400000 AND 4000000 \
             OR r.deviation_milli NOT BETWEEN 45000 AND 350000 \
             OR r.volatility_nano NOT BETWEEN 10000000 AND 100000000",
            "no rating is like this",
        ),
        (
            "r.games <> r.wins + r.draws + r.losses",
            "its games are not those that were won, drawn and lost",
        ),
        (
            "a.deleted_at IS NULL AND r.games <> (SELECT count(*) FROM rating_history h \
             WHERE h.account = r.account AND h.category = r.category)",
            "its games are not those of its history",
        ),
        (
            "r.rated_at NOT BETWEEN 0 AND ?1",
            "its last game ended at an impossible time",
        ),
    ],
    also: nothing_else,
};

pub(super) const RATED_GAMES: Subject = Subject {
    name: "rating_history",
    from: "rating_history h LEFT JOIN tables t ON t.id = h.table_id",
    key: &["h.account", "h.category", "h.at", "h.table_id"],
    shown: &[],
    about: |values| {
        format!(
            "{}, rated for account {}",
            table(&values[3]),
            plain(&values[0])
        )
    },
    wrong_if: &[
        ("t.id IS NULL", "the table does not exist"),
        (
            "t.state <> 'COMPLETED' OR t.rated <> 1",
            "it is not a rated game that is over",
        ),
        (
            "t.id IS NOT NULL AND h.account IS NOT CASE h.color WHEN 'w' THEN t.white ELSE t.black END",
            "somebody else played it",
        ),
        (
            "t.result IS NOT CASE h.score WHEN 1 THEN 'draw' \
               WHEN CASE h.color WHEN 'w' THEN 2 ELSE 0 END THEN 'white_wins' ELSE 'black_wins' END \
             AND t.id IS NOT NULL",
            "it is not rated as it ended",
        ),
        (
            "NOT EXISTS (SELECT 1 FROM rating_history o WHERE o.table_id = h.table_id \
             AND o.account = h.opponent AND o.opponent = h.account AND o.at = h.at)",
            "it is not rated for the opponent",
        ),
    ],
    also: nothing_else,
};
