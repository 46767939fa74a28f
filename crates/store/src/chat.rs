//! What is said around a table, and who may not.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::TableId;

/// A line of chat, as it was said.
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

impl ChatLine {
    /// Whether it is a moderator's notice.
    pub(crate) fn is_for_everyone(&self) -> bool {
        self.role == "moderator" && self.is_notice
    }
}

/// A line to be said. Its id is made when it is written, so that ids are in order
/// whichever server a line is said at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewChatLine {
    /// At which table.
    pub table: TableId,
    /// When.
    pub at: Timestamp,
    /// Who says it.
    pub from: PlayerId,
    /// What they are in the room, by its name.
    pub role: String,
    /// Whom it is meant for, by its name.
    pub audience: String,
    /// A moderator's word to everyone.
    pub is_notice: bool,
    /// The words.
    pub text: String,
}

impl NewChatLine {
    /// The line that it becomes under that id.
    pub fn numbered(self, id: u64) -> ChatLine {
        ChatLine {
            table: self.table,
            id,
            at: self.at,
            from: self.from,
            role: self.role,
            audience: self.audience,
            is_notice: self.is_notice,
            text: self.text,
        }
    }
}

/// How the id of a line is made, which is not the store's business.
pub struct ChatNumbering {
    /// Smaller ids make no difference.
    pub from: u64,
    /// The id, by the time and by the ids of the table's lines that may make a
    /// difference. May be asked more than once; the last answer counts.
    pub next: NextChatId,
}

/// Makes an id out of the time and ids that there are.
pub type NextChatId = Box<dyn Fn(Timestamp, &[u64]) -> u64 + Send + Sync>;

/// So many ids are looked at to make the next.
pub(crate) const IDS_MAX: u32 = 500;

/// Which lines of a table somebody reads; by default all of them.
///
/// Why they may is not the store's business. But it is the store that leaves
/// lines out: whoever reads the newest few would otherwise notice by what is
/// missing how much was said that is not for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChatFilter {
    /// The reader. Nothing below leaves out what they said themselves. What those say
    /// whom they block is left out, but for moderators' notices.
    pub reader: Option<PlayerId>,
    /// Only what players say to the room, and moderators' notices.
    pub is_room_only: bool,
    /// What players said no later than that.
    pub players_until: Option<Timestamp>,
}

impl ChatFilter {
    /// Whether the line is among them, as far as nobody is blocked.
    pub fn admits(&self, line: &ChatLine) -> bool {
        let is_player = line.role == "player";
        let is_to_room = line.is_for_everyone() || (is_player && line.audience == "room");
        let is_late = is_player && self.players_until.is_some_and(|until| line.at > until);
        let is_own = self.reader == Some(line.from);
        is_own || (!is_late && (is_to_room || !self.is_room_only))
    }
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
