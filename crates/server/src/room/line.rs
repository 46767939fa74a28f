//! A line of chat, in the server and on the wire.

use chess::Timestamp;
use chess::table::PlayerId;
use live::room::policy::LineFacts;
use live::room::{Audience, ChatId, Role};
use serde::Serialize;
use store::{ChatLine, TableId};
use utoipa::ToSchema;

use crate::auth::Person;
use crate::text_time::rfc3339;

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
    pub(super) fn stored(&self, table: TableId) -> ChatLine {
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

/// A line of chat.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ChatLine)]
pub struct ChatView {
    /// Opaque; later lines have larger ones, also compared as text.
    #[schema(example = "0d1a2b3c4d5e6f70")]
    pub id: String,
    /// The speaker's id.
    pub from: String,
    /// What they were when they said it: `player`, `observer` or `moderator`.
    pub role: &'static str,
    /// The speaker's title.
    pub title: Option<String>,
    /// The words.
    pub text: String,
    /// `room` or `observers`.
    pub audience: &'static str,
    /// Whether it is a moderator's notice to everyone.
    pub notice: bool,
    /// When it was said.
    #[schema(format = DateTime)]
    pub at: String,
}

impl ChatView {
    /// The line as it is sent, with what is known of its speaker now.
    pub fn of(line: &Line, speaker: Option<&Person>) -> ChatView {
        ChatView {
            id: line.id.to_string(),
            from: speaker.map_or_else(|| "unknown".to_owned(), |person| person.id.clone()),
            role: line.facts.role.name(),
            title: speaker.and_then(|person| person.title.clone()),
            text: line.text.clone(),
            audience: line.facts.audience.name(),
            notice: line.facts.is_notice,
            at: rfc3339(line.at),
        }
    }
}
