//! A game from all sides: what is stored, what happened last, what is in memory.

use axum::Json;
use chess::Millis;
use chess::game::{Event, Game};
use chess::table::{PlayerId, Table};
use serde::Serialize;
use store::{StoredRow, StoredSummary, TableId};
use tokio::sync::oneshot;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use super::games::table;
use crate::http::Path;
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// The events shown.
const TAIL: usize = 20;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// A game from all sides.
#[derive(Serialize, ToSchema)]
struct Inspection {
    /// Which game.
    id: String,
    /// One line per column of the row: its name, what is stored, what is in
    /// memory, and whether they agree. A row may be behind the journal.
    columns: Vec<Column>,
    /// The version of the row.
    row_version: Option<u32>,
    /// The version of row and journal together.
    stored_version: Option<u32>,
    /// The version in memory.
    memory_version: u32,
    /// The last events, oldest first.
    log: Vec<Logged>,
}

/// A column, stored and in memory.
#[derive(Serialize, ToSchema)]
struct Column {
    /// Its name.
    name: &'static str,
    /// What the row says.
    row: Option<String>,
    /// What the game in memory says.
    memory: String,
}

/// An event.
#[derive(Serialize, ToSchema)]
struct Logged {
    /// The version it made.
    version: u32,
    /// When.
    at: String,
    /// What, for a person to read.
    event: String,
}

/// A game from all sides: row, journal, memory
#[utoipa::path(get, path = "/v1/admin/games/{id}", operation_id = "admin_show_game",
    params(("id" = String, Path)),
    responses((status = 200, description = "The game", body = Inspection)))]
async fn show(operator: Operator, Path(id): Path<String>) -> Result<Json<Inspection>, Problem> {
    let (app, table) = (operator.app(), table(&id)?);
    let row = row_of(app, table).await?;
    let stored = stored_version(app, table).await?;
    let game = app.games.read(table, None).await?;
    Ok(Json(Inspection {
        id,
        columns: columns(row.as_ref(), &game),
        row_version: row.as_ref().map(|row| row.version),
        stored_version: stored,
        memory_version: game.version(),
        log: tail(&game),
    }))
}

/// The row as it is stored: the first from that id on, if it is that one.
async fn row_of(app: &App, table: TableId) -> Result<Option<StoredRow>, Problem> {
    let before = table.number().checked_sub(1).and_then(TableId::from_number);
    let rows = app.store.each_table(before, 1).await?;
    Ok(rows.into_iter().find(|row| row.table == table))
}

async fn stored_version(app: &App, table: TableId) -> Result<Option<u32>, Problem> {
    let (tell, told) = oneshot::channel();
    app.store
        .load(table, Box::new(move |result| drop(tell.send(result))));
    let stored = told.await.map_err(|_| Problem::unavailable())??;
    Ok(stored.map(|stored| stored.version))
}

fn columns(row: Option<&StoredRow>, game: &Game) -> Vec<Column> {
    let memory = StoredSummary::from(&game.summary());
    let row = row.map(|row| &row.summary);
    let column = |name, value: fn(&StoredSummary) -> String| Column {
        name,
        row: row.map(value),
        memory: value(&memory),
    };
    vec![
        column("state", |s| s.state.clone()),
        column("creator", |s| s.creator.number().to_string()),
        column("opponent", |s| player(s.opponent)),
        column("white", |s| player(s.white)),
        column("black", |s| player(s.black)),
        column("variant", |s| s.variant.clone()),
        column("rated", |s| s.rated.to_string()),
        column("private", |s| s.private.to_string()),
        column("speed", |s| s.speed.clone()),
        column("ply", |s| s.ply.to_string()),
        column("side_to_move", |s| s.side_to_move.to_string()),
        column("fen", |s| s.fen.clone()),
        column("white_clock_ms", |s| shown(s.white_clock_ms)),
        column("black_clock_ms", |s| shown(s.black_clock_ms)),
        column("result", |s| s.result.clone().unwrap_or_default()),
        column("reason", |s| s.reason.clone().unwrap_or_default()),
        column("created_at", |s| rfc3339(s.created_at)),
        column("started_at", |s| {
            s.started_at.map(rfc3339).unwrap_or_default()
        }),
        column("updated_at", |s| rfc3339(s.updated_at)),
        column("ended_at", |s| s.ended_at.map(rfc3339).unwrap_or_default()),
    ]
}

fn player(player: Option<PlayerId>) -> String {
    shown(player.map(PlayerId::number))
}

fn shown<V: ToString>(value: Option<V>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn tail(game: &Game) -> Vec<Logged> {
    let skipped = (Table::version(game) as usize).saturating_sub(TAIL);
    (1..)
        .zip(game.entries())
        .skip(skipped)
        .map(|(version, entry)| Logged {
            version,
            at: rfc3339(entry.at),
            event: told(&entry.event),
        })
        .collect()
}

/// An event for a person to read; a move in UCI.
fn told(event: &Event) -> String {
    match event {
        Event::Moved {
            uci,
            offers_draw,
            lag,
            ending,
        } => {
            let offer = if *offers_draw { ", offers a draw" } else { "" };
            let lag = if *lag > Millis::ZERO {
                format!(", {lag} of lag given back")
            } else {
                String::new()
            };
            let ending = ending
                .map(|ending| format!(", {ending:?}"))
                .unwrap_or_default();
            format!("Moved {}{offer}{lag}{ending}", uci.unpack())
        }
        other => format!("{other:?}"),
    }
}
