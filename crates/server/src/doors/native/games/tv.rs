//! The liveliest public games.

use std::cmp::Reverse;
use std::sync::Arc;

use axum::extract::State;
use axum::{Extension, Json};
use chess::game::Game;
use chess::table::Table;
use chess::{Millis, Timestamp};
use serde::{Deserialize, Serialize};
use store::{ListQuery, TableId};
use tokio::sync::Mutex;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::shown;
use super::view::GameView;
use crate::http::MaybeCaller;
use crate::http::Query;
use crate::play::App;
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    let programme = Extension(Arc::new(Programme::default()));
    OpenApiRouter::new().routes(routes!(tv)).layer(programme)
}

/// Games that are shown at most.
const SHOWN_MAX: usize = 20;

/// Of so many games, those begun last, the liveliest are chosen.
const CANDIDATES_MAX: u32 = 200;

/// How long a choice is good for.
const FRESH: Millis = Millis::from_secs(1);

/// What was chosen last, so that however many ask, games are looked through
/// once a second.
#[derive(Default)]
struct Programme(Mutex<Option<(Timestamp, Vec<GameView>)>>);

/// How much to show.
#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// How many, 1 to 20; 10 if left out.
    limit: Option<usize>,
}

/// Games worth watching.
#[derive(Debug, Serialize, ToSchema)]
struct Broadcast {
    /// The liveliest first.
    games: Vec<GameView>,
}

/// Watch the liveliest games
///
/// Public games that are being played: those with a running clock first, the
/// latest move first. At most a second old. A game with a spectator delay is not
/// among them: that it left would tell that it is over.
#[utoipa::path(
    get,
    path = "/v1/tv",
    tag = "games",
    params(Filter),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The games", body = Broadcast),
        (status = 400, description = "`bad_request`: the limit is not 1 to 20"),
    ),
)]
async fn tv(
    State(app): State<App>,
    Extension(programme): Extension<Arc<Programme>>,
    MaybeCaller(_): MaybeCaller,
    Query(filter): Query<Filter>,
) -> Result<Json<Broadcast>, Problem> {
    let limit = filter.limit.unwrap_or(10);
    if !(1..=SHOWN_MAX).contains(&limit) {
        return Err(Problem::bad_request("limit must be from 1 to 20").with("field", "limit"));
    }
    let mut chosen = programme.0.lock().await;
    let now = app.now();
    if let Some((at, games)) = &*chosen
        && now.since(*at) < FRESH
    {
        let games = games.iter().take(limit).cloned().collect();
        return Ok(Json(Broadcast { games }));
    }
    let games = choose(&app).await?;
    let answer = games.iter().take(limit).cloned().collect();
    *chosen = Some((now, games));
    Ok(Json(Broadcast { games: answer }))
}

async fn choose(app: &App) -> Result<Vec<GameView>, Problem> {
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some("ACTIVE".to_owned()),
        known_at: Some(app.now()),
        limit: CANDIDATES_MAX,
        ..ListQuery::default()
    };
    let mut games = Vec::new();
    for place in app.store.list(query).await? {
        let game = app.games.listed(place.table, None).await?;
        let is_shown = |game: &Arc<Game>| is_public(game) && game.state() == "ACTIVE";
        games.extend(game.filter(is_shown).map(|game| (place.table, game)));
    }
    games.sort_by_key(|(id, game)| liveliest(*id, game));
    let mut views = Vec::with_capacity(SHOWN_MAX);
    for (id, game) in games.iter().take(SHOWN_MAX) {
        views.push(shown(app, *id, game, None).view().await?);
    }
    Ok(views)
}

fn is_public(game: &Game) -> bool {
    !game.terms().private && game.terms().spectator_delay == 0
}

fn liveliest(id: TableId, game: &Game) -> impl Ord + use<> {
    let latest = game.last_move_at().or(game.started_at());
    let is_real_time = game.terms().control.is_real_time();
    (Reverse(is_real_time), Reverse(latest), id)
}
