//! The first administrator of a server.

use chess::table::PlayerId;
use deadpool_postgres::GenericClient;

use super::fault::Fault;
use super::values::{Columns, int};
use super::{Db, accounts, upkeep};
use crate::setup::CODE;
use crate::{FirstAdmin, Installed};

/// The code with which somebody may become the first administrator: the one there is, or
/// else this. `None`: there is an administrator, and no code any more.
pub(crate) async fn code(db: &Db, new: u64, except: &str) -> Result<Option<u64>, Fault> {
    if has_admin(db, except).await? {
        forget(db).await?;
        return Ok(None);
    }
    let insert = "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
    db.execute(insert, &[&CODE, &int(new)]).await?;
    known(db, "").await
}

/// Whether there is a code, and nobody to whom it is of no use.
pub(crate) async fn is_needed(db: &Db, except: &str) -> Result<bool, Fault> {
    Ok(known(db, "").await?.is_some() && !has_admin(db, except).await?)
}

/// Makes the first administrator. Of several at once each holds the code, one after the
/// other, until it is gone.
pub(crate) async fn install(db: &mut Db, first: FirstAdmin) -> Result<Installed, Fault> {
    let transaction = db.transaction().await?;
    let code = known(&transaction, "FOR UPDATE").await?;
    if has_admin(&transaction, &first.except).await? {
        return Ok(Installed::Before);
    }
    if code != Some(first.code) {
        return Ok(Installed::WrongCode);
    }
    // The number is PostgreSQL's to choose; any will do until then.
    let mut account = first
        .new
        .numbered(PlayerId::new(1).expect("one is not zero"));
    let Some(number) = accounts::insert(&transaction, &account).await? else {
        return Ok(Installed::NameTaken);
    };
    account.number = number;
    forget(&transaction).await?;
    upkeep::audit(&transaction, &first.audit).await?;
    transaction.commit().await?;
    Ok(Installed::Made(Box::new(account)))
}

async fn known(db: &impl GenericClient, hold: &str) -> Result<Option<u64>, Fault> {
    let select = format!("SELECT value FROM meta WHERE key = $1 {hold}");
    let found = db.query_opt(&select, &[&CODE]).await?;
    found.map(|row| row.number(0)).transpose()
}

async fn has_admin(db: &impl GenericClient, except: &str) -> Result<bool, Fault> {
    let select = "SELECT 1 FROM accounts
                   WHERE is_admin AND deleted_at IS NULL AND id <> $1 LIMIT 1";
    Ok(db.query_opt(select, &[&except]).await?.is_some())
}

async fn forget(db: &impl GenericClient) -> Result<(), Fault> {
    db.execute("DELETE FROM meta WHERE key = $1", &[&CODE])
        .await?;
    Ok(())
}
