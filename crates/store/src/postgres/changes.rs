//! One change with all that is written with it, in a transaction of its own.

use deadpool_postgres::Transaction;

use super::Db;
use super::fault::Fault;
use super::values::{Columns, at, small, table};
use super::{keys, rows};
use crate::{Change, Error};

/// Makes the change, if the table has the version it was decided on.
pub(super) async fn write(db: &mut Db, writer: usize, change: &Change) -> Result<(), Fault> {
    let transaction = db.transaction().await?;
    if version(&transaction, change).await? != change.expected {
        return Err(Error::Conflict.into());
    }
    let row = change.after.row();
    debug_assert_eq!((row.table, row.version), (change.table, change.version));
    rows::write(&transaction, &row, change.node, change.expected == 0).await?;
    if let Some(remembered) = &change.remember
        && !keys::remember(&transaction, remembered).await?
    {
        return Err(Error::Conflict.into());
    }
    let sign = transaction
        .prepare_cached(
            "UPDATE signs_of_life SET at = greatest(at, $2) WHERE writer = $1 AND node = $3",
        )
        .await?;
    let writer = small(u32::try_from(writer).unwrap_or(0));
    let alive_at = at(change.at.min(change.asked));
    let node = small(change.node.0);
    transaction
        .execute(&sign, &[&writer, &alive_at, &node])
        .await?;
    transaction.commit().await?;
    Ok(())
}

/// The version the table has, which nobody changes until this is over; 0 if there
/// is none.
async fn version(transaction: &Transaction<'_>, change: &Change) -> Result<u32, Fault> {
    // A new table's id must not be that of an archived one either.
    let select = match change.expected {
        0 => "SELECT version FROM tables WHERE id = $1 FOR NO KEY UPDATE",
        _ => "SELECT version FROM tables WHERE id = $1 AND archive = 0 FOR NO KEY UPDATE",
    };
    let select = transaction.prepare_cached(select).await?;
    let found = transaction
        .query_opt(&select, &[&table(change.table)])
        .await?;
    found.map_or(Ok(0), |row| row.small(0))
}
