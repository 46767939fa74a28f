//! Finished games, for whoever takes all of them with them.
//!
//! They come in the order in which everybody may know that they are over. What ends now
//! may be written in a moment, and be behind what was told already: so the last minute
//! is left out, and whoever goes on from where they ended misses nothing.

use std::net::IpAddr;
use std::sync::Arc;

use chess::game::Game;
use chess::{Millis, Timestamp};
use store::{Finished, FinishedPlace, FinishedQuery};
use tokio::task::spawn_blocking;

use super::App;
use super::look::Sight;
use super::names::find;
use super::sight::may_see;
use crate::auth::Caller;
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// Longer than it takes to write an ending, wherever it was decided.
const SETTLED: Millis = Millis::from_secs(60);

/// Which games are wanted.
pub(crate) struct Wanted {
    /// Known to be over since then.
    pub(crate) since: Timestamp,
    /// Only those of the player of this name.
    pub(crate) player: Option<String>,
    /// Where the page before ended.
    pub(crate) after: Option<FinishedPlace>,
    pub(crate) limit: u32,
}

/// A page of them.
pub(crate) struct Page {
    pub(crate) games: Vec<(FinishedPlace, Sight)>,
    /// Where it ended; `None`: there was nothing.
    pub(crate) end: Option<FinishedPlace>,
    /// Whether there are more already.
    pub(crate) has_more: bool,
}

/// A page of finished public games, oldest first.
///
/// # Errors
/// `rate_limited`; `not_found`: nobody has that name; `unavailable`.
pub(crate) async fn page(
    app: &App,
    caller: Option<&Caller>,
    from: IpAddr,
    wanted: Wanted,
) -> Result<Page, Problem> {
    match caller {
        Some(caller) => app.rates.check(Rate::Export, caller.number())?,
        None => app.rates.check(Rate::Export, from)?,
    }
    let player = find(app, "player", wanted.player.as_slice()).await?.pop();
    let until = app.now().0.saturating_sub(SETTLED.0.into());
    let query = FinishedQuery {
        kind: Game::KIND,
        player: player.map(|person| person.number),
        since: wanted.since,
        until: Timestamp(until),
        after: wanted.after,
        limit: wanted.limit,
    };
    let found = app.store.finished(query).await?;
    let has_more = found.len() as u32 == wanted.limit;
    let end = found.last().map(|last| last.place);
    // Setting up hundreds of games takes a while: nobody else is to wait for it.
    let turn = app.replays.turn().await?;
    let games = spawn_blocking(move || {
        let _turn = turn;
        found.into_iter().filter_map(restored).collect::<Vec<_>>()
    });
    let games = games.await.map_err(|_| Problem::unavailable())?.into_iter();
    let games = games.filter(|(_, game)| may_see(game, None));
    let seen = games.map(|(place, game)| (place, Sight::of(app, place.table, &game, None)));
    Ok(Page {
        games: seen.collect(),
        end,
        has_more,
    })
}

/// One damaged game does not keep the others.
fn restored(found: Finished) -> Option<(FinishedPlace, Arc<Game>)> {
    let Finished { place, stored } = found;
    let game = match stored {
        Ok(stored) => Game::decode(&stored.history).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    match game {
        Ok(game) => Some((place, Arc::new(game))),
        Err(why) => {
            tracing::error!(game = %place.table, why, "a game cannot be exported");
            None
        }
    }
}
