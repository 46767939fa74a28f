//! The envelope that all actions share.

use chess::skill::{Action, Deed, MoveOrder, Position, Uuid};
use serde::Deserialize;
use serde_json::Value;

use crate::play::match_ids;

/// The rejection of what cannot be read.
pub(super) const INVALID_PAYLOAD: &str = "invalidPayload";

/// One action as a client sends it. What is missing reads as null, for some
/// clients leave out what they have not.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OnlineMatchAction {
    id: Option<String>,
    #[serde(rename = "matchID")]
    match_id: Option<String>,
    base_revision: Option<u64>,
    #[serde(rename = "type")]
    kind: Option<String>,
    #[serde(default)]
    payload: Value,
}

#[derive(Deserialize)]
struct DraftPayload {
    #[serde(rename = "skillID")]
    skill_id: String,
    position: Option<At>,
}

#[derive(Deserialize)]
struct MovePayload {
    #[serde(rename = "move")]
    order: Order,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Order {
    from: At,
    to: At,
    promotion_piece_name: Option<String>,
    #[serde(rename = "equippedSkillID")]
    equipped_skill_id: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
struct At {
    row: i64,
    column: i64,
}

impl From<At> for Position {
    fn from(at: At) -> Position {
        Position {
            row: at.row,
            column: at.column,
        }
    }
}

/// The guest who acts, as far as the body says.
pub(super) fn actor(body: &Value) -> Option<&str> {
    body["actorID"].as_str()
}

/// Reads an action at the match of that id: the action's id as far as it can
/// be read, and the action or why it is rejected.
pub(super) fn read(body: Value, here: Uuid) -> (Option<Uuid>, Result<Action, &'static str>) {
    let id = body["id"].as_str().and_then(match_ids::uuid);
    let read = serde_json::from_value::<OnlineMatchAction>(body);
    let action = read
        .map_err(|_| INVALID_PAYLOAD)
        .and_then(|envelope| envelope.action(here));
    (id, action)
}

impl OnlineMatchAction {
    fn action(self, here: Uuid) -> Result<Action, &'static str> {
        let id = self.id.as_deref().and_then(match_ids::uuid);
        let there = self.match_id.as_deref().and_then(match_ids::uuid);
        let (Some(id), Some(there), Some(kind), Some(base_revision)) =
            (id, there, self.kind, self.base_revision)
        else {
            return Err(INVALID_PAYLOAD);
        };
        if there != here {
            return Err("matchMismatch");
        }
        Ok(Action {
            id,
            base_revision,
            deed: deed(&kind, self.payload).ok_or(INVALID_PAYLOAD)?,
        })
    }
}

fn deed(kind: &str, payload: Value) -> Option<Deed> {
    Some(match kind {
        "joinMatch" => Deed::JoinMatch,
        "lockDraft" => Deed::LockDraft,
        "offerDraw" => Deed::OfferDraw,
        "acceptDraw" => Deed::AcceptDraw,
        "declineDraw" => Deed::DeclineDraw,
        "resign" => Deed::Resign,
        "leaveMatch" => Deed::LeaveMatch,
        "updateDraftSelection" => {
            let draft: DraftPayload = serde_json::from_value(payload).ok()?;
            Deed::UpdateDraftSelection {
                skill: draft.skill_id,
                position: draft.position.map(Into::into),
            }
        }
        "makeMove" => {
            let MovePayload { order } = serde_json::from_value(payload).ok()?;
            let skill = order.equipped_skill_id.as_deref();
            Deed::MakeMove(MoveOrder {
                from: order.from.into(),
                to: order.to.into(),
                promotion: order.promotion_piece_name,
                equipped_skill: match skill {
                    Some(text) => Some(match_ids::uuid(text)?),
                    None => None,
                },
            })
        }
        _ => return None,
    })
}
