//! A line of chat.

use chess::Timestamp;
use chess::table::PlayerId;
use live::room::policy::LineFacts;
use live::room::{Audience, ChatId, Role};
use store::{ChatLine, TableId};

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
    pub(crate) fn stored(&self, table: TableId) -> ChatLine {
        ChatLine {
            table,
            id: self.id.number(),
            at: self.at,
            from: self.facts.from,
            role: self.facts.role.name().to_owned(),
            audience: self.facts.audience.name().to_owned(),
            is_notice: self.facts.is_notice,
            text: self.text.clone(),
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
