//! Tables' rows, and what hangs on them.

use chess::table::{MoveRow, PlayerId};

use super::Db;
use super::fault::Fault;
use super::steps::{Rows, Steps, Value, value};
use super::values::{Columns, at, small, table, who};
use crate::seats::Seats;
use crate::{NodeId, Row, TableId};

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

const FORGET_CODE: &str = "DELETE FROM join_codes USING tables t
  WHERE t.id = $1 AND t.archive = 0 AND code = t.join_code AND table_id = $1
    AND t.join_code IS DISTINCT FROM $2";
const TAKE_CODE: &str = "INSERT INTO join_codes (code, table_id) VALUES ($1, $2)
 ON CONFLICT (code) DO UPDATE SET table_id = excluded.table_id
  WHERE join_codes.table_id = excluded.table_id";
const FORGET_SEATS: &str = "DELETE FROM seats WHERE table_id = $1";
const SEAT: &str = "INSERT INTO seats (player, over, sight, created_at, table_id, seated)
 SELECT player, $3, $4, $5, $6, seated
   FROM unnest($1::bigint[], $2::boolean[]) AS s (player, seated)";
const FORGET_INVITATIONS: &str = "DELETE FROM invitations WHERE table_id = $1";
const INVITE: &str = "INSERT INTO invitations (table_id, account)
 SELECT DISTINCT $1::bigint, unnest($2::bigint[])";
const FORGET_MOVES: &str = "DELETE FROM moves WHERE table_id = $1";
const WRITE_MOVES: &str = "INSERT INTO moves
  (table_id, ply, move_number, color, uci, san, fen_after, played_at, elapsed_ms,
   white_clock_ms, black_clock_ms)
 SELECT $1, m.* FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[], $6::text[],
                            $7::text[], $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[]) AS m";

/// What writing a row may need, to be prepared before anybody waits for it.
pub(super) const STATEMENTS: [&str; 10] = [
    INSERT,
    UPDATE,
    FORGET_CODE,
    TAKE_CODE,
    FORGET_SEATS,
    SEAT,
    FORGET_INVITATIONS,
    INVITE,
    FORGET_MOVES,
    WRITE_MOVES,
];

/// Writes a row, new or in place of what is there and locked.
pub(super) fn write<'a>(steps: &mut Steps<'a>, row: &'a Row, node: NodeId, is_new: bool) {
    lead(steps, row, is_new);
    let sql = if is_new { INSERT } else { UPDATE };
    steps.add_wanting(Rows::Some, sql, columns(row, node));
    seat(steps, row, is_new);
    if !is_new || !row.summary.invited.is_empty() {
        invite(steps, row, is_new);
    }
    if !row.moves.is_empty() {
        write_moves(steps, row.table, &row.moves);
    }
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
    let mut steps = Steps::default();
    steps.add(FORGET_MOVES, vec![value(id)]);
    write(&mut steps, row, NodeId::ALONE, is_new);
    steps.run(&transaction).await?;
    transaction.commit().await?;
    Ok(())
}

/// Lets the row's code lead here, and no other.
fn lead<'a>(steps: &mut Steps<'a>, row: &'a Row, is_new: bool) {
    let id = table(row.table);
    if !is_new {
        steps.add(FORGET_CODE, vec![value(id), value(&row.join_code)]);
    }
    if let Some(code) = &row.join_code {
        steps.add_wanting(Rows::Some, TAKE_CODE, vec![value(code), value(id)]);
    }
}

/// As [`INSERT`] and [`UPDATE`] number them.
fn columns(row: &Row, node: NodeId) -> Vec<Value<'_>> {
    let s = &row.summary;
    let ms = |clock: Option<u32>| value(clock.map(i64::from));
    vec![
        value(table(row.table)),
        value(i16::from(row.kind)),
        value(small(row.version)),
        value(who(s.creator)),
        value(s.opponent.map(who)),
        value(s.white.map(who)),
        value(s.black.map(who)),
        value(s.private),
        value(s.rated),
        value(s.speed),
        ms(s.initial_ms),
        ms(s.increment_ms),
        ms(s.white_clock_ms),
        ms(s.black_clock_ms),
        value(s.side_to_move.to_string()),
        value(small(s.ply)),
        value(s.result),
        value(s.reason),
        value(s.started_at.map(at)),
        value(at(s.updated_at)),
        value(s.ended_at.map(at)),
        value(row.deadline.map(at)),
        value(&s.fen),
        value(&row.history),
        value(s.state.name()),
        value(s.variant),
        value(&row.join_code),
        value(at(s.created_at)),
        value(i64::from(s.delay_ms)),
        value(small(node.0)),
    ]
}

fn seat(steps: &mut Steps<'_>, row: &Row, is_new: bool) {
    let seats = Seats::of(&row.summary);
    if !is_new {
        steps.add(FORGET_SEATS, vec![value(table(row.table))]);
    }
    let players: Vec<i64> = seats.players.iter().map(|(p, _)| who(*p)).collect();
    let seated: Vec<bool> = seats.players.iter().map(|(_, seated)| *seated).collect();
    steps.add(
        SEAT,
        vec![
            value(players),
            value(seated),
            value(seats.over),
            value(i16::from(seats.sight)),
            value(at(row.summary.created_at)),
            value(table(row.table)),
        ],
    );
}

fn invite(steps: &mut Steps<'_>, row: &Row, is_new: bool) {
    let id = table(row.table);
    if !is_new {
        steps.add(FORGET_INVITATIONS, vec![value(id)]);
    }
    let invited: Vec<i64> = row.summary.invited.iter().copied().map(who).collect();
    steps.add(INVITE, vec![value(id), value(invited)]);
}

fn write_moves<'a>(steps: &mut Steps<'a>, id: TableId, moves: &'a [MoveRow]) {
    let ms = |clock: Option<u32>| clock.map(i64::from);
    let texts = |of: fn(&MoveRow) -> &str| value(moves.iter().map(of).collect::<Vec<_>>());
    let numbers =
        |of: fn(&MoveRow) -> u32| value(moves.iter().map(|m| small(of(m))).collect::<Vec<_>>());
    let clocks = |of: fn(&MoveRow) -> Option<u32>| {
        value(moves.iter().map(|m| ms(of(m))).collect::<Vec<_>>())
    };
    let colors: Vec<String> = moves.iter().map(|m| m.color.to_string()).collect();
    let played: Vec<i64> = moves.iter().map(|m| at(m.played_at)).collect();
    let elapsed: Vec<i64> = moves.iter().map(|m| m.elapsed_ms.into()).collect();
    steps.add(FORGET_MOVES, vec![value(table(id))]);
    steps.add(
        WRITE_MOVES,
        vec![
            value(table(id)),
            numbers(|m| m.ply),
            numbers(|m| m.move_number),
            value(colors),
            texts(|m| &m.uci),
            texts(|m| &m.san),
            texts(|m| &m.fen_after),
            value(played),
            value(elapsed),
            clocks(|m| m.white_clock_ms),
            clocks(|m| m.black_clock_ms),
        ],
    );
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
