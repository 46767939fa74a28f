//! The schema, as numbered steps from an empty database to today's.

use tokio_postgres::{Client, Config};

use super::connect;
use super::fault::Fault;
use super::values::{Columns, small};
use crate::Error;

/// The steps. The first makes version 1, and so on; a released step never
/// changes, a new one is added below it.
const MIGRATIONS: [&str; 1] = [include_str!("migrations/0001_first.sql")];

/// The version this release reads and writes.
const VERSION: u32 = MIGRATIONS.len() as u32;

/// Whoever starts meanwhile waits here.
const KEY: i64 = 0x61_7262_6974_6501;

/// Brings the database to today's schema. Each step is one transaction, so
/// whatever ends it leaves a version that can be taken up again.
pub(super) async fn migrate(config: &Config) -> Result<(), Error> {
    let mut client = connect::connect(config).await?;
    let result = climb(&mut client).await;
    result.map_err(|fault| match fault {
        Fault::Refused(error) => error,
        fault => Error::Unavailable(format!(
            "the schema could not be brought up to date: {}",
            fault.into_error()
        )),
    })
}

async fn climb(client: &mut Client) -> Result<(), Fault> {
    client
        .execute("SELECT pg_advisory_lock($1)", &[&KEY])
        .await?;
    client
        .batch_execute(
            "CREATE SCHEMA IF NOT EXISTS arbiter;
             CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)",
        )
        .await?;
    let found = client
        .query_opt("SELECT max(version) FROM schema_version", &[])
        .await?;
    let found = match found {
        Some(row) => row.small_or(0)?.unwrap_or(0),
        None => 0,
    };
    if found > VERSION {
        return Err(Fault::Refused(Error::Unavailable(format!(
            "the database has schema version {found}, written by a newer release; \
             this one knows versions up to {VERSION}"
        ))));
    }
    for (version, sql) in (1..).zip(MIGRATIONS).skip(found as usize) {
        let step = client.transaction().await?;
        step.batch_execute(sql).await?;
        step.execute("INSERT INTO schema_version VALUES ($1)", &[&small(version)])
            .await?;
        step.commit().await?;
        tracing::info!(version, "schema brought up to date");
    }
    // The lock goes with the connection.
    Ok(())
}
