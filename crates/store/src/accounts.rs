//! Accounts, tokens and the audit trail.

use chess::Timestamp;
use chess::table::PlayerId;

/// What kind of account it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountKind {
    /// Registered with a password.
    Registered,
    /// Plays casual games without registering.
    Guest,
    /// Known through an outside identity service.
    Outside,
}

impl AccountKind {
    const ALL: [AccountKind; 3] = [
        AccountKind::Registered,
        AccountKind::Guest,
        AccountKind::Outside,
    ];

    /// Its name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            AccountKind::Registered => "registered",
            AccountKind::Guest => "guest",
            AccountKind::Outside => "outside",
        }
    }

    pub(crate) fn named(name: &str) -> Option<AccountKind> {
        AccountKind::ALL
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// Someone who plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The number games know it by.
    pub number: PlayerId,
    /// For doors whose contract says UUID, assigned at creation.
    pub uuid: [u8; 16],
    /// The lower-cased name: its id on the wire.
    pub id: String,
    /// The name as its owner writes it.
    pub name: String,
    /// What kind it is.
    pub kind: AccountKind,
    /// Where to write to, if told.
    pub email: Option<String>,
    /// The password's hash (a PHC string), if it has one.
    pub password_hash: Option<String>,
    /// `GM`, `BOT`, ...
    pub title: Option<String>,
    /// Whether it may hold tokens of scope `admin`.
    pub is_admin: bool,
    /// The client's own settings, a JSON object kept as it is.
    pub preferences: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When its owner deleted it: the games stay, the name is gone.
    pub deleted_at: Option<Timestamp>,
    /// Since when nobody may use it, if so.
    pub barred_at: Option<Timestamp>,
    /// Who a guest has become, or whose former name it is; `None`: nobody else.
    pub alias_of: Option<PlayerId>,
    /// What a guest wants to be called.
    pub display_name: Option<String>,
}

/// An account to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAccount {
    /// As in [`Account`].
    pub uuid: [u8; 16],
    /// The name as its owner writes it; must differ from all others when lower-cased.
    pub name: String,
    /// What kind it is.
    pub kind: AccountKind,
    /// Where to write to, if told.
    pub email: Option<String>,
    /// The password's hash (a PHC string), if it has one.
    pub password_hash: Option<String>,
    /// Whether it may hold tokens of scope `admin`.
    pub is_admin: bool,
    /// Who it is at an outside identity service.
    pub outside: Option<OutsideIdentity>,
    /// When.
    pub at: Timestamp,
}

/// Who someone is at an outside identity service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideIdentity {
    /// The service: the `iss` of its tokens.
    pub issuer: String,
    /// The person: the `sub` of its tokens.
    pub subject: String,
}

/// What of an account may change; `None` leaves it as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProfileChange {
    /// The address, or `Some(None)` to forget it.
    pub email: Option<Option<String>>,
    /// The client's own settings.
    pub preferences: Option<String>,
    /// The settings are only changed if they are still these.
    pub preferences_were: Option<String>,
    /// What a guest wants to be called, or `Some(None)` for nothing else than their name.
    pub display_name: Option<Option<String>>,
    /// The password's hash.
    pub password_hash: Option<String>,
    /// The title, or `Some(None)` for none.
    pub title: Option<Option<String>>,
    /// Whether it may hold tokens of scope `admin`.
    pub is_admin: Option<bool>,
    /// Since when nobody may use it, or `Some(None)` to let its owner in again.
    pub barred_at: Option<Option<Timestamp>>,
}

impl ProfileChange {
    /// The account with these changes.
    pub(crate) fn apply(self, account: &mut Account) {
        if let Some(email) = self.email {
            account.email = email;
        }
        let is_as_it_was = |was: &String| *was == account.preferences;
        if let Some(preferences) = self.preferences
            && self.preferences_were.as_ref().is_none_or(is_as_it_was)
        {
            account.preferences = preferences;
        }
        if let Some(display_name) = self.display_name {
            account.display_name = display_name;
        }
        if let Some(password_hash) = self.password_hash {
            account.password_hash = Some(password_hash);
        }
        if let Some(title) = self.title {
            account.title = title;
        }
        if let Some(is_admin) = self.is_admin {
            account.is_admin = is_admin;
        }
        if let Some(barred_at) = self.barred_at {
            account.barred_at = barred_at;
        }
    }
}

impl NewAccount {
    /// The account that it becomes under that number.
    pub(crate) fn numbered(self, number: PlayerId) -> Account {
        Account {
            number,
            uuid: self.uuid,
            id: id_of(&self.name),
            name: self.name,
            kind: self.kind,
            email: self.email,
            password_hash: self.password_hash,
            title: None,
            is_admin: self.is_admin,
            preferences: NO_PREFERENCES.to_owned(),
            created_at: self.at,
            deleted_at: None,
            barred_at: None,
            alias_of: None,
            display_name: None,
        }
    }
}

impl Account {
    /// What stays of it when its owner deletes it.
    pub(crate) fn delete(&mut self, at: Timestamp, replacement_name: &str) {
        self.id = id_of(replacement_name);
        self.name = replacement_name.to_owned();
        self.email = None;
        self.password_hash = None;
        self.title = None;
        self.is_admin = false;
        self.preferences = NO_PREFERENCES.to_owned();
        self.display_name = None;
        self.deleted_at = Some(at);
    }
}

/// The settings of a client that has stored none.
pub(crate) const NO_PREFERENCES: &str = "{}";

/// The id that goes with a name: names that differ in case only are one.
pub(crate) fn id_of(name: &str) -> String {
    name.to_lowercase()
}

/// What became of an account to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(
    clippy::large_enum_variant,
    reason = "made once for an account, and taken apart at once"
)]
pub enum Creation {
    /// It is there.
    Created(Account),
    /// Somebody has that name, in whatever case.
    NameTaken,
    /// That outside identity has an account already.
    IdentityTaken,
}

/// Where a token came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Signing in, registering, or becoming a guest.
    Session,
    /// Made by its owner for a program.
    Personal,
}

impl TokenKind {
    /// Its name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TokenKind::Session => "session",
            TokenKind::Personal => "personal",
        }
    }

    pub(crate) fn named(name: &str) -> Option<TokenKind> {
        let kinds = [TokenKind::Session, TokenKind::Personal];
        kinds.into_iter().find(|kind| kind.name() == name)
    }
}

/// A bearer token, known by its hash only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its public number.
    pub id: u64,
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// Whose it is.
    pub account: PlayerId,
    /// Where it came from.
    pub kind: TokenKind,
    /// What its owner calls it.
    pub name: String,
    /// What it may do: a set of bits the server gives meaning to.
    pub scopes: u16,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; `None`: never by itself.
    pub expires_at: Option<Timestamp>,
}

/// A token to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewToken {
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// Whose it is.
    pub account: PlayerId,
    /// Where it came from.
    pub kind: TokenKind,
    /// What its owner calls it.
    pub name: String,
    /// What it may do.
    pub scopes: u16,
    /// When it was made.
    pub at: Timestamp,
    /// When it ends; `None`: never by itself.
    pub expires_at: Option<Timestamp>,
}

impl NewToken {
    /// The token that it becomes under that number.
    pub(crate) fn numbered(self, id: u64) -> Token {
        Token {
            id,
            hash: self.hash,
            account: self.account,
            kind: self.kind,
            name: self.name,
            scopes: self.scopes,
            created_at: self.at,
            expires_at: self.expires_at,
        }
    }
}

/// Something an operator, or the server on its own account, did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who: an account's id, `cli`, or `server`.
    pub actor: String,
    /// What: `adjudicate`, `reset_password`, ...
    pub action: String,
    /// To what: a game's or an account's id.
    pub target: String,
    /// The rest, for a person to read.
    pub detail: String,
}
