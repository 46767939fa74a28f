//! `arbiter copy`.

use std::process::ExitCode;

use clap::Args;
use store::{CopyReport, Store};
use tokio::task::spawn_blocking;

use super::reach::{database, is_in_use};
use super::say::say;
use super::{Outcome, progress};
use crate::operate::upkeep;
use crate::settings::Settings;

#[derive(Args)]
pub(super) struct Arguments {
    /// Where everything is: sqlite:PATH or postgres://...
    #[arg(long)]
    from: String,
    /// Where to copy it: empty, or with an unfinished copy of the same
    #[arg(long)]
    to: String,
}

pub(super) async fn run(settings: Settings, arguments: Arguments) -> Outcome {
    let Arguments { from, to } = arguments;
    if from == to {
        return Err("--from and --to are the same".into());
    }
    let at = |url: &str| Settings {
        store: url.to_owned(),
        ..settings.clone()
    };
    let source = at(&from);
    database(&source)?;
    let may_be_shared = source.is_postgres();
    // As for a server: what the last one left in the journal has to be brought into the games.
    let source = opened(from, Some(settings.clone())).await?;
    let target = match opened(to, None).await {
        Ok(target) => target,
        Err(error) => {
            close(source).await?;
            return Err(error);
        }
    };
    let done = copy(&source, &target, may_be_shared).await;
    close(source).await?;
    close(target).await?;
    tell(&done?)
}

async fn copy(source: &Store, target: &Store, may_be_shared: bool) -> Result<CopyReport, String> {
    // A file has a lock.
    if may_be_shared && is_in_use(source).await? {
        return Err("a server uses the source: stop it first".into());
    }
    let bar = progress::bar(0, "copying");
    let copied = source.copy_to(target, |step| {
        let verb = if step.is_check {
            "comparing"
        } else {
            "copying"
        };
        bar.set_message(format!("{verb} {}", step.what));
        bar.set_length(step.total);
        bar.set_position(step.done);
    });
    let copied = copied.await;
    bar.finish_and_clear();
    copied.map_err(|error| error.to_string())
}

fn tell(report: &CopyReport) -> Outcome {
    if report.is_resumed {
        say!("an earlier copy was gone on with");
    }
    for (what, count) in &report.counts {
        say!("{what}: {count}");
    }
    if report.wrong == 0 {
        say!("everything is there, and the same");
        return Ok(ExitCode::SUCCESS);
    }
    for difference in &report.differences {
        say!("{difference}");
    }
    say!("not the same: {}", report.wrong);
    Ok(ExitCode::FAILURE)
}

async fn opened(url: String, as_server: Option<Settings>) -> Result<Store, String> {
    let opened = spawn_blocking(move || match as_server {
        Some(settings) => Store::open_for(&url, upkeep(&settings)),
        None => Store::open(&url),
    });
    let opened = opened.await.map_err(|error| error.to_string())?;
    opened.map_err(|error| error.to_string())
}

async fn close(store: Store) -> Result<(), String> {
    let closed = spawn_blocking(move || store.close()).await;
    closed.map_err(|_| "the store could not be closed".to_owned())
}
