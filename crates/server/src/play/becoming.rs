//! Guests who become somebody, and their games with them.
//!
//! That a place is somebody else's is part of the game's record (`Event::Reseated`), so
//! every node, stream and list knows it like any other change. Whatever keeps a game from
//! being told is made up for: aliases that games still know are looked for now and then.

use std::net::IpAddr;
use std::time::Duration;

use chess::game::{Command, Game};
use chess::table::{Actor, PlayerId, State};
use futures_util::future::join_all;
use live::{Outcome, With};
use store::{Account, ListQuery, TableId};
use tokio::time::{sleep, timeout};

use super::App;
use crate::auth::Caller;
use crate::auth::accounts::Applicant;
use crate::auth::tokens::Session;
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// How often games are looked for that do not know yet.
const EVERY: Duration = Duration::from_secs(30);
/// How long whoever asks waits until their games know.
const PATIENCE: Duration = Duration::from_secs(5);
/// Games in a page, and told at once.
const PAGE: u32 = 200;
const AT_ONCE: usize = 16;
/// Aliases looked at in one go.
const ALIASES: u32 = 100;

/// Registers; a guest becomes the account, and their games say so.
///
/// # Errors
/// As `Auth::register`.
pub(crate) async fn register(
    app: &App,
    from: IpAddr,
    caller: Option<&Caller>,
    applicant: Applicant,
) -> Result<(Account, Session), Problem> {
    let registered = app.auth.register(&app.rates, from, caller, applicant);
    let (account, session) = registered.await?;
    if caller.is_some_and(|caller| caller.number() == account.number) {
        soon(app, account.number, account.number).await;
    }
    Ok((account, session))
}

/// Changes what a guest is called, as [`register`] does.
pub(crate) async fn renamed(app: &App, who: PlayerId) {
    soon(app, who, who).await;
}

/// Takes over the guest who bears that token. Tells how many games came with them.
///
/// # Errors
/// As `Auth::adopt`; `rate_limited`.
pub(crate) async fn adopt(app: &App, caller: &Caller, token: &str) -> Result<u32, Problem> {
    app.rates.check(Rate::Command, caller.number())?;
    let guest = app.auth.adopt(caller, token).await?;
    Ok(soon(app, guest, caller.number()).await)
}

/// Looks after games that do not know yet, for as long as the server runs.
pub async fn run(app: App) {
    loop {
        match app.store.unsettled_aliases(ALIASES).await {
            Ok(aliases) => {
                for (guest, by) in aliases {
                    reseat(&app, guest, by).await;
                }
            }
            Err(error) => tracing::warn!(%error, "aliases could not be looked at"),
        }
        sleep(EVERY).await;
    }
}

/// Has the games told, and waits for it, but not for long. How many were, if that is known.
async fn soon(app: &App, from: PlayerId, to: PlayerId) -> u32 {
    let own = app.clone();
    let telling = tokio::spawn(async move { reseat(&own, from, to).await });
    match timeout(PATIENCE, telling).await {
        Ok(Ok(count)) => count,
        Ok(Err(panic)) => {
            tracing::error!(%panic, "a guest's games could not be told");
            0
        }
        Err(_) => 0,
    }
}

/// Tells all games of a guest whose they are; how many. To go by another name concerns
/// those alone that are not over.
async fn reseat(app: &App, from: PlayerId, to: PlayerId) -> u32 {
    let states: &[Option<State>] = match from == to {
        true => &[
            Some(State::Waiting),
            Some(State::Active),
            Some(State::Paused),
        ],
        false => &[None],
    };
    let mut count = 0;
    for state in states {
        let mut query = ListQuery {
            kind: Some(Game::KIND),
            state: *state,
            player: Some(from),
            everything: true,
            limit: PAGE,
            ..ListQuery::default()
        };
        loop {
            let page = match app.store.list(query.clone()).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::warn!(%error, "a guest's games could not be found: again later");
                    return count;
                }
            };
            for some in page.chunks(AT_ONCE) {
                let told = some.iter().map(|place| tell(app, place.table, from, to));
                let told = join_all(told).await;
                count += told.iter().filter(|is_told| **is_told).count() as u32;
            }
            if page.len() < PAGE as usize {
                break;
            }
            query.after = page.last().copied();
        }
    }
    count
}

/// Tells one game. Whether it changed.
async fn tell(app: &App, id: TableId, from: PlayerId, to: PlayerId) -> bool {
    let command = Command::Reseat { from, to };
    let now = app.now();
    let submitted = app
        .games
        .submit(id, Actor::Server, command, now, With::default());
    match submitted.await {
        Ok(outcome) => {
            app.unfinished.forget(to);
            matches!(outcome, Outcome::Changed { .. })
        }
        Err(failure) => {
            tracing::warn!(table = %id, ?failure, "a game could not be told who plays it");
            false
        }
    }
}
