//! `arbiter check`.

use std::process::ExitCode;

use axum::http::Method;
use clap::Args;
use indicatif::ProgressBar;
use store::{Store, TableId};
use tokio::task::spawn_blocking;

use super::reach::{Reach, database, running};
use super::say::say;
use super::{Outcome, progress};
use crate::operate::check;
use crate::settings::Settings;

/// Games checked at a time.
const PAGE: u32 = 1_000;
/// Ids are random, so how far one is among all of them is how far the work is.
const STEPS: u64 = 1_000;
/// The bits of an id.
const ID_BITS: u32 = 47;

#[derive(Args)]
pub(super) struct Arguments {
    /// Write rows anew from their histories where they differ; the server must not run
    #[arg(long)]
    repair: bool,
}

/// What was found in all.
#[derive(Default)]
struct Report {
    checked: u64,
    wrong: u64,
    repaired: u64,
}

pub(super) async fn run(settings: Settings, arguments: Arguments) -> Outcome {
    database(&settings)?;
    let bar = progress::bar(STEPS, "checking games");
    let report = match running(&settings).await? {
        Some(_) if arguments.repair => {
            return Err("a server uses the database: stop it before a repair".into());
        }
        Some(reach) => from_server(&reach, &bar).await?,
        None => from_store(&settings.store, arguments.repair, &bar).await?,
    };
    bar.finish_and_clear();
    let Report {
        checked,
        wrong,
        repaired,
    } = report;
    if wrong == 0 {
        say!("{checked} games, all as they should be");
        return Ok(ExitCode::SUCCESS);
    }
    say!("{checked} games, {wrong} not as they should be, {repaired} repaired");
    Ok(ExitCode::FAILURE)
}

async fn from_server(reach: &Reach, bar: &ProgressBar) -> Result<Report, String> {
    let mut report = Report::default();
    let mut url = format!("/v1/admin/check?limit={PAGE}");
    loop {
        let page = reach.call(Method::GET, &url, None).await?;
        report.checked += page["checked"].as_u64().unwrap_or(0);
        for wrong in page["differences"].as_array().into_iter().flatten() {
            let (id, what) = (wrong["id"].as_str(), wrong["what"].as_str());
            report.tell(bar, id.unwrap_or_default(), what.unwrap_or_default(), false);
        }
        let Some(next) = page["next"].as_str() else {
            break;
        };
        if let Ok(next) = next.parse() {
            bar.set_position(steps(next));
        }
        url = format!("/v1/admin/check?limit={PAGE}&after={next}");
    }
    Ok(report)
}

async fn from_store(url: &str, repair: bool, bar: &ProgressBar) -> Result<Report, String> {
    let url = url.to_owned();
    let opened = spawn_blocking(move || Store::open(&url)).await;
    let store = opened
        .map_err(|e| e.to_string())?
        .map_err(|e| e.to_string())?;
    let report = all_of(&store, repair, bar).await.map_err(|e| e.to_string());
    if spawn_blocking(move || store.close()).await.is_err() {
        tracing::error!("the store could not be closed");
    }
    report
}

async fn all_of(store: &Store, repair: bool, bar: &ProgressBar) -> Result<Report, store::Error> {
    let mut report = Report::default();
    let mut after = None;
    loop {
        let found = check::rows(store, after, PAGE, repair).await?;
        report.add(bar, &found);
        report.checked += found.checked;
        after = found.last;
        match after {
            Some(last) => bar.set_position(steps(last)),
            None => break,
        }
    }
    report.add(bar, &check::journal(store).await?);
    Ok(report)
}

fn steps(id: TableId) -> u64 {
    ((u128::from(id.number()) * u128::from(STEPS)) >> ID_BITS) as u64
}

impl Report {
    fn add(&mut self, bar: &ProgressBar, found: &check::Findings) {
        for difference in &found.differences {
            self.tell(
                bar,
                &difference.table.to_string(),
                &difference.what,
                difference.repaired,
            );
        }
    }

    fn tell(&mut self, bar: &ProgressBar, id: &str, what: &str, repaired: bool) {
        self.wrong += 1;
        self.repaired += u64::from(repaired);
        let after = if repaired { " (repaired)" } else { "" };
        bar.suspend(|| say!("{id}: {what}{after}"));
    }
}
