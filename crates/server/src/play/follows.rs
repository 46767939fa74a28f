//! Whose games somebody wants to hear of.

use std::collections::HashMap;
use std::sync::Arc;

use chess::Timestamp;
use chess::game::Game;
use chess::table::{PlayerId, State, Table};
use store::TableId;

use super::App;
use super::blocks::{one, other_than};
use super::sight::is_delayed;
use crate::auth::{Caller, Person, Scope};
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// So many may somebody follow.
pub(crate) const FOLLOWS_MAX: usize = 500;

/// Somebody who is followed.
pub(crate) struct Followed {
    pub(crate) person: Arc<Person>,
    pub(crate) since: Timestamp,
    /// Whether a stream of theirs is open, at any node.
    pub(crate) is_online: bool,
    /// The newest of the games that they play and anybody may see as it is.
    pub(crate) plays: Option<TableId>,
}

/// Whom the caller follows, in the order of their ids.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub(crate) async fn list(app: &App, caller: &Caller) -> Result<Vec<Followed>, Problem> {
    let follows = app.store.follows_of(caller.number()).await?;
    let players: Vec<PlayerId> = follows.iter().map(|(player, _)| *player).collect();
    let mut people = app.auth.people(&players).await?;
    let online = app.rooms.online(&players).await;
    let mut plays = playing(app, &players).await?;
    let found = follows.into_iter().filter_map(|(player, since)| {
        Some(Followed {
            person: people.remove(&player)?,
            since,
            is_online: online.contains(&player),
            plays: plays.remove(&player),
        })
    });
    let mut found: Vec<Followed> = found.collect();
    found.sort_by(|one, other| one.person.id.cmp(&other.person.id));
    Ok(found)
}

/// What these play that anybody may see as it is.
///
/// # Errors
/// `unavailable` if the store cannot say.
pub(crate) async fn playing(
    app: &App,
    players: &[PlayerId],
) -> Result<HashMap<PlayerId, TableId>, Problem> {
    let mut plays = HashMap::new();
    for (player, id) in app.store.playing(players).await? {
        // What lists cannot know: rooms that are for the server's members alone.
        if let Ok(game) = app.games.read(id, None).await
            && is_open(&game)
        {
            plays.insert(player, id);
        }
    }
    Ok(plays)
}

/// Whether those who follow its players may hear of a game.
pub(crate) fn is_open(game: &Game) -> bool {
    game.terms().is_public()
        && !is_delayed(game, None)
        && matches!(game.state(), State::Active | State::Paused)
}

/// Follows somebody; that they are followed already is as good.
///
/// # Errors
/// `missing_scope`, `rate_limited`, `not_found`; `not_allowed`: nobody follows themselves;
/// `bad_request`: too many.
pub(crate) async fn add(app: &App, caller: &Caller, name: &str) -> Result<(), Problem> {
    may(app, caller)?;
    let followed = other_than(caller, &*one(app, name).await?)?;
    if app.store.follows_of(caller.number()).await?.len() >= FOLLOWS_MAX {
        let detail = format!("name: at most {FOLLOWS_MAX} players can be followed");
        return Err(Problem::bad_request(detail).with("field", "name"));
    }
    let now = app.wall();
    app.store.follow(caller.number(), followed, now).await?;
    // The caller's streams hear of those whom they follow now.
    app.auth.forget_person(caller.number());
    Ok(())
}

/// Follows them no longer.
///
/// # Errors
/// As [`add`].
pub(crate) async fn remove(app: &App, caller: &Caller, name: &str) -> Result<(), Problem> {
    may(app, caller)?;
    let followed = one(app, name).await?.number;
    app.store.unfollow(caller.number(), followed).await?;
    app.auth.forget_person(caller.number());
    Ok(())
}

fn may(app: &App, caller: &Caller) -> Result<(), Problem> {
    caller.require(Scope::Play)?;
    app.rates.check(Rate::Command, caller.number())
}
