//! Finding tables.

use chess::Timestamp;
use chess::table::{MoveRow, PlayerId, State};
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::Type;

use super::Db;
use super::fault::Fault;
use super::loading::{kind, stored};
use super::rows::invited_to;
use super::values::{Columns, at, can_be_stored, int, table, who};
use crate::list_sql::{self, Dialect};
use crate::{
    Cursor, Error, Finished, FinishedPlace, FinishedQuery, ListQuery, Listed, Played, PlayedQuery,
    Stored, StoredRow, StoredSummary, TableId, finished, played,
};

/// A page of a list, newest first.
pub(crate) async fn list(db: &Db, query: &ListQuery) -> Result<Vec<Cursor>, Fault> {
    let found = each(db, &list_sql::sql(query, Dialect::Postgres), query).await?;
    found.iter().map(place).collect()
}

/// The same, with what the rows have of the tables.
pub(crate) async fn page(db: &Db, query: &ListQuery) -> Result<Vec<Listed>, Fault> {
    let found = each(db, &list_sql::with_tables(query, Dialect::Postgres), query).await?;
    let listed = |row: &SqlRow| {
        let stored = or_damaged(stored(row, 2))?;
        let place = place(row)?;
        Ok(Listed { place, stored })
    };
    found.iter().map(listed).collect()
}

/// One damaged row must not cost the others their place.
fn or_damaged(read: Result<Stored, Fault>) -> Result<Result<Stored, Error>, Fault> {
    match read {
        Ok(stored) => Ok(Ok(stored)),
        Err(Fault::Refused(damaged @ Error::Corrupt(_))) => Ok(Err(damaged)),
        Err(fault) => Err(fault),
    }
}

/// A page of finished tables.
pub(crate) async fn finished(db: &Db, query: &FinishedQuery) -> Result<Vec<Finished>, Fault> {
    let types = [
        Type::INT2,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
    ];
    let sql = finished::sql(query, Dialect::Postgres);
    let (time, table) = query.begins_after();
    let (kind, player) = (i16::from(query.kind), query.player.map(who));
    let (time, table, until) = (int(time), int(table), at(query.until));
    let limit = i64::from(query.limit);
    let statement = db.prepare_typed_cached(&sql, &types).await?;
    let found = db
        .query(&statement, &[&kind, &time, &table, &until, &player, &limit])
        .await?;
    let one = |row: &SqlRow| {
        let place = FinishedPlace {
            known_at: row.at(0)?,
            table: row.table(1)?,
        };
        let stored = or_damaged(stored(row, 2))?;
        Ok(Finished { place, stored })
    };
    found.iter().map(one).collect()
}

/// Somebody's finished games, counted.
pub(crate) async fn played(db: &Db, query: &PlayedQuery) -> Result<Vec<Played>, Fault> {
    let types = [Type::INT8, Type::INT2, Type::INT8, Type::INT8];
    let sql = played::sql(Dialect::Postgres);
    let statement = db.prepare_typed_cached(&sql, &types).await?;
    let (player, kind) = (who(query.player), i16::from(query.kind));
    let (known_at, against) = (at(query.known_at), query.against.map(who));
    let counted = db
        .query(&statement, &[&player, &kind, &known_at, &against])
        .await?;
    let count = |row: &SqlRow, index| {
        let number = row.number(index)?;
        Ok::<u32, Fault>(u32::try_from(number).unwrap_or(u32::MAX))
    };
    let read = |row: &SqlRow| {
        Ok(Played {
            variant: row.col(0)?,
            speed: row.col(1)?,
            rated: row.col(2)?,
            games: count(row, 3)?,
            wins: count(row, 4)?,
            draws: count(row, 5)?,
        })
    };
    counted.iter().map(read).collect()
}

/// What the question behind a page finds.
async fn each(db: &Db, sql: &str, query: &ListQuery) -> Result<Vec<SqlRow>, Fault> {
    // Not every question needs all of them, so their types have to be said.
    let types = [
        Type::INT2,
        Type::TEXT,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::TEXT,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
        Type::INT8,
    ];
    let statement = db.prepare_typed_cached(sql, &types).await?;
    let after = list_sql::begins_after(query);
    let found = db
        .query(
            &statement,
            &[
                &query.kind.map(i16::from),
                &query.variant,
                &query.viewer.map(who),
                &after.0,
                &after.1,
                &query.player.map(who),
                &query.state.map(State::name),
                &query.known_at.map(at),
                &query.other.map(who),
                &query.since.map(at),
                &query.until.map(at),
                &i64::from(query.limit),
            ],
        )
        .await?;
    Ok(found)
}

fn place(row: &SqlRow) -> Result<Cursor, Fault> {
    Ok(Cursor {
        created_at: row.at(0)?,
        table: row.table(1)?,
    })
}

/// The table that a friend with that code is led to.
pub(crate) async fn by_join_code(db: &Db, code: &str) -> Result<Option<TableId>, Fault> {
    if !can_be_stored(code) {
        return Ok(None);
    }
    let select = db
        .prepare_cached("SELECT table_id FROM join_codes WHERE code = $1")
        .await?;
    let found = db.query_opt(&select, &[&code]).await?;
    found.map(|row| row.table(0)).transpose()
}

/// How many tables that are not over somebody made or sits at.
pub(crate) async fn count_unfinished(db: &Db, player: PlayerId) -> Result<u32, Fault> {
    let select = db
        .prepare_cached("SELECT count(*) FROM seats WHERE player = $1 AND NOT over AND seated")
        .await?;
    let count = db.query_one(&select, &[&who(player)]).await?.number(0)?;
    Ok(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Tables whose time is up, the longest overdue first.
pub(crate) async fn overdue(db: &Db, before: Timestamp, limit: u32) -> Result<Vec<TableId>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT id FROM tables
             WHERE archive = 0 AND state IN ('WAITING', 'ACTIVE', 'PAUSED') AND deadline < $1
             ORDER BY deadline, id LIMIT $2",
        )
        .await?;
    let found = db.query(&select, &[&at(before), &i64::from(limit)]).await?;
    found.iter().map(|row| row.table(0)).collect()
}

/// What [`stored_row`] reads.
const STORED_COLUMNS: &str = "id, kind, version, state, creator, opponent, white, black, private, variant, rated, speed, \
     initial_ms, increment_ms, white_clock_ms, black_clock_ms, side_to_move, ply, result, reason, \
     created_at, started_at, updated_at, ended_at, deadline, join_code, fen, history, delay_ms";

/// Rows in the order of their ids.
pub(crate) async fn each_table(
    db: &Db,
    after: Option<TableId>,
    limit: u32,
) -> Result<Vec<StoredRow>, Fault> {
    let after = after.map_or(-1, |id| int(id.number()));
    let found = select_rows(db, after, limit).await?;
    let mut rows: Vec<StoredRow> = found.iter().map(stored_row).collect::<Result<_, _>>()?;
    invite(db, &mut rows).await?;
    Ok(rows)
}

/// What [`stored_row`] reads, after the given id.
pub(super) async fn select_rows(db: &Db, after: i64, limit: u32) -> Result<Vec<SqlRow>, Fault> {
    let select = db
        .prepare_cached(&format!(
            "SELECT {STORED_COLUMNS} FROM tables WHERE id > $1 ORDER BY id LIMIT $2"
        ))
        .await?;
    Ok(db.query(&select, &[&after, &i64::from(limit)]).await?)
}

/// Adds who is invited.
pub(super) async fn invite(db: &Db, rows: &mut [StoredRow]) -> Result<(), Fault> {
    let ids: Vec<i64> = rows.iter().map(|row| table(row.table)).collect();
    let invited = invited_to(db, &ids).await?;
    for row in rows {
        let here = invited.iter().filter(|(id, _)| *id == row.table);
        row.summary.invited = here.map(|(_, account)| *account).collect();
    }
    Ok(())
}

pub(super) fn stored_row(row: &SqlRow) -> Result<StoredRow, Fault> {
    Ok(StoredRow {
        table: row.table(0)?,
        kind: kind(row, 1)?,
        version: row.small(2)?,
        deadline: row.at_or(24)?,
        join_code: row.col(25)?,
        history: row.col(27)?,
        summary: StoredSummary {
            state: row.col(3)?,
            creator: row.who(4)?,
            opponent: row.who_or(5)?,
            white: row.who_or(6)?,
            black: row.who_or(7)?,
            private: row.col(8)?,
            delay_ms: row.ms_or(28)?,
            invited: Vec::new(),
            variant: row.col(9)?,
            rated: row.col(10)?,
            speed: row.col(11)?,
            initial_ms: row.ms_or(12)?,
            increment_ms: row.ms_or(13)?,
            white_clock_ms: row.ms_or(14)?,
            black_clock_ms: row.ms_or(15)?,
            side_to_move: row.one_char(16)?,
            ply: row.small(17)?,
            fen: row.col(26)?,
            result: row.col(18)?,
            reason: row.col(19)?,
            created_at: row.at(20)?,
            started_at: row.at_or(21)?,
            updated_at: row.at(22)?,
            ended_at: row.at_or(23)?,
        },
    })
}

/// The score sheet of a table that is over.
pub(crate) async fn moves_of(db: &Db, id: TableId) -> Result<Vec<MoveRow>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT ply, move_number, color, uci, san, fen_after, played_at, elapsed_ms,
                    white_clock_ms, black_clock_ms
               FROM moves WHERE table_id = $1 ORDER BY ply",
        )
        .await?;
    let found = db.query(&select, &[&table(id)]).await?;
    let one = |row: &SqlRow| {
        Ok(MoveRow {
            ply: row.small(0)?,
            move_number: row.small(1)?,
            color: row.one_char(2)?,
            uci: row.col(3)?,
            san: row.col(4)?,
            fen_after: row.col(5)?,
            played_at: row.at(6)?,
            elapsed_ms: row.ms_or(7)?.unwrap_or(0),
            white_clock_ms: row.ms_or(8)?,
            black_clock_ms: row.ms_or(9)?,
        })
    };
    found.iter().map(one).collect()
}
