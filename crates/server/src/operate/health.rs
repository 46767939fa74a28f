//! Whether the server is alive, and whether it is ready to work.

use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
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
    /// `ok` or `ready`.
    status: &'static str,
    /// `arbiter`.
    service: &'static str,
}

/// Whether the server is alive
#[utoipa::path(get, path = "/health", tag = "operation", security(()), responses(
    (status = 200, description = "It is", body = Health)
))]
async fn health() -> Json<Health> {
    Json(Health {
        status: "ok",
        service: "arbiter",
    })
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
    match tokio::time::timeout(PATIENCE, app.store.ping()).await {
        Ok(Ok(())) => Ok(Json(Health {
            status: "ready",
            service: "arbiter",
        })),
        Ok(Err(error)) => {
            tracing::error!(%error, "not ready");
            Err(not_ready("the store does not work"))
        }
        Err(_) => Err(not_ready("the store does not answer")),
    }
}

fn not_ready(why: &str) -> ApiError {
    ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", why).after(1)
}
