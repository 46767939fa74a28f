//! Rooms: what was said, and who may not speak.

use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, Row as SqlRow};

use super::fault::Fault;
use super::values::{At, Number, Who, int};
use crate::chat::IDS_MAX;
use crate::{Ban, BanKind, ChatFilter, ChatLine, ChatNumbering, Error, NewChatLine, TableId};

const COLUMNS: &str = "table_id, id, at, account, role, audience, notice, text";

/// Gives a line its id: there is one writer, so nobody else says anything meanwhile.
pub(crate) fn append(
    db: &Connection,
    line: &NewChatLine,
    numbering: &ChatNumbering,
) -> Result<u64, Fault> {
    let ids: Vec<u64> = db
        .prepare_cached(
            "SELECT id FROM chat WHERE table_id = ?1 AND id >= ?2 ORDER BY id DESC LIMIT ?3",
        )?
        .query_map((line.table, int(numbering.from), IDS_MAX), |row| {
            row.get::<_, Number>(0).map(|id| id.0)
        })?
        .collect::<Result<_, _>>()?;
    let id = (numbering.next)(line.at, &ids);
    let written = db
        .prepare_cached(
            "INSERT INTO chat (table_id, id, at, account, role, audience, notice, text)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
        )?
        .execute((
            line.table,
            int(id),
            At(line.at),
            Who(line.from),
            &line.role,
            &line.audience,
            line.is_notice,
            &line.text,
        ))?;
    match written {
        1 => Ok(id),
        _ => Err(Error::Conflict.into()),
    }
}

/// The newest lines of a table after that id that the filter admits, oldest first.
pub(crate) fn of(
    db: &Connection,
    table: TableId,
    filter: ChatFilter,
    after: Option<u64>,
    limit: u32,
) -> Result<Vec<ChatLine>, Fault> {
    // As `ChatFilter::admits`; a comparison with NULL is not true.
    let mut lines: Vec<ChatLine> = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM chat
              WHERE table_id = ?1 AND id > ?2
                AND (account = ?3
                     OR ((?4 IS NULL OR role <> 'player' OR at <= ?4)
                         AND (NOT ?5 OR (role = 'player' AND audience = 'room')
                                     OR (role = 'moderator' AND notice))))
                AND ((role = 'moderator' AND notice)
                     OR NOT EXISTS (SELECT 1 FROM blocks b
                                     WHERE b.account = ?3 AND b.blocked = chat.account))
              ORDER BY id DESC LIMIT ?6"
        ))?
        .query_map(
            (
                table,
                after.map_or(-1, int),
                filter.reader.map(Who),
                filter.players_until.map(At),
                filter.is_room_only,
                limit,
            ),
            line,
        )?
        .collect::<Result<_, _>>()?;
    lines.reverse();
    Ok(lines)
}

/// What somebody said, table by table.
pub(crate) fn by(
    db: &Connection,
    account: PlayerId,
    after: Option<(TableId, u64)>,
    limit: u32,
) -> Result<Vec<ChatLine>, Fault> {
    let (table, id) = after.map_or((-1, -1), |(table, id)| (int(table.number()), int(id)));
    let lines = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM chat
              WHERE account = ?1 AND (table_id, id) > (?2, ?3) ORDER BY table_id, id LIMIT ?4"
        ))?
        .query_map((Who(account), table, id, limit), line)?
        .collect::<Result<_, _>>()?;
    Ok(lines)
}

pub(crate) fn ban(db: &Connection, ban: &Ban) -> Result<(), Fault> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO room_bans (table_id, account, kind, by, at) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute((
        ban.table,
        Who(ban.account),
        ban.kind.name(),
        Who(ban.by),
        At(ban.at),
    ))?;
    Ok(())
}

pub(crate) fn lift(db: &Connection, table: TableId, account: PlayerId) -> Result<bool, Fault> {
    let lifted = db
        .prepare_cached("DELETE FROM room_bans WHERE table_id = ?1 AND account = ?2")?
        .execute((table, Who(account)))?;
    Ok(lifted == 1)
}

pub(crate) fn bans(db: &Connection, table: TableId) -> Result<Vec<Ban>, Fault> {
    let bans = db
        .prepare_cached(
            "SELECT table_id, account, kind, by, at FROM room_bans WHERE table_id = ?1 ORDER BY account",
        )?
        .query_map((table,), banned)?
        .collect::<Result<_, _>>()?;
    Ok(bans)
}

/// How somebody is banned from the rooms of these tables.
pub(crate) fn bans_at(
    db: &Connection,
    tables: &[TableId],
    account: PlayerId,
) -> Result<Vec<Ban>, Fault> {
    if let [table] = tables {
        // Whoever joins is looked for in one room, and a list of one would be parsed.
        let bans = db
            .prepare_cached(
                "SELECT table_id, account, kind, by, at FROM room_bans
                  WHERE table_id = ?1 AND account = ?2",
            )?
            .query_map((table, Who(account)), banned)?
            .collect::<Result<_, _>>()?;
        return Ok(bans);
    }
    let numbers: Vec<_> = tables.iter().map(|t| t.number().to_string()).collect();
    let numbers = format!("[{}]", numbers.join(","));
    let bans = db
        .prepare_cached(
            "SELECT table_id, account, kind, by, at FROM room_bans
              WHERE account = ?1 AND table_id IN (SELECT value FROM json_each(?2)) ORDER BY table_id",
        )?
        .query_map((Who(account), numbers), banned)?
        .collect::<Result<_, _>>()?;
    Ok(bans)
}

fn banned(r: &SqlRow<'_>) -> Result<Ban, rusqlite::Error> {
    let name: String = r.get(2)?;
    let kind = BanKind::named(&name);
    Ok(Ban {
        table: r.get(0)?,
        account: r.get::<_, Who>(1)?.0,
        kind: kind.ok_or(rusqlite::Error::InvalidColumnType(2, name, Type::Text))?,
        by: r.get::<_, Who>(3)?.0,
        at: r.get::<_, At>(4)?.0,
    })
}

fn line(r: &SqlRow<'_>) -> Result<ChatLine, rusqlite::Error> {
    Ok(ChatLine {
        table: r.get(0)?,
        id: r.get::<_, Number>(1)?.0,
        at: r.get::<_, At>(2)?.0,
        from: r.get::<_, Who>(3)?.0,
        role: r.get(4)?,
        audience: r.get(5)?,
        is_notice: r.get(6)?,
        text: r.get(7)?,
    })
}
