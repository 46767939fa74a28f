//! Looking for accounts, and deciding about somebody whom nobody reported.

use chess::Timestamp;
use store::{Account, NewNotice, Sanction, SanctionKind};

use super::reports::check_end;
use super::{Operator, has_no_nul};
use crate::play::reports::proper;
use crate::problem::{Kind, Problem};
use crate::text_time::rfc3339;

/// The longest beginning of a name that is looked for.
const PREFIX_MAX: usize = 64;

impl Operator {
    /// Accounts of every kind whose name begins so, also those who are gone or barred, in
    /// the order of their ids and after that one.
    pub(crate) async fn find_accounts(
        &self,
        prefix: &str,
        after: &str,
        limit: u32,
    ) -> Result<Vec<Account>, Problem> {
        has_no_nul("search", prefix)?;
        has_no_nul("cursor", after)?;
        if prefix.len() > PREFIX_MAX || after.len() > PREFIX_MAX {
            return Ok(Vec::new());
        }
        let prefix = prefix.trim().to_ascii_lowercase();
        Ok(self.app.store.all_accounts(&prefix, after, limit).await?)
    }

    /// An account of any kind, also one that is gone, and what was decided about it.
    pub(crate) async fn person(&self, name: &str) -> Result<(Account, Vec<Sanction>), Problem> {
        let store = &self.app.store;
        let account = store.account_by_id(&name.to_ascii_lowercase()).await?;
        let nobody = || Problem::not_found(format!("there is no account {name:?}"));
        let account = account.ok_or_else(nobody)?;
        let sanctions = store.sanctions_of(account.number).await?;
        Ok((account, sanctions))
    }

    /// Decides that somebody may not speak, or play rated games: they are told why.
    pub(crate) async fn sanction(
        &self,
        name: &str,
        kind: SanctionKind,
        until: Option<Timestamp>,
        note: &str,
    ) -> Result<(), Problem> {
        let note = proper("note", note)?;
        let now = self.app.wall();
        check_end(until, now)?;
        let account = self.account(name).await?;
        if account.number == self.caller.number() {
            let detail = "nobody decides about themselves";
            return Err(Problem::new(Kind::Conflict, "not_allowed", detail));
        }
        let end = until.map_or_else(String::new, |until| format!(" until {}", rfc3339(until)));
        let told = format!("{}{end}: {note}", kind.name());
        let audit = self.entry("sanction", &account.id, told);
        let notice = NewNotice {
            account: account.number,
            at: now,
            kind: kind.name().to_owned(),
            text: note.clone(),
            until,
        };
        let sanction = Sanction {
            account: account.number,
            kind,
            until,
            why: note,
            by: self.name().to_owned(),
            at: now,
        };
        self.app.store.sanction(sanction, notice, audit).await?;
        // Their streams look at what there is to know.
        self.app.auth.forget_person(account.number);
        Ok(())
    }
}
