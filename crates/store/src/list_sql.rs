//! The question behind a page of a list.
//!
//! It is made of arms, each in the order of an index that holds whom tables
//! are shown to; the database merges them, passes over what two of them find, and
//! stops at the limit. So a page costs what it shows, however many tables
//! there are that it may not show. Only invitations are sorted for each page.

use chess::table::State;

use crate::ListQuery;

/// Whose words the question is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Merges the arms by itself, and joins in the order of `CROSS JOIN`.
    Sqlite,
    /// Reads an arm only as far as needed if the arm has a limit of its own.
    Postgres,
}

impl Dialect {
    /// A question in these words, from one in SQLite's.
    fn say(self, sql: &str) -> String {
        match self {
            Dialect::Sqlite => sql.to_owned(),
            Dialect::Postgres => sql.replace("CROSS JOIN", "JOIN").replace('?', "$"),
        }
    }

    fn arm(self, arm: String) -> String {
        match self {
            Dialect::Sqlite => arm,
            Dialect::Postgres => format!("({arm} ORDER BY at DESC, id DESC LIMIT ?9)"),
        }
    }
}

/// What a page has of each table `t`, after its place.
const STORED: &str = "t.kind, t.version, t.history, t.join_code";

/// Whom lists show a table to: the values of `sight`.
const ANYBODY: u8 = 0;
const ANYBODY_LATE: u8 = 1;
const THE_INVITED: u8 = 2;

/// The text of the question. Its parameters: 1 the kind, 2 the variant, 3 who
/// looks, 4 and 5 the place to begin after, 6 the player, 7 the state, 8 the
/// time, 9 the limit.
pub(crate) fn sql(query: &ListQuery, dialect: Dialect) -> String {
    dialect.say(&question(query, dialect))
}

fn question(query: &ListQuery, dialect: Dialect) -> String {
    let mut arms = Vec::new();
    for sight in [ANYBODY, ANYBODY_LATE, THE_INVITED] {
        if sight != THE_INVITED || query.everything {
            arms.extend(match query.player {
                Some(_) => of_player("?6", sight, &known(query, sight)),
                None => by_state(query, sight),
            });
        }
        // Their own tables people are shown as they are.
        if sight != ANYBODY && query.viewer.is_some() {
            arms.extend(of_player("?3", sight, &wanted(query, true)));
        }
    }
    if query.viewer.is_some() && !query.everything {
        arms.push(invited(query));
    }
    let arms: Vec<_> = arms.into_iter().map(|arm| dialect.arm(arm)).collect();
    format!(
        "{} ORDER BY at DESC, id DESC LIMIT ?9",
        arms.join(" UNION ")
    )
}

/// The same, with what is stored of the tables.
pub(crate) fn with_tables(query: &ListQuery, dialect: Dialect) -> String {
    let page = question(query, dialect);
    dialect.say(&format!(
        "SELECT page.at, page.id, {STORED}
           FROM ({page}) page CROSS JOIN tables t ON t.id = page.id
          ORDER BY page.at DESC, page.id DESC"
    ))
}

/// An arm for each state that is asked for.
fn by_state(query: &ListQuery, sight: u8) -> Vec<String> {
    let rest = known(query, sight);
    State::ALL
        .iter()
        .filter(|state| query.state.is_none_or(|asked| asked == **state))
        .map(|state| {
            format!(
                "SELECT t.created_at AS at, t.id AS id FROM tables t
                  WHERE t.state = '{state}' AND t.sight = {sight}
                    AND (t.created_at, t.id) < (?4, ?5) AND {rest}"
            )
        })
        .chain([NOTHING.to_owned()])
        .collect()
}

/// For a state that does not exist.
const NOTHING: &str = "SELECT 0 AS at, 0 AS id WHERE FALSE";

/// Somebody's tables, running and over.
fn of_player(who: &str, sight: u8, rest: &str) -> Vec<String> {
    ["FALSE", "TRUE"]
        .iter()
        .map(|over| {
            format!(
                "SELECT s.created_at AS at, s.table_id AS id
                   FROM seats s CROSS JOIN tables t ON t.id = s.table_id
                  WHERE s.player = {who} AND s.over = {over} AND s.sight = {sight}
                    AND (s.created_at, s.table_id) < (?4, ?5) AND {rest}"
            )
        })
        .collect()
}

/// The private tables that somebody was invited to and not removed from.
fn invited(query: &ListQuery) -> String {
    format!(
        "SELECT t.created_at AS at, t.id AS id
           FROM invitations i CROSS JOIN tables t ON t.id = i.table_id
          WHERE i.account = ?3 AND t.private AND (t.created_at, t.id) < (?4, ?5)
            AND NOT EXISTS (SELECT 1 FROM room_bans b
                             WHERE b.table_id = t.id AND b.account = ?3 AND b.kind = 'removed')
            AND {} AND {}",
        wanted(query, query.player.is_some()),
        told(query)
    )
}

/// What is asked for, as far as others than the players know of it.
fn known(query: &ListQuery, sight: u8) -> String {
    let wanted = wanted(query, false);
    match sight {
        ANYBODY => wanted,
        _ => format!("{wanted} AND {}", told(query)),
    }
}

/// Whether spectators, who are behind, know that a table is in the state that
/// is asked for. Which of theirs run now they are never told: leaving that
/// list would tell them of the end.
fn told(query: &ListQuery) -> &'static str {
    match (query.known_at, query.state) {
        (None, _) | (_, None | Some(State::Waiting)) => "TRUE",
        (_, Some(State::Completed)) => {
            "(coalesce(t.delay_ms, 0) = 0 OR t.ended_at + t.delay_ms <= ?8)"
        }
        (_, Some(_)) => "coalesce(t.delay_ms, 0) = 0",
    }
}

fn wanted(query: &ListQuery, by_any_player: bool) -> String {
    let mut all = vec!["TRUE"];
    let mut ask = |is_asked: bool, condition| {
        if is_asked {
            all.push(condition);
        }
    };
    ask(query.kind.is_some(), "t.kind = ?1");
    ask(query.variant.is_some(), "t.variant = ?2");
    ask(query.state.is_some(), "t.state = ?7");
    ask(
        by_any_player && query.player.is_some(),
        "?6 IN (t.creator, t.opponent, t.white, t.black)",
    );
    all.join(" AND ")
}
