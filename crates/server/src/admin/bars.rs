//! Who is not let in: accounts that are barred, and outside identities that
//! are blocked.

use chess::Timestamp;
use store::OutsideIdentity;

use super::{Operator, has_no_nul};
use crate::auth::jwt::IDENTITY_MAX;
use crate::problem::{Kind, Problem};

/// Identities listed at a time.
const LIMIT_MAX: u32 = 500;

impl Operator {
    /// Bars an account: nobody signs in to it, its tokens die, its streams end.
    pub(crate) async fn bar(&self, name: &str, reason: String) -> Result<(), Problem> {
        has_no_nul("reason", &reason)?;
        let account = self.account(name).await?;
        if account.number == self.caller.number() {
            let detail = "nobody bars themselves";
            return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
        }
        self.app.auth.bar(account.number).await?;
        self.audit("bar_account", &account.id, reason).await
    }

    /// Lets the owner of an account in again.
    pub(crate) async fn unbar(&self, name: &str) -> Result<(), Problem> {
        let account = self.account(name).await?;
        self.app.auth.unbar(account.number).await?;
        self.audit("unbar_account", &account.id, String::new())
            .await
    }

    /// Blocks somebody of an outside identity service, also before they ever came.
    pub(crate) async fn block(&self, issuer: String, subject: String) -> Result<(), Problem> {
        let (who, target) = somebody(issuer, subject)?;
        self.app.auth.block(who).await?;
        self.audit("block_identity", &target, String::new()).await
    }

    /// Lets them in again, to the account that they had.
    pub(crate) async fn unblock(&self, issuer: String, subject: String) -> Result<(), Problem> {
        let (who, target) = somebody(issuer, subject)?;
        self.app.auth.unblock(who).await?;
        self.audit("unblock_identity", &target, String::new()).await
    }

    /// Who is blocked and since when, in the order of issuer and subject.
    pub(crate) async fn blocked(
        &self,
        after: OutsideIdentity,
    ) -> Result<Vec<(OutsideIdentity, Timestamp)>, Problem> {
        has_no_nul("after", &after.issuer)?;
        has_no_nul("after", &after.subject)?;
        let store = &self.app.store;
        Ok(store.blocked_identities(after, LIMIT_MAX).await?)
    }
}

/// One who can be, since a token with another is refused anyway, and what the
/// audit trail calls them.
fn somebody(issuer: String, subject: String) -> Result<(OutsideIdentity, String), Problem> {
    let is_usable = |text: &str| text.len() <= IDENTITY_MAX && !text.contains('\0');
    for (field, text) in [("issuer", &issuer), ("subject", &subject)] {
        if text.is_empty() || !is_usable(text) {
            let detail = format!("{field}: must be 1 to {IDENTITY_MAX} bytes");
            return Err(Problem::bad_request(detail).with("field", field));
        }
    }
    let target = format!("{issuer} {subject}");
    Ok((OutsideIdentity { issuer, subject }, target))
}
