//! A line of chat on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use crate::auth::Person;
use crate::rooms::Line;
use crate::text_time::rfc3339;

/// A line of chat.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ChatLine)]
pub(crate) struct ChatView {
    /// Opaque; later lines have larger ones, also compared as text.
    #[schema(example = "0d1a2b3c4d5e6f70")]
    pub(crate) id: String,
    /// The speaker's id.
    pub(crate) from: String,
    /// What they were when they said it: `player`, `observer` or `moderator`.
    pub(crate) role: &'static str,
    /// The speaker's title.
    pub(crate) title: Option<String>,
    /// The words.
    pub(crate) text: String,
    /// `room` or `observers`.
    pub(crate) audience: &'static str,
    /// Whether it is a moderator's notice to everyone.
    pub(crate) notice: bool,
    /// When it was said.
    #[schema(format = DateTime)]
    pub(crate) at: String,
}

impl ChatView {
    /// The line as it is sent, with what is known of its speaker now.
    pub(crate) fn of(line: &Line, speaker: Option<&Person>) -> ChatView {
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
