//! Rooms: what was said, and who may not speak.

use std::sync::atomic::{AtomicU64, Ordering};

use chess::table::PlayerId;
use deadpool_postgres::Transaction;
use tokio_postgres::Row as SqlRow;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, int, table, who};
use crate::chat::IDS_MAX;
use crate::{Ban, BanKind, ChatFilter, ChatLine, ChatNumbering, Error, NewChatLine, TableId};

const COLUMNS: &str = "table_id, id, at, account, role, audience, notice, text";

/// Locks of rooms, by the number of the table: apart from all others that are locked
/// by a number.
const ROOM: i64 = 0x63 << 48;

/// A line to be written, and the id that it got.
pub(super) struct Spoken {
    pub(super) line: NewChatLine,
    numbering: ChatNumbering,
    id: AtomicU64,
}

impl Spoken {
    pub(super) fn new(line: NewChatLine, numbering: ChatNumbering) -> Spoken {
        Spoken {
            line,
            numbering,
            id: AtomicU64::new(0),
        }
    }

    /// Its id, once it is written.
    pub(super) fn id(&self) -> u64 {
        self.id.load(Ordering::Acquire)
    }
}

/// Gives a line its id and writes it. Whoever says something in the same room
/// waits until it is durable, at whichever server; moves do not wait. The time is the
/// database's, read under the lock: so it is later than that of every line before it,
/// and tells of none of them.
pub(super) async fn append(db: &mut Db, spoken: &Spoken) -> Result<(), Fault> {
    let line = &spoken.line;
    let transaction = db.transaction().await?;
    let lock = transaction
        .prepare_cached("SELECT pg_advisory_xact_lock($1)")
        .await?;
    transaction
        .query_one(&lock, &[&(ROOM | table(line.table))])
        .await?;
    let select = transaction
        .prepare_cached(
            "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
                    ARRAY(SELECT id FROM chat WHERE table_id = $1 AND id >= $2
                           ORDER BY id DESC LIMIT $3)",
        )
        .await?;
    let from = int(spoken.numbering.from);
    let found = transaction
        .query_one(&select, &[&table(line.table), &from, &i64::from(IDS_MAX)])
        .await?;
    let ids: Vec<i64> = found.col(1)?;
    let ids: Vec<u64> = ids.into_iter().map(i64::unsigned_abs).collect();
    let id = (spoken.numbering.next)(found.at(0)?, &ids);
    insert(&transaction, line, id).await?;
    transaction.commit().await?;
    spoken.id.store(id, Ordering::Release);
    Ok(())
}

async fn insert(db: &Transaction<'_>, line: &NewChatLine, id: u64) -> Result<(), Fault> {
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
                &int(id),
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
