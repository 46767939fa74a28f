//! What is measured: `GET /metrics`, for Prometheus.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::access::{Access, MOVES};
use super::gauges::Gauges;
use crate::http::ClientAddress;
use crate::http::error::ErrorNote;
use crate::play::App;
use crate::play::move_counts::{MoveCounts, latencies};
use crate::problem::{Kind, Problem};

/// Where what is measured is shown.
pub const PATH: &str = "/metrics";
/// Those of other doors, which are rarer.
const OTHER_MOVES: [&str; 1] = ["/live/v1/games/{game_id}/moves"];

/// A refusal of a move that says no code.
const UNNAMED: &str = "other";

/// Everything that is counted while it happens; cheap to clone.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Mutex<Registry>,
    requests: Family<Answer, Counter>,
    seconds: Family<Route, Histogram, fn() -> Histogram>,
    moves: MoveCounts,
    accepted: Accepted,
    overdue: Gauge<u64, AtomicU64>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answer {
    method: String,
    route: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Route {
    method: String,
    route: String,
}

/// What an accepted move counts in the families above, found once: there are
/// thousands a second.
struct Accepted {
    requests: Counter,
    seconds: Histogram,
}

impl Accepted {
    fn of(
        requests: &Family<Answer, Counter>,
        seconds: &Family<Route, Histogram, fn() -> Histogram>,
    ) -> Accepted {
        let (method, route) = ("POST".to_owned(), MOVES.to_owned());
        Accepted {
            seconds: seconds.get_or_create_owned(&Route {
                method: method.clone(),
                route: route.clone(),
            }),
            requests: requests.get_or_create_owned(&Answer {
                method,
                route,
                status: 200,
            }),
        }
    }
}

impl Metrics {
    /// Nothing counted yet.
    pub fn new(app: &App) -> Metrics {
        let mut registry = Registry::with_prefix("arbiter");
        let requests = Family::default();
        let seconds = Family::new_with_constructor(latencies as fn() -> Histogram);
        let moves = app.move_counts.clone();
        let overdue = Gauge::<u64, AtomicU64>::default();
        registry.register(
            "http_requests",
            "Requests answered, by route and status",
            requests.clone(),
        );
        registry.register(
            "http_request_seconds",
            "Time from a request's head to its answer's head",
            seconds.clone(),
        );
        moves.register(&mut registry);
        registry.register(
            "games_overdue",
            "Running games whose deadline passed without their ending",
            overdue.clone(),
        );
        registry.register_collector(Box::new(Gauges::new(app)));
        Metrics(Arc::new(Inner {
            accepted: Accepted::of(&requests, &seconds),
            requests,
            seconds,
            moves,
            overdue,
            registry: Mutex::new(registry),
        }))
    }

    /// Counts an answer.
    pub fn answered(&self, access: &Access, response: &Response, elapsed: Duration) {
        let metrics = &*self.0;
        let path = access.route.as_str();
        let is_usual = path == MOVES;
        let is_moves = is_usual || OTHER_MOVES.contains(&path);
        let is_move = is_moves && access.method == Method::POST;
        let status = response.status();
        if is_move {
            let error = response.extensions().get::<ErrorNote>();
            let refusal = error.map_or(UNNAMED, |error| error.code);
            let refusal = (status != StatusCode::OK).then_some(refusal);
            metrics.moves.answered(refusal, elapsed);
        }
        if is_move && is_usual && status == StatusCode::OK {
            metrics.accepted.seconds.observe(elapsed.as_secs_f64());
            metrics.accepted.requests.inc();
            return;
        }
        // An unknown method is whatever a client makes up: it must not become a label.
        let method = match access.method.as_str() {
            known @ ("GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS") => known,
            _ => "other",
        };
        let route = Route {
            method: method.to_owned(),
            route: path.to_owned(),
        };
        metrics
            .seconds
            .get_or_create(&route)
            .observe(elapsed.as_secs_f64());
        let answer = Answer {
            method: route.method,
            route: route.route,
            status: status.as_u16(),
        };
        metrics.requests.get_or_create(&answer).inc();
    }

    /// Notes how many running games are past their deadline.
    pub fn overdue(&self, games: u64) {
        self.0.overdue.set(games);
    }

    /// Everything, in the text format of OpenMetrics.
    fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::new();
        let registry = self
            .0
            .registry
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        encode(&mut text, &registry)?;
        Ok(text)
    }
}

/// `GET /metrics`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// What the server measures, for Prometheus
#[utoipa::path(get, path = "/metrics", operation_id = "show_metrics",
    tag = "operation", security(()), responses(
    (status = 200, description = "OpenMetrics text", content_type = "application/openmetrics-text")
))]
async fn show(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Extension(metrics): Extension<Metrics>,
) -> Response {
    let readers = &app.settings.metrics_from;
    if !readers.is_empty() && !readers.iter().any(|network| network.contains(from)) {
        let detail = "metrics are not for this address";
        return Problem::new(Kind::Forbidden, "not_allowed", detail).into_response();
    }
    const TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    match metrics.text() {
        Ok(text) => ([(header::CONTENT_TYPE, TYPE)], text).into_response(),
        Err(_) => Problem::unavailable().into_response(),
    }
}
