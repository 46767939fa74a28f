//! Finding tables.

use chess::Timestamp;
use chess::table::{MoveRow, PlayerId};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

use super::fault::Fault;
use super::rows::invited_to;
use super::values::{At, Who, int};
use crate::{Cursor, ListQuery, StoredRow, StoredSummary, TableId};

const STATES: [&str; 4] = ["WAITING", "ACTIVE", "PAUSED", "COMPLETED"];

/// A page of a list, newest first.
pub(crate) fn list(db: &Connection, query: &ListQuery) -> Result<Vec<Cursor>, Fault> {
    let after = query.after.map_or((i64::MAX, i64::MAX), |c| {
        (int(c.created_at.0), int(c.table.number()))
    });
    let page = db
        .prepare_cached(&sql(query))?
        .query_map(
            (
                query.kind,
                &query.variant,
                query.viewer.map(Who),
                after.0,
                after.1,
                query.limit,
                query.player.map(Who),
                &query.state,
            ),
            |r| {
                Ok(Cursor {
                    created_at: r.get::<_, At>(0)?.0,
                    table: r.get(1)?,
                })
            },
        )?
        .collect::<Result<_, _>>()?;
    Ok(page)
}

/// One arm per state (or, for a player, per running and over), each in the
/// order of an index; SQLite merges them and stops at the limit. So a page
/// costs what it shows, however many tables there are. Every arm names every
/// parameter, so that there is one list of them.
pub(crate) fn sql(query: &ListQuery) -> String {
    let seen = match (query.everything, query.viewer) {
        (true, _) => "?3 IS ?3",
        (false, None) => "?3 IS NULL AND t.private = 0",
        (false, Some(_)) => {
            "(t.private = 0 OR ?3 IN (t.creator, t.opponent, t.white, t.black) OR EXISTS
               (SELECT 1 FROM invitations i WHERE i.table_id = t.id AND i.account = ?3))"
        }
    };
    let variant = match query.variant {
        Some(_) => "t.variant = ?2",
        None => "?2 IS NULL",
    };
    let rest = format!("{variant} AND (?1 IS NULL OR t.kind = ?1) AND {seen}");
    let is_wanted = |state: &&str| query.state.as_deref().is_none_or(|wanted| wanted == *state);
    let arms: Vec<String> = if query.player.is_some() {
        let is_over = query.state.as_deref().map(|state| state == "COMPLETED");
        [0, 1]
            .into_iter()
            .filter(|over| is_over.is_none_or(|is_over| is_over == (*over == 1)))
            .map(|over| {
                format!(
                    "SELECT s.created_at AS at, s.table_id AS id FROM seats s CROSS JOIN tables t ON t.id = s.table_id
                      WHERE s.player = ?7 AND s.over = {over} AND (s.created_at, s.table_id) < (?4, ?5)
                        AND (?8 IS NULL OR t.state = ?8) AND {rest}"
                )
            })
            .collect()
    } else {
        STATES
            .iter()
            .filter(|state| is_wanted(state))
            .map(|state| {
                format!(
                    "SELECT t.created_at AS at, t.id AS id FROM tables t
                      WHERE t.state = '{state}' AND (t.created_at, t.id) < (?4, ?5)
                        AND ?7 IS NULL AND ?8 IS ?8 AND {rest}"
                )
            })
            .collect()
    };
    if arms.is_empty() {
        return "SELECT 0, 0 WHERE 0 AND ?1 = ?2 AND ?3 = ?4 AND ?5 = ?6 AND ?7 = ?8".to_owned();
    }
    format!(
        "{} ORDER BY at DESC, id DESC LIMIT ?6",
        arms.join(" UNION ALL ")
    )
}

/// The table that a friend with that code is led to.
pub(crate) fn by_join_code(db: &Connection, code: &str) -> Result<Option<TableId>, Fault> {
    let found = db
        .prepare_cached("SELECT id FROM tables WHERE join_code = ?1")?
        .query_row((code,), |r| r.get(0))
        .optional()?;
    Ok(found)
}

/// How many tables that are not over somebody made or sits at.
pub(crate) fn count_unfinished(db: &Connection, player: PlayerId) -> Result<u32, Fault> {
    let count = db
        .prepare_cached("SELECT count(*) FROM seats WHERE player = ?1 AND over = 0 AND seated = 1")?
        .query_row((Who(player),), |r| r.get(0))?;
    Ok(count)
}

/// What [`stored_row`] reads.
pub(super) const STORED_COLUMNS: &str = "id, kind, version, state, creator, opponent, white, black, private, variant, rated, speed, \
     initial_ms, increment_ms, white_clock_ms, black_clock_ms, side_to_move, ply, result, reason, \
     created_at, started_at, updated_at, ended_at, deadline, join_code, fen, history";

/// Tables whose rows say that their time is up.
pub(crate) fn overdue(
    db: &Connection,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<TableId>, Fault> {
    let tables = db
        .prepare_cached(
            "SELECT id FROM tables
             WHERE state IN ('WAITING', 'ACTIVE', 'PAUSED') AND deadline < ?1
             ORDER BY deadline, id LIMIT ?2",
        )?
        .query_map((At(before), limit), |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(tables)
}

/// Rows in the order of their ids.
pub(crate) fn each_table(
    db: &Connection,
    after: Option<TableId>,
    limit: u32,
) -> Result<Vec<StoredRow>, Fault> {
    let mut rows: Vec<StoredRow> = db
        .prepare_cached(&format!(
            "SELECT {STORED_COLUMNS} FROM tables WHERE id > ?1 ORDER BY id LIMIT ?2"
        ))?
        .query_map((after.map_or(-1, |id| int(id.number())), limit), stored_row)?
        .collect::<Result<_, _>>()?;
    for row in &mut rows {
        row.summary.invited = invited_to(db, row.table)?;
    }
    Ok(rows)
}

pub(super) fn stored_row(r: &SqlRow<'_>) -> Result<StoredRow, rusqlite::Error> {
    let who = |i| Ok::<_, rusqlite::Error>(r.get::<_, Option<Who>>(i)?.map(|w| w.0));
    let at = |i| Ok::<_, rusqlite::Error>(r.get::<_, Option<At>>(i)?.map(|at| at.0));
    Ok(StoredRow {
        table: r.get(0)?,
        kind: r.get(1)?,
        version: r.get(2)?,
        deadline: at(24)?,
        join_code: r.get(25)?,
        history: r.get(27)?,
        summary: StoredSummary {
            state: r.get(3)?,
            creator: r.get::<_, Who>(4)?.0,
            opponent: who(5)?,
            white: who(6)?,
            black: who(7)?,
            private: r.get(8)?,
            invited: Vec::new(),
            variant: r.get(9)?,
            rated: r.get(10)?,
            speed: r.get(11)?,
            initial_ms: r.get(12)?,
            increment_ms: r.get(13)?,
            white_clock_ms: r.get(14)?,
            black_clock_ms: r.get(15)?,
            side_to_move: one_char(r, 16)?,
            ply: r.get(17)?,
            fen: r.get(26)?,
            result: r.get(18)?,
            reason: r.get(19)?,
            created_at: r.get::<_, At>(20)?.0,
            started_at: at(21)?,
            updated_at: r.get::<_, At>(22)?.0,
            ended_at: at(23)?,
        },
    })
}

/// The score sheet of a table that is over.
pub(crate) fn moves_of(db: &Connection, table: TableId) -> Result<Vec<MoveRow>, Fault> {
    let moves = db
        .prepare_cached(
            "SELECT ply, move_number, color, uci, san, fen_after, played_at, elapsed_ms,
                    white_clock_ms, black_clock_ms
               FROM moves WHERE table_id = ?1 ORDER BY ply",
        )?
        .query_map((table,), |r| {
            Ok(MoveRow {
                ply: r.get(0)?,
                move_number: r.get(1)?,
                color: one_char(r, 2)?,
                uci: r.get(3)?,
                san: r.get(4)?,
                fen_after: r.get(5)?,
                played_at: r.get::<_, At>(6)?.0,
                elapsed_ms: r.get(7)?,
                white_clock_ms: r.get(8)?,
                black_clock_ms: r.get(9)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(moves)
}

fn one_char(r: &SqlRow<'_>, column: usize) -> Result<char, rusqlite::Error> {
    let text: String = r.get(column)?;
    let mut chars = text.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => Ok(c),
        _ => Err(rusqlite::Error::InvalidColumnType(column, text, Type::Text)),
    }
}
