//! Accounts in an operator's hands.

use store::{Account, AccountKind, NewAccount, ProfileChange};
use tokio::task::spawn_blocking;

use super::{OPERATOR, Operator};
use crate::auth::accounts::username_taken;
use crate::auth::{names, passwords};
use crate::play::house;
use crate::problem::{Kind, Problem};

/// The longest title.
const TITLE_MAX: usize = 16;

impl Operator {
    /// Makes an account, whatever `registration` says.
    pub(crate) async fn create_account(
        &self,
        username: String,
        password: String,
        is_admin: bool,
    ) -> Result<Account, Problem> {
        names::check(&username)?;
        let password_hash = Some(hashed(password, &username).await?);
        let auth = &self.app.auth;
        let new = NewAccount {
            password_hash,
            is_admin,
            ..auth.blank(username, AccountKind::Registered)
        };
        let account = auth.create(new).await?.ok_or_else(username_taken)?;
        let detail = if is_admin { "an administrator" } else { "" };
        self.audit("create_account", &account.id, detail.into())
            .await?;
        Ok(account)
    }

    /// Sets an account's password, and ends all its sessions and tokens.
    pub(crate) async fn reset_password(&self, name: &str, password: String) -> Result<(), Problem> {
        let account = self.account(name).await?;
        let change = ProfileChange {
            password_hash: Some(hashed(password, &account.name).await?),
            ..ProfileChange::default()
        };
        self.app.auth.alter(account.number, change).await?;
        self.app.auth.revoke_all(account.number).await?;
        self.audit("reset_password", &account.id, String::new())
            .await
    }

    /// Gives an account a title, or takes it away.
    pub(crate) async fn give_title(
        &self,
        name: &str,
        title: Option<String>,
    ) -> Result<(), Problem> {
        let account = self.account(name).await?;
        title.as_deref().map_or(Ok(()), check_title)?;
        let detail = title.clone().unwrap_or_else(|| "none".into());
        let change = ProfileChange {
            title: Some(title),
            ..ProfileChange::default()
        };
        self.app.auth.alter(account.number, change).await?;
        self.audit("give_title", &account.id, detail).await
    }

    /// Makes an account an administrator, or an ordinary one again. Whoever is
    /// no administrator any more is signed out everywhere.
    pub(crate) async fn set_rights(&self, name: &str, is_admin: bool) -> Result<(), Problem> {
        let account = self.account(name).await?;
        let change = ProfileChange {
            is_admin: Some(is_admin),
            ..ProfileChange::default()
        };
        self.app.auth.alter(account.number, change).await?;
        if account.is_admin && !is_admin {
            self.app.auth.revoke_all(account.number).await?;
        }
        let action = if is_admin { "promote" } else { "demote" };
        self.audit(action, &account.id, String::new()).await
    }

    /// Closes an account: its games stay, its name goes, and no token of it holds.
    pub(crate) async fn close_account(&self, name: &str) -> Result<(), Problem> {
        let account = self.account(name).await?;
        // Written down first: afterwards nobody knows who it was.
        self.audit("close_account", &account.id, String::new())
            .await?;
        self.app.auth.delete_account(account.number).await
    }

    /// An account, but not the console's: whoever has a token of that has the machine.
    pub(super) async fn account(&self, name: &str) -> Result<Account, Problem> {
        let id = name.to_ascii_lowercase();
        let account = self.app.store.account_by_id(&id).await?;
        let account = account
            .filter(|account| account.deleted_at.is_none() && account.id != OPERATOR)
            .ok_or_else(|| Problem::not_found(format!("there is no account {name:?}")))?;
        if house::is_own(&account.id) {
            let detail = format!("{} is one of the server's own bots", account.name);
            return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
        }
        Ok(account)
    }
}

/// On a thread of its own, since it takes a while, and not in the queue of
/// those who sign in.
async fn hashed(password: String, name: &str) -> Result<String, Problem> {
    passwords::check(&password, name)?;
    match spawn_blocking(move || passwords::hash(&password)).await {
        Ok(Ok(hash)) => Ok(hash),
        _ => Err(Problem::unavailable()),
    }
}

fn check_title(title: &str) -> Result<(), Problem> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == ' ' || c == '-';
    let is_right = (1..=TITLE_MAX).contains(&title.len())
        && title.chars().all(is_plain)
        && title.trim() == title;
    if is_right {
        return Ok(());
    }
    let detail = format!("title: must be 1 to {TITLE_MAX} letters, digits, spaces and hyphens");
    Err(Problem::bad_request(detail).with("field", "title"))
}
