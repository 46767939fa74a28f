//! One server at a time: held by a connection, so that it ends with its holder.
//!
//! What two servers would have to tell each other (who is there, what was
//! revoked, whose flag falls) has no way between them yet.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::sleep;
use tokio_postgres::{Client, Config};

use super::connect;
use super::fault::Fault;
use crate::Error;

/// "arbiter" as a number.
const KEY: i64 = 0x61_7262_6974_6572;
/// How often a lost connection is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// A server that was killed may still be counted for a moment.
const TRIES: u32 = 10;

/// The lease.
pub(super) struct Lease {
    client: Mutex<Option<Client>>,
    is_held: AtomicBool,
}

impl Lease {
    /// Takes it.
    ///
    /// # Errors
    /// If somebody else has it, or the database cannot be reached.
    pub(super) async fn take(config: &Config) -> Result<Lease, Error> {
        for _ in 0..TRIES {
            if let Some(client) = try_take(config).await? {
                return Ok(Lease {
                    client: Mutex::new(Some(client)),
                    is_held: AtomicBool::new(true),
                });
            }
            sleep(LOOK_EVERY).await;
        }
        Err(in_use())
    }

    /// Refuses those who would write without it.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.is_held.load(Ordering::Acquire) {
            true => Ok(()),
            false => Err(Error::Unavailable(
                "the connection to the database is lost".into(),
            )),
        }
    }

    /// Lets go of it.
    pub(super) async fn release(&self) {
        self.is_held.store(false, Ordering::Release);
        if let Some(client) = self.client.lock().await.take() {
            // The server lets go by itself when the connection ends; this is sooner.
            drop(client.execute("SELECT pg_advisory_unlock_all()", &[]).await);
        }
    }
}

/// Takes it again whenever its connection was lost.
pub(super) async fn keep(lease: std::sync::Arc<Lease>, config: Config) {
    loop {
        sleep(LOOK_EVERY).await;
        let mut client = lease.client.lock().await;
        match &*client {
            // Released.
            None => return,
            Some(held) if !held.is_closed() => continue,
            Some(_) => lease.is_held.store(false, Ordering::Release),
        }
        match try_take(&config).await {
            Ok(Some(again)) => {
                tracing::info!("the database is back");
                *client = Some(again);
                lease.is_held.store(true, Ordering::Release);
            }
            Ok(None) => tracing::error!("{}", in_use()),
            Err(_) => {}
        }
    }
}

async fn try_take(config: &Config) -> Result<Option<Client>, Error> {
    let client = connect::connect(config).await?;
    let taken = client
        .query_one("SELECT pg_try_advisory_lock($1)", &[&KEY])
        .await
        .and_then(|row| row.try_get::<_, bool>(0))
        .map_err(|error| Fault::from(error).into_error())?;
    Ok(taken.then_some(client))
}

fn in_use() -> Error {
    Error::Unavailable("another server uses this database".into())
}
