//! Whether the server is alive, and whether it is ready to work.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::http::ApiError;

/// The longest the store may take to show that it works.
const PATIENCE: Duration = Duration::from_secs(5);

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
    match tokio::time::timeout(PATIENCE, app.store.ping()).await {
        Ok(Ok(())) => Ok(Json(but_for(app.games.live().set_aside()))),
        Ok(Err(error)) => {
            // The store has said so in the log, with what to do about it.
            if let Some(loss) = app.store.stats().loss {
                return Err(not_ready(&format!("{loss}; the log says what to do")));
            }
            tracing::error!(%error, "not ready");
            Err(not_ready("the store does not work"))
        }
        Err(_) => Err(not_ready("the store does not answer")),
    }
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
