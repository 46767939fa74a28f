//! Rooms: what was said, and who may not speak.

use chess::table::PlayerId;
use tokio_postgres::Row as SqlRow;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, int, table, who};
use crate::{Ban, BanKind, ChatFilter, ChatLine, Error, TableId};

const COLUMNS: &str = "table_id, id, at, account, role, audience, notice, text";

pub(crate) async fn append(db: &Db, line: &ChatLine) -> Result<(), Fault> {
    let insert = db
        .prepare_cached(
            "INSERT INTO chat (table_id, id, at, account, role, audience, notice, text)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
        )
        .await?;
    let written = db
        .execute(
            &insert,
            &[
                &table(line.table),
                &int(line.id),
                &at(line.at),
                &who(line.from),
                &line.role,
                &line.audience,
                &line.is_notice,
                &line.text,
            ],
        )
        .await?;
    match written {
        1 => Ok(()),
        _ => Err(Error::Conflict.into()),
    }
}

/// The newest lines of a table after that id that the filter admits, oldest first.
pub(crate) async fn of(
    db: &Db,
    id: TableId,
    filter: ChatFilter,
    after: Option<u64>,
    limit: u32,
) -> Result<Vec<ChatLine>, Fault> {
    // As `ChatFilter::admits`; a comparison with NULL is not true.
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM chat
              WHERE table_id = $1 AND id > $2
                AND (account = $3
                     OR (($4::bigint IS NULL OR role <> 'player' OR at <= $4::bigint)
                         AND (NOT $5::boolean OR (role = 'player' AND audience = 'room')
                                              OR (role = 'moderator' AND notice))))
              ORDER BY id DESC LIMIT $6"
        ))
        .await?;
    let found = db
        .query(
            &select,
            &[
                &table(id),
                &after.map_or(-1, int),
                &filter.reader.map(who),
                &filter.players_until.map(at),
                &filter.is_room_only,
                &i64::from(limit),
            ],
        )
        .await?;
    found.iter().rev().map(line).collect()
}

/// What somebody said, table by table.
pub(crate) async fn by(
    db: &Db,
    account: PlayerId,
    after: Option<(TableId, u64)>,
    limit: u32,
) -> Result<Vec<ChatLine>, Fault> {
    let (after_table, after_id) = after.map_or((-1, -1), |(id, line)| (table(id), int(line)));
    let select = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM chat
              WHERE account = $1 AND (table_id, id) > ($2, $3) ORDER BY table_id, id LIMIT $4"
        ))
        .await?;
    let found = db
        .query(
            &select,
            &[&who(account), &after_table, &after_id, &i64::from(limit)],
        )
        .await?;
    found.iter().map(line).collect()
}

pub(crate) async fn ban(db: &Db, ban: &Ban) -> Result<(), Fault> {
    let insert = db
        .prepare_cached(
            "INSERT INTO room_bans (table_id, account, kind, by, at) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (table_id, account)
             DO UPDATE SET kind = excluded.kind, by = excluded.by, at = excluded.at",
        )
        .await?;
    db.execute(
        &insert,
        &[
            &table(ban.table),
            &who(ban.account),
            &ban.kind.name(),
            &who(ban.by),
            &at(ban.at),
        ],
    )
    .await?;
    Ok(())
}

pub(crate) async fn lift(db: &Db, id: TableId, account: PlayerId) -> Result<bool, Fault> {
    let delete = db
        .prepare_cached("DELETE FROM room_bans WHERE table_id = $1 AND account = $2")
        .await?;
    let lifted = db.execute(&delete, &[&table(id), &who(account)]).await?;
    Ok(lifted == 1)
}

pub(crate) async fn bans(db: &Db, id: TableId) -> Result<Vec<Ban>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT table_id, account, kind, by, at FROM room_bans WHERE table_id = $1 ORDER BY account",
        )
        .await?;
    let found = db.query(&select, &[&table(id)]).await?;
    found.iter().map(banned).collect()
}

/// How somebody is banned from the rooms of these tables.
pub(crate) async fn bans_at(
    db: &Db,
    tables: &[TableId],
    account: PlayerId,
) -> Result<Vec<Ban>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT table_id, account, kind, by, at FROM room_bans
              WHERE account = $1 AND table_id = ANY($2) ORDER BY table_id",
        )
        .await?;
    let tables: Vec<i64> = tables.iter().copied().map(table).collect();
    let found = db.query(&select, &[&who(account), &tables]).await?;
    found.iter().map(banned).collect()
}

fn banned(row: &SqlRow) -> Result<Ban, Fault> {
    Ok(Ban {
        table: row.table(0)?,
        account: row.who(1)?,
        kind: row.named(2, BanKind::named)?,
        by: row.who(3)?,
        at: row.at(4)?,
    })
}

fn line(row: &SqlRow) -> Result<ChatLine, Fault> {
    Ok(ChatLine {
        table: row.table(0)?,
        id: row.number(1)?,
        at: row.at(2)?,
        from: row.who(3)?,
        role: row.col(4)?,
        audience: row.col(5)?,
        is_notice: row.col(6)?,
        text: row.col(7)?,
    })
}
