//! Bearer tokens. One that is revoked is gone.

use chess::table::PlayerId;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row as SqlRow};

use super::fault::Fault;
use super::values::{At, Number, Who, int};
use crate::{NewToken, Token, TokenKind};

const COLUMNS: &str = "id, hash, account, kind, name, scopes, created_at, expires_at";

/// Adds a token, and forgets those of its owner that have ended.
pub(crate) fn add(db: &Connection, new: NewToken) -> Result<Token, Fault> {
    db.prepare_cached("DELETE FROM tokens WHERE account = ?1 AND expires_at <= ?2")?
        .execute((Who(new.account), At(new.at)))?;
    let Number(id) = db
        .prepare_cached(
            "INSERT INTO tokens (hash, account, kind, name, scopes, created_at, expires_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
        )?
        .query_row(
            (
                new.hash,
                Who(new.account),
                new.kind.name(),
                &new.name,
                new.scopes,
                At(new.at),
                new.expires_at.map(At),
            ),
            |r| r.get(0),
        )?;
    Ok(new.numbered(id))
}

pub(crate) fn by_hash(db: &Connection, hash: &[u8; 32]) -> Result<Option<Token>, Fault> {
    let found = db
        .prepare_cached(&format!("SELECT {COLUMNS} FROM tokens WHERE hash = ?1"))?
        .query_row((hash,), token)
        .optional()?;
    Ok(found)
}

/// An account's tokens, oldest first.
pub(crate) fn of(db: &Connection, account: PlayerId) -> Result<Vec<Token>, Fault> {
    let tokens = db
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM tokens WHERE account = ?1 ORDER BY id"
        ))?
        .query_map((Who(account),), token)?
        .collect::<Result<_, _>>()?;
    Ok(tokens)
}

pub(crate) fn revoke(db: &Connection, account: PlayerId, id: u64) -> Result<Option<Token>, Fault> {
    let gone = db
        .prepare_cached(&format!(
            "DELETE FROM tokens WHERE account = ?1 AND id = ?2 RETURNING {COLUMNS}"
        ))?
        .query_row((Who(account), int(id)), token)
        .optional()?;
    Ok(gone)
}

pub(crate) fn revoke_by_hash(db: &Connection, hash: &[u8; 32]) -> Result<Option<Token>, Fault> {
    let gone = db
        .prepare_cached(&format!(
            "DELETE FROM tokens WHERE hash = ?1 RETURNING {COLUMNS}"
        ))?
        .query_row((hash,), token)
        .optional()?;
    Ok(gone)
}

pub(crate) fn revoke_all(db: &Connection, account: PlayerId) -> Result<Vec<Token>, Fault> {
    let gone = of(db, account)?;
    db.prepare_cached("DELETE FROM tokens WHERE account = ?1")?
        .execute((Who(account),))?;
    Ok(gone)
}

fn token(r: &SqlRow<'_>) -> Result<Token, rusqlite::Error> {
    let kind: String = r.get(3)?;
    Ok(Token {
        id: r.get::<_, Number>(0)?.0,
        hash: r.get(1)?,
        account: r.get::<_, Who>(2)?.0,
        kind: TokenKind::named(&kind).ok_or(rusqlite::Error::InvalidColumnType(
            3,
            kind,
            Type::Text,
        ))?,
        name: r.get(4)?,
        scopes: r.get(5)?,
        created_at: r.get::<_, At>(6)?.0,
        expires_at: r.get::<_, Option<At>>(7)?.map(|at| at.0),
    })
}
