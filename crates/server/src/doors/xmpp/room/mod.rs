//! `games.<domain>`: every game is a room of multi-user chat (XEP-0045).
//!
//! A room is no place of its own: who is in it is in the game's room like any stream
//! (`play/room`), so delay, privacy, roles and blocks are those of every door. Here are the
//! names that people have in it ([`nick`], [`naming`], [`occupants`]), what they are called to ordinary
//! clients ([`standing`], [`presence`]), and the words ([`words`], [`state`]).
//!
//! A [`hall`] is one game's room while somebody is in it by this door. Two tasks follow
//! what its players and what everybody else may know ([`follow`]); stanzas come by
//! [`take`], one after the other from each sender.

mod asked;
mod cast;
mod disco;
mod follow;
mod hall;
mod joining;
mod leaving;
mod lines;
mod naming;
mod nick;
mod occupants;
mod order;
mod presence;
mod seating;
mod standing;
mod state;
mod talk;
mod words;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use store::TableId;

use self::asked::{Asked, MUC};
use self::hall::{Hall, Side as Group};
use super::element::Element;
use super::error::reply;
use super::{Door, Refused, Side, Stanza, game_of};
use crate::lock::lock;

/// The rooms that somebody is in.
#[derive(Default)]
pub(crate) struct Rooms(Mutex<HashMap<TableId, Arc<Hall>>>);

impl Rooms {
    /// The room of a game, if somebody is in it.
    fn get(&self, id: TableId) -> Option<Arc<Hall>> {
        lock(&self.0).get(&id).cloned()
    }

    /// Somebody is on their way in, and is in the game's room already. It stays open until
    /// they say that they are [`done`](Rooms::done).
    fn open(&self, door: &Door, id: TableId) -> Arc<Hall> {
        let mut halls = lock(&self.0);
        let hall = halls.entry(id).or_insert_with(|| {
            let hall = Arc::new(Hall::new(id, door.room(id)));
            follow::begin(door, &hall);
            hall
        });
        hall.state().joins += 1;
        Arc::clone(hall)
    }

    /// Whoever was on their way is in, or is not let in.
    fn done(&self, hall: &Arc<Hall>) {
        let mut halls = lock(&self.0);
        hall.state().joins -= 1;
        close_if_empty(&mut halls, hall);
    }

    /// Somebody has left.
    fn left(&self, hall: &Arc<Hall>) {
        close_if_empty(&mut lock(&self.0), hall);
    }
}

fn close_if_empty(halls: &mut HashMap<TableId, Arc<Hall>>, hall: &Arc<Hall>) {
    let is_empty = {
        let state = hall.state();
        state.occupants.is_empty() && state.joins == 0
    };
    if is_empty {
        hall.is_closed.send_replace(true);
        if halls
            .get(&hall.id)
            .is_some_and(|known| Arc::ptr_eq(known, hall))
        {
            halls.remove(&hall.id);
        }
    }
}

/// The component is connected: nobody is in any room yet.
pub(super) fn connected(_door: &Door) {}

/// The component is not connected any more: whoever was in a room is not.
pub(super) fn disconnected(door: &Door) {
    let halls = std::mem::take(&mut *lock(&door.rooms.0));
    for hall in halls.into_values() {
        hall.is_closed.send_replace(true);
        // Their visits end with them.
        hall.state().occupants = occupants::Occupants::default();
    }
}

/// Deals with a stanza to `games.<domain>`, to a room or to somebody in it.
pub(super) async fn take(door: &Door, stanza: Stanza) {
    let dealt = match stanza.to.node() {
        None => disco::of_service(door, &stanza).await,
        Some(node) => match game_of(node.as_str()) {
            Some(id) => of_room(door, id, &stanza).await,
            None => Err(not_found()),
        },
    };
    if let Err(refused) = dealt {
        refuse(door, &stanza, &refused);
    }
}

async fn of_room(door: &Door, id: TableId, stanza: &Stanza) -> Result<(), Refused> {
    let element = &stanza.element;
    let asked = match element.name() {
        "iq" => return disco::of_room(door, id, stanza).await,
        "presence" => asked::presence(element),
        _ => asked::message(element),
    };
    match asked {
        Asked::Join(wish) => joining::join(door, id, stanza, &wish).await,
        Asked::Presence => naming::rename(door, id, stanza),
        Asked::Leave | Asked::Bounced => {
            leaving::leave(door, id, stanza.from.as_str());
            Ok(())
        }
        Asked::Say { text, is_banter } => talk::say(door, id, stanza, &text, is_banter).await,
        Asked::Invite(whom) => talk::invite(door, id, stanza, &whom).await,
        Asked::Whisper => talk::whisper(door, id, stanza).await,
        Asked::Subject => talk::subject(door, id, stanza).await,
        Asked::Nothing => Ok(()),
    }
}

/// Answers with an error, as a room does.
fn refuse(door: &Door, stanza: &Stanza, why: &Refused) {
    let element = &stanza.element;
    let is_join = element.name() == "presence" && element.attr("type").is_none();
    if !is_join {
        return door.refuse(Side::Games, element, why);
    }
    door.app.components.refused();
    let by = stanza.to.to_bare();
    let answer = reply(element, "error")
        .child(Element::new("x", MUC))
        .child(why.element().with("by", by.as_str()));
    door.games.send(&answer);
}

/// There is no such room, or nothing in it.
fn not_found() -> Refused {
    Refused::new("cancel", "item-not-found", "game_not_found")
}

/// Whoever is not in the room.
fn not_inside() -> Refused {
    Refused::new("modify", "not-acceptable", "not_in_the_room")
}
