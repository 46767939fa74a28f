//! What is told in a room as it happens.
//!
//! The game's room has two lanes, one for its players and one for everybody else; a task
//! follows each and tells all of its group, so a thousand occupants cost one reader.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use chess::game::{Event, Game};
use chess::{Color, Millis, Timestamp};
use futures_util::FutureExt;
use jid::Jid;
use live::room::{Follower, Heard, Role};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::sleep;

use super::cast::side_name;
use super::hall::{Hall, State};
use super::joining::{clock_at, private};
use super::presence::Shown;
use super::standing::Standing;
use super::{Group, leaving, lines, naming, seating, state, talk, words};
use crate::doors::xmpp::element::Copies;
use crate::doors::xmpp::{Door, identity};
use crate::play::sight::as_seen_by;
use crate::problem::Kind;
use crate::rooms::here::PlayerHere;
use crate::rooms::news::GameChange;
use crate::rooms::{News, What};

/// How far a group may be behind and still get every change.
const MISSED_MAX: u32 = 64;
/// After the store could not say, or the lane was gone.
pub(super) const AGAIN: Duration = Duration::from_millis(500);
/// How often it is looked whether accounts may still be here.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Follows what happens around a game from now on, until its room is closed here.
pub(super) fn begin(door: &Door, hall: &Arc<Hall>) {
    for side in [Group::Players, Group::Watchers] {
        let lane = subscribe(door, hall, side);
        door.spawn(follow(door.clone(), Arc::clone(hall), side, lane));
    }
    door.spawn(look_after(door.clone(), Arc::clone(hall)));
}

fn subscribe(door: &Door, hall: &Hall, side: Group) -> Option<Receiver<News>> {
    let room = door.app.rooms.all().get(hall.id)?;
    Some(room.subscribe(side == Group::Players))
}

async fn follow(door: Door, hall: Arc<Hall>, side: Group, mut lane: Option<Receiver<News>>) {
    let mut closed = hall.is_closed.subscribe();
    let listen = async {
        loop {
            let Some(open) = &mut lane else {
                // Everybody had gone for a moment.
                sleep(AGAIN).await;
                lane = subscribe(&door, &hall, side);
                if lane.is_some() {
                    catch_up(&door, &hall, side).await;
                }
                continue;
            };
            match open.recv().await {
                Ok(news) => {
                    let take = AssertUnwindSafe(take(&door, &hall, side, &news));
                    if take.catch_unwind().await.is_err() {
                        tracing::error!(room = %hall.id, "telling a room failed");
                    }
                }
                Err(RecvError::Lagged(_)) => {
                    door.app.rooms.note_resync();
                    catch_up(&door, &hall, side).await;
                }
                Err(RecvError::Closed) => lane = None,
            }
        }
    };
    tokio::select! {
        () = listen => {}
        _ = closed.wait_for(|is_closed| *is_closed) => {}
    }
}

async fn take(door: &Door, hall: &Arc<Hall>, side: Group, news: &News) {
    match news.what() {
        What::Changed(change) => changed(door, hall, side, change).await,
        What::Said(speech) => lines::tell(door, &mut hall.state(), side, speech),
        What::Rematch(next) => {
            let state = &mut *hall.state();
            if let Some(finished) = state.group(side).game.clone() {
                let room = door.room(next.id);
                let told = words::rematch(&state.cast, &finished, next, &room);
                state.tell(door, side, &told);
            }
        }
        What::Clock(_, at) => clock(door, &mut hall.state(), side, *at),
        What::Here(color, here, _) => came_or_went(door, &mut hall.state(), side, *color, here),
        What::Removed(who) => leaving::kick(door, hall, *who),
        What::Lost => catch_up(door, hall, side).await,
        What::Farewell => leaving::farewell(door, hall),
        _ => {}
    }
}

async fn changed(door: &Door, hall: &Arc<Hall>, side: Group, change: &GameChange) {
    let after = &change.after;
    let cast = hall.meet(door, after).await;
    if let Some(Event::Joined { player, .. }) = &change.event {
        seating::sit_down(door, hall, after, *player);
    }
    let told = words::change(&cast, change);
    let is_end = {
        let state = &mut *hall.state();
        let group = state.group(side);
        let was_over = group.is_over();
        let is_seated = group
            .game
            .as_ref()
            .is_some_and(|game| seating::differs(game, after));
        match Follower::at(group.version).hear(after.version(), true) {
            Heard::Old => return,
            Heard::Look => None,
            Heard::Next => {
                group.see(after);
                group.clock_at = after.last_at();
                state.tell_change(door, side, after.version(), &told);
                if is_seated {
                    seating::tell(door, state, side, after);
                }
                let is_end = !was_over && after.ending().is_some();
                if is_end && side == Group::Players {
                    naming::show_nicks(door, state);
                }
                Some(is_end)
            }
        }
    };
    match is_end {
        None => catch_up(door, hall, side).await,
        Some(true) => ended(door, hall, side).await,
        Some(false) => {}
    }
}

/// The game is over, as they know now: what was kept from them is not any more.
async fn ended(door: &Door, hall: &Arc<Hall>, side: Group) {
    match side {
        Group::Players => lines::catch_up(door, hall, side, false).await,
        Group::Watchers => {
            let state = &mut *hall.state();
            let game = state.watchers.game.as_ref();
            if game.is_some_and(|game| game.spectator_delay() > Millis::ZERO) {
                leaving::reveal(door, state);
            }
        }
    }
}

fn clock(door: &Door, state: &mut State, side: Group, at: Timestamp) {
    let every = door.app.settings.xmpp_clock_seconds;
    let cast = Arc::clone(&state.cast);
    let group = state.group(side);
    // The clocks are told every second, give or take a little.
    let wanted = Millis::from_secs(every).0.saturating_sub(500);
    if every == 0 || at.since(group.clock_at).0 < wanted {
        return;
    }
    let Some(game) = group.game.clone() else {
        return;
    };
    group.clock_at = at;
    if let Some(told) = words::clocks(&cast, &game, at) {
        state.tell(door, side, &told);
    }
}

/// A player came to another door, or went.
fn came_or_went(door: &Door, state: &mut State, side: Group, color: Color, here: &PlayerHere) {
    let is_hidden = side == Group::Watchers && state.hides_players();
    let is_occupant = !is_hidden && state.occupants.of(here.player).next().is_some();
    let is_there = here.is_online && here.claim_at.is_none() && !is_occupant;
    let cast = Arc::clone(&state.cast);
    let (Some(known), Some(game)) = (cast.get(here.player), state.group(side).game.clone()) else {
        return;
    };
    let is_shown = state.group(side).afar.get(color).is_some();
    let is_taken = state.occupants.named(&known.name).is_some();
    let shown = Shown::afar(
        known,
        side_name(color),
        Standing::of_player(&game, here.player),
    );
    let presence = match (is_there && !is_taken, is_shown) {
        (true, false) => shown.here(&cast.room, None, &[]),
        (false, true) if !is_taken => shown.gone(&cast.room, &[]),
        (is_there, _) => {
            if !is_there {
                *state.group(side).afar.get_mut(color) = None;
            }
            return;
        }
    };
    *state.group(side).afar.get_mut(color) = is_there.then(|| known.name.clone());
    let copies = Copies::of(&presence);
    let others = state.occupants.iter();
    for one in others.filter(|one| Group::of(one) == side && one.who != here.player) {
        door.games.send_text(copies.to(&one.jid));
    }
}

/// Something was lost: looks at the game itself, and tells what is new in it.
pub(super) async fn catch_up(door: &Door, hall: &Arc<Hall>, side: Group) {
    let app = &door.app;
    let known = hall.state().group(side).version;
    let game = loop {
        let game = match app.games.read(hall.id, None).await {
            Ok(game) if game.version() < known => app.games.newest(hall.id).await,
            read => read,
        };
        match game {
            Ok(game) => break game,
            Err(_) => sleep(AGAIN).await,
        }
    };
    let now = app.now();
    let viewer = (side == Group::Players).then(|| game.creator());
    let seen = as_seen_by(&game, viewer, now);
    let cast = hall.meet(door, &seen).await;
    let was_over = {
        let state = &mut *hall.state();
        let group = state.group(side);
        let (was_over, version) = (group.is_over(), group.version);
        let is_seated = group
            .game
            .as_ref()
            .is_some_and(|game| seating::differs(game, &seen));
        let missed = seen.version().saturating_sub(version);
        group.see(&seen);
        group.clock_at = group.clock_at.max(seen.last_at());
        match missed {
            0 => {}
            1..=MISSED_MAX => {
                for (version, told) in words::since(&cast, &seen, version) {
                    state.tell_change(door, side, version, &told);
                }
            }
            _ => tell_state(door, state, side, &seen, now),
        }
        if is_seated {
            seating::tell(door, state, side, &seen);
        }
        if !was_over && seen.ending().is_some() && side == Group::Players {
            naming::show_nicks(door, state);
        }
        was_over
    };
    if !was_over && seen.ending().is_some() && side == Group::Watchers {
        ended(door, hall, side).await;
    }
    lines::catch_up(door, hall, side, was_over).await;
}

/// So much was missed that everybody begins anew.
fn tell_state(door: &Door, state: &mut State, side: Group, game: &Arc<Game>, now: Timestamp) {
    let role = match side {
        Group::Players => Role::Player,
        Group::Watchers => Role::Observer,
    };
    let at = clock_at(game, role, now);
    let cast = Arc::clone(&state.cast);
    let copies = Copies::of(&private(&cast, &state::state(&cast, game, at)));
    let group = state
        .occupants
        .iter_mut()
        .filter(|one| Group::of(one) == side);
    for one in group {
        one.send(door, copies.to(&one.jid), None, Some(game.version()));
        if one.waiting.is_none() {
            one.version = game.version();
        }
    }
}

/// Looks now and then whether those in the room may still be there.
async fn look_after(door: Door, hall: Arc<Hall>) {
    let mut closed = hall.is_closed.subscribe();
    loop {
        tokio::select! {
            () = sleep(LOOK_EVERY) => {}
            _ = closed.wait_for(|is_closed| *is_closed) => return,
        }
        talk::look_who_is_silenced(&door, &hall).await;
        let mut in_question = Vec::new();
        for one in hall.state().occupants.iter_mut() {
            if one.hold.place.changed().now_or_never().is_some() {
                in_question.push((one.who, one.hold.caller.scopes, one.jid.clone()));
            }
        }
        for (who, scopes, jid) in in_question {
            let Ok(whose) = Jid::new(&jid) else {
                continue;
            };
            let caller = identity::visitor(&door, &whose.to_bare()).await;
            let is_gone = match &caller {
                // Whoever is a moderator no more comes in again as what they are.
                Ok(caller) => caller.number() != who || caller.scopes != scopes,
                Err(problem) => problem.kind == Kind::Forbidden,
            };
            if is_gone {
                leaving::expel(&door, &hall, &jid);
            }
        }
    }
}
