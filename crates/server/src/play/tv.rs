//! The liveliest public games.

use std::cmp::Reverse;
use std::sync::Arc;

use chess::game::Game;
use chess::table::{State, Table};
use chess::{Millis, Timestamp};
use store::{ListQuery, TableId};
use tokio::sync::Mutex;

use super::App;
use super::look::Sight;
use super::presence::player_here;
use crate::games::Listed;
use crate::problem::Problem;

/// Games that are shown at most.
pub(crate) const SHOWN_MAX: usize = 20;

/// Of so many games, those begun last, the liveliest are chosen.
const CANDIDATES_MAX: u32 = 200;

/// How long a choice is good for.
const FRESH: Millis = Millis::from_secs(1);

/// What was chosen last, as a door shows it: however many ask, games are
/// looked through once a second.
pub(crate) struct Programme<V>(Mutex<Option<Chosen<V>>>);

/// What was chosen, and when.
struct Chosen<V> {
    at: Timestamp,
    games: Vec<V>,
    showing: Option<Showing>,
}

impl<V: Clone> Chosen<V> {
    fn first(&self, limit: usize) -> (Option<TableId>, Vec<V>) {
        let games = self.games.iter().take(limit).cloned();
        (self.showing.map(|showing| showing.id), games.collect())
    }
}

impl<V> Default for Programme<V> {
    fn default() -> Programme<V> {
        Programme(Mutex::default())
    }
}

impl<V: Clone> Programme<V> {
    /// The game to be shown large, if there is one that is worth it, and the liveliest: that
    /// one first, at most so many and at most a second old.
    pub(crate) async fn games<F>(
        &self,
        app: &App,
        limit: usize,
        view: impl Fn(Sight) -> F,
    ) -> Result<(Option<TableId>, Vec<V>), Problem>
    where
        F: Future<Output = Result<V, Problem>>,
    {
        let mut chosen = self.0.lock().await;
        let now = app.now();
        if let Some(chosen) = chosen.as_ref().filter(|it| now.since(it.at) < FRESH) {
            return Ok(chosen.first(limit));
        }
        let mut sights = running(app).await?;
        let candidates: Vec<Candidate> = sights
            .iter()
            .map(|sight| Candidate::of(app, sight, now))
            .collect();
        let before = chosen.as_ref().and_then(|chosen| chosen.showing);
        let showing = featured(&candidates, before, now);
        if let Some(showing) = showing {
            // Stable: the others stay in their order.
            sights.sort_by_key(|sight| sight.id != showing.id);
        }
        let mut games = Vec::with_capacity(SHOWN_MAX);
        for sight in sights.into_iter().take(SHOWN_MAX) {
            games.push(view(sight).await?);
        }
        let now_chosen = chosen.insert(Chosen {
            at: now,
            games,
            showing,
        });
        Ok(now_chosen.first(limit))
    }
}

/// Games that run and that anybody may see as they are, the liveliest of the newest
/// first. All of them are looked at: ask seldom.
///
/// # Errors
/// `unavailable`: the store cannot say.
pub(crate) async fn running(app: &App) -> Result<Vec<Sight>, Problem> {
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(State::Active),
        known_at: Some(app.now()),
        limit: CANDIDATES_MAX,
        ..ListQuery::default()
    };
    let mut games = Vec::new();
    for Listed { place, game, .. } in app.games.list(query).await? {
        let is_shown = |game: &Arc<Game>| is_public(game) && game.state() == State::Active;
        games.extend(game.filter(is_shown).map(|game| (place.table, game)));
    }
    games.sort_by_key(|(id, game)| liveliest(*id, game));
    let games = games.iter();
    Ok(games
        .map(|(id, game)| Sight::whole(app, *id, game, None))
        .collect())
}

/// What runs, at most a second old: however many ask, it is looked through once.
#[derive(Default)]
pub(crate) struct Guide(Mutex<Option<(Timestamp, Arc<Vec<Sight>>)>>);

impl Guide {
    /// The games of [`running`].
    ///
    /// # Errors
    /// As there.
    pub(crate) async fn games(&self, app: &App) -> Result<Arc<Vec<Sight>>, Problem> {
        let mut known = self.0.lock().await;
        let now = app.now();
        if let Some((at, games)) = &*known
            && now.since(*at) < FRESH
        {
            return Ok(Arc::clone(games));
        }
        let games = Arc::new(running(app).await?);
        *known = Some((now, Arc::clone(&games)));
        Ok(games)
    }
}

fn is_public(game: &Game) -> bool {
    game.terms().is_public() && game.terms().spectator_delay == 0
}

fn liveliest(id: TableId, game: &Game) -> impl Ord + use<> {
    let latest = game.last_move_at().or(game.started_at());
    let is_real_time = game.terms().control.is_real_time();
    (Reverse(is_real_time), Reverse(latest), id)
}

/// How long a game is shown at least before a livelier one takes its place.
const SHOWN_FOR: Millis = Millis::from_secs(20);
/// By so many points another must be better: two that are alike do not take turns.
const BETTER_BY: i64 = 250;
/// What a move just made is worth, in points of rating; less and less as time goes by.
const FRESH_MOVE: i64 = 400;
/// What is lost by a bot of the server's own, and by days per move: people who play now
/// come first.
const BOT: i64 = 300;
const SLOW: i64 = 2_000;
/// A player of whom nothing is known.
const UNRATED: u16 = 1_200;

/// The game that is shown large, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Showing {
    id: TableId,
    since: Timestamp,
}

/// What the choice of a game to be shown depends on.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    id: TableId,
    /// Half-moves.
    ply: u32,
    /// How long ago the last of them was.
    idle: Millis,
    /// Within that long a move is expected.
    pace: Millis,
    is_slow: bool,
    are_here: bool,
    has_own_bot: bool,
    /// The mean of both.
    rating: u16,
}

impl Candidate {
    fn of(app: &App, sight: &Sight, now: Timestamp) -> Candidate {
        let game: &Game = &sight.game;
        let players = || game.seats().iter().flatten().copied();
        let is_own = |player| app.rooms.residents().has(player);
        let is_here = |player| is_own(player) || player_here(app, sight.id, game, player).is_online;
        let known = game.start_ratings();
        let points = [known.white, known.black];
        let points = points.map(|known| known.map_or(UNRATED, |known| known.points));
        let latest = game.last_move_at().or(game.started_at());
        let control = &game.terms().control;
        Candidate {
            id: sight.id,
            ply: game.ply(),
            idle: latest.map_or(Millis::ZERO, |latest| now.since(latest)),
            pace: control.speed().grace().unwrap_or(Millis::from_secs(600)),
            is_slow: !control.is_real_time(),
            are_here: players().all(is_here),
            has_own_bot: players().any(is_own),
            rating: points[0].midpoint(points[1]),
        }
    }

    /// How much it is worth to be shown; `None`: not at all. Both sides have moved, and
    /// both players are there.
    fn worth(&self) -> Option<i64> {
        if self.ply < 2 || !self.are_here {
            return None;
        }
        let (idle, pace) = (i64::from(self.idle.0), i64::from(self.pace.0).max(1));
        let fresh = FRESH_MOVE * (2 * pace - idle).max(0) / (2 * pace);
        let bot = if self.has_own_bot { BOT } else { 0 };
        let slow = if self.is_slow { SLOW } else { 0 };
        Some(i64::from(self.rating) + fresh - bot - slow)
    }
}

/// The game to be shown large: the one that is shown, unless it is worth nothing any more
/// or another is clearly better after a while.
fn featured(candidates: &[Candidate], showing: Option<Showing>, now: Timestamp) -> Option<Showing> {
    let worth = |candidate: &Candidate| Some((candidate.worth()?, candidate.id));
    let best = candidates.iter().filter_map(worth);
    let (most, best) = best.max_by_key(|(worth, id)| (*worth, Reverse(*id)))?;
    let current = showing.and_then(|showing| {
        let shown = candidates.iter().find(|it| it.id == showing.id)?;
        Some((showing, shown.worth()?))
    });
    match current {
        Some((showing, worth))
            if now.since(showing.since) < SHOWN_FOR || most < worth + BETTER_BY =>
        {
            Some(showing)
        }
        _ => Some(Showing {
            id: best,
            since: now,
        }),
    }
}

#[cfg(test)]
mod tests;
