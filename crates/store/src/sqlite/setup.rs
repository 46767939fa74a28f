//! The first administrator of a server.

use rusqlite::Connection;

use super::fault::Fault;
use super::values::int;
use super::{accounts, meta, upkeep};
use crate::setup::CODE;
use crate::{Creation, FirstAdmin, Installed};

/// The code with which somebody may become the first administrator: the one there is, or
/// else this. `None`: there is an administrator, and no code any more.
pub(crate) fn code(db: &Connection, new: u64, except: &str) -> Result<Option<u64>, Fault> {
    if has_admin(db, except)? {
        forget(db)?;
        return Ok(None);
    }
    db.prepare_cached("INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute((CODE, int(new)))?;
    Ok(meta::get(db, CODE)?)
}

/// Whether there is a code, and nobody to whom it is of no use.
pub(crate) fn is_needed(db: &Connection, except: &str) -> Result<bool, Fault> {
    Ok(meta::get(db, CODE)?.is_some() && !has_admin(db, except)?)
}

/// Makes the first administrator. One thread alone writes, so there is one.
pub(crate) fn install(db: &Connection, first: FirstAdmin) -> Result<Installed, Fault> {
    if has_admin(db, &first.except)? {
        return Ok(Installed::Before);
    }
    if meta::get(db, CODE)? != Some(first.code) {
        return Ok(Installed::WrongCode);
    }
    match accounts::create(db, first.new)? {
        Creation::Created(account) => {
            forget(db)?;
            upkeep::audit(db, &first.audit)?;
            Ok(Installed::Made(Box::new(account)))
        }
        Creation::NameTaken | Creation::IdentityTaken => Ok(Installed::NameTaken),
    }
}

fn has_admin(db: &Connection, except: &str) -> Result<bool, Fault> {
    let sql = "SELECT 1 FROM accounts WHERE is_admin = 1 AND deleted_at IS NULL AND id <> ?1";
    Ok(db.prepare_cached(sql)?.exists((except,))?)
}

fn forget(db: &Connection) -> Result<(), Fault> {
    db.prepare_cached("DELETE FROM meta WHERE key = ?1")?
        .execute((CODE,))?;
    Ok(())
}
