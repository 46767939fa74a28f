//! Long work: a backup, a check of every game.
//!
//! Backups are written by the server to a path of its own machine, so only
//! the operator at its console may ask for one.

use std::path::PathBuf;

use axum::Json;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use super::lines::lines;
use crate::admin::check::{self, Place};
use crate::http::{Body, Query};
use crate::play::App;
use crate::problem::Problem;

/// Games, or other rows, checked in one call.
const CHECKED_MAX: u32 = 1_000;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(backup))
        .routes(routes!(look))
}

/// Where to.
#[derive(Deserialize, ToSchema)]
struct Target {
    /// An absolute path on the server's machine, where no file is yet.
    #[schema(value_type = String)]
    path: PathBuf,
}

/// Write a backup; told line by line how far it is. Only at the server's console
///
/// Whoever hangs up calls it off; nothing is left of it then.
#[utoipa::path(post, path = "/v1/admin/backup", request_body = Target,
    responses((status = 200, content_type = "application/x-ndjson",
        description = "`{done, total}` lines, then `{ok: true}` or `{error, detail}`")))]
async fn backup(operator: Operator, Body(target): Body<Target>) -> Result<Response, Problem> {
    operator.at_console()?;
    let app = operator.app().clone();
    absolute(&target.path)?;
    let shown = target.path.display().to_string();
    operator.audit("backup", &shown, String::new()).await?;
    let (lines, response) = lines("application/x-ndjson");
    spawn_blocking(move || {
        // Called off when its operator hangs up, and when the server stops.
        let go_on = |done, total| {
            let line = json!({ "done": done, "total": total });
            lines.tell(format!("{line}\n")) && !app.games.live().is_closing()
        };
        let end = match app.store.backup_while(&target.path, go_on) {
            Ok(()) => json!({ "ok": true }),
            Err(error) => json!({ "error": "unavailable", "detail": error.to_string() }),
        };
        lines.tell_json(&end);
    });
    Ok(response)
}

/// Where to begin.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Page {
    /// The `next` of the page before, or a game's id: begin after that game.
    after: Option<String>,
    /// At most so many: up to 1,000.
    limit: Option<u32>,
}

/// What was found.
#[derive(Serialize, ToSchema)]
struct Checked {
    /// Games looked at.
    checked: u64,
    /// What is not as it should be.
    differences: Vec<Wrong>,
    /// Where to go on; `null`: that was all.
    next: Option<String>,
}

/// Something that is not as it should be.
#[derive(Serialize, ToSchema)]
struct Wrong {
    /// What: a game's id, `account 7`, `token 3 of account 7`, ...
    id: String,
    /// What is wrong.
    what: String,
}

/// Replay games and compare what comes out with what is stored
///
/// After the games come accounts, tokens, seats, chat and everything else that refers to
/// something: whether that is there and says the same. What only the file itself shows, and
/// moves that are in the journal alone, are checked by `arbiter check` when no server runs.
#[utoipa::path(get, path = "/v1/admin/check", params(Page),
    responses((status = 200, description = "What was found", body = Checked)))]
async fn look(operator: Operator, Query(page): Query<Page>) -> Result<Json<Checked>, Problem> {
    let nowhere = || Problem::bad_request("after: neither a `next` nor a game's id");
    let place = page.after.map(|after| after.parse::<Place>()).transpose();
    let place = place.map_err(|_| nowhere())?.unwrap_or_default();
    let limit = page.limit.unwrap_or(CHECKED_MAX).clamp(1, CHECKED_MAX);
    let app = operator.app();
    let inspector = app.store.inspector();
    let found = check::page(&inspector, place, limit, None, app.now()).await?;
    let found = found.ok_or_else(nowhere)?;
    let wrong = |d: check::Difference| Wrong {
        id: d.about,
        what: d.what,
    };
    Ok(Json(Checked {
        checked: found.checked,
        differences: found.differences.into_iter().map(wrong).collect(),
        next: found.next.map(|place| place.to_string()),
    }))
}

pub(super) fn absolute(path: &std::path::Path) -> Result<(), Problem> {
    if path.is_absolute() {
        return Ok(());
    }
    Err(Problem::bad_request("path: must be absolute").with("field", "path"))
}
