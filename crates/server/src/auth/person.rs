//! Who somebody is.

use chess::Timestamp;
use chess::table::PlayerId;
use serde_json::Value;
use store::{Account, AccountKind};

use crate::settings::Member;

/// What everyone may know of an account, kept in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// The number games know them by.
    pub number: PlayerId,
    /// For doors whose contract says UUID.
    pub uuid: [u8; 16],
    /// The lower-cased name: the id on the wire.
    pub id: String,
    /// The name as its owner writes it.
    pub name: String,
    /// `GM`, `BOT`, ...
    pub title: Option<String>,
    /// What kind of account it is.
    pub kind: AccountKind,
    /// Whether it may hold tokens of scope `admin`.
    pub is_admin: bool,
    /// Whether its owner has deleted it.
    pub deleted: bool,
    /// Whether nobody may use it any more.
    pub is_barred: bool,
    /// Who a guest has become; they are nobody of their own any more.
    pub alias_of: Option<PlayerId>,
    /// What a guest wants to be called.
    pub display_name: Option<String>,
    /// When the account was made.
    pub since: Timestamp,
    /// Whether rooms for members are open to them.
    pub is_member: bool,
    /// Whether others may know which games its owner watches.
    pub seen_watching: bool,
}

impl From<Account> for Person {
    fn from(account: Account) -> Person {
        let preferences: Value = serde_json::from_str(&account.preferences).unwrap_or_default();
        Person {
            number: account.number,
            uuid: account.uuid,
            id: account.id,
            name: account.name,
            title: account.title,
            kind: account.kind,
            is_admin: account.is_admin,
            deleted: account.deleted_at.is_some(),
            is_barred: account.barred_at.is_some(),
            alias_of: account.alias_of,
            display_name: account
                .display_name
                .or_else(|| preferences["displayName"].as_str().map(str::to_owned)),
            since: account.created_at,
            is_member: false,
            seen_watching: preferences["seen_watching"] == true,
        }
    }
}

impl Person {
    /// Somebody, if one of these is their name or what they are.
    pub fn among(mut self, members: &[Member]) -> Person {
        let is_registered = self.kind == AccountKind::Registered;
        self.is_member = members.iter().any(|member| match member {
            Member::Registered => is_registered,
            Member::Titled => self.title.is_some(),
            Member::Named(name) => is_registered && *name == self.id,
        });
        self
    }
}

#[cfg(test)]
impl Person {
    /// Somebody registered, under that number.
    pub(crate) fn ann(number: u32) -> Person {
        Person {
            number: PlayerId::new(number).unwrap(),
            uuid: [0; 16],
            id: "ann".into(),
            name: "Ann".into(),
            title: None,
            kind: AccountKind::Registered,
            is_admin: false,
            deleted: false,
            is_barred: false,
            alias_of: None,
            display_name: None,
            since: Timestamp(0),
            is_member: false,
            seen_watching: false,
        }
    }
}
