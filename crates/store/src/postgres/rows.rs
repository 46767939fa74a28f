//! Tables' rows, and what hangs on them.

use chess::table::{MoveRow, PlayerId};
use deadpool_postgres::Transaction;
use tokio_postgres::types::ToSql;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, small, table, who};
use crate::seats::Seats;
use crate::{Error, NodeId, Row, TableId};

const INSERT: &str = "INSERT INTO tables
  (id, kind, version, creator, opponent, white, black, private, rated, speed, initial_ms, increment_ms,
   white_clock_ms, black_clock_ms, side_to_move, ply, result, reason, started_at, updated_at, ended_at,
   deadline, fen, history, state, variant, join_code, created_at, delay_ms, node)
VALUES
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21,
   $22, $23, $24, $25, $26, $27, $28, $29, $30)";

const UPDATE: &str = "UPDATE tables SET
   kind = $2, version = $3, creator = $4, opponent = $5, white = $6, black = $7, private = $8, rated = $9,
   speed = $10, initial_ms = $11, increment_ms = $12, white_clock_ms = $13, black_clock_ms = $14,
   side_to_move = $15, ply = $16, result = $17, reason = $18, started_at = $19, updated_at = $20,
   ended_at = $21, deadline = $22, fen = $23, history = $24,
   state = $25, variant = $26, join_code = $27, created_at = $28, delay_ms = $29, node = $30
 WHERE id = $1 AND archive = 0";

/// Writes a row, new or in place of what is there and locked.
pub(super) async fn write(
    transaction: &Transaction<'_>,
    row: &Row,
    node: NodeId,
    is_new: bool,
) -> Result<(), Fault> {
    lead(transaction, row, is_new).await?;
    let sql = if is_new { INSERT } else { UPDATE };
    execute(transaction, sql, row, node).await?;
    seat(transaction, row, is_new).await?;
    if !is_new || !row.summary.invited.is_empty() {
        invite(transaction, row, is_new).await?;
    }
    if !row.moves.is_empty() {
        write_moves(transaction, row.table, &row.moves).await?;
    }
    Ok(())
}

/// Writes a row whatever is there: for repair.
pub(crate) async fn replace(db: &mut Db, row: &Row) -> Result<(), Fault> {
    let transaction = db.transaction().await?;
    let id = table(row.table);
    // What is written anew is not archived, until it is again.
    let fetch = "UPDATE tables SET archive = 0 WHERE id = $1 AND archive > 0";
    transaction.execute(fetch, &[&id]).await?;
    let select = "SELECT 1 FROM tables WHERE id = $1 AND archive = 0 FOR NO KEY UPDATE";
    let is_new = transaction.query_opt(select, &[&id]).await?.is_none();
    transaction
        .execute("DELETE FROM moves WHERE table_id = $1", &[&id])
        .await?;
    write(&transaction, row, NodeId::ALONE, is_new).await?;
    transaction.commit().await?;
    Ok(())
}

/// Lets the row's code lead here, and no other.
async fn lead(transaction: &Transaction<'_>, row: &Row, is_new: bool) -> Result<(), Fault> {
    let id = table(row.table);
    if !is_new {
        let forget = transaction
            .prepare_cached(
                "DELETE FROM join_codes USING tables t
                  WHERE t.id = $1 AND t.archive = 0 AND code = t.join_code AND table_id = $1
                    AND t.join_code IS DISTINCT FROM $2",
            )
            .await?;
        transaction.execute(&forget, &[&id, &row.join_code]).await?;
    }
    if let Some(code) = &row.join_code {
        let take = transaction
            .prepare_cached(
                "INSERT INTO join_codes (code, table_id) VALUES ($1, $2)
                 ON CONFLICT (code) DO UPDATE SET table_id = excluded.table_id
                  WHERE join_codes.table_id = excluded.table_id",
            )
            .await?;
        if transaction.execute(&take, &[code, &id]).await? == 0 {
            return Err(Error::Conflict.into());
        }
    }
    Ok(())
}

async fn execute(
    transaction: &Transaction<'_>,
    sql: &str,
    row: &Row,
    node: NodeId,
) -> Result<(), Fault> {
    let s = &row.summary;
    let ms = |clock: Option<u32>| clock.map(i64::from);
    let parameters: [&(dyn ToSql + Sync); 30] = [
        &table(row.table),
        &i16::from(row.kind),
        &small(row.version),
        &who(s.creator),
        &s.opponent.map(who),
        &s.white.map(who),
        &s.black.map(who),
        &s.private,
        &s.rated,
        &s.speed,
        &ms(s.initial_ms),
        &ms(s.increment_ms),
        &ms(s.white_clock_ms),
        &ms(s.black_clock_ms),
        &s.side_to_move.to_string(),
        &small(s.ply),
        &s.result,
        &s.reason,
        &s.started_at.map(at),
        &at(s.updated_at),
        &s.ended_at.map(at),
        &row.deadline.map(at),
        &s.fen,
        &row.history,
        &s.state.name(),
        &s.variant,
        &row.join_code,
        &at(s.created_at),
        &i64::from(s.delay_ms),
        &small(node.0),
    ];
    let statement = transaction.prepare_cached(sql).await?;
    transaction.execute(&statement, &parameters).await?;
    Ok(())
}

async fn seat(transaction: &Transaction<'_>, row: &Row, is_new: bool) -> Result<(), Fault> {
    let seats = Seats::of(&row.summary);
    if !is_new {
        forget(
            transaction,
            "DELETE FROM seats WHERE table_id = $1",
            row.table,
        )
        .await?;
    }
    let players: Vec<i64> = seats.players.iter().map(|(p, _)| who(*p)).collect();
    let seated: Vec<bool> = seats.players.iter().map(|(_, seated)| *seated).collect();
    let insert = transaction
        .prepare_cached(
            "INSERT INTO seats (player, over, sight, created_at, table_id, seated)
             SELECT player, $3, $4, $5, $6, seated
               FROM unnest($1::bigint[], $2::boolean[]) AS s (player, seated)",
        )
        .await?;
    let (created_at, sight) = (at(row.summary.created_at), i16::from(seats.sight));
    transaction
        .execute(
            &insert,
            &[
                &players,
                &seated,
                &seats.over,
                &sight,
                &created_at,
                &table(row.table),
            ],
        )
        .await?;
    Ok(())
}

async fn invite(transaction: &Transaction<'_>, row: &Row, is_new: bool) -> Result<(), Fault> {
    if !is_new {
        let delete = "DELETE FROM invitations WHERE table_id = $1";
        forget(transaction, delete, row.table).await?;
    }
    let invited: Vec<i64> = row.summary.invited.iter().copied().map(who).collect();
    let insert = transaction
        .prepare_cached(
            "INSERT INTO invitations (table_id, account) SELECT DISTINCT $1::bigint, unnest($2::bigint[])",
        )
        .await?;
    transaction
        .execute(&insert, &[&table(row.table), &invited])
        .await?;
    Ok(())
}

async fn forget(transaction: &Transaction<'_>, sql: &str, id: TableId) -> Result<(), Fault> {
    let delete = transaction.prepare_cached(sql).await?;
    transaction.execute(&delete, &[&table(id)]).await?;
    Ok(())
}

/// Who may see private tables besides their players: tables and accounts, in order.
pub(super) async fn invited_to(db: &Db, tables: &[i64]) -> Result<Vec<(TableId, PlayerId)>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT table_id, account FROM invitations WHERE table_id = ANY($1)
              ORDER BY table_id, account",
        )
        .await?;
    let found = db.query(&select, &[&tables]).await?;
    let invitation = |row: &tokio_postgres::Row| Ok((row.table(0)?, row.who(1)?));
    found.iter().map(invitation).collect()
}

async fn write_moves(
    transaction: &Transaction<'_>,
    id: TableId,
    moves: &[MoveRow],
) -> Result<(), Fault> {
    forget(transaction, "DELETE FROM moves WHERE table_id = $1", id).await?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO moves (table_id, ply, move_number, color, uci, san, fen_after, played_at,
                                elapsed_ms, white_clock_ms, black_clock_ms)
             SELECT $1, m.* FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[],
                                        $6::text[], $7::text[], $8::bigint[], $9::bigint[],
                                        $10::bigint[], $11::bigint[]) AS m",
        )
        .await?;
    let ms = |clock: Option<u32>| clock.map(i64::from);
    let each = |of: fn(&MoveRow) -> &str| moves.iter().map(of).collect::<Vec<_>>();
    let numbers = |of: fn(&MoveRow) -> u32| moves.iter().map(|m| small(of(m))).collect::<Vec<_>>();
    let colors: Vec<String> = moves.iter().map(|m| m.color.to_string()).collect();
    let played: Vec<i64> = moves.iter().map(|m| at(m.played_at)).collect();
    let elapsed: Vec<i64> = moves.iter().map(|m| m.elapsed_ms.into()).collect();
    let white: Vec<Option<i64>> = moves.iter().map(|m| ms(m.white_clock_ms)).collect();
    let black: Vec<Option<i64>> = moves.iter().map(|m| ms(m.black_clock_ms)).collect();
    let parameters: [&(dyn ToSql + Sync); 11] = [
        &table(id),
        &numbers(|m| m.ply),
        &numbers(|m| m.move_number),
        &colors,
        &each(|m| &m.uci),
        &each(|m| &m.san),
        &each(|m| &m.fen_after),
        &played,
        &elapsed,
        &white,
        &black,
    ];
    transaction.execute(&insert, &parameters).await?;
    Ok(())
}
