//! Whether the server is alive, and whether it is ready to work.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use store::TableId;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::play::App;
use crate::play::readiness::loss;
use crate::problem::{Kind, Problem};

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
async fn ready(State(app): State<App>) -> Result<Json<Health>, Problem> {
    if app.games.live().is_closing() {
        return Err(not_ready("the server is stopping"));
    }
    if app.games.live().refuses_since().is_some() {
        return Err(not_ready("the store fails, and no move is accepted"));
    }
    if !app.games.live().is_current() {
        return Err(not_ready(
            "the store does not answer, or the time is uncertain",
        ));
    }
    let mut down = app.tasks.down();
    down.extend(
        app.store
            .stats()
            .is_checkpointer_down
            .then_some("checkpoints"),
    );
    if !down.is_empty() {
        let down = down.join(", ");
        return Err(not_ready(&format!(
            "failed, and being started again: {down}"
        )));
    }
    let works = match loss(&app.store) {
        Some(why) => Err(why),
        None => app.readiness.ask(&app.store).await,
    };
    works.map_err(|why| not_ready(&why))?;
    Ok(Json(but_for(app.games.live().set_aside())))
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

fn not_ready(why: &str) -> Problem {
    Problem::new(Kind::Unavailable, "unavailable", why).after(1)
}
