//! `arbiter archive`.

use std::process::ExitCode;

use chess::Timestamp;
use chess::pgn::Date;
use clap::Args;
use store::{Store, TableId};
use tokio::task::spawn_blocking;

use super::say::say;
use super::{Outcome, progress};
use crate::clock::Clock;
use crate::settings::Settings;

/// Games moved in one transaction.
const PAGE: u32 = 200;
/// Ids are random, so how far one is among all of them is how far the work is.
const STEPS: u64 = 1_000;
/// The bits of an id.
const ID_BITS: u32 = 47;
const DAY_MS: u64 = 86_400_000;

#[derive(Args)]
#[group(required = true, multiple = false)]
pub(super) struct Arguments {
    /// Games that ended before that month, such as 2026-01
    #[arg(long, value_name = "YYYY-MM", value_parser = begin)]
    before: Option<Timestamp>,
    /// Games that ended more than so many days ago
    #[arg(long, value_name = "DAYS")]
    older_than_days: Option<u32>,
}

pub(super) async fn run(settings: Settings, arguments: Arguments) -> Outcome {
    let days_ago = |days: u32| {
        let now = Clock::start(None).now();
        Timestamp(now.0.saturating_sub(u64::from(days) * DAY_MS))
    };
    let before = arguments
        .before
        .or(arguments.older_than_days.map(days_ago))
        .ok_or("--before or --older-than-days says which games")?;
    let opened = spawn_blocking(move || Store::open(&settings.store)).await;
    let store = opened
        .map_err(|error| error.to_string())?
        .map_err(|error| error.to_string())?;
    let moved = archive(&store, before).await;
    if spawn_blocking(move || store.close()).await.is_err() {
        return Err("the store could not be closed".into());
    }
    say!("{} games archived", moved?);
    Ok(ExitCode::SUCCESS)
}

async fn archive(store: &Store, before: Timestamp) -> Result<u64, String> {
    let bar = progress::bar(STEPS, "archiving games");
    let (mut moved, mut after): (u64, Option<TableId>) = (0, None);
    loop {
        let some = store.archive(before, after, PAGE).await;
        let some = some.map_err(|error| error.to_string())?;
        moved += some.moved;
        let Some(next) = some.next else {
            bar.finish_and_clear();
            return Ok(moved);
        };
        bar.set_position(((u128::from(next.number()) * u128::from(STEPS)) >> ID_BITS) as u64);
        after = Some(next);
    }
}

fn begin(text: &str) -> Result<Timestamp, String> {
    let first = Some(format!("{text}-01")).filter(|_| text.len() == "2026-01".len());
    let day = first.and_then(|day| Date::read(&day)?.at("00:00:00"));
    day.ok_or_else(|| "must be a month such as 2026-01".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_begins_with_its_first_day() {
        assert_eq!(begin("1970-01"), Ok(Timestamp(0)));
        assert_eq!(begin("1970-03"), Ok(Timestamp(59 * DAY_MS)));
        for bad in ["2026", "2026-13", "2026-1", "2026-01-01", "x"] {
            assert!(begin(bad).is_err(), "{bad}");
        }
    }
}
