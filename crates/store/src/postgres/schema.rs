//! The schema, as numbered steps from an empty database to today's.

use tokio_postgres::Client;

use super::fault::Fault;
use super::values::{Columns, small};
use super::{connect, outbox};
use crate::Error;

/// The steps. The first makes version 1, and so on; a released step never
/// changes, a new one is added below it.
const MIGRATIONS: [Step; 16] = [
    Step {
        sql: include_str!("migrations/0001_first.sql"),
        oldest: 1,
    },
    // A server of version 1 takes itself for the only one: others would not hear
    // what it revokes, nor that it is there.
    Step {
        sql: include_str!("migrations/0002_nodes.sql"),
        oldest: 2,
    },
    Step {
        sql: include_str!("migrations/0003_shared.sql"),
        oldest: 3,
    },
    // A server of version 3 begins games without looking who waits for one.
    Step {
        sql: include_str!("migrations/0004_tickets.sql"),
        oldest: 4,
    },
    // One of version 4 would end rated games without rating them.
    Step {
        sql: include_str!("migrations/0005_ratings.sql"),
        oldest: 5,
    },
    // One of version 5 does not know who is blocked or muted: for as long as it runs
    // beside, some is let through.
    Step {
        sql: include_str!("migrations/0006_social.sql"),
        oldest: 5,
    },
    // One of version 6 cannot read a game with a vacation in its record.
    Step {
        sql: include_str!("migrations/0007_correspondence.sql"),
        oldest: 7,
    },
    // One of before tells of ratings only: what happens at it is told nobody for as long
    // as it runs beside.
    Step {
        sql: include_str!("migrations/0008_events.sql"),
        oldest: 7,
    },
    // One of before tells nobody anything, and deletes an account without forgetting
    // where to write to: the address itself it forgets.
    Step {
        sql: include_str!("migrations/0009_notifications.sql"),
        oldest: 7,
    },
    Step {
        sql: include_str!("migrations/0010_finished.sql"),
        oldest: 7,
    },
    // Analyses that an older server does not know of wait for one that does.
    Step {
        sql: include_str!("migrations/0011_analyses.sql"),
        oldest: 7,
    },
    Step {
        sql: include_str!("migrations/0012_live_game.sql"),
        oldest: 7,
    },
    // One of before cannot read a game in whose record a guest became an account.
    Step {
        sql: include_str!("migrations/0013_aliases.sql"),
        oldest: 13,
    },
    Step {
        sql: include_str!("migrations/0014_console.sql"),
        oldest: 13,
    },
    // Codes of a server of before are no good to one of after, and the other way round; a
    // link that one of before makes is not counted while both run.
    Step {
        sql: include_str!("migrations/0015_links.sql"),
        oldest: 13,
    },
    // One of before does not know who wants which side: for as long as it runs beside, it
    // may give somebody the other one.
    Step {
        sql: include_str!("migrations/0016_sides.sql"),
        oldest: 13,
    },
];

/// A step, and the oldest version whose servers can go on beside it. One that only
/// adds what older servers need not know keeps the version of the step before it;
/// one that takes something away comes a release later, when none of them runs.
struct Step {
    sql: &'static str,
    oldest: u32,
}

/// The version this release reads and writes.
const VERSION: u32 = MIGRATIONS.len() as u32;

/// Whoever starts meanwhile waits here.
const KEY: i64 = 0x61_7262_6974_6501;

/// Brings the database to today's schema. Each step is one transaction, so
/// whatever ends it leaves a version that can be taken up again.
pub(super) async fn migrate(way: &connect::Way) -> Result<(), Error> {
    let mut client = connect::connect(way).await?;
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
             CREATE TABLE IF NOT EXISTS schema_version
               (version integer NOT NULL, oldest integer NOT NULL)",
        )
        .await?;
    let found = client
        .query_one("SELECT max(version), max(oldest) FROM schema_version", &[])
        .await?;
    let (found, oldest) = (found.small_or(0)?.unwrap_or(0), found.small_or(1)?);
    if oldest.is_some_and(|oldest| oldest > VERSION) {
        return Err(Fault::Refused(Error::Unavailable(format!(
            "the database has schema version {found}, written by a newer release; \
             this one knows versions up to {VERSION}"
        ))));
    }
    for (version, Step { sql, oldest }) in (1..).zip(MIGRATIONS).skip(found as usize) {
        let step = client.transaction().await?;
        step.batch_execute(sql).await?;
        let insert = "INSERT INTO schema_version VALUES ($1, $2)";
        step.execute(insert, &[&small(version), &small(oldest)])
            .await?;
        step.commit().await?;
        tracing::info!(version, "schema brought up to date");
    }
    outbox::go_on(client).await?;
    // The lock goes with the connection.
    Ok(())
}
