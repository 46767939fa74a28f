//! Who the bots are.

use bots::Level;
use store::{Account, AccountKind, Creation, ProfileChange};

use super::Bot;
use crate::auth::{Caller, Scopes};
use crate::play::App;

/// What their accounts are called: a beginning that nobody may choose, so they are nobody
/// else's.
pub(super) fn name(level: Level) -> String {
    format!("bot-{}-{}", level.name(), level.strength().rating)
}

/// Whether that is what one of them is called, in small letters.
pub(crate) fn is_own(id: &str) -> bool {
    Level::ALL.into_iter().any(|level| name(level) == id)
}

/// What a program that plays has before its name.
const TITLE: &str = "BOT";

/// Finds the bots' accounts, or makes them; several nodes may do so at once. They have no
/// password and no token: nobody signs in as one of them.
///
/// # Errors
/// What the store says.
pub async fn open(app: &App) -> Result<(), store::Error> {
    let mut bots = Vec::with_capacity(Level::ALL.len());
    for level in Level::ALL {
        let account = account(app, &name(level)).await?;
        let person = app.auth.person(account.number).await?;
        let Some(person) = person else { continue };
        let caller = Caller {
            person,
            scopes: Scopes::SESSION,
            token: None,
            is_session: true,
            expires_at: None,
        };
        bots.push(Bot { level, caller });
    }
    let numbers: Vec<_> = bots.iter().map(Bot::number).collect();
    app.rates.spare(numbers.clone());
    app.rooms.residents().settle(numbers);
    // A second start of the same app would find the same.
    drop(app.house.bots.set(bots));
    Ok(())
}

async fn account(app: &App, name: &str) -> Result<Account, store::Error> {
    let account = match app.store.account_by_id(name).await? {
        Some(account) => account,
        None => {
            let new = app.auth.blank(name.to_owned(), AccountKind::Registered);
            match app.store.create_account(new).await? {
                Creation::Created(account) => account,
                // Another node was first.
                Creation::NameTaken | Creation::IdentityTaken => {
                    let found = app.store.account_by_id(name).await?;
                    let gone = || store::Error::Unavailable(format!("{name} cannot be made"));
                    found.ok_or_else(gone)?
                }
            }
        }
    };
    if account.title.as_deref() == Some(TITLE) {
        return Ok(account);
    }
    let change = ProfileChange {
        title: Some(Some(TITLE.to_owned())),
        ..ProfileChange::default()
    };
    let titled = app.store.change_profile(account.number, change).await?;
    app.auth.forget_person(account.number);
    Ok(titled.unwrap_or(account))
}
