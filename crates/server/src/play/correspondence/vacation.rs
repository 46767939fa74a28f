//! Vacation: so many days a year in which one's clock stands still in games by days.
//!
//! A vacation is a row of its own, and an event in each of its owner's games: there it
//! counts from the moment it is recorded, and says itself when it ends. Whatever keeps it
//! from being recorded, it is tried again until all games have it.

use std::time::Duration;

use chess::Timestamp;
use chess::game::{Command, Game};
use chess::table::{Actor, PlayerId, State};
use futures_util::future::join_all;
use live::{Failure, With};
use store::{ListQuery, TableId, Vacation};
use tokio::time::timeout;

use super::super::App;
use super::days;
use crate::auth::{Caller, Scope};
use crate::games::Listed;
use crate::limits::rates::Rate;
use crate::problem::{Kind, Problem};

/// Games told at once.
const AT_ONCE: usize = 32;
/// Games in a page, and vacations recorded in one go.
const PAGE: u32 = 200;
/// How long whoever begins one waits until their games know.
const PATIENCE: Duration = Duration::from_secs(5);
/// Vacations are kept for so many days after their end: those of a year count in it.
const KEPT_DAYS: u32 = 800;

/// What somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// To be away until then.
    Until(Timestamp),
    /// To be away for so many days, since it began.
    Days(u32),
    /// To be back.
    Back,
}

/// How somebody's vacation stands.
pub(crate) struct Standing {
    /// The one that is running.
    pub(crate) running: Option<Vacation>,
    /// What the server gives.
    pub(crate) days_per_year: u32,
    /// What of this calendar year is taken, planned days included.
    pub(crate) days_used: u32,
}

/// The caller's vacation.
///
/// # Errors
/// The store cannot say.
pub(crate) async fn show(app: &App, caller: &Caller) -> Result<Standing, Problem> {
    let now = app.now();
    let all = of_the_year(app, caller.number(), now).await?;
    Ok(standing(app, &all, now))
}

/// Begins a vacation, gives it another end, or ends it.
///
/// # Errors
/// `missing_scope`, `rate_limited`; `bad_vacation` if it would end before now;
/// `not_allowed` where there is none; `no_vacation_left` with `days_left`.
pub(crate) async fn set(app: &App, caller: &Caller, wish: Wish) -> Result<Standing, Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())?;
    let who = caller.number();
    let now = app.now();
    let all = of_the_year(app, who, now).await?;
    let running = all.iter().copied().find(|some| some.ends_at > now);
    let began = running.map_or(now, |running| running.began_at);
    let ends_at = match wish {
        Wish::Back => now,
        Wish::Until(until) if until > now => days::whole((began, until)),
        Wish::Until(until) => until,
        Wish::Days(days) => days::after(began, days),
    };
    if wish != Wish::Back {
        check(app, &all, (began, ends_at), now)?;
    }
    // To come back is always possible.
    if wish != Wish::Back && running.is_none_or(|running| running.ends_at != ends_at) {
        app.rates.check(Rate::Vacation, who)?;
    }
    let is_done = match running {
        None if wish == Wish::Back => true,
        None => app.store.begin_vacation(who, now, ends_at).await?,
        Some(running) if running.ends_at == ends_at => true,
        Some(running) => app.store.change_vacation(running, ends_at).await?,
    };
    if !is_done {
        let detail = "your vacation was changed at the same time: look at it and try again";
        return Err(Problem::new(Kind::Conflict, "vacation_changed", detail));
    }
    record_soon(app).await;
    show(app, caller).await
}

/// Whether it may be: not in the past, and within what each year gives.
fn check(
    app: &App,
    all: &[Vacation],
    (began, ends_at): days::Span,
    now: Timestamp,
) -> Result<(), Problem> {
    let days_per_year = app.settings.vacation_days;
    if days_per_year == 0 {
        let detail = "this server gives no vacation";
        return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
    }
    if ends_at <= now {
        let detail = "a vacation ends after now";
        return Err(Problem::new(Kind::Impossible, "bad_vacation", detail).with("field", "until"));
    }
    let too_far = days::after(began, 2 * days_per_year + 1);
    let others = all.iter().filter(|some| some.began_at != began);
    let spans = others.map(|some| (some.began_at, some.ends_at));
    let taken = days::taken(spans.clone().chain([(began, ends_at.min(too_far))]));
    let Some((year, _)) = taken.iter().find(|(_, days)| **days > days_per_year) else {
        return Ok(());
    };
    let used = days::taken(spans).get(year).copied().unwrap_or(0);
    let left = days_per_year.saturating_sub(used);
    let detail = format!("{left} of {days_per_year} days are left in {year}");
    Err(Problem::new(Kind::Conflict, "no_vacation_left", detail)
        .with("days_left", left)
        .with("year", *year))
}

/// Those that may count in this year or later.
async fn of_the_year(app: &App, who: PlayerId, now: Timestamp) -> Result<Vec<Vacation>, Problem> {
    let begin = days::begin_of(days::year_of(now));
    Ok(app.store.vacations_of(who, begin).await?)
}

fn standing(app: &App, all: &[Vacation], now: Timestamp) -> Standing {
    let spans = all.iter().map(|some| (some.began_at, some.ends_at));
    let taken = days::taken(spans);
    Standing {
        running: all.iter().copied().find(|some| some.ends_at > now),
        days_per_year: app.settings.vacation_days,
        days_used: taken.get(&days::year_of(now)).copied().unwrap_or(0),
    }
}

/// Has the games told, and waits for it, but not for long.
async fn record_soon(app: &App) {
    let own = app.clone();
    let recording = tokio::spawn(async move { record_all(&own).await });
    if let Ok(Err(panic)) = timeout(PATIENCE, recording).await {
        tracing::error!(%panic, "recording vacations failed");
    }
}

/// Tells the games of every vacation that not all of them may know of. One after the
/// other, so that what is newer comes later.
pub(super) async fn record_all(app: &App) {
    let _one = app.rooms.slow().recording().await;
    let to_record = match app.store.vacations_to_record(PAGE).await {
        Ok(vacations) => vacations,
        Err(error) => return tracing::warn!(%error, "vacations could not be looked at"),
    };
    for vacation in to_record {
        let recorded = record(app, &vacation).await;
        // Another node may have told of a newer one meanwhile, also if not all were told here.
        let all_know = matches!(recorded, Ok(true));
        let noted = app.store.vacation_told(vacation, all_know).await;
        if let Err(error) = recorded.and(noted) {
            let account = vacation.account.number();
            tracing::warn!(%error, account, "a vacation could not be recorded: again later");
        }
    }
}

/// Tells all games by days of a vacation's owner. Whether all know.
async fn record(app: &App, vacation: &Vacation) -> Result<bool, store::Error> {
    let mut all_know = true;
    for state in [State::Active, State::Paused] {
        let mut query = ListQuery {
            kind: Some(Game::KIND),
            state: Some(state),
            player: Some(vacation.account),
            speed: Some(chess::clock::Speed::Correspondence),
            everything: true,
            limit: PAGE,
            ..ListQuery::default()
        };
        loop {
            let page = app.games.list(query.clone()).await?;
            all_know &= note_in_all(app, &page, vacation).await;
            if page.len() < PAGE as usize {
                break;
            }
            query.after = page.last().map(|found| found.place);
        }
    }
    Ok(all_know)
}

/// Notes a vacation in those of these games that are by days. Whether all know.
async fn note_in_all(app: &App, games: &[Listed], vacation: &Vacation) -> bool {
    let mut ids = Vec::new();
    for found in games {
        // One that cannot be shown may still be played on.
        let game = found.game.as_ref();
        if game.is_none_or(|game| game.terms().control.is_by_days()) {
            ids.push(found.place.table);
        }
    }
    let mut all_know = true;
    for some in ids.chunks(AT_ONCE) {
        let told = join_all(some.iter().map(|id| note(app, *id, *vacation))).await;
        all_know &= told.iter().all(|knows| *knows);
    }
    all_know
}

/// Notes a vacation in a game. Whether the game knows, or need not.
async fn note(app: &App, id: TableId, vacation: Vacation) -> bool {
    let command = Command::Vacation {
        of: vacation.account,
        until: Some(vacation.ends_at),
    };
    let submitted = app
        .games
        .submit(id, Actor::Server, command, app.now(), With::default());
    match submitted.await {
        Ok(_) | Err(Failure::NotFound | Failure::Corrupt(_)) => true,
        Err(Failure::Unavailable(_) | Failure::Busy | Failure::Taken) => false,
    }
}

/// A game has begun: whoever is away is so there too.
pub(super) async fn note_in(app: &App, id: TableId) {
    let Ok(game) = app.games.newest(id).await else {
        return;
    };
    for player in game.seats().iter().flatten() {
        match app.store.vacations_of(*player, app.now()).await {
            Ok(running) => {
                for vacation in running {
                    // If not, the look at all of them finds it.
                    let is_noted = note(app, id, vacation).await;
                    tracing::debug!(table = %id, is_noted, "somebody begins while away");
                }
            }
            Err(error) => tracing::warn!(%error, "vacations could not be looked at"),
        }
    }
}

/// Has every vacation that is running recorded once more: a game may have begun right
/// before a crash.
pub(super) async fn look_at_all(app: &App) {
    let now = app.now();
    let before = Timestamp(now.0.saturating_sub(days::after(Timestamp(0), KEPT_DAYS).0));
    if let Err(error) = app.store.recheck_vacations(now, before).await {
        tracing::warn!(%error, "vacations could not be looked at");
    }
}
