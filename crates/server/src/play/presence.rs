//! Who is at a game: its players, from when a win may be claimed, and who
//! watches. What somebody may know of it is decided here.

use std::sync::Arc;

use chess::game::Game;
use chess::table::{PlayerId, State, Table};
use chess::{ByColor, Millis};
use live::Seen;
use store::TableId;

use super::App;
use super::room::is_shown;
use crate::auth::Person;
use crate::rooms::here::{Audience, PlayerHere, Presence};
use crate::rooms::others::merged;

/// A player without a stream who has asked for nothing for that long may be
/// gone: that is soon enough to tell their opponent when it will count, and
/// late enough to say nothing of one who plays by requests alone.
const SILENCE: Millis = Millis::from_secs(3);

/// As many observers are named.
const NAMED_MAX: usize = 50;

/// Who is here now.
pub(crate) fn of(app: &App, id: TableId, game: &Game) -> Presence {
    let here = |player: &Option<PlayerId>| player.map(|player| player_here(app, id, game, player));
    Presence(ByColor {
        white: here(&game.seats().white),
        black: here(&game.seats().black),
    })
}

/// Who is here, as somebody may know it who sees the game like this. Whoever
/// watches with a delay knows who plays and nothing more until they know that
/// the game is over: a coming, a going, and a claim that is no longer to be
/// made would each tell what has just happened.
pub(crate) fn seen_by(app: &App, id: TableId, seen: &Game, viewer: Option<PlayerId>) -> Presence {
    let plays = viewer.is_some_and(|viewer| seen.is_player(viewer));
    if plays || seen.spectator_delay() == Millis::ZERO || seen.ending().is_some() {
        return of(app, id, seen);
    }
    let plays = |player: &Option<PlayerId>| player.map(PlayerHere::unwatched);
    Presence(ByColor {
        white: plays(&seen.seats().white),
        black: plays(&seen.seats().black),
    })
}

/// Present with a stream, or within the grace of the game's speed after a
/// request; in correspondence nobody is ever gone. Whoever closed their last
/// stream, or asks for nothing any more, may be back soon: the opponent learns
/// from the start from when it counts.
pub(crate) fn player_here(app: &App, id: TableId, game: &Game, player: PlayerId) -> PlayerHere {
    let nobody_knows = PlayerHere::unwatched(player);
    let Some(grace) = game.terms().control.speed().grace() else {
        return nobody_knows;
    };
    let Some(seen) = seen(app, id, player) else {
        return PlayerHere {
            is_online: app.rooms.all().is_here(id, player),
            ..nobody_knows
        };
    };
    let now = app.now();
    let is_online = seen.is_streaming || now.since(seen.request) < grace;
    let is_silent = seen.last > seen.request || now.since(seen.last) >= SILENCE;
    let has_left = !seen.is_streaming && is_silent;
    let may_be_claimed = has_left && game.state() == State::Active;
    PlayerHere {
        player,
        is_online,
        claim_at: may_be_claimed.then(|| seen.last + grace),
    }
}

/// What is known of a player's presence, here and from other nodes.
fn seen(app: &App, id: TableId, player: PlayerId) -> Option<Seen> {
    let here = app.games.seen(id, player);
    let elsewhere = app.rooms.seen_elsewhere(id, player);
    here.into_iter().chain(elsewhere).reduce(merged)
}

/// Those who watch, as somebody may know it who sees the game like this: of
/// those who agreed to be seen, all or none.
pub(crate) fn audience(
    app: &App,
    id: TableId,
    seen: &Game,
    is_player: bool,
    observers: &[Arc<Person>],
) -> Audience {
    let is_undelayed = !is_player && seen.spectator_delay() == Millis::ZERO;
    let is_told = seen.ending().is_some() || is_undelayed;
    Audience {
        spectators: app.rooms.all().watchers(id) + app.rooms.watchers_elsewhere(id).0,
        observers: is_told.then(|| observers.to_vec()),
    }
}

/// Those at a game who agreed to be seen, and still do.
pub(crate) async fn observers(
    app: &App,
    id: TableId,
    game: &Game,
) -> Result<Vec<Arc<Person>>, store::Error> {
    let mut numbers = app.rooms.all().shown(id, NAMED_MAX);
    numbers.extend(app.rooms.watchers_elsewhere(id).1);
    numbers.sort_unstable();
    numbers.dedup();
    numbers.truncate(NAMED_MAX);
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    let people = app.auth.people(&numbers).await?;
    let people = numbers.iter().filter_map(|number| people.get(number));
    let agree = people.filter(|person| is_shown(game, person) && !person.deleted);
    Ok(agree.cloned().collect())
}
