//! What is told of a match: always with the whole of it.

use axum::extract::ws::Utf8Bytes;
use chess::ByColor;
use chess::skill::{Match, Uuid};
use serde::Serialize;
use utoipa::ToSchema;

use super::guest::{Guests, Seated};
use super::snapshot::OnlineMatchSnapshot;
use crate::play::match_ids;

/// Something that happened, or an answer to an action.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OnlineMatchEvent {
    /// A UUID: the same for the same change.
    id: String,
    #[serde(rename = "matchID")]
    match_id: String,
    revision: u32,
    /// `snapshot`, `actionAccepted`, `actionRejected`, `presenceChanged` or `finished`.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The action that it answers, or that brought it about.
    #[serde(rename = "actionID")]
    action_id: Option<String>,
    /// Why an action was rejected.
    #[serde(rename = "rejectionReason")]
    rejection_reason: Option<&'static str>,
    snapshot: OnlineMatchSnapshot,
}

/// What is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// How things stand.
    Snapshot,
    /// The match changed, by that action if by one.
    Changed(Option<Uuid>),
    /// An action was done, whether or not it changed anything.
    Accepted(Uuid),
    /// An action was not done.
    Rejected(Option<Uuid>, &'static str),
    /// Somebody came or went.
    Presence,
}

impl OnlineMatchEvent {
    /// The event as one of the guests sees it.
    pub(crate) fn of(
        what: What,
        played: &Match,
        guests: &Guests,
        here: ByColor<bool>,
        viewer: &Seated,
    ) -> OnlineMatchEvent {
        let is_over = played.ending().is_some();
        let (kind, action, reason) = match what {
            What::Snapshot => ("snapshot", None, None),
            What::Changed(action) if is_over => ("finished", action, None),
            What::Changed(Some(action)) => ("actionAccepted", Some(action), None),
            // Somebody joined, which is no action.
            What::Changed(None) => ("snapshot", None, None),
            What::Accepted(action) => ("actionAccepted", Some(action), None),
            What::Rejected(action, why) => ("actionRejected", action, Some(why)),
            What::Presence => ("presenceChanged", None, None),
        };
        let revision = played.version();
        let id = match what {
            What::Presence => Uuid(uuid::Uuid::new_v4().into_bytes()),
            _ => match_ids::event_id(viewer.table, revision, kind, action),
        };
        OnlineMatchEvent {
            id: id.to_string(),
            match_id: match_ids::match_id(viewer.table).to_string(),
            revision,
            kind,
            action_id: action.map(|action| action.to_string()),
            rejection_reason: reason,
            snapshot: OnlineMatchSnapshot::of(played, guests, here, viewer),
        }
    }

    /// As a message.
    pub(crate) fn text(&self) -> Utf8Bytes {
        let text = serde_json::to_string(self).expect("an event has string keys");
        Utf8Bytes::from(text)
    }
}
