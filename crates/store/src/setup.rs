//! The first administrator of a server.

use crate::{Account, AuditEntry, NewAccount};

/// Somebody who wants to become the first administrator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstAdmin {
    /// What they say the code is.
    pub code: u64,
    /// The account to be made.
    pub new: NewAccount,
    /// An administrator's id that does not count: the console's.
    pub except: String,
    /// What is written down.
    pub audit: AuditEntry,
}

/// What became of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Installed {
    /// They are the administrator, and the code is gone.
    Made(Box<Account>),
    /// That is not the code, or there is none.
    WrongCode,
    /// There is an administrator already.
    Before,
    /// Somebody else has the name.
    NameTaken,
}

/// The number in `meta`.
pub(crate) const CODE: &str = "setup_code";
