//! How the server is doing, for people.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::play::App;
use crate::play::figures::{EVERY, Figure};
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// How this node is doing, and was for the last ten minutes.
#[derive(Serialize, ToSchema)]
#[schema(as = Figures)]
struct FiguresView {
    /// What this node is called.
    node: String,
    /// So far apart are the looks.
    every_seconds: u64,
    /// The last one; `null` in the first seconds.
    latest: Option<FigureView>,
    /// All that are kept, oldest first.
    history: Vec<FigureView>,
}

/// One look: what stands, and what happened since the look before.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Figure)]
struct FigureView {
    #[schema(format = DateTime)]
    at: String,
    /// Games in memory.
    games: usize,
    /// Games with a clock that runs out soon.
    games_timed: usize,
    moves_per_second: f64,
    /// Changes of games of any kind.
    changes_per_second: f64,
    /// Half of the moves took no longer to be durable.
    move_p50_ms: Option<f64>,
    /// All but one of a hundred.
    move_p99_ms: Option<f64>,
    /// The same of commits.
    commit_p50_ms: Option<f64>,
    commit_p99_ms: Option<f64>,
    connections: usize,
    /// Sockets and event streams.
    streams: usize,
    nodes: usize,
    /// Players who wait to be paired, at all nodes.
    tickets_waiting: usize,
    /// Writes that wait.
    store_waiting: usize,
    /// Positions that wait for an engine.
    bot_questions_waiting: usize,
    /// Deliveries to webhooks, at all nodes.
    deliveries_waiting: u64,
    /// How long the oldest notification that is due has waited.
    notifications_waiting_seconds: f64,
    memory_bytes: Option<u64>,
    /// Of one processor.
    cpu_percent: Option<f64>,
}

impl FigureView {
    fn of(figure: &Figure) -> FigureView {
        let levels = figure.levels;
        let (move_ms, commit_ms) = (figure.move_ms, figure.commit_ms);
        FigureView {
            at: rfc3339(figure.at),
            games: levels.games,
            games_timed: levels.games_timed,
            moves_per_second: figure.moves_per_second,
            changes_per_second: figure.changes_per_second,
            move_p50_ms: move_ms.map(|(half, _)| half),
            move_p99_ms: move_ms.map(|(_, most)| most),
            commit_p50_ms: commit_ms.map(|(half, _)| half),
            commit_p99_ms: commit_ms.map(|(_, most)| most),
            connections: levels.connections,
            streams: levels.streams,
            nodes: levels.nodes,
            tickets_waiting: levels.tickets_waiting,
            store_waiting: levels.store_waiting,
            bot_questions_waiting: levels.bot_questions_waiting,
            deliveries_waiting: levels.deliveries_waiting,
            notifications_waiting_seconds: levels.notifications_waiting_ms as f64 / 1000.0,
            memory_bytes: levels.memory_bytes,
            cpu_percent: figure.cpu_percent,
        }
    }
}

/// How the server is doing: now, and for the last ten minutes
///
/// Of this node, since its start. `/metrics` has more, for Prometheus.
#[utoipa::path(get, path = "/v1/admin/figures", operation_id = "admin_figures",
    responses((status = 200, description = "The figures", body = FiguresView)))]
async fn show(operator: Operator) -> Json<FiguresView> {
    let figures = &operator.app().figures;
    let history: Vec<FigureView> = figures.seen().iter().map(FigureView::of).collect();
    Json(FiguresView {
        node: figures.node.clone(),
        every_seconds: EVERY.as_secs(),
        latest: history.last().cloned(),
        history,
    })
}
