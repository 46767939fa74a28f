//! What occupants send to the room: words, and whom to let in.

use std::collections::HashSet;
use std::sync::Arc;

use chess::table::PlayerId;
use jid::BareJid;
use live::room::Audience;
use store::{BanKind, TableId};

use super::asked::MUC_USER;
use super::hall::{Echo, Guest, Hall};
use super::joining::announce;
use super::presence::{SELF, Shown};
use super::{leaving, not_inside};
use crate::auth::Caller;
use crate::doors::xmpp::element::{Copies, Element};
use crate::doors::xmpp::{Door, Refused, Stanza, identity};
use crate::play::{Asked, commands, room};
use crate::problem::Problem;

/// The room, and who asks, if they are in it. A JID that was linked, or is so no more, is
/// somebody else than who came in, and does not stay as them.
async fn inside(door: &Door, id: TableId, stanza: &Stanza) -> Result<(Arc<Hall>, Caller), Refused> {
    let jid = stanza.from.as_str();
    let hall = door.rooms.get(id).ok_or_else(not_inside)?;
    let who = {
        let state = hall.state();
        state.occupants.get(jid).ok_or_else(not_inside)?.who
    };
    let caller = identity::visitor(door, &stanza.from.to_bare()).await?;
    if caller.number() != who {
        leaving::expel(door, &hall, jid);
        return Err(not_inside());
    }
    Ok((hall, caller))
}

/// Says something to the room: whoever may hear it is told by the lane.
pub(super) async fn say(
    door: &Door,
    id: TableId,
    stanza: &Stanza,
    text: &str,
    is_banter: bool,
) -> Result<(), Refused> {
    let (hall, caller) = inside(door, id, stanza).await?;
    let audience = match is_banter {
        true => Audience::Observers,
        false => Audience::Room,
    };
    hall.state().expect(Echo {
        jid: stanza.from.to_string(),
        who: caller.number(),
        text: text.trim().to_owned(),
        id: stanza.element.attr("id").map(str::to_owned),
        line: None,
    });
    let said = room::say(&door.app, id, &caller, text, audience).await;
    if said.is_err() {
        let state = &mut *hall.state();
        let jid = stanza.from.as_str();
        let is_it = |echo: &Echo| echo.jid == jid && echo.line.is_none();
        if let Some(place) = state.echoes.iter().rposition(is_it) {
            state.echoes.remove(place);
        }
    }
    match said {
        Ok(_) => Ok(()),
        Err(problem) => {
            if problem.code == "muted" {
                silence(door, &hall, caller.number(), true);
            }
            Err(problem.into())
        }
    }
}

/// Somebody may not speak any more, or may again: everybody sees it.
pub(super) fn silence(door: &Door, hall: &Hall, whom: PlayerId, is_muted: bool) {
    silence_all(door, hall, |one| match one.who == whom {
        true => is_muted,
        false => one.is_muted,
    });
}

/// The same of everybody, as the store knows it: at other doors, and other nodes, people are
/// silenced too.
pub(super) async fn look_who_is_silenced(door: &Door, hall: &Hall) {
    let Ok(bans) = door.app.store.bans_of(hall.id).await else {
        return;
    };
    let muted = bans.iter().filter(|ban| ban.kind == BanKind::Muted);
    let muted: HashSet<PlayerId> = muted.map(|ban| ban.account).collect();
    silence_all(door, hall, |one| muted.contains(&one.who));
}

fn silence_all(door: &Door, hall: &Hall, is_muted: impl Fn(&Guest) -> bool) {
    let state = &mut *hall.state();
    let Some(game) = state.players.game.clone() else {
        return;
    };
    let mut changed = Vec::new();
    for one in state.occupants.iter_mut() {
        one.is_muted = is_muted(one);
        let standing = one.standing.muted(one.is_muted, &game);
        if one.standing != standing {
            one.standing = standing;
            changed.push(one.jid.clone());
        }
    }
    for jid in changed {
        if let Some(one) = state.occupants.get(&jid) {
            let own = Shown::of(one, &state.cast, &game);
            let own = own.here(&state.cast.room, None, &[SELF]);
            door.games.send_text(Copies::of(&own).to(&jid));
            announce(door, state, one);
        }
    }
}

/// A word to one of them alone could be advice.
pub(super) async fn whisper(door: &Door, id: TableId, stanza: &Stanza) -> Result<(), Refused> {
    inside(door, id, stanza).await?;
    Err(Refused::new("cancel", "not-allowed", "no_private_messages"))
}

/// What a room is about is who plays there.
pub(super) async fn subject(door: &Door, id: TableId, stanza: &Stanza) -> Result<(), Refused> {
    inside(door, id, stanza).await?;
    Err(Refused::new("auth", "forbidden", "fixed_subject"))
}

/// Lets somebody into a private room, and tells them.
pub(super) async fn invite(
    door: &Door,
    id: TableId,
    stanza: &Stanza,
    whom: &str,
) -> Result<(), Refused> {
    let (_, caller) = inside(door, id, stanza).await?;
    let unknown = || Problem::not_found("there is no such player");
    let whom = BareJid::new(whom).map_err(|_| unknown())?;
    let person = identity::find(door, &whom).await?;
    let person = person.ok_or_else(unknown)?;
    let names = [person.id.clone()];
    commands::invite(&Asked::new(&door.app, &caller), id, &names).await?;
    let from = identity::jid_of(door, caller.number()).await?;
    let invite = Element::new("invite", MUC_USER).with("from", from.as_str());
    let message = Element::core("message")
        .with("from", door.room(id))
        .with("to", whom.as_str())
        .child(Element::new("x", MUC_USER).child(invite));
    door.games.send(&message);
    Ok(())
}
