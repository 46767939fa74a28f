//! What ended before its time, numbered, so that every node forgets it.
//!
//! Whoever has heard of a number has heard of all smaller ones. That is why they
//! come from a row that is locked until the transaction is over, and not from a
//! sequence, whose numbers others may see out of order. It is the last row that a
//! transaction locks: so nobody who has it waits for anybody.

use deadpool_postgres::{GenericClient, Transaction};
use tokio_postgres::Row as SqlRow;

use super::fault::Fault;
use super::values::{Columns, int, who};
use crate::nodes::REVOCATIONS_HEARD_MAX;
use crate::{Error, Revocation, Revoked};

/// How long one is kept. A node that was away for longer finds a gap.
const KEPT_MS: i64 = 2 * 86_400_000;
/// Old ones that go with each that comes, at least.
const FORGOTTEN_MIN: usize = 100;

const NOW_MS: &str = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint";

/// Numbers what ended, as the last thing that a transaction does, and forgets what
/// is so old that nobody needs to hear of it.
pub(super) async fn note(transaction: &Transaction<'_>, ended: &[Revoked]) -> Result<(), Fault> {
    if ended.is_empty() {
        return Ok(());
    }
    let insert = transaction
        .prepare_cached(&format!(
            "WITH last AS (
               UPDATE meta SET value = value + cardinality($1::text[])
                WHERE key = 'revocations' RETURNING value
             ), old AS (
               DELETE FROM revocations WHERE number IN (
                 SELECT number FROM (
                   SELECT number, at FROM revocations
                    ORDER BY number LIMIT $6 FOR UPDATE SKIP LOCKED) AS oldest
                  WHERE at < {NOW_MS} - $7)
             )
             INSERT INTO revocations (number, at, kind, token, account, issuer, subject)
             SELECT last.value - cardinality($1::text[]) + ended.place, {NOW_MS},
                    ended.kind, ended.token, ended.account, ended.issuer, ended.subject
               FROM last, unnest($1::text[], $2::bytea[], $3::bigint[], $4::text[], $5::text[])
                          WITH ORDINALITY AS ended (kind, token, account, issuer, subject, place)"
        ))
        .await?;
    let of = ended.iter().map(Parts::of);
    let parts: Vec<Parts<'_>> = of.collect();
    let kinds: Vec<&str> = parts.iter().map(|part| part.kind).collect();
    let tokens: Vec<Option<&[u8]>> = parts.iter().map(|part| part.token).collect();
    let accounts: Vec<Option<i64>> = parts.iter().map(|part| part.account).collect();
    let issuers: Vec<Option<&str>> = parts.iter().map(|part| part.issuer).collect();
    let subjects: Vec<Option<&str>> = parts.iter().map(|part| part.subject).collect();
    let forgotten = int(ended.len().max(FORGOTTEN_MIN) as u64);
    let written = transaction
        .execute(
            &insert,
            &[
                &kinds, &tokens, &accounts, &issuers, &subjects, &forgotten, &KEPT_MS,
            ],
        )
        .await?;
    match written == ended.len() as u64 {
        true => Ok(()),
        false => Err(Error::Corrupt("the count of revocations is gone".into()).into()),
    }
}

/// What ended since that number, in order. If that is too much, the newest of it:
/// whoever asks sees by the gap that there was more.
pub(crate) async fn revocations_since(
    db: &impl GenericClient,
    number: u64,
) -> Result<Vec<Revocation>, Fault> {
    let select = db
        .prepare_cached(
            "SELECT number, kind, token, account, issuer, subject FROM revocations
              WHERE number > $1 ORDER BY number DESC LIMIT $2",
        )
        .await?;
    let limit = int(REVOCATIONS_HEARD_MAX as u64);
    let found = db.query(&select, &[&int(number), &limit]).await?;
    found.iter().rev().map(revocation).collect()
}

/// The columns of one.
#[derive(Default)]
struct Parts<'a> {
    kind: &'static str,
    token: Option<&'a [u8]>,
    account: Option<i64>,
    issuer: Option<&'a str>,
    subject: Option<&'a str>,
}

impl Parts<'_> {
    fn of(what: &Revoked) -> Parts<'_> {
        match what {
            Revoked::Token(hash) => Parts {
                kind: "token",
                token: Some(hash),
                ..Parts::default()
            },
            Revoked::Account(account) => Parts {
                kind: "account",
                account: Some(who(*account)),
                ..Parts::default()
            },
            Revoked::Identity { issuer, subject } => Parts {
                kind: "identity",
                issuer: Some(issuer),
                subject: Some(subject),
                ..Parts::default()
            },
        }
    }
}

fn revocation(row: &SqlRow) -> Result<Revocation, Fault> {
    let kind: &str = row.col(1)?;
    let what = match kind {
        "token" => Revoked::Token(row.bytes(2)?),
        "account" => Revoked::Account(row.who(3)?),
        "identity" => Revoked::Identity {
            issuer: row.col(4)?,
            subject: row.col(5)?,
        },
        other => return Err(Error::Corrupt(format!("nothing is called {other:?}")).into()),
    };
    Ok(Revocation {
        number: row.number(0)?,
        what,
    })
}
