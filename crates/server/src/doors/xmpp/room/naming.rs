//! What people are called in a room, and to whom.
//!
//! A nickname could be advice. While the game lives, players know those who watch by the
//! names of their accounts, which nobody changes in the middle of a game.

use chess::table::PlayerId;
use live::room::Role;
use store::TableId;

use super::hall::{Guest, State};
use super::joining::{announce_to, bad_nick, taken};
use super::nick::{self, ARBITER, folded};
use super::presence::{RENAMED, SELF, Shown};
use super::standing::Standing;
use super::{Group, not_inside};
use crate::auth::Person;
use crate::doors::xmpp::element::Copies;
use crate::doors::xmpp::{Door, Refused, Stanza};
use crate::limits::rates::Rate;

/// Presence of somebody who is inside: perhaps under another name.
pub(super) fn rename(door: &Door, id: TableId, stanza: &Stanza) -> Result<(), Refused> {
    let jid = stanza.from.as_str();
    let hall = door.rooms.get(id).ok_or_else(not_inside)?;
    let state = &mut *hall.state();
    let one = state.occupants.get(jid).ok_or_else(not_inside)?;
    let nick = stanza.to.resource().map(|nick| nick.as_str());
    if nick.is_none() || nick == Some(one.nick.as_str()) {
        return Ok(());
    }
    nick::check(nick, &one.bare).map_err(bad_nick)?;
    let nick = nick.unwrap_or_default();
    let is_taken = state.occupants.is_taken(nick, &one.bare)
        || state.cast.is_named(&folded(nick), one.who)
        || is_known_to_players(state, nick, one.who, &one.standing);
    if is_taken {
        return Err(taken());
    }
    // Whoever may not speak does not do so by names.
    if !one.standing.may_speak {
        return Err(Refused::new("auth", "forbidden", "may_not_speak"));
    }
    // A name is told to as many as a word is.
    door.app.rates.check(Rate::Chat, one.who)?;
    let Some(game) = state.game_of(one).cloned() else {
        return Ok(());
    };
    let room = state.cast.room.clone();
    let (gone, gone_self) = {
        let shown = Shown::of(one, &state.cast, &game);
        let codes = [SELF, RENAMED];
        (
            Copies::of(&shown.gone_to(&room, Some(nick), &[RENAMED])),
            Copies::of(&shown.gone_to(&room, Some(nick), &codes)),
        )
    };
    door.games.send_text(gone_self.to(jid));
    let sides: Vec<Group> = [Group::Players, Group::Watchers]
        .into_iter()
        .filter(|side| !state.hides_nick(one, *side))
        .collect();
    for other in state.occupants.iter() {
        let is_told = other.jid != jid && sides.contains(&Group::of(other));
        if is_told && one.is_announced && state.sees(other, one) {
            door.games.send_text(gone.to(&other.jid));
        }
    }
    state.occupants.rename(jid, nick);
    if let Some(one) = state.occupants.get(jid) {
        let own = Shown::of(one, &state.cast, &game);
        let own = own.here(&room, None, &[SELF]);
        door.games.send_text(Copies::of(&own).to(jid));
        for side in sides {
            announce_to(door, state, one, side);
        }
    }
    Ok(())
}

/// What players know somebody by who watches: the name of their account, or its address if
/// players know somebody else by that name.
pub(super) fn plain_name(door: &Door, state: &State, person: &Person) -> String {
    let mut clients = state.occupants.of(person.number);
    if let Some(known) = clients.find(|one| !one.standing.is_player()) {
        return known.plain_name.clone();
    }
    let name = folded(&person.name);
    let mut others = state.occupants.iter();
    let is_taken = name == folded(ARBITER)
        || others.any(|one| {
            let is_known = one.standing.role != Role::Observer && one.who != person.number;
            is_known && folded(&one.nick) == name
        });
    match is_taken {
        true => format!("{}@{}", person.id, door.config.arbiter),
        false => person.name.clone(),
    }
}

/// Whether somebody would be called, to players, as they call somebody else who watches.
pub(super) fn is_known_to_players(
    state: &State,
    nick: &str,
    who: PlayerId,
    standing: &Standing,
) -> bool {
    if standing.role == Role::Observer {
        return false;
    }
    let nick = folded(nick);
    let mut others = state.occupants.iter().filter(|one| one.who != who);
    others.any(|one| state.hides_nick(one, Group::Players) && folded(&one.plain_name) == nick)
}

/// Players may know somebody's nickname from now on.
pub(super) fn show_nick(door: &Door, state: &State, one: &Guest) {
    let Some(game) = state.players.game.as_ref().filter(|_| one.is_announced) else {
        return;
    };
    if one.plain_name == one.nick {
        return;
    }
    let shown = Shown::of(one, &state.cast, game).called(&one.plain_name);
    let gone = shown.gone_to(&state.cast.room, Some(&one.nick), &[RENAMED]);
    let copies = Copies::of(&gone);
    let others = state.occupants.iter().filter(|other| other.jid != one.jid);
    for other in others.filter(|other| Group::of(other) == Group::Players) {
        door.games.send_text(copies.to(&other.jid));
    }
}

/// Somebody has sat down: they know those who watch by plain names from now on, and do not
/// learn of other nicknames.
pub(super) fn hide_nicks(door: &Door, state: &State, from: &Guest) {
    let Some(game) = &state.players.game else {
        return;
    };
    let room = &state.cast.room;
    let watchers = state.occupants.iter().filter(|one| one.is_announced);
    for one in watchers.filter(|one| state.hides_nick(one, Group::Players)) {
        if one.plain_name != one.nick {
            let old = Shown::of(one, &state.cast, game);
            let new = Shown::of(one, &state.cast, game).called(&one.plain_name);
            let old = old.gone_to(room, Some(&one.plain_name), &[RENAMED]);
            for stanza in [old, new.here(room, None, &[])] {
                door.games.send_text(Copies::of(&stanza).to(&from.jid));
            }
        }
    }
}

/// The game is over, as players know now: those who watch are called as they wish.
pub(super) fn show_nicks(door: &Door, state: &State) {
    let watchers = state.occupants.iter();
    for one in watchers.filter(|one| one.standing.role == Role::Observer) {
        if one.plain_name != one.nick {
            show_nick(door, state, one);
            announce_to(door, state, one, Group::Players);
        }
    }
}
