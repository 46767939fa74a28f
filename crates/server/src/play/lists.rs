//! Lists of games: the lobby, a player's games.

use std::collections::HashSet;

use chess::game::Game;
use chess::rules::Variant;
use chess::table::{PlayerId, State, Table};
use chess::{Color, Timestamp};
use store::{BanKind, Cursor, ListQuery, PlayerOutcome, TableId};

use super::App;
use super::look::Sight;
use super::names::find;
use super::sight::{is_delayed, may_see};
use crate::auth::{Caller, Scope};
use crate::games::Listed;
use crate::problem::Problem;

/// The store is asked so often for one page at most. A page that is short
/// even then has a cursor like any other.
const LOOKS_MAX: u32 = 3;

/// Which games to list.
pub(crate) struct Wanted {
    pub(crate) state: Option<State>,
    /// Only games of the player of this name.
    pub(crate) player: Option<String>,
    pub(crate) variant: Option<Variant>,
    /// Of the player's games, which.
    pub(crate) only: Only,
    /// Where the page before ended.
    pub(crate) after: Option<Cursor>,
    /// Whether the oldest come first, and not the newest.
    pub(crate) oldest_first: bool,
    pub(crate) limit: u32,
}

/// Which of a player's games. What says how they came out asks for those that are over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Only {
    pub(crate) rated: Option<bool>,
    pub(crate) outcome: Option<PlayerOutcome>,
    pub(crate) color: Option<Color>,
    /// Against the player of this name.
    pub(crate) opponent: Option<String>,
    /// Made at or after this moment.
    pub(crate) since: Option<Timestamp>,
    /// Made before it.
    pub(crate) until: Option<Timestamp>,
}

/// A page of games, newest first unless it is asked for otherwise.
pub(crate) struct Page {
    pub(crate) games: Vec<Sight>,
    /// Where the next one begins; `None`: this was the last.
    pub(crate) next: Option<Cursor>,
}

/// Lists games, of those that the caller may know of.
///
/// # Errors
/// `not_found`: nobody has that name.
pub(crate) async fn page(
    app: &App,
    caller: Option<&Caller>,
    wanted: Wanted,
) -> Result<Page, Problem> {
    let player = find(app, "player", wanted.player.as_slice()).await?.pop();
    let only = wanted.only;
    let other = find(app, "opponent", only.opponent.as_slice()).await?.pop();
    let viewer = caller.map(Caller::number);
    let limit = wanted.limit;
    let mut query = ListQuery {
        kind: Some(Game::KIND),
        // How a game came out is known of those that are known to be over.
        state: wanted.state.or(only.outcome.map(|_| State::Completed)),
        outcome: only.outcome,
        color: only.color,
        other: other.map(|person| person.number),
        rated: only.rated,
        since: only.since,
        until: only.until,
        player: player.map(|person| person.number),
        variant: wanted.variant.map(|variant| variant.name().to_owned()),
        viewer,
        everything: caller.is_some_and(|c| c.scopes.contains(Scope::Admin)),
        known_at: Some(app.now()),
        after: wanted.after,
        oldest_first: wanted.oldest_first,
        limit,
        ..ListQuery::default()
    };
    let mut games = Vec::new();
    // The store leaves out what the caller may not know. What is left out here
    // changed since it was asked, is damaged, or has a row that does not say yet
    // how far spectators are behind: a second look fills the page.
    for _ in 0..LOOKS_MAX {
        query.limit = limit - games.len() as u32;
        let found = app.games.list(query.clone()).await?;
        let is_all = (found.len() as u32) < query.limit;
        let removed = removed_from(app, caller, &found).await?;
        for Listed {
            place,
            game,
            join_code,
        } in found
        {
            query.after = Some(place);
            let Some(game) = game else { continue };
            let sight = Sight {
                join_code,
                ..Sight::of(app, place.table, &game, viewer)
            };
            if may_see(&game, caller)
                && !removed.contains(&place.table)
                && is_listed(&sight.game, viewer, query.state)
            {
                games.push(sight);
            }
        }
        if is_all {
            query.after = None;
        }
        if is_all || games.len() as u32 == limit {
            break;
        }
    }
    let next = query.after;
    Ok(Page { games, next })
}

/// Those of the games that are not there for the caller because they were removed from
/// the room; the rule is that of [`may_see_it`](super::sight::may_see_it). The store is
/// asked once for all of them: to open each room would read what was said there.
async fn removed_from(
    app: &App,
    caller: Option<&Caller>,
    found: &[Listed],
) -> Result<HashSet<TableId>, Problem> {
    let Some(who) = caller.map(Caller::number) else {
        return Ok(HashSet::new());
    };
    let is_in_question =
        |game: &Game| may_see(game, caller) && !game.terms().is_public() && !game.is_player(who);
    let in_question = found
        .iter()
        .filter(|listed| listed.game.as_deref().is_some_and(is_in_question));
    let tables: Vec<TableId> = in_question.map(|listed| listed.place.table).collect();
    if tables.is_empty() {
        return Ok(HashSet::new());
    }
    let bans = app.store.bans_at(&tables, who).await?.into_iter();
    let removals = bans.filter(|ban| ban.kind == BanKind::Removed);
    Ok(removals.map(|ban| ban.table).collect())
}

/// Whether a game that has a certain state is shown under it. One with a
/// spectator delay is found among the finished once its spectators know that it
/// is, and not among the running: that it left these would tell.
fn is_listed(seen: &Game, viewer: Option<PlayerId>, state: Option<State>) -> bool {
    let is_delayed = is_delayed(seen, viewer);
    match state {
        Some(state @ (State::Waiting | State::Completed)) if is_delayed => seen.state() == state,
        Some(_) => !is_delayed,
        None => true,
    }
}
