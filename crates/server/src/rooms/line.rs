//! A line of chat.

use std::sync::Arc;

use chess::Timestamp;
use chess::table::PlayerId;
use live::room::policy::LineFacts;
use live::room::{Audience, ChatId, Role};
use store::{ChatLine, NewChatLine, TableId};

use crate::auth::Person;

/// Something that was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its place among all that was said there.
    pub id: ChatId,
    /// When.
    pub at: Timestamp,
    /// Who said it, as what, to whom.
    pub facts: LineFacts,
    /// The words.
    pub text: String,
}

impl Line {
    /// A line to be stored, which gets its id by that.
    pub(crate) fn to_say(
        table: TableId,
        at: Timestamp,
        facts: &LineFacts,
        text: String,
    ) -> NewChatLine {
        NewChatLine {
            table,
            at,
            from: facts.from,
            role: facts.role.name().to_owned(),
            audience: facts.audience.name().to_owned(),
            is_notice: facts.is_notice,
            text,
        }
    }

    /// The line that was stored; `None` if the row makes no sense, so that
    /// nobody reads what might not be for them.
    pub(crate) fn read(stored: ChatLine) -> Option<Line> {
        Some(Line {
            id: ChatId::from_number(stored.id)?,
            at: stored.at,
            facts: LineFacts {
                from: stored.from,
                role: Role::named(&stored.role)?,
                audience: Audience::named(&stored.audience)?,
                is_notice: stored.is_notice,
            },
            text: stored.text,
        })
    }

    /// Who said it.
    pub fn from(&self) -> PlayerId {
        self.facts.from
    }
}

/// A line on its way to those in the room.
#[derive(Clone, Debug)]
pub struct Speech {
    /// What was said.
    pub line: Line,
    /// By whom.
    pub speaker: Arc<Person>,
    /// Those who block the speaker, in order: they are not told.
    pub blocked_by: BlockedBy,
}

/// Those who block somebody, in the order of their numbers.
pub type BlockedBy = Arc<[PlayerId]>;

impl Speech {
    /// Whether that reader does not want to hear it.
    pub fn is_kept_from(&self, reader: Option<PlayerId>) -> bool {
        reader.is_some_and(|reader| self.blocked_by.binary_search(&reader).is_ok())
    }
}
