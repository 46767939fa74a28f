//! `arbiter check`.

use std::process::ExitCode;

use axum::http::Method;
use clap::Args;
use indicatif::ProgressBar;
use store::{FileReport, Inspector, Store, TableId};
use tokio::task::spawn_blocking;

use super::reach::{Reach, database, is_in_use, running};
use super::say::say;
use super::{Outcome, progress};
use crate::admin::check::{self, Difference, Place};
use crate::clock::Clock;
use crate::settings::Settings;

const IN_USE: &str = "a server uses the database: stop it before a repair";
/// Games, or other rows, checked at a time.
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
struct Report<'a> {
    bar: &'a ProgressBar,
    checked: u64,
    wrong: u64,
    repaired: u64,
}

pub(super) async fn run(settings: Settings, arguments: Arguments) -> Outcome {
    database(&settings)?;
    let bar = progress::bar(STEPS, "checking games");
    let mut report = Report {
        bar: &bar,
        checked: 0,
        wrong: 0,
        repaired: 0,
    };
    if settings.is_postgres() && arguments.repair {
        used_by_nobody(&settings).await?;
    }
    let is_running = match running(&settings).await? {
        Some(_) if arguments.repair => {
            return Err(IN_USE.into());
        }
        Some(reach) => report.of_server(&reach).await.map(|()| true)?,
        None => report
            .of_file(settings.store, arguments.repair)
            .await
            .map(|()| false)?,
    };
    bar.finish_and_clear();
    let code = report.end();
    if is_running {
        say!("the server's file and its last moves were left out: for these, check a backup");
    }
    Ok(code)
}

impl Report<'_> {
    async fn of_server(&mut self, reach: &Reach) -> Result<(), String> {
        let mut url = format!("/v1/admin/check?limit={PAGE}");
        loop {
            let page = reach.call(Method::GET, &url, None).await?;
            self.checked += page["checked"].as_u64().unwrap_or(0);
            for wrong in page["differences"].as_array().into_iter().flatten() {
                let text = |name: &str| wrong[name].as_str().unwrap_or_default().to_owned();
                self.tell(Difference {
                    about: text("id"),
                    what: text("what"),
                    repaired: false,
                });
            }
            let Some(next) = page["next"].as_str() else {
                return Ok(());
            };
            if let Ok(next) = next.parse() {
                self.came_to(&next);
            }
            url = format!("/v1/admin/check?limit={PAGE}&after={next}");
        }
    }

    async fn of_file(&mut self, url: String, repair: bool) -> Result<(), String> {
        let (inspector, file) = blocking(url.clone(), inspected).await?;
        for flaw in file.flaws {
            self.tell(flaw.into());
        }
        if !repair {
            return self.of_everything(&inspector, None).await;
        }
        if file.is_damaged {
            self.remark("nothing is repaired: the file itself is damaged; restore a backup");
            return self.of_everything(&inspector, None).await;
        }
        // Only one at a time may have the file.
        drop(inspector);
        match blocking(url.clone(), |url| Store::open(&url)).await {
            Ok(store) => {
                let result = self.of_everything(&store.inspector(), Some(&store)).await;
                blocking(store, |store| {
                    store.close();
                    Ok(())
                })
                .await?;
                result
            }
            Err(error) => {
                self.remark(&format!("nothing is repaired: {error}"));
                let inspector = blocking(url, |url| Inspector::open(&url)).await?;
                self.of_everything(&inspector, None).await
            }
        }
    }

    async fn of_everything(
        &mut self,
        inspector: &Inspector,
        repair: Option<&Store>,
    ) -> Result<(), String> {
        let now = Clock::start(None).now();
        let mut place = Some(Place::Start);
        while let Some(at) = place {
            let found = check::page(inspector, at, PAGE, repair, now)
                .await
                .map_err(|e| e.to_string())?
                .expect("the check goes on where it said it would");
            self.checked += found.checked;
            found.differences.into_iter().for_each(|d| self.tell(d));
            place = found.next;
            place.iter().for_each(|next| self.came_to(next));
        }
        let journal = check::journal(inspector, now).await;
        let journal = journal.map_err(|e| e.to_string())?;
        journal.differences.into_iter().for_each(|d| self.tell(d));
        Ok(())
    }

    fn came_to(&self, place: &Place) {
        self.bar.set_position(match place {
            Place::Start => 0,
            Place::Games(last) => steps(*last),
            Place::References(_) => STEPS,
        });
    }

    fn tell(&mut self, difference: Difference) {
        let Difference {
            about,
            what,
            repaired,
        } = difference;
        self.wrong += 1;
        self.repaired += u64::from(repaired);
        let after = if repaired { " (repaired)" } else { "" };
        self.bar.suspend(|| say!("{about}: {what}{after}"));
    }

    fn remark(&self, what: &str) {
        self.bar.suspend(|| say!("{what}"));
    }

    fn end(self) -> ExitCode {
        let Report {
            checked,
            wrong,
            repaired,
            ..
        } = self;
        if wrong == 0 {
            say!("{checked} games, all as they should be");
            return ExitCode::SUCCESS;
        }
        say!("{checked} games; not as it should be: {wrong}; repaired: {repaired}");
        ExitCode::FAILURE
    }
}

/// Whether no server gave a sign of life for a while: with one running, what is
/// repaired might be what it just changed.
async fn used_by_nobody(settings: &Settings) -> Result<(), String> {
    let store = blocking(settings.store.clone(), |url| Store::open(&url)).await?;
    let is_in_use = is_in_use(&store).await;
    blocking(store, |store| {
        store.close();
        Ok(())
    })
    .await?;
    match is_in_use? {
        true => Err(IN_USE.into()),
        false => Ok(()),
    }
}

/// Opens a database to look at it, and at the file first.
fn inspected(url: String) -> Result<(Inspector, FileReport), store::Error> {
    let inspector = Inspector::open(&url)?;
    let file = inspector.file()?;
    Ok((inspector, file))
}

async fn blocking<A, T>(argument: A, run: fn(A) -> Result<T, store::Error>) -> Result<T, String>
where
    A: Send + 'static,
    T: Send + 'static,
{
    let done = spawn_blocking(move || run(argument)).await;
    done.map_err(|e| e.to_string())?.map_err(|e| e.to_string())
}

fn steps(id: TableId) -> u64 {
    ((u128::from(id.number()) * u128::from(STEPS)) >> ID_BITS) as u64
}
