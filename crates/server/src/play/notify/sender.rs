//! Sends what is due.
//!
//! Letters, browsers and deadlines are claimed each for themselves, and few of one account
//! at a time: whoever's browser or mail server is slow keeps nobody else waiting.

mod digest;
mod letter;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chess::Timestamp;
use store::{Account, Channel, Held, Notification, NotificationClaim, Settled, Subscription};
use tokio::task::JoinSet;

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
/// How often a game whose time stands still is looked at.
const STILL_MS: u64 = 3_600_000;
/// How long to wait before it is said again what became of something.
const PAUSE: Duration = Duration::from_millis(200);
/// The ways of telling that take something to be done.
const CHANNELS: [Channel; 3] = [Channel::Email, Channel::Push, Channel::Plan];

/// As many are sent side by side in that way.
fn at_once(channel: Channel) -> usize {
    match channel {
        // A mail server is one, and may not like more.
        Channel::Email => 16,
        // Browsers are at many places, and some of these take their time.
        Channel::Push => 64,
        Channel::Plan | Channel::Stream => 16,
    }
}

/// As many of one account, at all nodes together.
fn per_account(channel: Channel) -> u32 {
    match channel {
        // They go to one address, in order. What may come in the same letter as one that is
        // being sent has to wait whether it was: else it would make another.
        Channel::Email => 1,
        _ => 2,
    }
}

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
    let mut sending = Sending::new(app);
    loop {
        match sending.begin().await {
            Ok(0) => {}
            Ok(_) => continue,
            Err(problem) => tracing::warn!(cause = problem.cause, "nothing could be sent"),
        }
        sending.wait().await;
    }
}

/// What is being sent.
struct Sending {
    app: App,
    tasks: JoinSet<Channel>,
    /// How many of them in each way.
    many: BTreeMap<Channel, usize>,
}

impl Sending {
    fn new(app: App) -> Sending {
        Sending {
            app,
            tasks: JoinSet::new(),
            many: BTreeMap::new(),
        }
    }

    /// Begins with what is due and has room. How many.
    async fn begin(&mut self) -> Result<usize, Problem> {
        let app = self.app.clone();
        let now = app.now();
        let oldest = app.store.oldest_notification().await?;
        let waited = oldest.map_or(0, |due| now.0.saturating_sub(due.0));
        let counts = &app.notifier.counts;
        counts.oldest_ms.store(waited, Ordering::Relaxed);
        if oldest.is_none_or(|due| due > now) {
            return Ok(0);
        }
        let mut begun = 0;
        for channel in CHANNELS {
            let many = self.many.get(&channel).copied().unwrap_or_default();
            let room = at_once(channel).saturating_sub(many);
            if room == 0 {
                continue;
            }
            let claim = NotificationClaim {
                channel,
                now,
                until: Timestamp(now.0.saturating_add(LEASE_MS)),
                limit: u32::try_from(room).unwrap_or(u32::MAX),
                per_account: per_account(channel),
            };
            for one in app.store.claim_notifications(claim).await? {
                self.send(one);
                begun += 1;
            }
        }
        Ok(begun)
    }

    fn send(&mut self, one: Notification) {
        let channel = one.what.channel;
        *self.many.entry(channel).or_default() += 1;
        let (app, held) = (self.app.clone(), self.app.notifier.hold());
        // On its own: a server that stops ends whoever begins it, and finishes what was begun.
        // Else it would be sent again.
        let sent = tokio::spawn(async move {
            handle(&app, one).await;
            drop(held);
        });
        self.tasks.spawn(async move {
            if sent.await.is_err() {
                tracing::error!("what was to be sent made the server panic: it is tried again");
            }
            channel
        });
    }

    /// Waits until something was sent, or may be due.
    async fn wait(&mut self) {
        let mut ended = tokio::select! {
            Some(ended) = self.tasks.join_next() => Some(ended),
            () = self.app.notifier.wake.notified() => None,
            () = tokio::time::sleep(EVERY) => None,
        };
        while let Some(one) = ended {
            let channel = one.expect("it only waits for another, and nobody ends it");
            let many = self.many.entry(channel).or_default();
            *many = many.saturating_sub(1);
            ended = self.tasks.try_join_next();
        }
    }
}

/// Sends all that is due.
#[cfg(test)]
pub(super) async fn send_all(app: &App) {
    let mut sending = Sending::new(app.clone());
    while sending.begin().await.expect("the store answers") > 0 || !sending.tasks.is_empty() {
        sending.wait().await;
    }
}

/// Sends that, and writes down what became of it.
async fn handle(app: &App, one: Notification) {
    let fate = match one.what.channel {
        Channel::Email => return letter::handle(app, one).await,
        Channel::Plan => look_at_deadline(app, &one).await,
        Channel::Push => push(app, &one).await,
        Channel::Stream => Ok(Fate::Moot),
    };
    conclude(app, &[one], fate).await;
}

/// Writes down what became of those, which come in the order they were written in.
async fn conclude(app: &App, those: &[Notification], fate: Result<Fate, Problem>) {
    let Some(first) = those.first() else {
        return;
    };
    let (now, counts, channel) = (app.now(), &app.notifier.counts, first.what.channel);
    let fate = fate.unwrap_or_else(|problem| {
        Fate::Failed(problem.cause.unwrap_or_else(|| problem.detail.clone()))
    });
    let (kind, tries) = (&*first.what.kind, first.tries);
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
            return try_again(app, those, now).await;
        }
    };
    settle(app, those, settled).await;
}

/// Those failed together, and are tried again together: when the first of them says so,
/// which was tried most often. If it is given up, the others are not for that.
async fn try_again(app: &App, mut those: &[Notification], now: Timestamp) {
    while let Some((first, others)) = those.split_first() {
        if let Some(at) = schedule::again(first.tries, now) {
            return settle(app, those, Settled::Later(at)).await;
        }
        Counts::add(&app.notifier.counts.dropped, first.what.channel);
        settle(app, std::slice::from_ref(first), Settled::Dropped(now)).await;
        those = others;
    }
}

/// Until it is written down it is said again and again, for as long as nobody else may take
/// them: what was sent must not be sent twice.
async fn settle(app: &App, those: &[Notification], settled: Settled) {
    let Some(until) = those.iter().map(|one| one.claimed_until).min() else {
        return;
    };
    let held: Vec<Held> = those.iter().map(Notification::held).collect();
    while let Err(error) = app.store.settle_notifications(held.clone(), settled).await {
        tracing::warn!(%error, "what was sent could not be written down yet");
        if app.now() >= until {
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
