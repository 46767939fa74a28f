//! Tables' rows, and what hangs on them.

use chess::Timestamp;
use chess::table::{MoveRow, PlayerId};
use rusqlite::{Connection, OptionalExtension, params};

use super::changes::alone;
use super::fault::Fault;
use super::values::{At, Who};
use crate::seats::{PRIVATE, Seats};
use crate::{Row, TableId};

/// The version that joining makes: the row of no table has had moves before it.
const JOINED: u32 = 2;

/// How long before its deadline a table may be looked at: until then a deadline that moves
/// leaves the index as it is.
const LOOK_MS: u64 = 3_600_000;

/// What the row says before it is written.
struct Before {
    version: u32,
    created_at: Timestamp,
    look_at: Option<Timestamp>,
    seats: Seats,
}

/// Writes a row if it is newer than what is there. Whether it was. Whatever fails takes back
/// what was written of this row, and only that.
pub(super) fn write_by_itself(db: &Connection, row: &Row) -> Result<bool, Fault> {
    Ok(moved_on(db, row)? || alone(db, || write_newer(db, row))?)
}

/// The same without a savepoint, for which every page would be copied that is written to. A
/// row that is refused, because of its code, leaves nothing behind; if what hangs on it cannot
/// be written, the transaction is lost.
pub(super) fn write(db: &Connection, row: &Row) -> Result<bool, Fault> {
    Ok(moved_on(db, row)? || write_newer(db, row)?)
}

/// Writes a row that only moved on, if it did and there is one.
fn moved_on(db: &Connection, row: &Row) -> Result<bool, Fault> {
    // Most folds follow nothing but moves: one statement, which takes itself
    // back. Only private tables have invitations that may have changed.
    let hangs_on_it = row.summary.private || !row.summary.invited.is_empty();
    let may_be_moves = row.version > JOINED && !hangs_on_it && row.moves.is_empty();
    Ok(may_be_moves && execute(db, UPDATE, row)?)
}

fn write_newer(db: &Connection, row: &Row) -> Result<bool, Fault> {
    let before = before(db, row.table)?;
    if before.as_ref().is_some_and(|b| b.version >= row.version) {
        return Ok(false);
    }
    write_over(db, row, before)?;
    Ok(true)
}

/// Writes the row of a table that is known to have none, as [`write`] does.
pub(super) fn write_first(db: &Connection, row: &Row) -> Result<(), Fault> {
    write_over(db, row, None)
}

/// The version of a table's row.
pub(super) fn version(db: &Connection, table: TableId) -> Result<Option<u32>, rusqlite::Error> {
    db.prepare_cached("SELECT version FROM tables WHERE id = ?1")?
        .query_row((table,), |r| r.get(0))
        .optional()
}

/// Writes a row whatever is there: for repair. What hangs on a damaged row may
/// be anybody's, so it is not looked up but made anew; that no index leads to a
/// table's seats does not matter for something so rare.
pub(crate) fn replace(db: &Connection, row: &Row) -> Result<(), Fault> {
    for delete in [
        "DELETE FROM moves WHERE table_id = ?1",
        "DELETE FROM seats WHERE table_id = ?1",
    ] {
        db.prepare_cached(delete)?.execute((row.table,))?;
    }
    if !execute(db, UPDATE_WITH_ALL_KEYS, row)? {
        execute(db, INSERT, row)?;
    }
    seat(db, row, &Seats::of(&row.summary), &[])?;
    invite(db, row.table, &row.summary.invited)?;
    write_moves(db, row.table, &row.moves)?;
    Ok(())
}

/// The row comes first: it alone may be refused.
fn write_over(db: &Connection, row: &Row, before: Option<Before>) -> Result<(), Fault> {
    let sql = match &before {
        None => INSERT,
        Some(before) if is_soon_enough(before.look_at, row.deadline) => UPDATE_WITH_KEYS,
        Some(_) => UPDATE_WITH_ALL_KEYS,
    };
    let is_written = execute(db, sql, row)?;
    debug_assert!(is_written, "a row was inserted or was there");
    hang(db, row, before).map_err(Fault::Midway)
}

/// Writes what hangs on a row.
fn hang(db: &Connection, row: &Row, before: Option<Before>) -> Result<(), rusqlite::Error> {
    reseat(db, row, &Seats::of(&row.summary), before.as_ref())?;
    // Only private tables have invitations that may have changed.
    let was_private = before.is_some_and(|before| before.seats.sight == PRIVATE);
    if was_private || row.summary.private || !row.summary.invited.is_empty() {
        invite(db, row.table, &row.summary.invited)?;
    }
    if !row.moves.is_empty() {
        write_moves(db, row.table, &row.moves)?;
    }
    Ok(())
}

fn before(db: &Connection, table: TableId) -> Result<Option<Before>, rusqlite::Error> {
    let mut select = db.prepare_cached(
        "SELECT version, state = 'COMPLETED', created_at, creator, opponent, white, black, sight,
                look_at
           FROM tables WHERE id = ?1",
    )?;
    select
        .query_row((table,), |r| {
            let who = |i| Ok::<_, rusqlite::Error>(r.get::<_, Option<Who>>(i)?.map(|w| w.0));
            Ok(Before {
                version: r.get(0)?,
                created_at: r.get::<_, At>(2)?.0,
                look_at: r.get::<_, Option<At>>(8)?.map(|at| at.0),
                seats: Seats::new(r.get(1)?, r.get(7)?, [who(3)?, who(5)?, who(6)?], who(4)?),
            })
        })
        .optional()
}

/// Parameters are numbered, in the order of these columns: looking up names
/// costs a tenth of the whole write.
const INSERT: &str = "INSERT INTO tables
  (id, kind, version, creator, opponent, white, black, private, rated, speed, initial_ms, increment_ms,
   white_clock_ms, black_clock_ms, side_to_move, ply, result, reason, started_at, updated_at, ended_at,
   deadline, look_at, fen, history, state, variant, join_code, created_at, delay_ms)
VALUES
  (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
   ?22, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29)";

/// A newer state of the same players' table. SQLite rewrites an index whenever
/// one of its columns is set, even to the same value; so what is indexed, here
/// or as a seat, is only compared.
const UPDATE: &str = "UPDATE tables SET
   kind = ?2, version = ?3, rated = ?9, speed = ?10, initial_ms = ?11, increment_ms = ?12, white_clock_ms = ?13, black_clock_ms = ?14,
   side_to_move = ?15, ply = ?16, result = ?17, reason = ?18, started_at = ?19, updated_at = ?20,
   ended_at = ?21, deadline = ?22, fen = ?23, history = ?24
 WHERE id = ?1 AND version < ?3 AND creator = ?4 AND opponent IS ?5 AND white IS ?6 AND black IS ?7
   AND private = ?8 AND state = ?25 AND variant = ?26 AND join_code IS ?27 AND created_at = ?28
   AND delay_ms = ?29
   AND (look_at BETWEEN ?22 - 3600000 AND ?22 OR (look_at IS NULL AND ?22 IS NULL))";

macro_rules! update_with_keys {
    ($look:literal) => {
        concat!("UPDATE tables SET ", $look, "
   kind = ?2, version = ?3, creator = ?4, opponent = ?5, white = ?6, black = ?7, private = ?8, rated = ?9,
   speed = ?10, initial_ms = ?11, increment_ms = ?12, white_clock_ms = ?13, black_clock_ms = ?14,
   side_to_move = ?15, ply = ?16, result = ?17, reason = ?18, started_at = ?19, updated_at = ?20,
   ended_at = ?21, deadline = ?22, fen = ?23, history = ?24,
   state = ?25, variant = ?26, join_code = ?27, created_at = ?28, delay_ms = ?29
 WHERE id = ?1")
    };
}

/// Whatever has changed, and when the table is to be looked at.
const UPDATE_WITH_ALL_KEYS: &str = update_with_keys!("look_at = ?22,");

/// Whatever has changed: the table is looked at in time.
const UPDATE_WITH_KEYS: &str = update_with_keys!("");

/// Whether a table that is looked at then is looked at in time, and not far too early: as
/// [`UPDATE`] says it, too.
fn is_soon_enough(look_at: Option<Timestamp>, deadline: Option<Timestamp>) -> bool {
    match (look_at, deadline) {
        (Some(look_at), Some(deadline)) => look_at <= deadline && deadline.0 - look_at.0 <= LOOK_MS,
        (look_at, deadline) => look_at == deadline,
    }
}

/// Whether there was a row to write.
fn execute(db: &Connection, sql: &str, row: &Row) -> Result<bool, rusqlite::Error> {
    let s = &row.summary;
    let mut side = [0; 4];
    let written = db.prepare_cached(sql)?.execute(params![
        row.table,
        row.kind,
        row.version,
        Who(s.creator),
        s.opponent.map(Who),
        s.white.map(Who),
        s.black.map(Who),
        s.private,
        s.rated,
        s.speed,
        s.initial_ms,
        s.increment_ms,
        s.white_clock_ms,
        s.black_clock_ms,
        &*s.side_to_move.encode_utf8(&mut side),
        s.ply,
        s.result,
        s.reason,
        s.started_at.map(At),
        At(s.updated_at),
        s.ended_at.map(At),
        row.deadline.map(At),
        s.fen,
        row.history,
        s.state.name(),
        s.variant,
        row.join_code,
        At(s.created_at),
        s.delay_ms,
    ])?;
    Ok(written > 0)
}

/// Who leaves goes, who comes gets a place, and whoever stays keeps theirs, unless
/// something else about it has changed.
fn reseat(
    db: &Connection,
    row: &Row,
    seats: &Seats,
    before: Option<&Before>,
) -> Result<(), rusqlite::Error> {
    let Some(before) = before else {
        return seat(db, row, seats, &[]);
    };
    let was = &before.seats;
    let is_same_place = (was.over, was.sight, before.created_at)
        == (seats.over, seats.sight, row.summary.created_at);
    let (kept, keeps): (&[Sitting], &[Sitting]) = match is_same_place {
        true => (&was.players, &seats.players),
        false => (&[], &[]),
    };
    unseat(db, row.table, before, keeps)?;
    seat(db, row, seats, kept)
}

/// Somebody at a table, and whether they sit there or were only asked to.
type Sitting = (PlayerId, bool);

fn seat(
    db: &Connection,
    row: &Row,
    seats: &Seats,
    kept: &[Sitting],
) -> Result<(), rusqlite::Error> {
    let mut insert = db.prepare_cached(
        "INSERT INTO seats (player, over, sight, created_at, table_id, seated) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?;
    let new = seats.players.iter().filter(|one| !kept.contains(one));
    for (player, is_seated) in new {
        insert.execute((
            Who(*player),
            seats.over,
            seats.sight,
            At(row.summary.created_at),
            row.table,
            is_seated,
        ))?;
    }
    Ok(())
}

fn unseat(
    db: &Connection,
    table: TableId,
    before: &Before,
    keeps: &[Sitting],
) -> Result<(), rusqlite::Error> {
    let mut delete = db.prepare_cached(
        "DELETE FROM seats
          WHERE player = ?1 AND over = ?2 AND sight = ?3 AND created_at = ?4 AND table_id = ?5",
    )?;
    let gone = before.seats.players.iter();
    for (player, _) in gone.filter(|one| !keeps.contains(one)) {
        delete.execute((
            Who(*player),
            before.seats.over,
            before.seats.sight,
            At(before.created_at),
            table,
        ))?;
    }
    Ok(())
}

fn invite(db: &Connection, table: TableId, invited: &[PlayerId]) -> Result<(), rusqlite::Error> {
    let mut wanted = invited.to_vec();
    wanted.sort_unstable();
    wanted.dedup();
    if invited_to(db, table)? == wanted {
        return Ok(());
    }
    db.prepare_cached("DELETE FROM invitations WHERE table_id = ?1")?
        .execute((table,))?;
    let mut insert =
        db.prepare_cached("INSERT INTO invitations (table_id, account) VALUES (?1, ?2)")?;
    for account in wanted {
        insert.execute((table, Who(account)))?;
    }
    Ok(())
}

/// Who may see a private table besides its players, in the order of their numbers.
pub(super) fn invited_to(
    db: &Connection,
    table: TableId,
) -> Result<Vec<PlayerId>, rusqlite::Error> {
    db.prepare_cached("SELECT account FROM invitations WHERE table_id = ?1 ORDER BY account")?
        .query_map((table,), |r| Ok(r.get::<_, Who>(0)?.0))?
        .collect()
}

fn write_moves(db: &Connection, table: TableId, moves: &[MoveRow]) -> Result<(), rusqlite::Error> {
    db.prepare_cached("DELETE FROM moves WHERE table_id = ?1")?
        .execute((table,))?;
    let mut insert = db.prepare_cached(
        "INSERT INTO moves (table_id, ply, move_number, color, uci, san, fen_after, played_at,
                            elapsed_ms, white_clock_ms, black_clock_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for m in moves {
        let mut color = [0; 4];
        insert.execute((
            table,
            m.ply,
            m.move_number,
            &*m.color.encode_utf8(&mut color),
            &m.uci,
            &m.san,
            &m.fen_after,
            At(m.played_at),
            m.elapsed_ms,
            m.white_clock_ms,
            m.black_clock_ms,
        ))?;
    }
    Ok(())
}
