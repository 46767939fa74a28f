//! How a game was played: what each move took, and what else was noticed.

use axum::Json;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use super::games::table;
use crate::doors::native::games::view::color_name;
use crate::http::Path;
use crate::play::App;
use crate::play::names::{Names, people};
use crate::problem::Problem;
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show))
}

/// How a game was played.
#[derive(Serialize, ToSchema)]
struct Conduct {
    /// Which game.
    id: String,
    /// White's id.
    white: Option<String>,
    /// Black's id.
    black: Option<String>,
    /// In the order in which they came.
    signals: Vec<SignalView>,
    /// The moves that stand.
    moves: Vec<MoveTime>,
}

/// Something that was noticed.
#[derive(Serialize, ToSchema)]
#[schema(as = Signal)]
struct SignalView {
    /// Which player.
    player: String,
    /// `white` or `black`.
    color: Option<&'static str>,
    /// `focus_lost` and `focus_gained`, as the client said; `disconnected`, as the server
    /// saw: their last stream of the game was closed.
    kind: String,
    /// When.
    #[schema(format = DateTime)]
    at: String,
    /// Half-moves played by then.
    ply: Option<u32>,
}

/// What a move took.
#[derive(Serialize, ToSchema)]
struct MoveTime {
    /// From 1.
    ply: u32,
    /// `white` or `black`.
    color: &'static str,
    /// As it is written.
    san: String,
    /// When it was received.
    #[schema(format = DateTime)]
    at: String,
    /// What the mover took for it, in milliseconds.
    elapsed_ms: u32,
}

/// How a game was played: what each move took, focus and disconnects
#[utoipa::path(get, path = "/v1/admin/games/{id}/signals", operation_id = "admin_show_signals",
    params(("id" = String, Path)),
    responses((status = 200, description = "How it was played", body = Conduct)))]
async fn show(operator: Operator, Path(id): Path<String>) -> Result<Json<Conduct>, Problem> {
    let (app, table) = (operator.app(), table(&id)?);
    let game = app.games.read(table, None).await?;
    let kept = app.store.signals_of(table).await?;
    let mut named = people(&game);
    named.extend(kept.iter().map(|signal| signal.account));
    let names = Names::of(app, named).await?;
    let signals = kept.into_iter().map(|signal| SignalView {
        player: names.id(signal.account),
        color: game.seat_of(signal.account).map(color_name),
        kind: signal.kind,
        at: rfc3339(signal.at),
        ply: signal.ply,
    });
    let moves = game.score_sheet().into_iter().map(|row| MoveTime {
        ply: row.ply,
        color: if row.color == 'w' { "white" } else { "black" },
        san: row.san,
        at: rfc3339(row.played_at),
        elapsed_ms: row.elapsed_ms,
    });
    Ok(Json(Conduct {
        id,
        white: game.seats().white.map(|player| names.id(player)),
        black: game.seats().black.map(|player| names.id(player)),
        signals: signals.collect(),
        moves: moves.collect(),
    }))
}
