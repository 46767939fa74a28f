//! `arbiter admin reset-clock`.

use std::process::ExitCode;

use store::{AuditEntry, Lock, Store, TableId, TimeReset};
use tokio::task::spawn_blocking;

use super::Outcome;
use super::reach::file;
use super::say::say;
use crate::clock::Clock;
use crate::settings::Settings;
use crate::text_time::rfc3339;

/// So many games are named.
const NAMED_MAX: usize = 20;

/// Under the database's lock: no server has the time in its head.
pub(super) async fn run(settings: Settings) -> Outcome {
    if settings.is_postgres() {
        return Err(
            "with PostgreSQL the games' time is the database's clock: set that right".into(),
        );
    }
    let database = file(&settings)?;
    if Lock::is_taken(&database) {
        let database = database.display();
        return Err(format!("a server uses {database}: stop it first"));
    }
    let opened = spawn_blocking(move || Store::open(&settings.store)).await;
    let store = opened
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    let done = reset(&store).await.map_err(|error| error.to_string());
    if spawn_blocking(move || store.close()).await.is_err() {
        return Err("the store could not be closed".into());
    }
    done.map(|()| ExitCode::SUCCESS)
}

async fn reset(store: &Store) -> Result<(), store::Error> {
    let now = Clock::start(None).wall();
    let TimeReset {
        before,
        accounts,
        tokens,
        tables,
    } = store.reset_time(now).await?;
    let now_text = rfc3339(now);
    let Some(before) = before.map(rfc3339) else {
        say!("the games' time is not ahead of {now_text}: nothing to set back");
        return Ok(());
    };
    let entry = AuditEntry {
        at: now,
        actor: "cli".into(),
        action: "reset_clock".into(),
        target: now_text.clone(),
        detail: format!("from {before}"),
    };
    store.audit(entry).await?;
    say!("the games' time was {before} and is {now_text}");
    say!("dated later, and now dated so: {accounts} accounts, {tokens} tokens");
    tell(&tables);
    Ok(())
}

/// What cannot be set back: no event of a game precedes the one before it.
fn tell(tables: &[TableId]) {
    if tables.is_empty() {
        return;
    }
    let count = tables.len();
    say!("{count} unfinished games have an event later than that; their clocks stand until then,");
    say!("unless `arbiter admin abort GAME` or `adjudicate` ends them:");
    for table in tables.iter().take(NAMED_MAX) {
        say!("  {table}");
    }
    if count > NAMED_MAX {
        say!("  and {} more", count - NAMED_MAX);
    }
}
