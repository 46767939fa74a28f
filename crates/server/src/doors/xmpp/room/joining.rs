//! Coming into a room, and being called otherwise in it.

use std::sync::Arc;

use chess::game::Game;
use chess::table::PlayerId;
use chess::tables::AnyTable;
use chess::{Color, Timestamp};
use live::room::Role;
use live::room::policy::ViewerFacts;
use store::{BanKind, TableId};

use super::asked::Wish;
use super::cast::{Cast, side_name};
use super::hall::{Guest, Hall, Hold, State};
use super::nick::{self, BadNick, folded};
use super::occupants::Occupant;
use super::presence::{SELF, Shown, arbiter};
use super::standing::Standing;
use super::words::Told;
use super::{Group, leaving, lines, naming, not_inside, state};
use crate::auth::Caller;
use crate::doors::xmpp::element::{Copies, Element};
use crate::doors::xmpp::{Door, Refused, Stanza, identity};
use crate::limits::places::Place;
use crate::limits::rates::Rate;
use crate::play::presence as play_presence;
use crate::play::room;
use crate::play::sight::as_seen_by;
use crate::problem::{Kind, Problem};
use crate::rooms::Visit;
use crate::rooms::bus::Happened;

/// Somebody would like to come in.
pub(super) async fn join(
    door: &Door,
    id: TableId,
    stanza: &Stanza,
    wish: &Wish,
) -> Result<(), Refused> {
    let bare = stanza.from.to_bare();
    let nick = stanza.to.resource().map(|nick| nick.as_str());
    nick::check(nick, bare.as_str()).map_err(bad_nick)?;
    let nick = nick.unwrap_or_default();
    let caller = identity::visitor(door, &bare).await?;
    // Everybody inside may be told of it, and the newcomer is told everything.
    door.app.rates.check(Rate::RoomEntry, caller.number())?;
    let occupant = enter(door, id, &caller).await?;
    let jid = stanza.from.as_str();
    let place = match who_is_inside(door, id, jid) {
        // Who is inside is called otherwise first: if that cannot be, they stay who they
        // are. They keep their place, and are told everything again.
        Some(who) if who == caller.number() => {
            naming::rename(door, id, stanza)?;
            None
        }
        inside => {
            // The JID is somebody else by now.
            if inside.is_some() {
                leaving::leave(door, id, jid);
            }
            let places = door.app.rooms.places();
            Some(places.take(Some(caller.number()), None)?)
        }
    };
    let visit = room::come(&door.app, id, Some(&caller), &occupant, None);
    let hall = door.rooms.open(door, id);
    let newcomer = Newcomer {
        caller,
        visit,
        place,
    };
    let came = come_in(door, &hall, jid, nick, newcomer).await;
    match &came {
        Ok(came) => settle(door, &hall, jid, &came.game, wish).await,
        // Whoever is told that they are not inside is not, and the others know it.
        Err(_) => leaving::leave(door, id, jid),
    }
    door.rooms.done(&hall);
    came.map(|_| ())
}

/// Somebody on their way in.
struct Newcomer {
    caller: Caller,
    visit: Visit,
    /// None: the one that they have, being inside.
    place: Option<Place>,
}

/// Somebody has come in.
struct Came {
    game: Arc<Game>,
    /// Their visit of before ends with this, and not under the lock.
    _before: Option<Visit>,
}

fn who_is_inside(door: &Door, id: TableId, jid: &str) -> Option<PlayerId> {
    let hall = door.rooms.get(id)?;
    let state = hall.state();
    state.occupants.get(jid).map(|one| one.who)
}

pub(super) fn bad_nick(bad: BadNick) -> Refused {
    match bad {
        BadNick::Missing => Refused::new("modify", "jid-malformed", "bad_nick"),
        BadNick::Unreadable | BadNick::Foreign => {
            Refused::new("modify", "not-acceptable", "bad_nick")
        }
        BadNick::Reserved => taken(),
    }
}

pub(super) fn taken() -> Refused {
    Refused::new("cancel", "conflict", "nick_taken")
}

/// Lets somebody in, or says why not: that a game is private is said here.
async fn enter(door: &Door, id: TableId, caller: &Caller) -> Result<room::Occupant, Refused> {
    let why = match room::glance(&door.app, id, Some(caller)).await {
        Ok(occupant) => return Ok(occupant),
        Err(why) if why.kind == Kind::Missing => why,
        Err(why) => return Err(why.into()),
    };
    let game = door.app.games.read(id, None).await.map_err(Problem::from);
    let game = game.map_err(|_| Refused::from(why))?;
    Err(match game.terms().is_public() {
        true => Refused::new("auth", "forbidden", "removed"),
        false => Refused::new("auth", "registration-required", "private_game"),
    })
}

/// Is among the occupants from now on, and knows who they are.
async fn come_in(
    door: &Door,
    hall: &Arc<Hall>,
    jid: &str,
    nick: &str,
    newcomer: Newcomer,
) -> Result<Came, Refused> {
    let (app, id) = (&door.app, hall.id);
    // Read again: what happened before they came they are not told.
    let caller = newcomer.caller;
    let game = room::glance(app, id, Some(&caller)).await?.game;
    app.rooms
        .publish(id, Happened::Came(AnyTable::Chess(Arc::clone(&game))));
    let is_muted = is_muted(door, id, &game, &caller).await;
    let cast = hall.meet(door, &game).await;
    let who = caller.number();
    let person = &caller.person;
    let standing = Standing::of(&game, &caller).muted(is_muted, &game);
    let bare = jid.split('/').next().unwrap_or(jid).to_owned();
    let mut state = hall.state();
    if state.occupants.is_taken(nick, &bare) || cast.is_named(&folded(nick), who) {
        return Err(taken());
    }
    if naming::is_known_to_players(&state, nick, who, &standing) {
        return Err(taken());
    }
    let plain_name = naming::plain_name(door, &state, person);
    let before = state.occupants.remove(jid).map(|(before, _)| before.hold);
    let (place, before) = match (newcomer.place, before) {
        (Some(place), before) => (place, before.map(|before| before.visit)),
        (None, Some(before)) => (before.place, Some(before.visit)),
        // They were removed meanwhile.
        (None, None) => return Err(not_inside()),
    };
    let now = app.now();
    state.players.begin(&game);
    state.watchers.begin(&as_seen_by(&game, None, now));
    let is_announced = state.occupants.announces(&standing);
    let one = Occupant {
        jid: jid.to_owned(),
        bare,
        nick: nick.to_owned(),
        plain_name,
        who,
        title: person.title.clone(),
        standing,
        is_muted,
        is_announced,
        version: 0,
        read: Vec::new(),
        observed: None,
        waiting: Some(Vec::new()),
        hold: Hold {
            caller,
            visit: newcomer.visit,
            place,
        },
    };
    state.occupants.insert(one);
    replace_afar(door, &mut state, who, nick);
    introduce(door, &mut state, jid);
    Ok(Came {
        game,
        _before: before,
    })
}

/// Whether somebody who watches was silenced.
async fn is_muted(door: &Door, id: TableId, game: &Game, caller: &Caller) -> bool {
    if game.is_player(caller.number()) {
        return false;
    }
    let bans = door.app.store.bans_at(&[id], caller.number()).await;
    let mut bans = bans.unwrap_or_default().into_iter();
    bans.any(|ban| ban.kind == BanKind::Muted)
}

/// Tells a newcomer who is there, and everybody that they are.
fn introduce(door: &Door, state: &mut State, jid: &str) {
    let Some(one) = state.occupants.get(jid) else {
        return;
    };
    let Some(game) = state.game_of(one).cloned() else {
        return;
    };
    let (cast, room) = (Arc::clone(&state.cast), state.cast.room.clone());
    let tell = |presence: &Element| {
        door.games.send_text(Copies::of(presence).to(jid));
    };
    let is_moderator = one.standing.role == Role::Moderator;
    let side = Group::of(one);
    tell(&arbiter(&room));
    let (players, others): (Vec<&Guest>, Vec<&Guest>) = state
        .occupants
        .iter()
        .filter(|other| other.jid != jid && state.sees(one, other))
        .filter(|other| other.is_announced && folded(&other.nick) != folded(&one.nick))
        .partition(|other| other.standing.is_player());
    let others = others.into_iter().filter(|_| one.is_announced);
    for other in players.into_iter().chain(others) {
        let known = is_moderator.then_some(other.jid.as_str());
        let shown = Shown::of(other, &cast, &game).called(state.name_of(other, side));
        tell(&shown.here(&room, known, &[]));
    }
    let afar = afar(door, state, one, &cast, &game);
    for (color, known) in &afar {
        let standing = Standing::of_player(&game, *known);
        let side = side_name(*color);
        if let Some(known) = cast.get(*known) {
            tell(&Shown::afar(known, side, standing).here(&room, None, &[]));
        }
    }
    let own = Shown::of(one, &cast, &game);
    tell(&own.here(&room, is_moderator.then_some(jid), &[SELF]));
    announce(door, state, one);
    let names = afar
        .into_iter()
        .filter_map(|(color, who)| Some((color, cast.get(who)?.name.clone())));
    let names: Vec<_> = names.collect();
    for (color, name) in names {
        *state.group(side).afar.get_mut(color) = Some(name);
    }
}

/// Players who are at other doors, as that one may know of it.
fn afar(
    door: &Door,
    state: &State,
    one: &Guest,
    cast: &Cast,
    game: &Game,
) -> Vec<(Color, PlayerId)> {
    let id = one.hold.visit.table();
    let here = play_presence::seen_by(&door.app, id, game, Some(one.who));
    let is_hidden = !one.standing.is_player() && state.hides_players();
    let is_afar = |color: &Color| {
        let player = here.get(*color)?;
        let is_there = player.is_online && player.claim_at.is_none();
        let is_occupant = !is_hidden && state.occupants.of(player.player).next().is_some();
        let is_own = player.player == one.who;
        let known = cast.get(player.player)?;
        let is_taken = state.occupants.named(&known.name).is_some();
        let shown = is_there && !is_occupant && !is_own && !is_taken;
        shown.then_some((*color, player.player))
    };
    Color::ALL.iter().filter_map(is_afar).collect()
}

/// A player who was shown as being at another door is here now, perhaps by another name.
fn replace_afar(door: &Door, state: &mut State, who: PlayerId, nick: &str) {
    let cast = Arc::clone(&state.cast);
    let is_hidden = state.hides_players();
    for side in [Group::Players, Group::Watchers] {
        let Some(game) = state.group(side).game.clone() else {
            continue;
        };
        let Some(color) = game.seat_of(who) else {
            continue;
        };
        if side == Group::Watchers && is_hidden {
            continue;
        }
        let name = state.group(side).afar.get_mut(color).take();
        let is_gone = name.is_some_and(|name| folded(&name) != folded(nick));
        let Some(known) = cast.get(who).filter(|_| is_gone) else {
            continue;
        };
        let shown = Shown::afar(known, side_name(color), Standing::of_player(&game, who));
        let copies = Copies::of(&shown.gone(&cast.room, &[]));
        let others = state.occupants.iter();
        for one in others.filter(|one| Group::of(one) == side && one.who != who) {
            door.games.send_text(copies.to(&one.jid));
        }
    }
}

/// Tells the others of somebody, as they are now.
pub(super) fn announce(door: &Door, state: &State, one: &Guest) {
    for side in [Group::Players, Group::Watchers] {
        announce_to(door, state, one, side);
    }
}

/// The same, to those of a group.
pub(super) fn announce_to(door: &Door, state: &State, one: &Guest, side: Group) {
    let room = &state.cast.room;
    let others = || {
        let others = state.occupants.iter();
        let others = others.filter(|other| other.jid != one.jid && Group::of(other) == side);
        others.filter(|other| one.is_announced && state.sees(other, one))
    };
    let Some(game) = others().next().and_then(|other| state.game_of(other)) else {
        return;
    };
    let shown = Shown::of(one, &state.cast, game).called(state.name_of(one, side));
    let plain = Copies::of(&shown.here(room, None, &[]));
    let full = Copies::of(&shown.here(room, Some(&one.jid), &[]));
    for other in others() {
        let is_moderator = other.standing.role == Role::Moderator;
        let copies = if is_moderator { &full } else { &plain };
        door.games.send_text(copies.to(&other.jid));
    }
}

/// Tells a newcomer what was said, what the room is about, and how the game stands; then
/// what happened meanwhile.
async fn settle(door: &Door, hall: &Arc<Hall>, jid: &str, game: &Arc<Game>, wish: &Wish) {
    let Some(viewer) = viewer(hall, jid) else {
        return;
    };
    let history = lines::readable(door, hall, game, &viewer).await;
    let now = door.app.now();
    let state = &mut *hall.state();
    let Some(side) = state.occupants.get(jid).map(Group::of) else {
        return;
    };
    let mut game = as_seen_by(game, viewer.who, now);
    // The others may have been told of more since this one looked.
    if let Some(known) = &state.group(side).game
        && known.version() > game.version()
    {
        game = Arc::clone(known);
    }
    let cast = Arc::clone(&state.cast);
    let send = |stanza: &Element| {
        door.games.send_text(Copies::of(stanza).to(jid));
    };
    let said: Vec<Element> = history.iter().map(|said| said.stanza(&cast.room)).collect();
    let newest_first = history.iter().zip(&said).rev();
    let lengths = newest_first.map(|(said, stanza)| (said.line.at, stanza.write().len()));
    let granted = wish.grants(lengths, now);
    said[said.len() - granted..].iter().for_each(send);
    send(&subject(&cast, &game));
    let told = state::state(&cast, &game, clock_at(&game, viewer.role, now));
    send(&private(&cast, &told));
    if let Some(last) = history.last() {
        let group = state.group(side);
        group.chat = group.chat.max(Some(last.line.id));
    }
    if let Some(one) = state.occupants.get_mut(jid) {
        one.version = game.version();
        one.read = history.iter().map(|said| said.line.id).collect();
        flush(door, one);
    }
}

/// The moment whose clocks are shown: of a delayed game, as late as its moves.
pub(super) fn clock_at(game: &Game, role: Role, now: Timestamp) -> Timestamp {
    match (game.ended_at(), role) {
        (Some(ended), _) => ended,
        (None, Role::Player) => now,
        (None, _) => {
            let delay = u64::from(game.spectator_delay().0);
            Timestamp(now.0.saturating_sub(delay)).max(game.last_at())
        }
    }
}

/// What happened while they were told how things stand, and they do not know by that.
fn flush(door: &Door, one: &mut Guest) {
    for waiting in one.waiting.take().into_iter().flatten() {
        let is_read = waiting.line.is_some_and(|line| one.read.contains(&line));
        let is_known = waiting
            .version
            .is_some_and(|version| version <= one.version);
        if !is_read && !is_known {
            door.games.send_text(waiting.text);
        }
    }
}

fn viewer(hall: &Hall, jid: &str) -> Option<ViewerFacts> {
    let state = hall.state();
    let one = state.occupants.get(jid)?;
    Some(ViewerFacts {
        who: Some(one.who),
        role: one.standing.role,
    })
}

/// What the room is about: the last thing that a newcomer is told of what was.
pub(super) fn subject(cast: &Cast, game: &Game) -> Element {
    let subject = Element::core("subject").text(cast.subject(game));
    Element::core("message")
        .with("from", format!("{}/{}", cast.room, nick::ARBITER))
        .with("type", "groupchat")
        .child(subject)
}

/// Something for one of them alone.
pub(super) fn private(cast: &Cast, told: &Told) -> Element {
    let body = told.text.as_ref();
    let body = body.map(|text| Element::core("body").text(text.as_str()));
    Element::core("message")
        .with("from", format!("{}/{}", cast.room, nick::ARBITER))
        .child(told.game.clone())
        .children_of(body)
}
