//! Fair play: what is said about players, and what is decided.

use chess::Timestamp;
use chess::table::PlayerId;

use crate::{AuditEntry, TableId};

/// Something to be said about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewReport {
    /// Who says it.
    pub reporter: PlayerId,
    /// About whom.
    pub reported: PlayerId,
    /// Why, by its name.
    pub reason: String,
    /// The game it is about, if one is named.
    pub table: Option<TableId>,
    /// The words.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

/// Something that was said about a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Its number.
    pub id: u64,
    /// Who said it; nobody, if that account was deleted.
    pub reporter: Option<PlayerId>,
    /// About whom.
    pub reported: PlayerId,
    /// Why, by its name.
    pub reason: String,
    /// The game it is about, if one was named.
    pub table: Option<TableId>,
    /// The words.
    pub text: String,
    /// When.
    pub at: Timestamp,
    /// What came of it; nothing while it is open.
    pub decided: Option<Decided>,
}

/// What came of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// What, by its name.
    pub decision: String,
    /// The id of the account that decided it.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// When it ends, if it does by itself.
    pub until: Option<Timestamp>,
    /// Why.
    pub note: String,
}

/// What became of a report to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reporting {
    /// It is there.
    Made(Report),
    /// The same was said before, and nobody has decided it yet.
    Again,
    /// The reporter has as many open as anybody may have.
    TooMany,
}

/// What is written when a report is decided, all of it or nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is decided.
    pub decided: Decided,
    /// What the player may not do from now on.
    pub sanction: Option<Sanction>,
    /// What the player is told.
    pub notice: Option<NewNotice>,
    /// What the audit trail says.
    pub audit: AuditEntry,
}

/// What became of deciding a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deciding {
    /// It is decided.
    Made(Report),
    /// It was decided before, and stays so.
    Before(Report),
    /// There is no such report.
    Unknown,
}

/// Something that somebody may not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SanctionKind {
    /// Speak, anywhere.
    Mute,
    /// Play rated games.
    BarRated,
}

impl SanctionKind {
    /// Its name in the database.
    pub fn name(self) -> &'static str {
        match self {
            SanctionKind::Mute => "mute",
            SanctionKind::BarRated => "bar_rated",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<SanctionKind> {
        [SanctionKind::Mute, SanctionKind::BarRated]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

/// What somebody may not do for a while.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sanction {
    /// Who.
    pub account: PlayerId,
    /// What.
    pub kind: SanctionKind,
    /// Until when; `None`: until it is lifted.
    pub until: Option<Timestamp>,
    /// Why, as its owner is told.
    pub why: String,
    /// The id of the account that decided it.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

impl Sanction {
    /// Whether it holds at that moment.
    pub fn holds(&self, now: Timestamp) -> bool {
        self.until.is_none_or(|until| until > now)
    }
}

/// Something that the owner of an account is to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewNotice {
    /// Whose account.
    pub account: PlayerId,
    /// When.
    pub at: Timestamp,
    /// What kind, by its name.
    pub kind: String,
    /// The words.
    pub text: String,
    /// Until when it holds, if that can be said.
    pub until: Option<Timestamp>,
}

/// Something that the owner of an account was told, or will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Its number.
    pub id: u64,
    /// When.
    pub at: Timestamp,
    /// What kind, by its name.
    pub kind: String,
    /// The words.
    pub text: String,
    /// Until when it holds, if that can be said.
    pub until: Option<Timestamp>,
    /// When its owner put it away.
    pub seen_at: Option<Timestamp>,
}

/// Something that may say how a game was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signal {
    /// At which table.
    pub table: TableId,
    /// Which of its players.
    pub account: PlayerId,
    /// What, by its name.
    pub kind: String,
    /// When.
    pub at: Timestamp,
    /// After how many half-moves, if that was told.
    pub ply: Option<u32>,
}

impl NewReport {
    /// The report that it becomes under that number.
    pub(crate) fn numbered(self, id: u64) -> Report {
        Report {
            id,
            reporter: Some(self.reporter),
            reported: self.reported,
            reason: self.reason,
            table: self.table,
            text: self.text,
            at: self.at,
            decided: None,
        }
    }
}
