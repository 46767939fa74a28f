//! Silencing and removing, as multi-user chat asks for it.

use std::sync::Arc;

use store::{BanKind, TableId};

use super::asked::MUC_ADMIN;
use super::{Group, not_found, talk};
use crate::auth::{Caller, Person};
use crate::doors::xmpp::element::Element;
use crate::doors::xmpp::{Door, Refused, Stanza, identity};
use crate::play::room::{self, Measure};

/// What an item asks for.
fn measure(item: &Element) -> Option<Measure> {
    let (kind, is_lifted) = match (item.attr("role"), item.attr("affiliation")) {
        (Some("none"), None) | (None, Some("outcast")) => (BanKind::Removed, false),
        (None, Some("none")) => (BanKind::Removed, true),
        (Some("visitor"), None) => (BanKind::Muted, false),
        (Some("participant"), None) => (BanKind::Muted, true),
        _ => return None,
    };
    Some(Measure { kind, is_lifted })
}

/// Does what a moderator, or the game's creator, asks for.
pub(super) async fn keep(
    door: &Door,
    id: TableId,
    stanza: &Stanza,
    query: &Element,
) -> Result<(), Refused> {
    let caller = identity::visitor(door, &stanza.from.to_bare()).await?;
    let not_understood = || Refused::new("modify", "bad-request", "bad_request");
    let mut items = query.elements().filter(|item| item.is("item", MUC_ADMIN));
    let (Some(item), None) = (items.next(), items.next()) else {
        return Err(not_understood());
    };
    let measure = measure(item).ok_or_else(not_understood)?;
    let whom = whom(door, id, &caller, item).await?.ok_or_else(not_found)?;
    let moderated = room::moderate(&door.app, id, &caller, &whom, measure).await;
    moderated.map_err(|problem| match problem.code {
        "not_allowed" => Refused::new("cancel", "not-allowed", problem.code),
        _ => Refused::from(problem),
    })?;
    // Who was removed leaves when the room hears of it.
    if let Some(hall) = door
        .rooms
        .get(id)
        .filter(|_| measure.kind == BanKind::Muted)
    {
        talk::silence(door, &hall, whom.number, !measure.is_lifted);
    }
    Ok(())
}

/// Whom an item names: by what the caller knows them by here, or by their address.
async fn whom(
    door: &Door,
    id: TableId,
    caller: &Caller,
    item: &Element,
) -> Result<Option<Arc<Person>>, Refused> {
    if let Some(jid) = item.attr("jid") {
        let Ok(jid) = jid::BareJid::new(jid) else {
            return Ok(None);
        };
        return Ok(identity::find(door, &jid).await?);
    }
    let Some(nick) = item.attr("nick") else {
        return Ok(None);
    };
    let hall = door.rooms.get(id);
    let here = hall.and_then(|hall| {
        let state = hall.state();
        let game = state.players.game.as_ref();
        let side = match game.is_some_and(|game| game.is_player(caller.number())) {
            true => Group::Players,
            false => Group::Watchers,
        };
        let one = state.named(nick, side)?;
        Some(Arc::clone(&one.hold.caller.person))
    });
    if here.is_some() {
        return Ok(here);
    }
    // Somebody at another door, who is called by the name of their account.
    let person = door.app.auth.person_by_name(nick).await;
    Ok(person.map_err(crate::problem::Problem::from)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moderators_ask_for() {
        let item = |name: &str, value: &str| Element::new("item", MUC_ADMIN).with(name, value);
        for (item, expected) in [
            (item("role", "none"), Some((BanKind::Removed, false))),
            (item("role", "visitor"), Some((BanKind::Muted, false))),
            (item("role", "participant"), Some((BanKind::Muted, true))),
            (
                item("affiliation", "outcast"),
                Some((BanKind::Removed, false)),
            ),
            (item("affiliation", "none"), Some((BanKind::Removed, true))),
            (item("role", "moderator"), None),
            (item("affiliation", "owner"), None),
            (item("nick", "x"), None),
        ] {
            let measure = measure(&item).map(|measure| (measure.kind, measure.is_lifted));
            assert_eq!(measure, expected, "{item:?}");
        }
    }
}
