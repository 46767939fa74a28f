//! Leaving a room, by oneself or not.

use std::sync::Arc;

use chess::table::PlayerId;
use store::TableId;

use super::Group;
use super::hall::{Guest, Hall, State};
use super::presence::{KICKED, SELF, SHUTDOWN, Shown};
use crate::doors::xmpp::Door;
use crate::doors::xmpp::element::Copies;

/// A client leaves, or is gone.
pub(super) fn leave(door: &Door, id: TableId, jid: &str) {
    if let Some(hall) = door.rooms.get(id) {
        go(door, &hall, jid, &[]);
    }
}

/// Somebody was asked to leave, with all their clients.
pub(super) fn kick(door: &Door, hall: &Arc<Hall>, who: PlayerId) {
    let jids: Vec<String> = {
        let state = hall.state();
        state.occupants.of(who).map(|one| one.jid.clone()).collect()
    };
    for jid in jids {
        go(door, hall, &jid, &[KICKED]);
    }
}

/// One client was asked to leave.
pub(super) fn expel(door: &Door, hall: &Arc<Hall>, jid: &str) {
    go(door, hall, jid, &[KICKED]);
}

/// The server stops: nobody is in the room any more.
pub(super) fn farewell(door: &Door, hall: &Arc<Hall>) {
    let jids: Vec<String> = {
        let state = hall.state();
        state.occupants.iter().map(|one| one.jid.clone()).collect()
    };
    for jid in jids {
        let removed = take(door, &mut hall.state(), &jid, &[SHUTDOWN]);
        drop(removed);
    }
    door.rooms.left(hall);
}

fn go(door: &Door, hall: &Arc<Hall>, jid: &str, codes: &[u16]) {
    let removed = {
        let state = &mut *hall.state();
        let removed = take(door, state, jid, codes);
        if let Some((one, is_last)) = &removed {
            tell_others(door, state, one, *is_last, codes);
        }
        removed
    };
    // The visit ends here: not under the lock.
    drop(removed);
    door.rooms.left(hall);
}

/// Takes a client out, and tells them; whether nobody is called like them any more.
fn take(door: &Door, state: &mut State, jid: &str, codes: &[u16]) -> Option<(Guest, bool)> {
    let (one, is_last) = state.occupants.remove(jid)?;
    if let Some(game) = state.game_of(&one) {
        let codes: Vec<u16> = [SELF].iter().chain(codes).copied().collect();
        let gone = Shown::of(&one, &state.cast, game).gone(&state.cast.room, &codes);
        door.games.send_text(Copies::of(&gone).to(jid));
    }
    Some((one, is_last))
}

/// `is_last`: whether nobody has their nickname any more.
fn tell_others(door: &Door, state: &State, one: &Guest, is_last: bool, codes: &[u16]) {
    let Some(game) = state.game_of(one).filter(|_| one.is_announced) else {
        return;
    };
    for side in [Group::Players, Group::Watchers] {
        let is_gone = match state.hides_nick(one, side) {
            true => state.occupants.of(one.who).next().is_none(),
            false => is_last,
        };
        let shown = Shown::of(one, &state.cast, game).called(state.name_of(one, side));
        let copies = Copies::of(&shown.gone(&state.cast.room, codes));
        let others = state.occupants.iter().filter(|_| is_gone);
        for other in others.filter(|other| Group::of(other) == side && state.sees(other, one)) {
            door.games.send_text(copies.to(&other.jid));
        }
    }
}

/// Those who watch know that the game is over: now they may know which players are there.
pub(super) fn reveal(door: &Door, state: &mut State) {
    let room = state.cast.room.clone();
    let Some(game) = state.watchers.game.clone() else {
        return;
    };
    let afar = std::mem::take(&mut state.watchers.afar);
    let is_watcher = |one: &&Guest| Group::of(one) == Group::Watchers;
    let players = || {
        state
            .occupants
            .iter()
            .filter(|one| one.standing.is_player())
    };
    let mut stanzas = Vec::new();
    for name in afar.into_iter().flatten() {
        if let Some(player) = players().find(|one| {
            let known = state.cast.get(one.who);
            known.is_some_and(|known| known.name == name) && one.nick != name
        }) {
            let mut shown = Shown::of(player, &state.cast, &game);
            shown.nick = &name;
            stanzas.push(Copies::of(&shown.gone(&room, &[])));
        }
    }
    for player in players() {
        let shown = Shown::of(player, &state.cast, &game);
        stanzas.push(Copies::of(&shown.here(&room, None, &[])));
    }
    for watcher in state.occupants.iter().filter(is_watcher) {
        for stanza in &stanzas {
            door.games.send_text(stanza.to(&watcher.jid));
        }
    }
}
