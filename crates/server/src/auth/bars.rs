//! Those who are not wanted any more.

use chess::table::PlayerId;
use store::{OutsideIdentity, ProfileChange};

use super::Auth;
use super::accounts::carried_through;
use crate::problem::{Kind, Problem};

impl Auth {
    /// Bars an account: nobody signs in to it, its tokens die, its streams
    /// end. The account stays, and so nobody else gets its name.
    ///
    /// # Errors
    /// `unavailable` if it is not known whether all of it was done.
    pub async fn bar(&self, number: PlayerId) -> Result<(), Problem> {
        self.set_bar(number, true).await?;
        self.revoke_all(number).await
    }

    /// Lets its owner in again.
    ///
    /// # Errors
    /// `unavailable` if it is not known whether it was done.
    pub async fn unbar(&self, number: PlayerId) -> Result<(), Problem> {
        self.set_bar(number, false).await
    }

    async fn set_bar(&self, number: PlayerId, is_barred: bool) -> Result<(), Problem> {
        let change = ProfileChange {
            barred_at: Some(is_barred.then(|| self.now())),
            ..ProfileChange::default()
        };
        self.alter(number, change).await.map(|_| ())
    }

    /// Blocks somebody of an outside identity service, also one who was never
    /// here; an account they have is barred.
    ///
    /// # Errors
    /// `unavailable` if it is not known whether all of it was done.
    pub async fn block(&self, who: OutsideIdentity) -> Result<(), Problem> {
        let (auth, blocked) = (self.clone(), who.clone());
        carried_through(async move {
            let is_new = auth.0.store.block_identity(blocked, auth.now()).await;
            // Their tokens are checked anew.
            auth.0.tokens.clear();
            is_new
        })
        .await?;
        if let Some(account) = self.0.store.account_by_outside(&who).await? {
            self.bar(account.number).await?;
        }
        Ok(())
    }

    /// Lets them in again, to the account that they had.
    ///
    /// # Errors
    /// `unavailable` if it is not known whether all of it was done.
    pub async fn unblock(&self, who: OutsideIdentity) -> Result<(), Problem> {
        let was_blocked = self.0.store.unblock_identity(who.clone()).await?;
        if was_blocked && let Some(account) = self.0.store.account_by_outside(&who).await? {
            self.unbar(account.number).await?;
        }
        Ok(())
    }
}

/// `barred`.
pub(super) fn barred() -> Problem {
    let detail = "the operator of this server has barred this account";
    Problem::new(Kind::Forbidden, "barred", detail)
}
