//! Accounts, tokens and the audit trail in memory.

use std::collections::BTreeMap;

use chess::Timestamp;
use chess::table::PlayerId;

use crate::{
    Account, AccountKind, AuditEntry, Creation, Error, NewAccount, NewToken, OutsideIdentity,
    ProfileChange, Revoked, Token,
};

#[derive(Clone, Default)]
pub(crate) struct People {
    pub(super) accounts: BTreeMap<PlayerId, Account>,
    pub(super) numbers: BTreeMap<String, PlayerId>,
    /// The tokens that guests were taken over with.
    pub(super) alias_tokens: BTreeMap<[u8; 32], PlayerId>,
    pub(super) outside: BTreeMap<(String, String), PlayerId>,
    /// How often the links of accounts were changed.
    link_counts: BTreeMap<PlayerId, u64>,
    tokens: BTreeMap<u64, Token>,
    last_token: u64,
    /// Outside identities that are not let in, and since when.
    pub(super) blocked: BTreeMap<(String, String), Timestamp>,
    audit: Vec<AuditEntry>,
    /// Who knows it may become the first administrator.
    pub(super) setup_code: Option<u64>,
    /// What ended before its time; the first has the number 1.
    pub(super) revocations: Vec<Revoked>,
}

impl People {
    pub(crate) fn create(&mut self, new: NewAccount) -> Result<Creation, Error> {
        let outside = new.outside.clone().map(|o| (o.issuer, o.subject));
        if outside
            .as_ref()
            .is_some_and(|o| self.outside.contains_key(o))
        {
            return Ok(Creation::IdentityTaken);
        }
        let number = self.next_number();
        let account = new.numbered(number);
        if self.numbers.contains_key(&account.id) {
            return Ok(Creation::NameTaken);
        }
        if self.accounts.values().any(|a| a.uuid == account.uuid) {
            return Err(Error::Conflict);
        }
        self.numbers.insert(account.id.clone(), number);
        self.accounts.insert(number, account.clone());
        if let Some(outside) = outside {
            self.outside.insert(outside, number);
        }
        Ok(Creation::Created(account))
    }

    pub(super) fn next_number(&self) -> PlayerId {
        let last = self
            .accounts
            .last_key_value()
            .map_or(0, |(number, _)| number.number());
        PlayerId::new(last + 1).expect("one more than any number is not zero")
    }

    pub(crate) fn by_number(&self, number: PlayerId) -> Option<Account> {
        self.accounts.get(&number).cloned()
    }

    pub(crate) fn by_numbers(&self, numbers: &[PlayerId]) -> Vec<Account> {
        numbers
            .iter()
            .filter_map(|number| self.by_number(*number))
            .collect()
    }

    pub(crate) fn by_ids(&self, ids: &[String]) -> Vec<Account> {
        let numbers = ids.iter().filter_map(|id| self.numbers.get(id));
        numbers
            .filter_map(|number| self.by_number(*number))
            .collect()
    }

    pub(crate) fn by_id(&self, id: &str) -> Option<Account> {
        self.whose(self.by_number(*self.numbers.get(id)?)?)
    }

    /// The account that an alias leads to.
    fn whose(&self, account: Account) -> Option<Account> {
        match account.alias_of {
            Some(owner) => self.by_number(owner),
            None => Some(account),
        }
    }

    /// Accounts in the order of their ids, from that one on.
    pub(crate) fn after_id(&self, id: &str) -> impl Iterator<Item = &Account> {
        let numbers = self.numbers.range(id.to_owned()..);
        numbers.filter_map(|(_, number)| self.accounts.get(number))
    }

    pub(crate) fn of_all(&self, prefix: &str, after: &str, limit: u32) -> Vec<Account> {
        self.after_id(prefix)
            .take_while(|account| account.id.starts_with(prefix))
            .filter(|account| *account.id > *after && account.alias_of.is_none())
            .take(limit as usize)
            .cloned()
            .collect()
    }

    pub(crate) fn by_uuid(&self, uuid: [u8; 16]) -> Option<Account> {
        let found = self.accounts.values().find(|a| a.uuid == uuid).cloned();
        self.whose(found?)
    }

    pub(crate) fn by_outside(&self, outside: &OutsideIdentity) -> Option<Account> {
        let key = (outside.issuer.clone(), outside.subject.clone());
        self.by_number(*self.outside.get(&key)?)
    }

    pub(crate) fn outside_of(&self, number: PlayerId) -> Option<OutsideIdentity> {
        let (key, _) = self.outside.iter().find(|(_, owner)| **owner == number)?;
        let (issuer, subject) = key.clone();
        Some(OutsideIdentity { issuer, subject })
    }

    pub(crate) fn link_count(&self, number: PlayerId) -> u64 {
        self.link_counts.get(&number).copied().unwrap_or(0)
    }

    pub(crate) fn link(
        &mut self,
        number: PlayerId,
        outside: Option<OutsideIdentity>,
        count: u64,
    ) -> bool {
        let account = self.by_number(number).filter(|a| a.deleted_at.is_none());
        let owner = outside
            .as_ref()
            .and_then(|outside| self.by_outside(outside));
        if account.is_none_or(|account| account.kind != AccountKind::Registered)
            || owner.is_some_and(|owner| owner.kind == AccountKind::Outside)
            || self.link_count(number) != count
        {
            return false;
        }
        self.link_counts.insert(number, count + 1);
        self.revocations.push(Revoked::Account(number));
        self.outside.retain(|_, owner| *owner != number);
        if let Some(OutsideIdentity { issuer, subject }) = outside {
            self.outside.insert((issuer, subject), number);
        }
        true
    }

    pub(crate) fn change(&mut self, number: PlayerId, change: ProfileChange) -> Option<Account> {
        let account = self
            .accounts
            .get_mut(&number)
            .filter(|a| a.deleted_at.is_none())?;
        change.apply(account);
        let changed = account.clone();
        self.revocations.push(Revoked::Account(number));
        Some(changed)
    }

    pub(crate) fn delete(
        &mut self,
        number: PlayerId,
        at: Timestamp,
        replacement_name: &str,
    ) -> Result<bool, Error> {
        let Some(before) = self.by_number(number).filter(|a| a.deleted_at.is_none()) else {
            return Ok(false);
        };
        let mut account = before.clone();
        account.delete(at, replacement_name);
        if self
            .numbers
            .get(&account.id)
            .is_some_and(|holder| *holder != number)
        {
            return Err(Error::Conflict);
        }
        self.numbers.remove(&before.id);
        self.numbers.insert(account.id.clone(), number);
        self.accounts.insert(number, account);
        self.forget_aliases(number, at, replacement_name);
        self.outside.retain(|_, owner| *owner != number);
        self.revoke_all(number);
        self.revocations.push(Revoked::Account(number));
        Ok(true)
    }

    pub(crate) fn add_token(&mut self, new: NewToken) -> Result<Token, Error> {
        let is_known = self.accounts.contains_key(&new.account);
        if !is_known || self.by_hash(&new.hash).is_some() {
            return Err(Error::Conflict);
        }
        self.tokens
            .retain(|_, t| t.account != new.account || t.expires_at.is_none_or(|end| end > new.at));
        self.last_token += 1;
        let token = new.numbered(self.last_token);
        self.tokens.insert(token.id, token.clone());
        Ok(token)
    }

    pub(crate) fn by_hash(&self, hash: &[u8; 32]) -> Option<Token> {
        self.tokens.values().find(|t| t.hash == *hash).cloned()
    }

    pub(crate) fn tokens_of(&self, account: PlayerId) -> Vec<Token> {
        self.tokens
            .values()
            .filter(|t| t.account == account)
            .cloned()
            .collect()
    }

    pub(crate) fn revoke(&mut self, account: PlayerId, id: u64) -> Option<Token> {
        self.tokens.get(&id).filter(|t| t.account == account)?;
        self.end(id)
    }

    pub(crate) fn revoke_by_hash(&mut self, hash: &[u8; 32]) -> Option<Token> {
        let id = self.by_hash(hash)?.id;
        self.end(id)
    }

    fn end(&mut self, id: u64) -> Option<Token> {
        let gone = self.tokens.remove(&id);
        self.revocations.extend(Revoked::tokens(gone.as_slice()));
        gone
    }

    pub(crate) fn revoke_all(&mut self, account: PlayerId) -> Vec<Token> {
        let gone = self.tokens_of(account);
        self.tokens.retain(|_, t| t.account != account);
        self.revocations.extend(Revoked::tokens(&gone));
        gone
    }

    /// Something of the account that others keep in mind may have changed.
    pub(crate) fn has_changed(&mut self, number: PlayerId, has_changed: bool) {
        if has_changed {
            self.revocations.push(Revoked::Account(number));
        }
    }

    pub(crate) fn audit(&mut self, entry: AuditEntry) {
        self.audit.push(entry);
    }

    /// Entries with their numbers, from 1, newest first.
    pub(crate) fn audit_log(&self, before: Option<u64>, limit: u32) -> Vec<(u64, AuditEntry)> {
        (1..)
            .zip(self.audit.iter().cloned())
            .take_while(|(id, _)| before.is_none_or(|before| *id < before))
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .take(limit as usize)
            .collect()
    }
}
