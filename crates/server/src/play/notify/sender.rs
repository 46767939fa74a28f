//! Sends what is due.

mod letter;

use std::sync::atomic::Ordering;
use std::time::Duration;

use chess::Timestamp;
use futures_util::future::join_all;
use store::{Account, Channel, Notification, Settled, Subscription};

use super::choices::Choices;
use super::plan::{self, About, Meaning};
use super::push::Pushed;
use super::{Counts, Kind, schedule};
use crate::play::App;
use crate::problem::Problem;

/// How often it is looked what is due, if nobody says so.
const EVERY: Duration = Duration::from_secs(1);
/// For how long what is being sent is nobody else's: longer than sending takes.
const LEASE_MS: u64 = 120_000;
/// As many are sent side by side.
const BATCH: u32 = 16;
/// How often a game whose time stands still is looked at.
const STILL_MS: u64 = 3_600_000;
/// How long to wait before it is said again what became of something.
const PAUSE: Duration = Duration::from_millis(200);

/// What became of what was to be told.
enum Fate {
    Sent,
    /// Nobody needs to be told any more.
    Moot,
    /// Nobody can be told any more.
    Gone(String),
    /// Not now.
    Failed(String),
    /// It is too early.
    Put(Timestamp),
}

/// Sends for as long as the server runs.
pub async fn run(app: App) {
    loop {
        match step(&app).await {
            Ok(true) => continue,
            Ok(false) => {}
            Err(problem) => tracing::warn!(cause = problem.cause, "nothing could be sent"),
        }
        let woken = app.notifier.wake.notified();
        // Whichever comes first; neither is a failure.
        drop(tokio::time::timeout(EVERY, woken).await);
    }
}

/// Sends some. Whether there may be more.
pub(super) async fn step(app: &App) -> Result<bool, Problem> {
    let now = app.now();
    let oldest = app.store.oldest_notification().await?;
    let waited = oldest.map_or(0, |due| now.0.saturating_sub(due.0));
    let counts = &app.notifier.counts;
    counts.oldest_ms.store(waited, Ordering::Relaxed);
    if oldest.is_none_or(|due| due > now) {
        return Ok(false);
    }
    let claimed = app
        .store
        .claim_notifications(now, lease(now), BATCH)
        .await?;
    let is_full = claimed.len() == BATCH as usize;
    // A server that stops finishes what it has begun: else it would be sent again.
    let sending = together(claimed).into_iter().map(|those| {
        let (app, held) = (app.clone(), app.notifier.hold());
        tokio::spawn(async move {
            handle(&app, those).await;
            drop(held);
        })
    });
    for ended in join_all(sending).await {
        if ended.is_err() {
            tracing::error!("what was to be sent made the server panic: it is tried again");
        }
    }
    Ok(is_full)
}

/// What may go into one letter is sent by one.
fn together(claimed: Vec<Notification>) -> Vec<Vec<Notification>> {
    let mut groups: Vec<Vec<Notification>> = Vec::new();
    for one in claimed {
        let is_alike = |other: &Notification| {
            let (a, b) = (&one.what, &other.what);
            (a.account, &a.kind, a.channel) == (b.account, &b.kind, b.channel)
        };
        let is_turn = one.what.kind == Kind::YourTurn.name();
        let is_letter = is_turn && one.what.channel == Channel::Email;
        match groups
            .iter_mut()
            .find(|group| is_letter && is_alike(&group[0]))
        {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    groups
}

fn lease(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_add(LEASE_MS))
}

/// Sends those, and writes down what became of them.
async fn handle(app: &App, those: Vec<Notification>) {
    let Some(one) = those.first() else {
        return;
    };
    let fate = match one.what.channel {
        Channel::Email => return letter::handle(app, those).await,
        Channel::Plan => look_at_deadline(app, one).await,
        Channel::Push => push(app, one).await,
        Channel::Stream => Ok(Fate::Moot),
    };
    conclude(app, &those, fate).await;
}

/// Writes down what became of those. Until that is done it is said again and again, for
/// as long as nobody else may take them: what was sent must not be sent twice.
async fn conclude(app: &App, those: &[Notification], fate: Result<Fate, Problem>) {
    let Some(first) = those.first() else {
        return;
    };
    let (now, counts, channel) = (app.now(), &app.notifier.counts, first.what.channel);
    let fate = fate.unwrap_or_else(|problem| {
        Fate::Failed(problem.cause.unwrap_or_else(|| problem.detail.clone()))
    });
    let tries = those.iter().map(|one| one.tries).max().unwrap_or(1);
    let kind = &*first.what.kind;
    let settled = match fate {
        Fate::Sent => {
            Counts::add(&counts.sent, channel);
            Settled::Sent(now)
        }
        Fate::Moot => Settled::Dropped(now),
        Fate::Put(at) => Settled::Put(at),
        Fate::Gone(why) => {
            Counts::add(&counts.dropped, channel);
            tracing::info!(
                kind,
                channel = channel.name(),
                why,
                "nobody can be told there"
            );
            Settled::Dropped(now)
        }
        Fate::Failed(why) => {
            Counts::add(&counts.failed, channel);
            tracing::warn!(kind, channel = channel.name(), tries, why, "not told yet");
            match schedule::again(tries, now) {
                Some(at) => Settled::Later(at),
                None => {
                    Counts::add(&counts.dropped, channel);
                    Settled::Dropped(now)
                }
            }
        }
    };
    let ids: Vec<u64> = those.iter().map(|one| one.id).collect();
    while let Err(error) = app.store.settle_notifications(ids.clone(), settled).await {
        tracing::warn!(%error, "what was sent could not be written down yet");
        if app.now() >= lease(now) {
            return;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whom it is for, and what they chose; `None`: nobody is told any more.
async fn reader_of(app: &App, one: &Notification) -> Result<Option<(Account, Choices)>, Problem> {
    let account = app.store.account_by_number(one.what.account).await?;
    let is_there = |a: &Account| a.deleted_at.is_none() && a.barred_at.is_none();
    let Some(account) = account.filter(is_there) else {
        return Ok(None);
    };
    let stored = app.store.notification_settings(account.number).await?;
    Ok(Some((account, Choices::read(stored.as_deref()))))
}

/// The time for a move may be running out: if it is still the same turn, and the
/// deadline where it was, its owner is told; else it is looked at again when it is.
async fn look_at_deadline(app: &App, one: &Notification) -> Result<Fate, Problem> {
    let Some(table) = one.what.table else {
        return Ok(Fate::Moot);
    };
    let Some(game) = plan::read(app, table, one.what.version).await? else {
        return Ok(Fate::Moot);
    };
    let (now, version) = (app.now(), one.what.version);
    if game.ending().is_some() || plan::has_moved(&game, version) {
        return Ok(Fate::Moot);
    }
    let waits_for = plan::waits_for(&game, version);
    let (Some(account), Some(deadline)) = (waits_for, game.move_deadline()) else {
        // Its time stands still, and may go on.
        return Ok(Fate::Put(Timestamp(now.0.saturating_add(STILL_MS))));
    };
    let near = plan::near(one.what.at, deadline, &game);
    if near > now {
        return Ok(Fate::Put(near));
    }
    let meaning = Meaning {
        account,
        kind: Kind::DeadlineNear,
    };
    let about = About {
        table,
        version,
        at: now,
        is_slow: true,
    };
    let records = plan::told(app, &meaning, &about).await?;
    app.store.add_notifications(None, records).await?;
    app.rooms.places().look_again(account);
    app.notifier.wake();
    // It was looked at; nobody was told by that.
    Ok(Fate::Moot)
}

async fn push(app: &App, one: &Notification) -> Result<Fate, Problem> {
    let Some((account, choices)) = reader_of(app, one).await? else {
        return Ok(Fate::Moot);
    };
    let Some(kind) = Kind::named(&one.what.kind).filter(|kind| choices.of(*kind).push) else {
        return Ok(Fate::Moot);
    };
    let now = app.now();
    let awake = choices.awake(now);
    if awake > now {
        return Ok(Fate::Put(awake));
    }
    let Some(about) = letter::about(app, one, kind, &account).await? else {
        return Ok(Fate::Moot);
    };
    let browsers = app.store.subscriptions_of(account.number).await?;
    let is_it = |browser: &&Subscription| Some(browser.id) == one.what.subscription;
    let Some(browser) = browsers.iter().find(is_it) else {
        return Ok(Fate::Moot);
    };
    let text = letter::payload(kind, one, &about);
    let vapid = &app.notifier.vapid;
    match vapid
        .push(&app.outside, browser, text.as_bytes(), app.wall())
        .await
    {
        Pushed::Sent => Ok(Fate::Sent),
        Pushed::NotNow(why) => Ok(Fate::Failed(why)),
        Pushed::Gone => {
            app.store.unsubscribe(None, browser.id).await?;
            Ok(Fate::Gone("the browser is gone".into()))
        }
    }
}
