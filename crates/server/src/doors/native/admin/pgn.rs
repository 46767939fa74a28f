//! Games in from PGN files, and out to them.

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::Request;
use axum::response::Response;
use chess::game::Game;
use chess::pgn::{self, Date};
use chess::{Timestamp, table};
use serde::Deserialize;
use serde_json::json;
use store::ListQuery;
use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use super::lines::{Lines, lines};
use super::work::absolute;
use crate::admin::import::{Imported, Importer};
use crate::http::extract::receive_up_to;
use crate::http::{Body, Query};
use crate::play::App;
use crate::play::names::Names;
use crate::play::pgn::pgn_of;
use crate::play::ratings;
use crate::problem::Problem;

/// Where files are sent to, and how large they may be.
pub(crate) const UPLOAD: &str = "/v1/admin/import/pgn";
pub(crate) const UPLOAD_MAX: usize = 32 << 20;

/// Games between two reports of progress, and between two looks for idle games in memory.
const STEP: u64 = 1_000;
/// Games listed at a time.
const PAGE: u32 = 500;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(import))
        .routes(routes!(upload))
        .routes(routes!(export))
}

/// Where from.
#[derive(Deserialize, ToSchema)]
struct Source {
    /// An absolute path on the server's machine.
    #[schema(value_type = String)]
    path: PathBuf,
}

/// Take in the games of a PGN file; told line by line how far it is. Only at the server's console
#[utoipa::path(post, path = "/v1/admin/import", request_body = Source,
    responses((status = 200, content_type = "application/x-ndjson",
        description = "`{done, total}` lines in bytes, `{problem}` for each game left out, \
                       then `{ok: true, imported, known, left_out}`")))]
async fn import(operator: Operator, Body(source): Body<Source>) -> Result<Response, Problem> {
    operator.at_console()?;
    let app = operator.app().clone();
    absolute(&source.path)?;
    let shown = source.path.display().to_string();
    let opened = spawn_blocking(move || File::open(&source.path)).await;
    let file = opened.map_err(|_| Problem::unavailable())?;
    let file = file.map_err(|e| Problem::bad_request(format!("path: {shown}: {e}")))?;
    operator.audit("import", &shown, String::new()).await?;
    let (lines, response) = lines("application/x-ndjson");
    let runtime = Handle::current();
    let total = file.metadata().map_or(0, |m| m.len());
    spawn_blocking(move || take_all(&app, &runtime, file, total, &lines));
    Ok(response)
}

/// Take in the games of a PGN file that is sent; told line by line how far it is
///
/// Up to 32 MiB. Taking in the same file again changes nothing.
#[utoipa::path(post, path = "/v1/admin/import/pgn", operation_id = "admin_upload_pgn",
    request_body(content = String, content_type = "application/x-chess-pgn"),
    responses((status = 200, content_type = "application/x-ndjson",
        description = "`{done, total}` lines in bytes, `{problem}` for each game left out, \
                       then `{ok: true, imported, known, left_out}`"),
        (status = 413, description = "`too_large`")))]
async fn upload(operator: Operator, request: Request) -> Result<Response, Problem> {
    let app = operator.app().clone();
    let text = receive_up_to(UPLOAD_MAX, request, &app).await?;
    let detail = format!("{} bytes", text.len());
    operator.audit("import", "upload", detail).await?;
    let (lines, response) = lines("application/x-ndjson");
    let runtime = Handle::current();
    spawn_blocking(move || {
        let total = text.len() as u64;
        take_all(&app, &runtime, Cursor::new(text), total, &lines);
    });
    Ok(response)
}

/// Reads a file and takes in what is in it.
fn take_all(app: &App, runtime: &Handle, file: impl Read, total: u64, lines: &Lines) {
    let read = Arc::new(AtomicU64::new(0));
    let counted = Counted {
        file,
        read: Arc::clone(&read),
    };
    let mut importer = Importer::new(app.clone());
    let (mut imported, mut known, mut left_out) = (0u64, 0u64, 0u64);
    for (number, game) in (1u64..).zip(pgn::read(counted)) {
        let taken = match game {
            Ok(game) => runtime.block_on(importer.take(&game)).map_err(|why| {
                let tag = |name| game.tag(name).unwrap_or("?");
                let (white, black) = (tag("White"), tag("Black"));
                format!(
                    "game {number} ({white} - {black}), line {}: {why}",
                    game.line
                )
            }),
            Err(error) => Err(error.to_string()),
        };
        match taken {
            Ok(Imported::New(_)) => imported += 1,
            Ok(Imported::Known(_)) => known += 1,
            Err(problem) => {
                left_out += 1;
                lines.tell_json(&json!({ "problem": problem }));
            }
        }
        if number.is_multiple_of(STEP) {
            lines.tell_json(&json!({ "done": read.load(Ordering::Relaxed), "total": total }));
            app.games.live().evict();
        }
    }
    let end = json!({ "ok": true, "imported": imported, "known": known, "left_out": left_out });
    lines.tell_json(&end);
}

/// A file that tells how much of it was read.
struct Counted<R> {
    file: R,
    read: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let bytes = self.file.read(buffer)?;
        self.read.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}

/// Which games.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// Only this player's.
    player: Option<String>,
    /// Only those made on that day or later: `2026-01-31`.
    since: Option<String>,
}

/// Finished games as PGN, the newest first
#[utoipa::path(get, path = "/v1/admin/export", params(Wanted),
    responses((status = 200, description = "The games, one after the other",
        content_type = "application/x-chess-pgn", body = String)))]
async fn export(operator: Operator, Query(wanted): Query<Wanted>) -> Result<Response, Problem> {
    let app = operator.app().clone();
    let since = wanted.since.as_deref().map_or(Ok(Timestamp(0)), day)?;
    let player = match &wanted.player {
        None => None,
        Some(name) => {
            let person = app.auth.person_by_name(name).await?;
            let nobody = || Problem::not_found(format!("there is no player {name:?}"));
            Some(person.ok_or_else(nobody)?.number)
        }
    };
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(table::State::Completed),
        player,
        everything: true,
        limit: PAGE,
        ..ListQuery::default()
    };
    let (lines, response) = lines("application/x-chess-pgn");
    let runtime = Handle::current();
    spawn_blocking(move || {
        if let Err(error) = write_all(&app, &runtime, query, since, &lines) {
            tracing::error!(detail = error.detail, "an export broke off");
            lines.break_off();
        }
    });
    Ok(response)
}

fn day(text: &str) -> Result<Timestamp, Problem> {
    let day = Date::read(text).and_then(|date| date.at("00:00:00"));
    day.ok_or_else(|| Problem::bad_request("since: must be a day such as 2026-01-31"))
}

fn write_all(
    app: &App,
    runtime: &Handle,
    mut query: ListQuery,
    since: Timestamp,
    lines: &Lines,
) -> Result<(), Problem> {
    loop {
        let page = runtime.block_on(app.store.list(query.clone()))?;
        for store::Cursor { table, created_at } in &page {
            if *created_at < since {
                return Ok(());
            }
            let text = runtime.block_on(written(app, *table))?;
            if !lines.tell(text) {
                return Ok(());
            }
        }
        if page.len() < PAGE as usize {
            return Ok(());
        }
        query.after = page.last().copied();
    }
}

/// A finished game, straight from its row: it need not come into memory.
async fn written(app: &App, id: store::TableId) -> Result<String, Problem> {
    let stored = match app.store.glance(id, 0).await {
        Some(stored) => Ok(Some(stored)),
        None => {
            let (tell, told) = tokio::sync::oneshot::channel();
            app.store
                .load(id, Box::new(move |result| drop(tell.send(result))));
            told.await.map_err(|_| Problem::unavailable())?
        }
    };
    let game = match stored {
        Ok(Some(stored)) => Game::decode(&stored.history).map_err(|error| error.to_string()),
        Ok(None) => Err("it is gone".to_owned()),
        Err(store::Error::Corrupt(why)) => Err(why),
        Err(error) => return Err(error.into()),
    };
    // One damaged game does not keep the others; readers of PGN pass over this line.
    let game = match game {
        Ok(game) => game,
        Err(why) => {
            tracing::error!(game = %id, why, "a game cannot be exported");
            return Ok(format!("% game {id} cannot be read: see arbiter check\n\n"));
        }
    };
    let names = Names::of(app, game.seats().iter().flatten().copied()).await?;
    let rated = ratings::of_game(app, id, &game).await?;
    Ok(pgn_of(&app.settings, id, &game, &names, rated.as_ref()))
}
