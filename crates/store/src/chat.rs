//! What is said around a table, and who may not.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::TableId;

/// A line of chat, as it was said. Who may read it is not the store's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatLine {
    /// At which table.
    pub table: TableId,
    /// Its number there: rises as lines are said. Below 2^63.
    pub id: u64,
    /// When.
    pub at: Timestamp,
    /// Who said it.
    pub from: PlayerId,
    /// What they were in the room then, by its name.
    pub role: String,
    /// Whom it is meant for, by its name.
    pub audience: String,
    /// A moderator's word to everyone.
    pub is_notice: bool,
    /// The words.
    pub text: String,
}

/// Somebody who may not speak in a room, or not be in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ban {
    /// At which table.
    pub table: TableId,
    /// Who.
    pub account: PlayerId,
    /// How far it goes.
    pub kind: BanKind,
    /// Who decided it.
    pub by: PlayerId,
    /// When.
    pub at: Timestamp,
}

/// How far a ban goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BanKind {
    /// May not speak.
    Muted,
    /// May not be there.
    Removed,
}

impl BanKind {
    /// Its name in the database.
    pub(crate) fn name(self) -> &'static str {
        match self {
            BanKind::Muted => "muted",
            BanKind::Removed => "removed",
        }
    }

    pub(crate) fn named(name: &str) -> Option<BanKind> {
        [BanKind::Muted, BanKind::Removed]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}
