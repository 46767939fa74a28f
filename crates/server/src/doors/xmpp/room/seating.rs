//! Sitting down at the board, and what a room is told when others sit there.

use std::sync::Arc;

use chess::Color;
use chess::game::Game;
use chess::table::PlayerId;
use live::room::Role;
use live::room::policy::ViewerFacts;

use super::hall::{Guest, Hall, State};
use super::joining::{announce, announce_to, private, subject};
use super::presence::{SELF, Shown};
use super::standing::Standing;
use super::{Group, naming, state};
use crate::doors::xmpp::Door;
use crate::doors::xmpp::element::Copies;
use crate::play::room;

/// Whether others play a game than before, or on other sides.
pub(super) fn differs(before: &Game, after: &Game) -> bool {
    let seats = |game: &Game| Color::ALL.map(|color| *game.seats().get(color));
    seats(before) != seats(after)
}

/// Tells a group anew which of the occupants plays which side, and what the room is about:
/// what it was told of that before the game began says neither.
pub(super) fn tell(door: &Door, state: &mut State, side: Group, game: &Arc<Game>) {
    let players = state.occupants.iter();
    for one in players.filter(|one| one.standing.is_player()) {
        if Group::of(one) == side {
            tell_own(door, state, one, game);
        }
        announce_to(door, state, one, side);
    }
    let copies = Copies::of(&subject(&state.cast, game));
    let group = state.occupants.iter_mut();
    for one in group.filter(|one| Group::of(one) == side) {
        // Whoever is just being told how things stand is told this with it.
        one.send(door, copies.to(&one.jid), None, Some(game.version()));
    }
}

/// Tells somebody what they are.
fn tell_own(door: &Door, state: &State, one: &Guest, game: &Game) {
    let own = Shown::of(one, &state.cast, game);
    let own = own.here(&state.cast.room, None, &[SELF]);
    door.games.send_text(Copies::of(&own).to(&one.jid));
}

/// Somebody who watched has become a player.
pub(super) fn sit_down(door: &Door, hall: &Arc<Hall>, game: &Arc<Game>, player: PlayerId) {
    let mut before = Vec::new();
    {
        let state = &mut *hall.state();
        let viewer = ViewerFacts {
            who: Some(player),
            role: Role::Player,
        };
        let mut changed = Vec::new();
        let heard = state.watchers.chat;
        for one in state.occupants.iter_mut() {
            if one.who == player && !one.standing.is_player() {
                let occupant = room::Occupant {
                    game: Arc::clone(game),
                    viewer,
                };
                let caller = one.hold.caller.clone();
                let visit = room::come(&door.app, hall.id, Some(&caller), &occupant, None);
                before.push(std::mem::replace(&mut one.hold.visit, visit));
                one.standing = Standing::of_player(game, player);
                one.is_announced = true;
                one.observed = heard;
                changed.push(one.jid.clone());
            }
        }
        for jid in changed {
            let cast = Arc::clone(&state.cast);
            let told = state::state(&cast, game, game.last_at());
            if let Some(one) = state.occupants.get_mut(&jid) {
                one.version = game.version();
                one.send(
                    door,
                    Copies::of(&private(&cast, &told)).to(&jid),
                    None,
                    None,
                );
            }
            if let Some(one) = state.occupants.get(&jid) {
                tell_own(door, state, one, game);
                naming::show_nick(door, state, one);
                naming::hide_nicks(door, state, one);
                announce(door, state, one);
            }
        }
    }
    // Their visits as observers end here: not under the lock.
    drop(before);
}
