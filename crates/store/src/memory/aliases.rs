//! Guests who become accounts, in memory.

use chess::Timestamp;
use chess::table::PlayerId;

use super::contents::Contents;
use super::people::People;
use crate::accounts::id_of;
use crate::aliases::deleted_alias;
use crate::{Account, Adopting, Adoption, Becoming, GuestRegistration, Revoked};

impl Contents {
    /// An account takes a guest over.
    pub(crate) fn adopt(&mut self, adopting: &Adopting) -> Adoption {
        let Adopting { guest, by, token } = *adopting;
        let found = self.people.by_number(guest);
        let is_there = |account: Account| {
            account.deleted_at.is_none() && account.alias_of.is_none() && guest != by
        };
        if !found.is_some_and(|guest| guest.is_free_guest())
            || !self.people.by_number(by).is_some_and(is_there)
        {
            return Adoption::NotAGuest;
        }
        if self.share_a_table(guest, by) {
            return Adoption::OwnGame;
        }
        self.people.alias(guest, by, token);
        self.social.take_over(guest, by);
        self.fair.take_over(guest, by);
        self.correspondence.take_over(guest, by);
        self.social.forget(guest);
        self.webhooks.forget(guest);
        self.correspondence.forget(guest);
        self.fair.forget(guest);
        self.tickets.forget(guest);
        self.told.forget(guest);
        self.analyses.forget(guest);
        Adoption::Adopted
    }

    fn share_a_table(&self, one: PlayerId, other: PlayerId) -> bool {
        let tables: Vec<_> = self.tables.keys().copied().collect();
        tables.into_iter().any(|table| {
            let seats = self.seats_of(table);
            seats.contains(&one) && seats.contains(&other)
        })
    }

    /// Aliases that tables still know, and whose they are.
    pub(crate) fn unsettled(&self, limit: u32) -> Vec<(PlayerId, PlayerId)> {
        let is_seated = |player: PlayerId| {
            let mut tables = self.tables.keys();
            tables.any(|table| self.seats_of(*table).contains(&player))
        };
        let aliases = self.people.aliases();
        let unsettled = aliases.filter(|(alias, _)| is_seated(*alias));
        unsettled.take(limit as usize).collect()
    }
}

impl People {
    /// A guest becomes an account.
    pub(crate) fn register(&mut self, guest: PlayerId, new: GuestRegistration) -> Becoming {
        let Some(guest) = self.by_number(guest).filter(Account::is_free_guest) else {
            return Becoming::NotAGuest;
        };
        if self.numbers.contains_key(&id_of(&new.name)) {
            return Becoming::NameTaken;
        }
        let (registered, mut alias) = guest.registered(new);
        alias.number = self.next_number();
        self.numbers.insert(alias.id.clone(), alias.number);
        self.numbers
            .insert(registered.id.clone(), registered.number);
        self.accounts.insert(alias.number, alias);
        self.accounts.insert(registered.number, registered.clone());
        self.revocations.push(Revoked::Account(registered.number));
        Becoming::Became(registered)
    }

    fn alias(&mut self, guest: PlayerId, by: PlayerId, token: [u8; 32]) {
        if let Some(account) = self.accounts.get_mut(&guest) {
            account.alias_of = Some(by);
            account.email = None;
            account.display_name = None;
            account.preferences = crate::accounts::NO_PREFERENCES.to_owned();
        }
        self.alias_tokens.insert(token, guest);
        self.outside.retain(|_, owner| *owner != guest);
        self.revoke_all(guest);
        self.revocations
            .extend([Revoked::Account(guest), Revoked::Account(by)]);
    }

    /// An account's aliases, oldest first.
    pub(crate) fn aliases_of(&self, account: PlayerId) -> Vec<Account> {
        let all = self.accounts.values();
        all.filter(|alias| alias.alias_of == Some(account))
            .cloned()
            .collect()
    }

    fn aliases(&self) -> impl Iterator<Item = (PlayerId, PlayerId)> {
        let all = self.accounts.values();
        all.filter_map(|alias| Some((alias.number, alias.alias_of?)))
    }

    pub(crate) fn alias_by_token(&self, token: &[u8; 32]) -> Option<Account> {
        self.by_number(*self.alias_tokens.get(token)?)
    }

    /// The account was deleted: so are the names that led to it.
    pub(super) fn forget_aliases(&mut self, number: PlayerId, at: Timestamp, replacement: &str) {
        for mut alias in self.aliases_of(number) {
            self.alias_tokens.retain(|_, of| *of != alias.number);
            if alias.deleted_at.is_none() {
                self.numbers.remove(&alias.id);
                alias.delete(at, &deleted_alias(replacement, alias.number));
                self.numbers.insert(alias.id.clone(), alias.number);
            }
            self.revocations.push(Revoked::Account(alias.number));
            self.accounts.insert(alias.number, alias);
        }
    }
}
