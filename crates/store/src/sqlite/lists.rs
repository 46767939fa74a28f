//! Finding tables.

use chess::Timestamp;
use chess::table::{MoveRow, PlayerId, State};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

use super::fault::{Fault, told};
use super::loading::stored;
use super::rows::invited_to;
use super::values::{At, Who, int};
use crate::list_sql::{self, Dialect};
use crate::{
    Cursor, Due, Error, Finished, FinishedPlace, FinishedQuery, ListQuery, Listed, Played,
    PlayedQuery, Stored, StoredRow, StoredSummary, TableId, finished, played,
};

/// A page of a list, newest first.
pub(crate) fn list(db: &Connection, query: &ListQuery) -> Result<Vec<Cursor>, Fault> {
    each(db, &list_sql::sql(query, Dialect::Sqlite), query, place)
}

/// The same, with what the rows have of the tables.
pub(crate) fn page(db: &Connection, query: &ListQuery) -> Result<Vec<Listed>, Fault> {
    each(
        db,
        &list_sql::with_tables(query, Dialect::Sqlite),
        query,
        |r| {
            let stored = or_damaged(stored(r, 2))?;
            let place = place(r)?;
            Ok(Listed { place, stored })
        },
    )
}

/// A page of finished tables.
pub(crate) fn finished(db: &Connection, query: &FinishedQuery) -> Result<Vec<Finished>, Fault> {
    let (time, table) = query.begins_after();
    let found = db
        .prepare_cached(&finished::sql(query, Dialect::Sqlite))?
        .query_map(
            (
                query.kind,
                int(time),
                int(table),
                At(query.until),
                query.player.map(Who),
                query.limit,
            ),
            |r| {
                let place = FinishedPlace {
                    known_at: r.get::<_, At>(0)?.0,
                    table: r.get(1)?,
                };
                let stored = or_damaged(stored(r, 2))?;
                Ok(Finished { place, stored })
            },
        )?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

/// Somebody's finished games, counted.
pub(crate) fn played(db: &Connection, query: &PlayedQuery) -> Result<Vec<Played>, Fault> {
    let whose = (
        Who(query.player),
        query.kind,
        At(query.known_at),
        query.against.map(Who),
    );
    let counted = db
        .prepare_cached(&played::sql(Dialect::Sqlite))?
        .query_map(whose, |r| {
            Ok(Played {
                variant: r.get(0)?,
                speed: r.get(1)?,
                rated: r.get(2)?,
                games: r.get(3)?,
                wins: r.get(4)?,
                draws: r.get(5)?,
            })
        })?
        .collect::<Result<_, _>>()?;
    Ok(counted)
}

/// One damaged row must not cost the others their place.
fn or_damaged(
    read: Result<Stored, rusqlite::Error>,
) -> Result<Result<Stored, Error>, rusqlite::Error> {
    match read {
        Ok(stored) => Ok(Ok(stored)),
        Err(error) => match told(&error) {
            damaged @ Error::Corrupt(_) => Ok(Err(damaged)),
            _ => Err(error),
        },
    }
}

/// What the question behind a page finds.
fn each<T>(
    db: &Connection,
    sql: &str,
    query: &ListQuery,
    read: impl FnMut(&SqlRow<'_>) -> Result<T, rusqlite::Error>,
) -> Result<Vec<T>, Fault> {
    let after = list_sql::begins_after(query);
    let found = db
        .prepare_cached(sql)?
        .query_map(
            (
                query.kind,
                &query.variant,
                query.viewer.map(Who),
                after.0,
                after.1,
                query.player.map(Who),
                &query.state.map(State::name),
                query.known_at.map(At),
                query.other.map(Who),
                query.since.map(At),
                query.until.map(At),
                query.limit,
            ),
            read,
        )?
        .collect::<Result<_, _>>()?;
    Ok(found)
}

fn place(r: &SqlRow<'_>) -> Result<Cursor, rusqlite::Error> {
    Ok(Cursor {
        created_at: r.get::<_, At>(0)?.0,
        table: r.get(1)?,
    })
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
     created_at, started_at, updated_at, ended_at, deadline, join_code, fen, history, delay_ms";

/// Tables whose rows say that their time is up.
pub(crate) fn overdue(
    db: &Connection,
    before: Timestamp,
    limit: u32,
) -> Result<Vec<TableId>, Fault> {
    let tables = db
        .prepare_cached(
            "SELECT id FROM tables
             WHERE look_at < ?1 AND deadline < ?1 AND state <> 'COMPLETED'
             ORDER BY deadline, id LIMIT ?2",
        )?
        .query_map((At(before), limit), |r| r.get(0))?
        .collect::<Result<_, _>>()?;
    Ok(tables)
}

/// Tables whose rows have a deadline before that moment, after the given one: in the order
/// in which they are looked at, which is never after the deadline and comes first here.
pub(crate) fn due_before(
    db: &Connection,
    before: Timestamp,
    after: Option<(Timestamp, TableId)>,
    limit: u32,
) -> Result<Vec<(Timestamp, Due)>, Fault> {
    let (at, table) = match after {
        Some((at, table)) => (At(at), Some(table)),
        None => (At(Timestamp(0)), None),
    };
    let due = db
        .prepare_cached(
            "SELECT look_at, id, deadline FROM tables
             WHERE look_at >= ?1 AND look_at < ?2 AND (look_at > ?1 OR ?3 IS NULL OR id > ?3)
               AND deadline < ?2
             ORDER BY look_at, id LIMIT ?4",
        )?
        .query_map((at, At(before), table, limit), |r| {
            let due = Due {
                table: r.get(1)?,
                at: Some(r.get::<_, At>(2)?.0),
            };
            Ok((r.get::<_, At>(0)?.0, due))
        })?
        .collect::<Result<_, _>>()?;
    Ok(due)
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
            delay_ms: r.get(28)?,
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
