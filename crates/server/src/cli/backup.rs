//! `arbiter backup` and `arbiter restore`.

use std::fs;
use std::path::{Path, PathBuf, absolute};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::Method;
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use store::{Lock, Store};
use tokio::task::spawn_blocking;

use super::reach::{FILE_ONLY, file, running};
use super::say::say;
use super::{Outcome, progress};
use crate::settings::Settings;

#[derive(Args)]
pub(super) struct BackupArguments {
    /// The new file
    file: PathBuf,
}

#[derive(Args)]
pub(super) struct RestoreArguments {
    /// The backup
    file: PathBuf,
    /// Put the backup in the place of a database that is there; that one is kept beside it
    #[arg(long)]
    force: bool,
}

pub(super) async fn backup(settings: Settings, arguments: BackupArguments) -> Outcome {
    file(&settings)?;
    let file = absolute(&arguments.file).map_err(|error| error.to_string())?;
    let bar = progress::bar(0, "copying pages");
    if let Some(server) = running(&settings).await? {
        let body = Some(json!({ "path": file }));
        let tell = |line: serde_json::Value| {
            if let (Some(done), Some(total)) = (line["done"].as_u64(), line["total"].as_u64()) {
                show(&bar, done, total);
            }
        };
        server
            .each_line(Method::POST, "/v1/admin/backup", body, tell)
            .await?;
    } else {
        let (url, target, bar) = (settings.store.clone(), file.clone(), bar.clone());
        let is_called_off = called_off()?;
        blocking(move || {
            let store = Store::open(&url)?;
            let done = store.backup_while(&target, |done, total| {
                show(&bar, done, total);
                !is_called_off.load(Ordering::SeqCst)
            });
            store.close();
            done
        })
        .await?;
    }
    bar.finish_and_clear();
    say!("everything is in {}", file.display());
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn restore(settings: Settings, arguments: RestoreArguments) -> Outcome {
    if settings.is_postgres() {
        return Err(format!("{FILE_ONLY}: pg_dump and pg_restore"));
    }
    let target = settings
        .database()
        .ok_or("a store in memory cannot be restored")?;
    let is_taken = fs::metadata(&target).is_ok_and(|file| file.len() > 0);
    if is_taken && !arguments.force {
        let target = target.display();
        return Err(format!(
            "there is a database {target} already; --force puts it aside"
        ));
    }
    let in_use = || format!("a server uses {}: stop it first", target.display());
    // Held until the new database is in its place.
    let _lock = Lock::take(&target)
        .map_err(|error| error.to_string())?
        .ok_or_else(in_use)?;
    let bar = progress::bar(0, "copying pages");
    let fresh = beside(&target, ".restoring");
    let (source, url, shown) = (
        arguments.file,
        format!("sqlite:{}", fresh.display()),
        bar.clone(),
    );
    // What an interrupted attempt left behind is worth nothing.
    remove(&fresh)?;
    remove(&beside(&fresh, ".partial"))?;
    blocking(move || Store::restore(&source, &url, |done, total| show(&shown, done, total)))
        .await?;
    remove(&beside(&fresh, ".lock"))?;
    let aside = exchange(&fresh, &target)?;
    bar.finish_and_clear();
    if let Some(aside) = aside {
        say!("what was there is in {}", aside.display());
    }
    say!("{} is restored", target.display());
    Ok(ExitCode::SUCCESS)
}

/// Puts the fresh database in the target's place, and what was there aside.
fn exchange(fresh: &Path, target: &Path) -> Result<Option<PathBuf>, String> {
    let told = |error: std::io::Error| format!("{}: {error}", target.display());
    let mut aside = None;
    if target.exists() {
        let name = (1..)
            .map(|n| beside(target, &format!(".old-{n}")))
            .find(|name| !name.exists());
        let name = name.ok_or("no name is free")?;
        // The log goes first: without its database it is harmless, while the
        // old one's log beside the new database would not be.
        for suffix in ["-wal", "-shm", ""] {
            let part = beside(target, suffix);
            if part.exists() {
                fs::rename(part, beside(&name, suffix)).map_err(told)?;
            }
        }
        aside = Some(name);
    }
    fs::rename(fresh, target).map_err(told)?;
    store::sync_directory(target).map_err(told)?;
    Ok(aside)
}

/// Becomes true at the first SIGINT or SIGTERM, which then do nothing else:
/// whoever is in the middle of something puts it away first.
#[cfg(unix)]
fn called_off() -> Result<Arc<AtomicBool>, String> {
    use tokio::signal::unix::{SignalKind, signal};
    let failed = |error| format!("signals cannot be received: {error}");
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let is_called_off = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&is_called_off);
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        told.store(true, Ordering::SeqCst);
    });
    Ok(is_called_off)
}

#[cfg(not(unix))]
fn called_off() -> Result<Arc<AtomicBool>, String> {
    Ok(Arc::default())
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn remove(path: &Path) -> Result<(), String> {
    match fs::remove_file(path) {
        Err(error) if path.exists() => Err(format!("{}: {error}", path.display())),
        _ => Ok(()),
    }
}

fn show(bar: &ProgressBar, done: u64, total: u64) {
    bar.set_length(total);
    bar.set_position(done);
}

async fn blocking(
    work: impl FnOnce() -> Result<(), store::Error> + Send + 'static,
) -> Result<(), String> {
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err("the work panicked".into()),
    }
}
