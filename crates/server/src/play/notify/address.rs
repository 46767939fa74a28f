//! Whether somebody reads an address, and what is sent to it without being chosen.

use std::net::IpAddr;

use chess::Timestamp;
use chess::table::PlayerId;
use rand::RngExt;
use rand::distr::Alphanumeric;
use store::{Account, AccountKind, Address, Channel, MailPurpose, MailToken, NewNotification};

use super::{CONFIRM, MOVED, RESET};
use crate::auth::{Caller, Scopes, email, secrets};
use crate::limits::rates::{Rate, Whose};
use crate::play::App;
use crate::problem::{Kind, Problem};

/// So many of 62 letters and digits hold 256 bits.
const CODE: usize = 43;
const HOUR_MS: u64 = 3_600_000;
const DAY_MS: u64 = 24 * HOUR_MS;
/// As many accounts of one address are written to about their passwords.
const RESETS_MAX: usize = 5;

/// What is known of an account's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) email: Option<String>,
    pub(crate) is_confirmed: bool,
    pub(crate) is_bouncing: bool,
}

/// What is known of the address that an account has now.
pub(crate) async fn known(app: &App, account: &Account) -> Result<Known, store::Error> {
    let of = app.store.address(account.number).await?;
    let of = of.filter(|known| Some(&known.email) == account.email.as_ref());
    Ok(Known {
        email: account.email.clone(),
        is_confirmed: of
            .as_ref()
            .is_some_and(|known| known.confirmed_at.is_some()),
        is_bouncing: of.is_some_and(|known| known.bounced_at.is_some()),
    })
}

/// Asks at the caller's address whether it is theirs.
///
/// # Errors
/// `missing_scope`; `mail_off`; `no_email`; `already_confirmed`; `rate_limited`.
pub(crate) async fn ask(app: &App, caller: &Caller) -> Result<(), Problem> {
    caller.require_all(Scopes::SESSION)?;
    insist_on_mail(app)?;
    let account = app.auth.own_account(caller).await?;
    let Some(address) = account.email.clone() else {
        let detail = "this account has no address: PATCH /v1/me sets one";
        return Err(Problem::new(Kind::Conflict, "no_email", detail));
    };
    let known = known(app, &account).await?;
    if known.is_confirmed && !known.is_bouncing {
        let detail = "this address is confirmed";
        return Err(Problem::new(Kind::Conflict, "already_confirmed", detail));
    }
    app.rates.check(Rate::Mail, account.number)?;
    app.rates
        .check(Rate::Mail, Whose::Name(&address.to_ascii_lowercase()))?;
    let key = format!("{CONFIRM} {}", account.number.number());
    write(app, account.number, CONFIRM, key).await?;
    Ok(())
}

/// Takes what was sent to the caller's address: it is theirs. Nobody else's counts.
///
/// # Errors
/// `missing_scope`; `bad_code`; `rate_limited`.
pub(crate) async fn confirm(
    app: &App,
    from: IpAddr,
    caller: &Caller,
    code: &str,
) -> Result<(), Problem> {
    caller.require_all(Scopes::SESSION)?;
    let token = find(app, from, code, MailPurpose::Confirm).await?;
    if token.account != caller.number() {
        return Err(bad_code());
    }
    settle(app, token).await
}

/// The same by whoever has the letter, without signing in: it says whose address it is.
///
/// # Errors
/// `bad_code`; `rate_limited`.
pub(crate) async fn confirm_by_letter(app: &App, from: IpAddr, code: &str) -> Result<(), Problem> {
    let token = find(app, from, code, MailPurpose::Confirm).await?;
    settle(app, token).await
}

async fn settle(app: &App, token: MailToken) -> Result<(), Problem> {
    let account = app.store.account_by_number(token.account).await?;
    let account = account.filter(|account| account.deleted_at.is_none());
    // The account may have another address by now.
    let is_still = account.is_some_and(|account| account.email.as_ref() == Some(&token.email));
    if !app.store.take_mail_token(token.hash).await? || !is_still {
        return Err(bad_code());
    }
    let address = Address {
        email: token.email,
        confirmed_at: Some(app.wall()),
        bounced_at: None,
    };
    let before = app.store.address(token.account).await?;
    app.store
        .set_address(token.account, address.clone())
        .await?;
    // Whoever reads the address before must hear of it, if it was not them.
    let before = before.filter(|b| b.confirmed_at.is_some() && b.email != address.email);
    if let Some(before) = before {
        let key = format!("{MOVED} {} {}", token.account.number(), before.email);
        write(app, token.account, MOVED, key).await?;
    }
    Ok(())
}

/// Where a letter that tells of another address goes: to the one before.
pub(super) fn moved_from(key: &str) -> Option<&str> {
    key.split(' ').nth(2)
}

/// Writes to whoever has that name or address, if anybody, how to choose a new password.
/// Who is there is found out after the answer, so it tells nothing, not even by its time.
///
/// # Errors
/// `mail_off`; `bad_request`; `rate_limited`, by what was asked and by who asks.
pub(crate) fn request_reset(app: &App, from: IpAddr, whom: &Whom) -> Result<(), Problem> {
    insist_on_mail(app)?;
    let text = match whom {
        Whom::Name(name) => name.to_ascii_lowercase(),
        Whom::Address(address) => {
            email::check(address)?;
            address.to_ascii_lowercase()
        }
    };
    app.rates.check(Rate::Registration, from)?;
    app.rates.check(Rate::Mail, Whose::NameFrom(&text, from))?;
    let (app, whom) = (app.clone(), whom.clone());
    tokio::spawn(async move {
        if let Err(problem) = write_resets(&app, &whom).await {
            tracing::warn!(cause = problem.cause, "a password could not be reset");
        }
    });
    Ok(())
}

/// Whose password it is about.
#[derive(Clone, Debug)]
pub(crate) enum Whom {
    Name(String),
    Address(String),
}

async fn write_resets(app: &App, whom: &Whom) -> Result<(), Problem> {
    let accounts = match whom {
        Whom::Name(name) => {
            let account = app.store.account_by_id(&name.to_ascii_lowercase()).await?;
            account.into_iter().collect()
        }
        Whom::Address(address) => {
            let mut there = app.store.accounts_at(address).await?;
            there.truncate(RESETS_MAX);
            app.store.accounts_by_numbers(&there).await?
        }
    };
    for account in accounts {
        if !has_password(&account) || !known(app, &account).await?.is_confirmed {
            continue;
        }
        let address = account.email.unwrap_or_default().to_ascii_lowercase();
        // Nobody is written to more often than that, however they are asked for.
        // What others have sent there to confirm does not count.
        let reset = format!("reset {address}");
        if app.rates.check(Rate::Mail, Whose::Name(&reset)).is_ok() {
            let key = format!("{RESET} {}", account.number.number());
            write(app, account.number, RESET, key).await?;
        }
    }
    Ok(())
}

/// Whether it is somebody's who signs in with a password.
pub(super) fn has_password(account: &Account) -> bool {
    account.kind == AccountKind::Registered
        && account.deleted_at.is_none()
        && account.barred_at.is_none()
}

/// Chooses a new password with what was sent, and ends all sessions and tokens.
///
/// # Errors
/// `bad_code`; `weak_password`; `rate_limited`.
pub(crate) async fn reset(
    app: &App,
    from: IpAddr,
    code: &str,
    password: String,
) -> Result<(), Problem> {
    let token = find(app, from, code, MailPurpose::Reset).await?;
    let account = app.store.account_by_number(token.account).await?;
    let account = account.filter(|account| {
        // Who has another address by now is not who was written to.
        has_password(account) && account.email.as_ref() == Some(&token.email)
    });
    let account = account.ok_or_else(bad_code)?;
    let hash = app
        .auth
        .hash_new_password(&app.rates, from, &account, password)
        .await?;
    if !app.store.take_mail_token(token.hash).await? {
        return Err(bad_code());
    }
    app.auth.set_password(account.number, hash).await
}

/// What was sent, if it counts still.
async fn find(
    app: &App,
    from: IpAddr,
    code: &str,
    purpose: MailPurpose,
) -> Result<MailToken, Problem> {
    let together = app.rates.together(&app.store, app.now());
    together.look(Rate::WrongCode, &[from.into()]).await?;
    let token = app.store.mail_token(secrets::hash(code)).await?;
    let good = token.filter(|t| t.purpose == purpose && t.expires_at > app.wall());
    match good {
        Some(token) => Ok(token),
        None => {
            together.count(Rate::WrongCode, &[from.into()]).await?;
            Err(bad_code())
        }
    }
}

/// A code for a letter, of which only the hash is kept.
pub(super) async fn new_code(
    app: &App,
    account: &Account,
    purpose: MailPurpose,
) -> Result<String, store::Error> {
    let code = rand::rng().sample_iter(Alphanumeric).take(CODE);
    let code: String = code.map(char::from).collect();
    let lasts = match purpose {
        MailPurpose::Confirm => DAY_MS,
        MailPurpose::Reset => HOUR_MS,
    };
    let token = MailToken {
        hash: secrets::hash(&code),
        account: account.number,
        purpose,
        email: account.email.clone().unwrap_or_default(),
        expires_at: Timestamp(app.wall().0.saturating_add(lasts)),
    };
    app.store.add_mail_token(token).await?;
    Ok(code)
}

/// Writes down that a letter is to be sent; each is one of its own.
async fn write(app: &App, account: PlayerId, kind: &str, key: String) -> Result<(), store::Error> {
    let now = app.now();
    let name = uuid::Uuid::new_v4();
    let letter = NewNotification {
        key: format!("{key} {name}"),
        account,
        kind: kind.to_owned(),
        channel: Channel::Email,
        table: None,
        version: 0,
        subscription: None,
        at: now,
        due_at: now,
    };
    app.store.add_notifications(None, vec![letter]).await?;
    app.notifier.wake();
    Ok(())
}

fn insist_on_mail(app: &App) -> Result<(), Problem> {
    match app.notifier.mailer {
        Some(_) => Ok(()),
        None => {
            let detail = "this server sends no mail: its operator has not set it up";
            Err(Problem::new(Kind::Conflict, "mail_off", detail))
        }
    }
}

fn bad_code() -> Problem {
    let detail = "this code is not valid: it was used, is too old, or is for somebody else";
    Problem::new(Kind::Forbidden, "bad_code", detail)
}
