//! `arbiter serve`.

use std::process::ExitCode;

use super::Outcome;
use super::say::say;
use crate::operate::{Running, process, serve};
use crate::settings::{Settings, without_password};

/// Fewer open files than that are worth a warning: every connection is one.
const FILES_FEW: u64 = 4096;

pub(super) async fn run(settings: Settings) -> Outcome {
    let files = process::raise_open_files();
    let shown = Settings {
        store: without_password(&settings.store),
        replica: settings.replica.as_deref().map(without_password),
        ..settings.clone()
    };
    tracing::debug!(settings = ?shown, "settings");
    let stop = stop_signal()?;
    serve(settings, |running| greet(running, files), stop)
        .await
        .map_err(|e| e.to_string())?;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// Tells the user where to point a browser or curl.
fn greet(running: &Running, files: u64) {
    let url = running.url();
    let store = without_password(&running.app().settings.store);
    say!(
        "Arbiter {} listens on {}",
        env!("CARGO_PKG_VERSION"),
        running.address
    );
    say!("  read about it   {url}/docs");
    say!("  try it          curl {url}/health");
    say!("  everything is   {store}");
    say!("  connections     up to about {files} at a time");
    if let Some(code) = running.setup_code() {
        say!("  administrator   none yet: open {url}/console with the code {code}");
    }
    say!("Stop with Ctrl-C.");
    tracing::info!(address = %running.address, url, store, files, "listening");
    if let Some(code) = running.setup_code() {
        let page = format!("{url}/console");
        tracing::info!(
            code,
            page,
            "there is no administrator: whoever has the code may be it"
        );
    }
    if files < FILES_FEW {
        tracing::warn!(files, "the system allows few open files: see `ulimit -n`");
    }
}

/// Done at the first SIGTERM or SIGINT; the second ends the process at once.
#[cfg(unix)]
fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    use tokio::signal::unix::{SignalKind, signal};
    let failed = |error| format!("signals cannot be received: {error}");
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stopping: finishing what is in hand");
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            eprintln!("arbiter: stopped at once; nothing that was acknowledged is lost");
            std::process::exit(130);
        });
    })
}

/// Done at the first Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> Result<impl Future<Output = ()>, String> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
