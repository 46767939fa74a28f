//! Sends events to webhooks.
//!
//! A delivery is claimed for a while, sent, and settled: whoever dies in between leaves a
//! claim that ends, and it is sent again. What a webhook is to be sent of one game goes one
//! after the other; what it is to be sent of several, and other webhooks, side by side.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::{CONTENT_TYPE, USER_AGENT};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use chess::Millis;
use futures_util::FutureExt;
use store::{Claim, Delivery, OutboxEvent, Then, Tried, Webhook};
use tokio::task::{Id, JoinSet};
use tokio::time::sleep;

use super::schedule::again_at;
use super::sign::signature;
use crate::play::App;
use crate::problem::Problem;

/// How often is looked for what is to be tried again.
const LOOK: Duration = Duration::from_millis(250);
/// For how long a delivery is claimed: longer than a target may take.
const CLAIM: Millis = Millis::from_secs(30);
/// When is tried again what could not be, for a reason that is ours.
const POSTPONED: Millis = Millis::from_secs(30);
/// On their way at once, from this node.
const AT_ONCE: usize = 256;
/// Of them so many to one webhook; while it has as many, no more are begun.
const PER_WEBHOOK: u32 = 4;
/// And so many to all webhooks of one account: a few accounts whose targets hang must not
/// have all there are.
const PER_ACCOUNT: u32 = 8;

/// The name of a delivery's event, for whoever drops what it knows.
const ARBITER_EVENT: HeaderName = HeaderName::from_static("arbiter-event");
/// By which the target knows that it is ours.
const ARBITER_SIGNATURE: HeaderName = HeaderName::from_static("arbiter-signature");

/// Puts an event into words; nothing if what it is about is gone.
pub type Words = fn(App, OutboxEvent) -> Written;
/// The words of an event, on their way.
pub type Written = Pin<Box<dyn Future<Output = Result<Option<Vec<u8>>, Problem>> + Send>>;

/// Sends whatever is due, again and again.
pub async fn run(app: App, words: Words) {
    let mut sending = Sending {
        app,
        words,
        tasks: JoinSet::new(),
        to: HashMap::new(),
        is_failing: false,
    };
    sending.go_on_after_a_crash().await;
    loop {
        let begun = sending.begin().await;
        let is_full = sending.tasks.len() >= AT_ONCE;
        if begun == 0 || is_full {
            sending.wait(is_full).await;
        }
    }
}

/// What is on its way.
struct Sending {
    app: App,
    words: Words,
    tasks: JoinSet<()>,
    /// To which webhook each of them goes.
    to: HashMap<Id, u64>,
    is_failing: bool,
}

impl Sending {
    /// The one server of a store that is not shared knows that nobody else has anything in
    /// hand: it need not wait until the claims of its last run end.
    async fn go_on_after_a_crash(&self) {
        if !self.app.store.is_shared()
            && let Err(error) = self.app.store.release_deliveries().await
        {
            tracing::warn!(%error, "what the last run had in hand is sent when its claims end");
        }
    }

    /// Begins with what is due. How many.
    async fn begin(&mut self) -> usize {
        if self.app.games.live().is_closing() {
            return 0;
        }
        let now = self.app.now();
        let mut many: HashMap<u64, u32> = HashMap::new();
        for webhook in self.to.values() {
            *many.entry(*webhook).or_default() += 1;
        }
        many.retain(|_, many| *many >= PER_WEBHOOK);
        let claim = Claim {
            now,
            until: now + CLAIM,
            limit: AT_ONCE.saturating_sub(self.tasks.len()) as u32,
            per_webhook: PER_WEBHOOK,
            per_account: PER_ACCOUNT,
            in_hand: self.to.values().copied().collect(),
            except: many.into_keys().collect(),
        };
        let claimed = match self.app.store.claim_deliveries(claim).await {
            Ok(claimed) => claimed,
            Err(error) => {
                if !self.is_failing {
                    tracing::warn!(%error, "nothing can be delivered");
                }
                self.is_failing = true;
                return 0;
            }
        };
        self.is_failing = false;
        let begun = claimed.len();
        for delivery in claimed {
            let (app, words) = (self.app.clone(), self.words);
            let webhook = delivery.webhook;
            let task = self.tasks.spawn(deliver(app, words, delivery));
            self.to.insert(task.id(), webhook);
        }
        begun
    }

    /// Waits until something has ended or may be due.
    async fn wait(&mut self, is_full: bool) {
        let ended = tokio::select! {
            Some(ended) = self.tasks.join_next_with_id() => Some(ended),
            () = self.app.events.in_line.notified(), if !is_full => None,
            () = sleep(LOOK), if !is_full => None,
        };
        let mut ended = ended;
        while let Some(one) = ended {
            let id = one.map_or_else(|error| error.id(), |(id, ())| id);
            self.to.remove(&id);
            ended = self.tasks.try_join_next_with_id();
        }
    }
}

/// Tries a delivery once.
async fn deliver(app: App, words: Words, delivery: Delivery) {
    let attempt = AssertUnwindSafe(attempt(&app, words, &delivery)).catch_unwind();
    let tried = match attempt.await {
        Ok(Ok(Some(tried))) => tried,
        // The webhook is gone, and its deliveries with it.
        Ok(Ok(None)) => return,
        Ok(Err(problem)) => postponed(&app, &delivery, problem.code),
        Err(_) => postponed(&app, &delivery, "internal"),
    };
    count(&app, &delivery, &tried);
    if let Err(error) = app.store.settle_delivery(tried).await {
        tracing::warn!(%error, delivery = delivery.id, "sent again, since nobody will know");
    }
}

/// Nothing could be sent, and the target had no part in it: none of its tries is used up. What
/// lasts is given up all the same.
fn postponed(app: &App, delivery: &Delivery, error: &str) -> Tried {
    let now = app.now();
    let patience = Millis::from_secs(app.settings.webhook_seconds);
    tracing::debug!(error, delivery = delivery.id, "not sent");
    Tried {
        delivery: delivery.id,
        claimed_until: delivery.claimed_until,
        at: now,
        status: None,
        error: Some(error.to_owned()),
        then: match delivery.created_at + patience <= now {
            true => Then::Dead,
            false => Then::Postponed(now + POSTPONED),
        },
    }
}

async fn attempt(app: &App, words: Words, delivery: &Delivery) -> Result<Option<Tried>, Problem> {
    let Some(webhook) = app.store.webhook(delivery.webhook).await? else {
        return Ok(None);
    };
    let end = |status, error: Option<String>, then| {
        Ok(Some(Tried {
            delivery: delivery.id,
            claimed_until: delivery.claimed_until,
            at: app.now(),
            status,
            error,
            then,
        }))
    };
    if !may_be_told(app, &webhook).await? {
        return end(None, Some("no_right".into()), Then::Dead);
    }
    let Some(body) = words(app.clone(), delivery.event).await? else {
        return end(None, Some("gone".into()), Then::Dead);
    };
    let headers = headers(app, &webhook, delivery, &body);
    let sent = app
        .outside
        .post(&webhook.url, headers, Bytes::from(body))
        .await;
    let patience = Millis::from_secs(app.settings.webhook_seconds);
    let again = || match again_at(delivery.tries, patience, app.now()) {
        Some(next) => Then::Again(next),
        None => Then::Dead,
    };
    match sent {
        Ok(status) if status.is_success() => end(Some(status.as_u16()), None, Then::Delivered),
        Ok(status) => {
            let error = status.is_redirection().then(|| "redirect".to_owned());
            end(Some(StatusCode::as_u16(&status)), error, again())
        }
        Err(failed) => end(None, Some(failed.name().to_owned()), again()),
    }
}

/// Whether its owner may still be told: they are there, and an administrator if it is for
/// all games.
async fn may_be_told(app: &App, webhook: &Webhook) -> Result<bool, Problem> {
    let people = app.auth.people(&[webhook.account]).await?;
    let owner = people.get(&webhook.account);
    Ok(owner.is_some_and(|owner| {
        !owner.deleted && !owner.is_barred && (owner.is_admin || !webhook.everything)
    }))
}

fn headers(app: &App, webhook: &Webhook, delivery: &Delivery, body: &[u8]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let agent = concat!("Arbiter/", env!("CARGO_PKG_VERSION"));
    headers.insert(USER_AGENT, HeaderValue::from_static(agent));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let texts = [
        (ARBITER_EVENT, delivery.event.place.to_string()),
        (ARBITER_SIGNATURE, signature(webhook, app.wall(), body)),
    ];
    for (name, text) in texts {
        if let Ok(value) = HeaderValue::from_str(&text) {
            headers.insert(name, value);
        }
    }
    headers
}

fn count(app: &App, delivery: &Delivery, tried: &Tried) {
    let counts = &app.events.counts;
    let counter = match tried.then {
        Then::Delivered => &counts.delivered,
        Then::Again(_) | Then::Postponed(_) => &counts.failed,
        Then::Dead => &counts.dead,
    };
    counter.fetch_add(1, Ordering::Relaxed);
    if tried.then == Then::Dead {
        let event = delivery.event.place;
        let (webhook, tries) = (delivery.webhook, delivery.tries);
        let (status, error) = (tried.status, tried.error.as_deref());
        tracing::warn!(webhook, delivery = delivery.id, %event, tries, status, error, "a delivery is given up");
    }
}
