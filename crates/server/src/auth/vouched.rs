//! Those whom another server vouches for with everything they send, without a token.

use store::{Account, OutsideIdentity};

use super::bars::barred;
use super::{Auth, Caller, Scopes};
use crate::problem::Problem;

impl Auth {
    /// Whoever that is: the local account they are linked with, or one of their own, made
    /// when they are first seen. They may do what a session may.
    ///
    /// # Errors
    /// `barred`; `unavailable`; whatever `may_begin` says to somebody new.
    pub(crate) async fn vouched(
        &self,
        own: OutsideIdentity,
        linked: OutsideIdentity,
        preferred_name: Option<&str>,
        may_begin: impl FnOnce() -> Result<(), Problem>,
    ) -> Result<Caller, Problem> {
        if self.0.store.is_identity_blocked(&own).await? {
            return Err(barred());
        }
        let store = &self.0.store;
        let known = match store.account_by_outside(&linked).await? {
            Some(account) => Some(account),
            None => store.account_by_outside(&own).await?,
        };
        let account = match known {
            Some(account) => account,
            None => {
                may_begin()?;
                self.outside_account(own, preferred_name).await?
            }
        };
        self.caller_for(account).await
    }

    async fn caller_for(&self, account: Account) -> Result<Caller, Problem> {
        let person = self.person(account.number).await?;
        let person = person.ok_or_else(Problem::unavailable)?;
        if person.is_barred || account.barred_at.is_some() {
            return Err(barred());
        }
        Ok(Caller {
            person,
            scopes: Scopes::SESSION,
            token: None,
            is_session: true,
            expires_at: None,
        })
    }
}
