//! The servers that share the database.

use chess::Timestamp;
use chess::table::{Outage, PlayerId};
use tokio::try_join;
use tokio_postgres::Row as SqlRow;
use tokio_postgres::types::ToSql;

use super::Db;
use super::fault::Fault;
use super::lanes::CONNECTIONS;
use super::revocations::revocations_since;
use super::values::{Columns, at, int, small, table, who};
use crate::nodes::{DEAD_AFTER, SILENCE};
use crate::{Beat, Due, Error, Node, NodeId, Pulse, Standing, TableId};

/// Nodes that have not been heard of for that long are forgotten.
const FORGET_MS: i64 = 86_400_000;

/// The database's clock.
const NOW_MS: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// A new node, which has not been heard of yet.
pub(crate) async fn join(db: &mut Db, name: &str) -> Result<NodeId, Fault> {
    let transaction = db.transaction().await?;
    let insert = "INSERT INTO nodes (name) VALUES ($1) RETURNING id";
    let made = transaction.query_one(insert, &[&name]).await?;
    let node: i32 = made.try_get(0)?;
    let signs = "INSERT INTO signs_of_life (node, writer, at)
                 SELECT $1, writer, 0 FROM generate_series(0, $2) AS writer";
    let last = i32::try_from(CONNECTIONS).unwrap_or(i32::MAX);
    transaction.execute(signs, &[&node, &last]).await?;
    // Their last signs are in `alive_at` before they are forgotten.
    for forget in [
        format!(
            "INSERT INTO meta (key, value)
             SELECT 'alive_at', max(coalesce(left_at, seen_at)) FROM nodes
              WHERE seen_at < {NOW_MS} - $1 HAVING count(*) > 0
             ON CONFLICT (key) DO UPDATE SET value = greatest(meta.value, excluded.value)"
        ),
        format!(
            "DELETE FROM signs_of_life WHERE node IN (
               SELECT id FROM nodes WHERE seen_at < {NOW_MS} - $1)"
        ),
        format!("DELETE FROM nodes WHERE seen_at < {NOW_MS} - $1"),
    ] {
        transaction.execute(&forget, &[&FORGET_MS]).await?;
    }
    transaction.commit().await?;
    Ok(NodeId(u32::try_from(node).unwrap_or(0)))
}

/// What tells the nodes of this database from others on one bus.
pub(crate) async fn space(db: &Db) -> Result<u64, Fault> {
    let select = "SELECT value FROM meta WHERE key = 'space'";
    db.query_one(select, &[]).await?.number(0)
}

/// A heartbeat, and what there is to hear. All questions leave at once, and are
/// answered one after the other: what the first wrote the others see.
pub(crate) async fn beat(db: &Db, beat: Beat) -> Result<Pulse, Fault> {
    let (heartbeat, nodes, outages) = try_join!(
        db.prepare_cached("SELECT heartbeat($1, $2, $3, $4)"),
        db.prepare_cached(
            "SELECT id, name, coalesce(left_at, seen_at), left_at IS NOT NULL FROM nodes
              WHERE seen_at IS NOT NULL ORDER BY id"
        ),
        db.prepare_cached(
            "SELECT number, down_since, up_at FROM outages WHERE number > $1 ORDER BY number"
        ),
    )?;
    let (down_since, outage) = (beat.down_since.map(at), int(beat.outage));
    let node = small(beat.node.0);
    let (silence, dead) = (i64::from(SILENCE.0), i64::from(DEAD_AFTER.0));
    let who: [&(dyn ToSql + Sync); 4] = [&node, &down_since, &silence, &dead];
    let since: [&(dyn ToSql + Sync); 1] = [&outage];
    let (clock, nodes, outages, revocations) = try_join!(
        async { Ok(db.query_one(&heartbeat, &who).await?) },
        async { Ok(db.query(&nodes, &[]).await?) },
        async { Ok(db.query(&outages, &since).await?) },
        revocations_since(db, beat.revocation),
    )?;
    let clock: Option<i64> = clock.try_get(0)?;
    let gone = || Error::Unavailable("this node is not known any more".into());
    let clock = clock.ok_or_else(gone)?;
    Ok(Pulse {
        at_us: u64::try_from(clock).unwrap_or_default(),
        nodes: nodes.iter().map(known).collect::<Result<_, Fault>>()?,
        revocations,
        outages: outages.iter().map(numbered).collect::<Result<_, Fault>>()?,
    })
}

fn known(row: &SqlRow) -> Result<Node, Fault> {
    Ok(Node {
        id: NodeId(row.small(0)?),
        name: row.col(1)?,
        seen_at: row.at(2)?,
        has_left: row.col(3)?,
    })
}

fn numbered(row: &SqlRow) -> Result<(u64, Outage), Fault> {
    let outage = Outage {
        down_since: row.at(1)?,
        up_at: row.at(2)?,
    };
    Ok((row.number(0)?, outage))
}

/// The node makes no change any more since that moment.
pub(crate) async fn depart(db: &Db, node: NodeId, since: Timestamp) -> Result<(), Fault> {
    let update = "UPDATE nodes SET left_at = $2 WHERE id = $1 AND left_at IS NULL";
    db.execute(update, &[&small(node.0), &at(since)]).await?;
    Ok(())
}

/// Tables that are not over and whose last change was none of these nodes'.
pub(crate) async fn orphans(db: &mut Db, live: &[NodeId]) -> Result<Vec<Due>, Fault> {
    let moment = db.transaction().await?;
    moment
        .batch_execute("SET LOCAL statement_timeout = 0")
        .await?;
    let live: Vec<i32> = live.iter().map(|node| small(node.0)).collect();
    let select = "SELECT id, deadline FROM tables
                   WHERE archive = 0 AND state IN ('WAITING', 'ACTIVE', 'PAUSED') AND node <> ALL ($1)
                   ORDER BY id";
    let found = moment.query(select, &[&live]).await?;
    let due = |row: &SqlRow| {
        Ok(Due {
            table: row.table(0)?,
            at: row.at_or(1)?,
        })
    };
    found.iter().map(due).collect()
}

pub(super) const VERSIONS: &str =
    "SELECT t.id, t.version FROM unnest($1::bigint[]) AS g (id) JOIN tables t ON t.id = g.id";

/// The versions of these tables: what is not there is left out.
pub(super) async fn versions(db: &Db, tables: &[TableId]) -> Result<Vec<(TableId, u32)>, Fault> {
    let select = db.prepare_cached(VERSIONS).await?;
    let ids: Vec<i64> = tables.iter().copied().map(table).collect();
    let found = db.query(&select, &[&ids]).await?;
    let version = |row: &SqlRow| Ok((row.table(0)?, row.small(1)?));
    found.iter().map(version).collect()
}

/// The tables of these players that are not over, or were made since then.
pub(crate) async fn current_of(
    db: &Db,
    players: &[PlayerId],
    since: Timestamp,
) -> Result<Vec<(PlayerId, TableId, u32)>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT s.player, t.id, t.version
               FROM unnest($1::bigint[]) AS p (player)
              CROSS JOIN LATERAL (
                    SELECT player, table_id FROM seats
                     WHERE player = p.player AND NOT over
                    UNION ALL
                    SELECT player, table_id FROM seats
                     WHERE player = p.player AND over AND sight IN (0, 1, 2) AND created_at >= $2) AS s
               JOIN tables t ON t.id = s.table_id AND t.archive = 0",
        )
        .await?;
    let players: Vec<i64> = players.iter().copied().map(who).collect();
    let found = db.query(&select, &[&players, &at(since)]).await?;
    let of = |row: &SqlRow| Ok((row.who(0)?, row.table(1)?, row.small(2)?));
    found.iter().map(of).collect()
}

/// How far these tables and their rooms have come.
pub(crate) async fn standings(db: &Db, tables: &[TableId]) -> Result<Vec<Standing>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT t.id, t.version, coalesce((SELECT max(c.id) FROM chat c WHERE c.table_id = t.id), 0)
               FROM unnest($1::bigint[]) AS g (id) JOIN tables t ON t.id = g.id",
        )
        .await?;
    let ids: Vec<i64> = tables.iter().copied().map(table).collect();
    let found = db.query(&select, &[&ids]).await?;
    let standing = |row: &SqlRow| {
        Ok(Standing {
            table: row.table(0)?,
            version: row.small(1)?,
            chat: row.number(2)?,
        })
    };
    found.iter().map(standing).collect()
}
