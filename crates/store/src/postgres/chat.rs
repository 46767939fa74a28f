//! Rooms: what was said, and who may not speak.

use std::sync::atomic::{AtomicU64, Ordering};

use chess::table::PlayerId;
use futures_util::future::{join, join3, try_join_all};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row as SqlRow, Statement};

use super::Db;
use super::fault::Fault;
use super::steps::Open;
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

const LOCK: &str = "SELECT pg_advisory_xact_lock($1)";
const LAST: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
        ARRAY(SELECT id FROM chat WHERE table_id = $1 AND id >= $2 ORDER BY id DESC LIMIT $3)";
const INSERT: &str = "INSERT INTO chat (table_id, id, at, account, role, audience, notice, text)
 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING";

/// What a line needs, to be prepared before anybody waits for it.
pub(super) const STATEMENTS: [&str; 3] = [LOCK, LAST, INSERT];

/// Gives a line its id and writes it: two round trips. Whoever says something in the
/// same room waits until it is durable, at whichever server; moves do not wait. The
/// time is the database's, read under the lock: so it is later than that of every line
/// before it, and tells of none of them.
pub(super) async fn append(db: Db, spoken: &Spoken) -> Result<(), Fault> {
    let each = STATEMENTS.map(|sql| db.prepare_cached(sql));
    let prepared = try_join_all(each).await?;
    let open = Open::new(db);
    let written = async {
        let id = number(&open, &prepared, spoken).await?;
        // A line that was not written leaves nothing to be undone.
        let insert = insert(&open, &prepared[2], &spoken.line, id);
        let (written, ended) = join(insert, open.end()).await;
        written.and(ended).map(|()| id)
    };
    match written.await {
        Ok(id) => {
            open.give_back();
            spoken.id.store(id, Ordering::Release);
            Ok(())
        }
        Err(fault) => {
            open.roll_back();
            Err(fault)
        }
    }
}

/// Locks the room and finds the line's id.
async fn number(open: &Open, prepared: &[Statement], spoken: &Spoken) -> Result<u64, Fault> {
    let (db, id) = (open.client(), table(spoken.line.table));
    let (room, from, most) = (ROOM | id, int(spoken.numbering.from), i64::from(IDS_MAX));
    let room: [&(dyn ToSql + Sync); 1] = [&room];
    let after: [&(dyn ToSql + Sync); 3] = [&id, &from, &most];
    let (begun, locked, found) = join3(
        open.begin(),
        db.query_one(&prepared[0], &room),
        db.query_one(&prepared[1], &after),
    )
    .await;
    begun?;
    locked?;
    let found = found?;
    let ids: Vec<i64> = found.col(1)?;
    let ids: Vec<u64> = ids.into_iter().map(i64::unsigned_abs).collect();
    Ok((spoken.numbering.next)(found.at(0)?, &ids))
}

async fn insert(open: &Open, insert: &Statement, line: &NewChatLine, id: u64) -> Result<(), Fault> {
    let parameters: [&(dyn ToSql + Sync); 8] = [
        &table(line.table),
        &int(id),
        &at(line.at),
        &who(line.from),
        &line.role,
        &line.audience,
        &line.is_notice,
        &line.text,
    ];
    match open.client().execute(insert, &parameters).await? {
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
                AND ((role = 'moderator' AND notice)
                     OR NOT EXISTS (SELECT 1 FROM blocks b
                                     WHERE b.account = $3 AND b.blocked = chat.account))
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
