//! Whether the server is alive, and whether it is ready to work.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use store::{Store, TableId};
use tokio::sync::Mutex;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::ApiError;

/// The longest the store may take to show that it works.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long an answer is good for others who ask.
const SHARED: Duration = Duration::from_secs(1);

/// `GET /health` and `GET /ready`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(ready))
}

/// How the server is.
#[derive(Serialize, ToSchema)]
struct Health {
    /// `ok`, `ready`, or `degraded`: ready, but not for all games.
    status: &'static str,
    /// `arbiter`.
    service: &'static str,
    /// Games that nobody can go on with, because what is stored of them is not
    /// what was acknowledged; the log says more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    set_aside: Vec<String>,
}

impl Health {
    fn new(status: &'static str) -> Health {
        Health {
            status,
            service: "arbiter",
            set_aside: Vec::new(),
        }
    }
}

/// As many games are named as a person wants to read of.
const NAMED_MAX: usize = 20;

/// Whether the server is alive
#[utoipa::path(get, path = "/health", tag = "operation", security(()), responses(
    (status = 200, description = "It is", body = Health)
))]
async fn health() -> Json<Health> {
    Json(Health::new("ok"))
}

/// Whether the server is ready to work: it is not stopping, and its store reads and writes
#[utoipa::path(get, path = "/ready", tag = "operation", security(()), responses(
    (status = 200, description = "It is", body = Health),
    (status = 503, description = "It is not; `detail` says why")
))]
async fn ready(State(app): State<App>) -> Result<Json<Health>, ApiError> {
    if app.games.live().is_closing() {
        return Err(not_ready("the server is stopping"));
    }
    if app.games.live().refuses_since().is_some() {
        return Err(not_ready("the store fails, and no move is accepted"));
    }
    let works = match loss(&app.store) {
        Some(why) => Err(why),
        None => app.readiness.ask(&app.store).await,
    };
    works.map_err(|why| not_ready(&why))?;
    Ok(Json(but_for(app.games.live().set_aside())))
}

/// Whether the store works. Finding out is a write, so it is done once a second
/// at most, however many ask: all of them get the same answer.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Mutex<Option<(Instant, Works)>>>);

/// Whether it does, or why not.
type Works = Result<(), String>;

impl Readiness {
    async fn ask(&self, store: &Store) -> Works {
        let mut last = Arc::clone(&self.0).lock_owned().await;
        if let Some((at, works)) = &*last
            && at.elapsed() < SHARED
        {
            return works.clone();
        }
        let store = store.clone();
        // Whoever hangs up meanwhile does not make the next one ask again.
        let asked = tokio::spawn(async move {
            let works = works(&store).await;
            *last = Some((Instant::now(), works.clone()));
            works
        });
        let panicked = || Err("the store does not answer".into());
        asked.await.unwrap_or_else(|_| panicked())
    }
}

async fn works(store: &Store) -> Works {
    match tokio::time::timeout(PATIENCE, store.ping()).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(loss(store).unwrap_or_else(|| {
            tracing::error!(%error, "not ready");
            "the store does not work".into()
        })),
        Err(_) => Err("the store does not answer".into()),
    }
}

/// What became of the store's files. It has said so in the log, with what to
/// do about it.
fn loss(store: &Store) -> Option<String> {
    let loss = store.stats().loss?;
    Some(format!("{loss}; the log says what to do"))
}

/// Ready, but for these games. A server that has a thousand others goes on with them.
fn but_for(set_aside: Vec<(TableId, String)>) -> Health {
    if set_aside.is_empty() {
        return Health::new("ready");
    }
    let named = set_aside.iter().take(NAMED_MAX);
    Health {
        set_aside: named.map(|(id, _)| id.to_string()).collect(),
        ..Health::new("degraded")
    }
}

fn not_ready(why: &str) -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", why).after(1)
}
