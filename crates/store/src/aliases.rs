//! Guests who become accounts.
//!
//! A guest who registers stays who they are: number, uuid, seats and games. The id that
//! they had is kept by an account without an owner, an *alias*, so that it leads to them
//! and nobody gets it again. A guest whom an account takes over becomes an alias of that
//! account. An alias never leads to another alias.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::{Account, AccountKind};

/// What a guest registers with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuestRegistration {
    /// The name they chose; must differ from all others when lower-cased.
    pub name: String,
    /// Where to write to, if told.
    pub email: Option<String>,
    /// The password's hash (a PHC string).
    pub password_hash: String,
    /// For the alias that keeps the id they had.
    pub alias_uuid: [u8; 16],
    /// When.
    pub at: Timestamp,
}

/// What became of a guest who registers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "made once for an account, and taken apart at once"
)]
pub enum Becoming {
    /// The account.
    Became(Account),
    /// Somebody has that name, in whatever case.
    NameTaken,
    /// There is no such guest, or no longer.
    NotAGuest,
}

/// An account takes a guest over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adopting {
    /// The guest.
    pub guest: PlayerId,
    /// The account.
    pub by: PlayerId,
    /// The hash of the guest's token that was shown for it: who shows it again has done
    /// it already.
    pub token: [u8; 32],
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adoption {
    /// The guest is an alias of the account; its tokens are dead.
    Adopted,
    /// The two play at one table.
    OwnGame,
    /// There is no such guest, or no longer, or nobody to take them over.
    NotAGuest,
}

impl Account {
    /// A guest who is nobody's alias.
    pub(crate) fn is_free_guest(&self) -> bool {
        self.kind == AccountKind::Guest && self.alias_of.is_none() && self.deleted_at.is_none()
    }

    /// The guest as the account that they become, and the alias that keeps their id. Its
    /// number is for the store to choose.
    pub(crate) fn registered(mut self, new: GuestRegistration) -> (Account, Account) {
        let alias = Account {
            uuid: new.alias_uuid,
            email: None,
            password_hash: None,
            title: None,
            preferences: crate::accounts::NO_PREFERENCES.to_owned(),
            created_at: new.at,
            alias_of: Some(self.number),
            display_name: None,
            ..self.clone()
        };
        self.id = crate::accounts::id_of(&new.name);
        self.name = new.name;
        self.kind = AccountKind::Registered;
        self.email = new.email;
        self.password_hash = Some(new.password_hash);
        self.display_name = None;
        (self, alias)
    }
}

/// What of a guest's (?1) becomes the account's (?2) that takes them over: whom they block
/// and follow, who blocks and follows them, what they may not do, and how they answer in slow
/// games. The rest is forgotten.
pub(crate) const MOVED: [&str; 7] = [
    "INSERT INTO blocks (account, blocked, at)
     SELECT ?2, blocked, at FROM blocks WHERE account = ?1 AND blocked <> ?2 ON CONFLICT DO NOTHING",
    "INSERT INTO blocks (account, blocked, at)
     SELECT account, ?2, at FROM blocks WHERE blocked = ?1 AND account <> ?2 ON CONFLICT DO NOTHING",
    "INSERT INTO follows (account, followed, at)
     SELECT ?2, followed, at FROM follows WHERE account = ?1 AND followed <> ?2 ON CONFLICT DO NOTHING",
    "INSERT INTO follows (account, followed, at)
     SELECT account, ?2, at FROM follows WHERE followed = ?1 AND account <> ?2 ON CONFLICT DO NOTHING",
    "INSERT INTO sanctions (account, kind, until, why, by, at)
     SELECT ?2, kind, until, why, by, at FROM sanctions WHERE account = ?1 ON CONFLICT DO NOTHING",
    "UPDATE conditional_moves SET account = ?2 WHERE account = ?1",
    "UPDATE analyses SET asked_by = ?2 WHERE asked_by = ?1 AND result IS NULL",
];

/// Whether two (?1, ?2) play at one table.
pub(crate) const SHARED: &str = "SELECT 1 FROM seats x CROSS JOIN seats y
     ON y.player = ?2 AND y.over = x.over AND y.sight = x.sight AND y.created_at = x.created_at
        AND y.table_id = x.table_id
  WHERE x.player = ?1 LIMIT 1";

/// Aliases that tables still know, and whose they are; at most ?1.
pub(crate) const UNSETTLED: &str = "SELECT a.number, a.alias_of FROM accounts a
  WHERE a.alias_of IS NOT NULL AND EXISTS (SELECT 1 FROM seats s WHERE s.player = a.number)
  ORDER BY a.number LIMIT ?1";

/// What stays of the name of an account's alias when the account is deleted.
pub(crate) fn deleted_alias(replacement_name: &str, alias: PlayerId) -> String {
    format!("{replacement_name}-{}", alias.number())
}
