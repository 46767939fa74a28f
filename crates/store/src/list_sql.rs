//! The question behind a page of a list.
//!
//! It is made of arms, each in the order of an index that holds whom tables
//! are shown to; the database merges them, passes over what two of them find, and
//! stops at the limit. So a page costs what it shows, however many tables
//! there are that it may not show. Only invitations are sorted for each page.

use chess::Color;
use chess::table::State;

use crate::{ListQuery, PlayerOutcome};

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
    pub(crate) fn say(self, sql: &str) -> String {
        match self {
            Dialect::Sqlite => sql.to_owned(),
            Dialect::Postgres => sql.replace("CROSS JOIN", "JOIN").replace('?', "$"),
        }
    }

    fn arm(self, arm: String, way: Way) -> String {
        match self {
            Dialect::Sqlite => arm,
            Dialect::Postgres => format!("({arm} ORDER BY {} LIMIT ?12)", way.order),
        }
    }
}

/// Which end a list begins with.
#[derive(Clone, Copy)]
struct Way {
    /// How a place compares with the one to begin after.
    after: char,
    order: &'static str,
    pages: &'static str,
}

impl Way {
    fn of(query: &ListQuery) -> Way {
        match query.oldest_first {
            false => Way {
                after: '<',
                order: "at DESC, id DESC",
                pages: "page.at DESC, page.id DESC",
            },
            true => Way {
                after: '>',
                order: "at, id",
                pages: "page.at, page.id",
            },
        }
    }
}

/// The place to begin after, as the two numbers of the question.
pub(crate) fn begins_after(query: &ListQuery) -> (i64, i64) {
    let end = match query.oldest_first {
        false => (i64::MAX, i64::MAX),
        true => (-1, -1),
    };
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let after = query.after;
    after.map_or(end, |place| {
        (number(place.created_at.0), number(place.table.number()))
    })
}

/// What a page has of each table `t`, after its place.
const STORED: &str = "t.kind, t.version, t.history, t.join_code";

/// Whom lists show a table to: the values of `sight`.
const ANYBODY: u8 = 0;
const ANYBODY_LATE: u8 = 1;
const THE_INVITED: u8 = 2;

/// The text of the question. Its parameters: 1 the kind, 2 the variant, 3 who
/// looks, 4 and 5 the place to begin after, 6 the player, 7 the state, 8 the
/// time, 9 the other player, 10 and 11 when it may have been made, 12 the limit: always there,
/// so it is the last.
pub(crate) fn sql(query: &ListQuery, dialect: Dialect) -> String {
    dialect.say(&question(query, dialect))
}

fn question(query: &ListQuery, dialect: Dialect) -> String {
    let mut arms = Vec::new();
    for sight in [ANYBODY, ANYBODY_LATE, THE_INVITED] {
        if sight != THE_INVITED || query.everything {
            arms.extend(match query.player {
                Some(_) => of_player(query, "?6", sight, &known(query, sight)),
                None => by_state(query, sight),
            });
        }
        // Their own tables people are shown as they are.
        if sight != ANYBODY && query.viewer.is_some() {
            arms.extend(of_player(query, "?3", sight, &wanted(query, true)));
        }
    }
    if query.viewer.is_some() && !query.everything {
        arms.push(invited(query));
    }
    let way = Way::of(query);
    let arms: Vec<_> = arms.into_iter().map(|arm| dialect.arm(arm, way)).collect();
    format!("{} ORDER BY {} LIMIT ?12", arms.join(" UNION "), way.order)
}

/// The same, with what is stored of the tables.
pub(crate) fn with_tables(query: &ListQuery, dialect: Dialect) -> String {
    let page = question(query, dialect);
    dialect.say(&format!(
        "SELECT page.at, page.id, {STORED}
           FROM ({page}) page CROSS JOIN tables t ON t.id = page.id
          ORDER BY {}",
        Way::of(query).pages
    ))
}

/// An arm for each state that is asked for.
fn by_state(query: &ListQuery, sight: u8) -> Vec<String> {
    let (rest, after) = (known(query, sight), Way::of(query).after);
    State::ALL
        .iter()
        .filter(|state| query.state.is_none_or(|asked| asked == **state))
        .map(|state| {
            format!(
                "SELECT t.created_at AS at, t.id AS id FROM tables t
                  WHERE t.state = '{state}' AND t.sight = {sight}
                    AND (t.created_at, t.id) {after} (?4, ?5) AND {rest}"
            )
        })
        .chain([NOTHING.to_owned()])
        .collect()
}

/// For a state that does not exist.
const NOTHING: &str = "SELECT 0 AS at, 0 AS id WHERE FALSE";

/// Somebody's tables, running and over.
fn of_player(query: &ListQuery, who: &str, sight: u8, rest: &str) -> Vec<String> {
    let after = Way::of(query).after;
    ["FALSE", "TRUE"]
        .iter()
        .map(|over| {
            format!(
                "SELECT s.created_at AS at, s.table_id AS id
                   FROM seats s CROSS JOIN tables t ON t.id = s.table_id
                  WHERE s.player = {who} AND s.over = {over} AND s.sight = {sight}
                    AND (s.created_at, s.table_id) {after} (?4, ?5) AND {rest}"
            )
        })
        .collect()
}

/// The private tables that somebody was invited to and not removed from.
fn invited(query: &ListQuery) -> String {
    format!(
        "SELECT t.created_at AS at, t.id AS id
           FROM invitations i CROSS JOIN tables t ON t.id = i.table_id
          WHERE i.account = ?3 AND t.private AND (t.created_at, t.id) {} (?4, ?5)
            AND NOT EXISTS (SELECT 1 FROM room_bans b
                             WHERE b.table_id = t.id AND b.account = ?3 AND b.kind = 'removed')
            AND {} AND {}",
        Way::of(query).after,
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
    // Of a closed set, so it can stand in the text.
    let speed = query
        .speed
        .map(|speed| format!("t.speed = '{}'", speed.name()));
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
    ask(query.rated == Some(true), "t.rated");
    ask(query.rated == Some(false), "NOT t.rated");
    let outcome = |outcome| query.outcome == Some(outcome);
    ask(
        outcome(PlayerOutcome::Won),
        "t.result = CASE WHEN t.white = ?6 THEN 'white_wins' ELSE 'black_wins' END",
    );
    ask(
        outcome(PlayerOutcome::Lost),
        "t.result = CASE WHEN t.white = ?6 THEN 'black_wins' ELSE 'white_wins' END",
    );
    ask(outcome(PlayerOutcome::Drawn), "t.result = 'draw'");
    ask(query.color == Some(Color::White), "t.white = ?6");
    ask(query.color == Some(Color::Black), "t.black = ?6");
    ask(query.other.is_some(), "?9 IN (t.white, t.black)");
    ask(query.since.is_some(), "t.created_at >= ?10");
    ask(query.until.is_some(), "t.created_at < ?11");
    ask(query.is_addressed == Some(true), "t.opponent IS NOT NULL");
    ask(query.is_addressed == Some(false), "t.opponent IS NULL");
    all.extend(speed.as_deref());
    all.join(" AND ")
}
