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
pub(crate) struct Programme<V>(Mutex<Option<(Timestamp, Vec<V>)>>);

impl<V> Default for Programme<V> {
    fn default() -> Programme<V> {
        Programme(Mutex::default())
    }
}

impl<V: Clone> Programme<V> {
    /// The liveliest games first, at most so many and at most a second old.
    pub(crate) async fn games<F>(
        &self,
        app: &App,
        limit: usize,
        view: impl Fn(Sight) -> F,
    ) -> Result<Vec<V>, Problem>
    where
        F: Future<Output = Result<V, Problem>>,
    {
        let mut chosen = self.0.lock().await;
        let now = app.now();
        if let Some((at, games)) = &*chosen
            && now.since(*at) < FRESH
        {
            return Ok(games.iter().take(limit).cloned().collect());
        }
        let mut views = Vec::with_capacity(SHOWN_MAX);
        for sight in choose(app).await? {
            views.push(view(sight).await?);
        }
        let games = views.iter().take(limit).cloned().collect();
        *chosen = Some((now, views));
        Ok(games)
    }
}

async fn choose(app: &App) -> Result<Vec<Sight>, Problem> {
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
    let shown = games.iter().take(SHOWN_MAX);
    Ok(shown
        .map(|(id, game)| Sight::whole(app, *id, game, None))
        .collect())
}

fn is_public(game: &Game) -> bool {
    game.terms().is_public() && game.terms().spectator_delay == 0
}

fn liveliest(id: TableId, game: &Game) -> impl Ord + use<> {
    let latest = game.last_move_at().or(game.started_at());
    let is_real_time = game.terms().control.is_real_time();
    (Reverse(is_real_time), Reverse(latest), id)
}
