//! Webhooks, as their owners ask for them.

use chess::Millis;
use store::{AccountKind, Delivery, EventKind, EventKinds, NewWebhook, Webhook};

use crate::auth::{Caller, Scope, secrets};
use crate::limits::rates::Rate;
use crate::outside::Failed;
use crate::play::App;
use crate::problem::{Kind, Problem};

/// So many webhooks an account may have.
pub(crate) const WEBHOOKS_MAX: u32 = 10;
/// How long the secret before counts beside a new one.
const OVERLAP: Millis = Millis::from_days(1);
/// How long a secret may be that its owner chose.
const SECRET_MIN: usize = 16;
const SECRET_MAX: usize = 128;
/// Who may have webhooks: those who play, and services.
const OWNERS: [Scope; 3] = [Scope::Play, Scope::Service, Scope::Admin];

/// A webhook to be made.
pub(crate) struct Wish {
    pub(crate) url: String,
    pub(crate) kinds: EventKinds,
    pub(crate) everything: bool,
    pub(crate) secret: Option<String>,
}

/// Makes a webhook.
///
/// # Errors
/// `missing_scope`; `not_for_guests`; `bad_request` for events, secret; `bad_url`;
/// `too_many_webhooks`.
pub(crate) async fn make(app: &App, caller: &Caller, wish: Wish) -> Result<Webhook, Problem> {
    may_change(app, caller)?;
    if wish.everything {
        caller.require(Scope::Admin)?;
    }
    if caller.person.kind == AccountKind::Guest {
        let detail = "guests have no webhooks: register first";
        return Err(Problem::new(Kind::Forbidden, "not_for_guests", detail));
    }
    if wish.kinds.is_empty() {
        return Err(bad("events", "events: name at least one"));
    }
    if wish.kinds.has(EventKind::PlayerReported) && !wish.everything {
        let detail = "events: PlayerReported is for administrators, with all_games";
        return Err(bad("events", detail));
    }
    app.outside
        .check(&wish.url)
        .map_err(|failed| unfit(&failed))?;
    let new = NewWebhook {
        account: caller.number(),
        url: wish.url,
        kinds: wish.kinds,
        everything: wish.everything,
        secret: secret(wish.secret)?,
        at: app.now(),
    };
    let made = app.store.add_webhook(new, WEBHOOKS_MAX).await?;
    let made = made.ok_or_else(|| {
        let detail = format!("an account has at most {WEBHOOKS_MAX} webhooks: remove one");
        Problem::new(Kind::Conflict, "too_many_webhooks", detail)
    })?;
    if made.kinds.has(EventKind::MovePlayed) {
        // Here at once, at other nodes when they look.
        let wanted = [(made.account, made.everything)].into_iter().collect();
        app.events.every_move.add(wanted);
    }
    Ok(made)
}

/// The caller's webhooks.
///
/// # Errors
/// The store cannot say.
pub(crate) async fn list(app: &App, caller: &Caller) -> Result<Vec<Webhook>, Problem> {
    caller.require(Scope::Read)?;
    Ok(app.store.webhooks_of(caller.number()).await?)
}

/// Removes one of them, and what was to be sent there.
///
/// # Errors
/// `missing_scope`, `not_found`.
pub(crate) async fn remove(app: &App, caller: &Caller, id: u64) -> Result<(), Problem> {
    may_change_it(app, caller, id).await?;
    match app.store.remove_webhook(caller.number(), id).await? {
        true => Ok(()),
        false => Err(no_such()),
    }
}

/// Gives one of them another secret. Deliveries are signed with both for a day.
///
/// # Errors
/// `missing_scope`, `not_found`, `bad_request` for the secret.
pub(crate) async fn rotate(
    app: &App,
    caller: &Caller,
    id: u64,
    chosen: Option<String>,
) -> Result<Webhook, Problem> {
    may_change_it(app, caller, id).await?;
    let secret = secret(chosen)?;
    let until = app.wall() + OVERLAP;
    let rotated = app
        .store
        .rotate_webhook(caller.number(), id, &secret, until)
        .await?;
    rotated.ok_or_else(no_such)
}

/// What was sent to one of them, or is to be, newest first.
///
/// # Errors
/// `not_found`.
pub(crate) async fn deliveries(
    app: &App,
    caller: &Caller,
    id: u64,
    before: Option<u64>,
    limit: u32,
) -> Result<Vec<Delivery>, Problem> {
    caller.require(Scope::Read)?;
    own(app, caller, id).await?;
    Ok(app.store.deliveries_of(id, before, limit).await?)
}

/// Sends something once more.
///
/// # Errors
/// `missing_scope`, `not_found`.
pub(crate) async fn redeliver(
    app: &App,
    caller: &Caller,
    id: u64,
    delivery: u64,
) -> Result<Delivery, Problem> {
    may_change_it(app, caller, id).await?;
    send_again(app, id, delivery).await
}

/// The same, whoever asks.
///
/// # Errors
/// `not_found`.
pub(crate) async fn send_again(app: &App, id: u64, delivery: u64) -> Result<Delivery, Problem> {
    let again = app.store.redeliver(id, delivery, app.now()).await?;
    app.events.in_line.notify_one();
    again.ok_or_else(|| Problem::not_found("there is no such delivery"))
}

fn may_change(app: &App, caller: &Caller) -> Result<(), Problem> {
    caller.require_any(&OWNERS)?;
    app.rates.check(Rate::Command, caller.number())
}

/// One for all games takes the same right as making it.
async fn may_change_it(app: &App, caller: &Caller, id: u64) -> Result<(), Problem> {
    may_change(app, caller)?;
    match own(app, caller, id).await?.everything {
        true => caller.require(Scope::Admin),
        false => Ok(()),
    }
}

async fn own(app: &App, caller: &Caller, id: u64) -> Result<Webhook, Problem> {
    let found = app.store.webhook(id).await?;
    let own = found.filter(|webhook| webhook.account == caller.number());
    own.ok_or_else(no_such)
}

/// There is no such webhook, or none of the caller's.
pub(crate) fn no_such() -> Problem {
    Problem::not_found("you have no such webhook")
}

fn secret(chosen: Option<String>) -> Result<String, Problem> {
    let Some(secret) = chosen else {
        return Ok(secrets::token().replacen("arb_", "whsec_", 1));
    };
    let is_long = (SECRET_MIN..=SECRET_MAX).contains(&secret.len());
    if is_long && secret.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(secret);
    }
    let detail = format!("secret: {SECRET_MIN} to {SECRET_MAX} letters, digits and signs of ASCII");
    Err(bad("secret", &detail))
}

fn bad(field: &str, detail: &str) -> Problem {
    Problem::bad_request(detail).with("field", field)
}

fn unfit(failed: &Failed) -> Problem {
    Problem::new(Kind::Impossible, "bad_url", format!("url: {failed}")).with("field", "url")
}
