//! What the players of slow games decide for days ahead.

use chess::Timestamp;
use chess::table::PlayerId;
use deadpool_postgres::Transaction;
use tokio_postgres::Row as SqlRow;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, small, table, who};
use crate::{Plan, TableId, Vacation};

const PLAN: &str = "p.table_id, p.account, p.version, p.ply, p.lines FROM conditional_moves p";

pub(crate) async fn plans_of(db: &Db, id: TableId) -> Result<Vec<Plan>, Fault> {
    let sql = format!("SELECT {PLAN} WHERE p.table_id = $1 ORDER BY p.account");
    let select = db.prepare_cached(&sql).await?;
    let found = db.query(&select, &[&table(id)]).await?;
    found.iter().map(plan).collect()
}

pub(crate) async fn plans_by(db: &Db, account: PlayerId) -> Result<Vec<Plan>, Fault> {
    let sql = format!("SELECT {PLAN} WHERE p.account = $1 ORDER BY p.table_id");
    let select = db.prepare_cached(&sql).await?;
    let found = db.query(&select, &[&who(account)]).await?;
    found.iter().map(plan).collect()
}

/// Plans whose games have gone on or are over.
pub(crate) async fn stale_plans(
    db: &Db,
    after: Option<(TableId, PlayerId)>,
    limit: u32,
) -> Result<Vec<Plan>, Fault> {
    let sql = format!(
        "SELECT {PLAN} LEFT JOIN tables t ON t.id = p.table_id AND t.archive = 0
          WHERE (p.table_id, p.account) > ($1, $2)
            AND (t.id IS NULL OR t.ply <> p.ply OR t.state = 'COMPLETED')
          ORDER BY p.table_id, p.account LIMIT $3"
    );
    let select = db.prepare_cached(&sql).await?;
    let (id, account) = match after {
        Some((id, account)) => (table(id), who(account)),
        None => (i64::MIN, i64::MIN),
    };
    let found = db
        .query(&select, &[&id, &account, &i64::from(limit)])
        .await?;
    found.iter().map(plan).collect()
}

pub(crate) async fn set_plan(db: &Db, plan: &Plan) -> Result<(), Fault> {
    let write = db
        .prepare_cached(
            "INSERT INTO conditional_moves (table_id, account, version, ply, lines)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (table_id, account) DO UPDATE
                SET version = excluded.version, ply = excluded.ply, lines = excluded.lines",
        )
        .await?;
    let (id, owner) = (table(plan.table), who(plan.account));
    let (version, ply) = (small(plan.version), small(plan.ply));
    db.execute(&write, &[&id, &owner, &version, &ply, &plan.lines])
        .await?;
    Ok(())
}

/// Replaces a plan or takes it away, unless it is another by now. Whether it was that.
pub(crate) async fn change_plan(
    db: &Db,
    before: &Plan,
    after: Option<&Plan>,
) -> Result<bool, Fault> {
    let (id, owner) = (table(before.table), who(before.account));
    let (version, ply) = (small(before.version), small(before.ply));
    let was = "table_id = $1 AND account = $2 AND version = $3 AND ply = $4 AND lines = $5";
    let changed = match after {
        None => {
            let sql = format!("DELETE FROM conditional_moves WHERE {was}");
            let delete = db.prepare_cached(&sql).await?;
            db.execute(&delete, &[&id, &owner, &version, &ply, &before.lines])
                .await?
        }
        Some(after) => {
            let sql = format!(
                "UPDATE conditional_moves SET version = $6, ply = $7, lines = $8 WHERE {was}"
            );
            let update = db.prepare_cached(&sql).await?;
            let (then, at_ply) = (small(after.version), small(after.ply));
            db.execute(
                &update,
                &[
                    &id,
                    &owner,
                    &version,
                    &ply,
                    &before.lines,
                    &then,
                    &at_ply,
                    &after.lines,
                ],
            )
            .await?
        }
    };
    Ok(changed > 0)
}

fn plan(row: &SqlRow) -> Result<Plan, Fault> {
    Ok(Plan {
        table: row.table(0)?,
        account: row.who(1)?,
        version: row.small(2)?,
        ply: row.small(3)?,
        lines: row.col(4)?,
    })
}

const VACATION: &str = "SELECT account, began_at, ends_at, recorded FROM vacations";

/// Those of an account that end after that moment, the earliest first.
pub(crate) async fn vacations_of(
    db: &Db,
    account: PlayerId,
    after: Timestamp,
) -> Result<Vec<Vacation>, Fault> {
    let sql = format!("{VACATION} WHERE account = $1 AND ends_at > $2 ORDER BY began_at");
    let select = db.prepare_cached(&sql).await?;
    let found = db.query(&select, &[&who(account), &at(after)]).await?;
    found.iter().map(vacation).collect()
}

/// Begins one, unless one is running. Whether it began.
pub(crate) async fn begin_vacation(
    db: &mut Db,
    account: PlayerId,
    began_at: Timestamp,
    ends_at: Timestamp,
) -> Result<bool, Fault> {
    let transaction = db.transaction().await?;
    // Of two at once, one after the other.
    let hold = transaction
        .prepare_cached("SELECT number FROM accounts WHERE number = $1 FOR UPDATE")
        .await?;
    transaction.query(&hold, &[&who(account)]).await?;
    let insert = transaction
        .prepare_cached(
            "INSERT INTO vacations (account, began_at, ends_at, recorded)
             SELECT $1, $2, $3, false
              WHERE NOT EXISTS (SELECT 1 FROM vacations WHERE account = $1 AND ends_at > $2)
             ON CONFLICT DO NOTHING",
        )
        .await?;
    let written = transaction
        .execute(&insert, &[&who(account), &at(began_at), &at(ends_at)])
        .await?;
    transaction.commit().await?;
    Ok(written > 0)
}

/// Gives one another end, unless it has another by now. Whether it was so.
pub(crate) async fn change_vacation(
    db: &Db,
    before: &Vacation,
    ends_at: Timestamp,
) -> Result<bool, Fault> {
    let update = db
        .prepare_cached(
            "UPDATE vacations SET ends_at = $4, recorded = false
              WHERE account = $1 AND began_at = $2 AND ends_at = $3",
        )
        .await?;
    let (began, ends) = (at(before.began_at), at(before.ends_at));
    let written = db
        .execute(
            &update,
            &[&who(before.account), &began, &ends, &at(ends_at)],
        )
        .await?;
    Ok(written > 0)
}

/// The games were told of one as it is here: what is older counts no more, and what is newer
/// or has another end by now is to be told again.
pub(crate) async fn vacation_told(db: &Db, told: &Vacation, all_know: bool) -> Result<(), Fault> {
    let update = db
        .prepare_cached(
            "UPDATE vacations
                SET recorded = began_at < $2 OR (began_at = $2 AND ends_at = $3 AND $4)
              WHERE account = $1
                AND recorded <> (began_at < $2 OR (began_at = $2 AND ends_at = $3 AND $4))",
        )
        .await?;
    let (began, ends) = (at(told.began_at), at(told.ends_at));
    db.execute(&update, &[&who(told.account), &began, &ends, &all_know])
        .await?;
    Ok(())
}

/// Those that not all games may know of, unless there is a newer one of the same account.
pub(crate) async fn vacations_to_record(db: &Db, limit: u32) -> Result<Vec<Vacation>, Fault> {
    let sql = format!(
        "{VACATION} v WHERE NOT recorded
            AND NOT EXISTS (SELECT 1 FROM vacations newer
                             WHERE newer.account = v.account AND newer.began_at > v.began_at)
          ORDER BY account, began_at LIMIT $1"
    );
    let select = db.prepare_cached(&sql).await?;
    let found = db.query(&select, &[&i64::from(limit)]).await?;
    found.iter().map(vacation).collect()
}

/// Those that are running are recorded once more; those from long ago are forgotten.
pub(crate) async fn recheck_vacations(
    db: &Db,
    now: Timestamp,
    before: Timestamp,
) -> Result<(), Fault> {
    let update = "UPDATE vacations SET recorded = false WHERE ends_at > $1";
    db.execute(update, &[&at(now)]).await?;
    let delete = "DELETE FROM vacations WHERE ends_at < $1";
    db.execute(delete, &[&at(before)]).await?;
    Ok(())
}

/// Forgets what an account decided.
pub(super) async fn forget(transaction: &Transaction<'_>, account: PlayerId) -> Result<(), Fault> {
    for sql in [
        "DELETE FROM conditional_moves WHERE account = $1",
        "DELETE FROM vacations WHERE account = $1",
    ] {
        let forget = transaction.prepare_cached(sql).await?;
        transaction.execute(&forget, &[&who(account)]).await?;
    }
    Ok(())
}

fn vacation(row: &SqlRow) -> Result<Vacation, Fault> {
    Ok(Vacation {
        account: row.who(0)?,
        began_at: row.at(1)?,
        ends_at: row.at(2)?,
        is_recorded: row.col(3)?,
    })
}
