//! What is there (XEP-0030), whether it answers (XEP-0199, XEP-0410), and the rest of what
//! is asked by `<iq/>`.

use chess::game::Game;
use chess::table::State;
use store::TableId;

use super::asked::{DISCO_INFO, DISCO_ITEMS, MUC, MUC_ADMIN, MUC_OWNER, PING};
use super::cast::Cast;
use super::{not_found, order};
use crate::doors::xmpp::element::Element;
use crate::doors::xmpp::error::reply;
use crate::doors::xmpp::{Door, GAME, Refused, Stanza, identity};
use crate::limits::rates::{Rate, Whose};
use crate::play::lists::{self, Only, Wanted};
use crate::play::look::look;

/// So many games are listed.
const LISTED: u32 = 100;

/// What nobody here understands.
fn unknown() -> Refused {
    Refused::new("cancel", "service-unavailable", "")
}

/// The question in an `<iq/>` of that type.
fn question<'a>(stanza: &'a Stanza, kind: &str) -> Option<&'a Element> {
    let iq = &stanza.element;
    let is_asked = iq.name() == "iq" && iq.attr("type") == Some(kind);
    let mut children = iq.elements().filter(|_| is_asked);
    match (children.next(), children.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

fn answer(door: &Door, stanza: &Stanza, with: Option<Element>) {
    let result = reply(&stanza.element, "result").children_of(with);
    door.games.send(&result);
}

/// Asked of `games.<domain>` itself.
pub(super) async fn of_service(door: &Door, stanza: &Stanza) -> Result<(), Refused> {
    if matches!(stanza.element.name(), "presence") {
        return Ok(());
    }
    let asked = question(stanza, "get").ok_or_else(unknown)?;
    let with = match (asked.name(), asked.ns()) {
        ("query", DISCO_INFO | DISCO_ITEMS) if asked.attr("node").is_some() => {
            return Err(not_found());
        }
        ("query", DISCO_INFO) => {
            let features = [DISCO_INFO, DISCO_ITEMS, MUC, PING];
            Some(info("Chess games", &features))
        }
        ("query", DISCO_ITEMS) => {
            is_within_limits(door, stanza)?;
            Some(games(door).await?)
        }
        ("ping", PING) => None,
        _ => return Err(unknown()),
    };
    answer(door, stanza, with);
    Ok(())
}

/// Asked of a room, or of somebody in it.
pub(super) async fn of_room(door: &Door, id: TableId, stanza: &Stanza) -> Result<(), Refused> {
    if matches!(stanza.element.attr("type"), Some("result" | "error")) {
        return Ok(());
    }
    if let Some(query) = question(stanza, "set") {
        return match query.ns() {
            MUC_ADMIN if stanza.to.resource().is_none() => {
                order::keep(door, id, stanza, query).await?;
                answer(door, stanza, None);
                Ok(())
            }
            MUC_OWNER => Err(Refused::new("auth", "forbidden", "not_the_owner")),
            _ => Err(unknown()),
        };
    }
    let asked = question(stanza, "get").ok_or_else(unknown)?;
    if let Some(nick) = stanza.to.resource() {
        return match (asked.name(), asked.ns()) {
            ("ping", PING) => self_ping(door, id, stanza, nick.as_str()),
            _ => Err(unknown()),
        };
    }
    let with = match (asked.name(), asked.ns()) {
        ("query", DISCO_INFO | DISCO_ITEMS) if asked.attr("node").is_some() => {
            return Err(not_found());
        }
        ("query", DISCO_INFO) => Some(room(door, id, stanza).await?),
        // Who watches is nobody's business.
        ("query", DISCO_ITEMS) => {
            room(door, id, stanza).await?;
            Some(Element::new("query", DISCO_ITEMS))
        }
        ("ping", PING) => {
            room(door, id, stanza).await?;
            None
        }
        (_, MUC_ADMIN | MUC_OWNER) => {
            return Err(Refused::new("auth", "forbidden", "not_the_owner"));
        }
        _ => return Err(unknown()),
    };
    answer(door, stanza, with);
    Ok(())
}

/// Whether somebody is still in the room, under that name.
fn self_ping(door: &Door, id: TableId, stanza: &Stanza, nick: &str) -> Result<(), Refused> {
    let hall = door.rooms.get(id);
    let own = hall.as_ref().and_then(|hall| {
        let state = hall.state();
        let one = state.occupants.get(stanza.from.as_str())?;
        Some(one.nick.clone())
    });
    match own {
        Some(own) if own == nick => {
            answer(door, stanza, None);
            Ok(())
        }
        Some(_) => Err(unknown()),
        None => Err(Refused::new("cancel", "not-acceptable", "not_in_the_room")),
    }
}

fn info(name: &str, features: &[&str]) -> Element {
    let identity = Element::new("identity", DISCO_INFO)
        .with("category", "conference")
        .with("type", "text")
        .with("name", name);
    let feature = |var: &&str| Element::new("feature", DISCO_INFO).with("var", *var);
    Element::new("query", DISCO_INFO)
        .child(identity)
        .children_of(features.iter().map(feature))
}

/// The public games that run, newest first.
async fn games(door: &Door) -> Result<Element, Refused> {
    let wanted = Wanted {
        state: Some(State::Active),
        player: None,
        variant: None,
        only: Only::default(),
        after: None,
        oldest_first: false,
        limit: LISTED,
    };
    let page = lists::page(&door.app, None, wanted).await?;
    let mut items = Vec::new();
    for sight in &page.games {
        let cast = Cast::of(door, sight.id, &sight.game).await?;
        items.push(
            Element::new("item", DISCO_ITEMS)
                .with("jid", cast.room.as_str())
                .with("name", cast.subject(&sight.game)),
        );
    }
    Ok(Element::new("query", DISCO_ITEMS).children_of(items))
}

/// Looking around costs the store as much as a command does, and is counted by JID: nobody
/// gets an account by it alone.
fn is_within_limits(door: &Door, stanza: &Stanza) -> Result<(), Refused> {
    let bare = stanza.from.to_bare();
    Ok(door
        .app
        .rates
        .check(Rate::Command, Whose::Name(bare.as_str()))?)
}

/// What a room is, to whom may know of it.
async fn room(door: &Door, id: TableId, stanza: &Stanza) -> Result<Element, Refused> {
    is_within_limits(door, stanza)?;
    let caller = identity::caller(door, &stanza.from.to_bare()).await?;
    let sight = look(&door.app, id, Some(&caller)).await?;
    let cast = Cast::of(door, id, &sight.game).await?;
    Ok(info(&cast.subject(&sight.game), &features(&sight.game)))
}

fn features(game: &Game) -> [&'static str; 10] {
    let (public, open) = match game.terms().is_public() {
        true => ("muc_public", "muc_open"),
        false => ("muc_hidden", "muc_membersonly"),
    };
    [
        DISCO_INFO,
        MUC,
        PING,
        GAME,
        public,
        open,
        "muc_semianonymous",
        "muc_unmoderated",
        "muc_unsecured",
        "muc_temporary",
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_says_what_it_is() {
        assert_eq!(
            info("Chess games", &[MUC]).write(),
            "<query xmlns='http://jabber.org/protocol/disco#info'>\
             <identity category='conference' type='text' name='Chess games'/>\
             <feature var='http://jabber.org/protocol/muc'/></query>"
        );
    }
}
