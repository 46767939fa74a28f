//! How a finished game was played.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::answer::table_id;
use super::reading::Reading;
use crate::auth::Caller;
use crate::http::Path;
use crate::http::described::NoGame;
use crate::play::analysis::{self, Known, MoveReport, Report};
use crate::play::{App, Asked};
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(analyse, get_analysis))
}

/// An analysis that is not done.
#[derive(Serialize, ToSchema)]
struct OpenAnalysis {
    /// `queued` or `running`.
    status: &'static str,
    /// Half-moves that were looked at.
    done: u32,
    /// Of how many.
    total: u32,
}

/// How a game was played.
#[derive(Serialize, ToSchema)]
struct DoneAnalysis {
    /// `done`.
    status: &'static str,
    /// Of standard chess from the usual start; `null` if it has no name.
    opening: Option<OpeningView>,
    /// How well both sides played.
    accuracy: AccuracyView,
    /// Every half-move.
    moves: Vec<AnalysedMove>,
}

/// What an opening is called.
#[derive(Serialize, ToSchema)]
struct OpeningView {
    /// Its code in the Encyclopaedia of Chess Openings.
    eco: String,
    name: String,
}

/// From 0 to 100: the mean of what each move kept of the points that could be expected; `null`
/// without a move.
#[derive(Serialize, ToSchema)]
struct AccuracyView {
    white: Option<f64>,
    black: Option<f64>,
}

/// A half-move.
#[derive(Serialize, ToSchema)]
struct AnalysedMove {
    /// Which, from 1.
    ply: u32,
    /// How the position after it stands, in hundredths of a pawn, from White's view; or `mate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    eval_cp: Option<i32>,
    /// In how many moves White mates, or Black if negative; 0 if the game is won.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// The best move in its place, in UCI.
    best: Option<String>,
    /// `inaccuracy`, `mistake` or `blunder`: it lost a tenth, a fifth or three tenths of a point
    /// that could be expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<String>,
}

/// Have a game analysed
///
/// By its players, and by anybody with a token if it is public, once it is over. Games wait
/// in line behind everybody who plays; each is analysed once and kept. How far it is comes by
/// the game's stream as `ANALYSIS`.
#[utoipa::path(
    post,
    path = "/v1/games/{id}/analysis",
    operation_id = "analyse_game",
    params(("id" = String, Path, description = "The game")),
    security(("token" = ["play"])),
    responses(
        (status = 202, description = "It waits, or is being made", body = OpenAnalysis),
        (status = 200, description = "It was made before", body = DoneAnalysis),
        NoGame,
        (status = 409, description = "`game_not_over`"),
        (status = 429, description = "`rate_limited`; `too_many_analyses`: ten of your games wait already"),
        (status = 503, description = "`analyses_full`: a thousand games wait already"),
    ),
)]
async fn analyse(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let id = table_id(&id)?;
    Ok(answer(analysis::ask(&Asked::new(&app, &caller), id).await?))
}

/// Get a game's analysis
#[utoipa::path(
    get,
    path = "/v1/games/{id}/analysis",
    operation_id = "get_analysis",
    params(("id" = String, Path, description = "The game")),
    responses(
        (status = 200, description = "All of it", body = DoneAnalysis),
        (status = 202, description = "It waits, or is being made", body = OpenAnalysis),
        (status = 404, description = "`game_not_found`; `no_analysis`: nobody has asked for it"),
        (status = 409, description = "`game_not_over`"),
    ),
)]
async fn get_analysis(reading: Reading) -> Result<Response, Problem> {
    let sight = reading.look().await?;
    Ok(answer(analysis::of(&reading.app, &sight).await?))
}

fn answer(known: Known) -> Response {
    match known {
        Known::Done(report) => Json(view(report)).into_response(),
        Known::Open {
            is_running,
            done,
            total,
        } => {
            let status = if is_running { "running" } else { "queued" };
            let open = OpenAnalysis {
                status,
                done,
                total,
            };
            (StatusCode::ACCEPTED, Json(open)).into_response()
        }
    }
}

fn view(report: Report) -> DoneAnalysis {
    let [white, black] = report.accuracy;
    let opening = report.opening;
    DoneAnalysis {
        status: "done",
        opening: opening.map(|(eco, name)| OpeningView { eco, name }),
        accuracy: AccuracyView { white, black },
        moves: (1..).zip(report.moves).map(half_move).collect(),
    }
}

fn half_move((ply, m): (u32, MoveReport)) -> AnalysedMove {
    AnalysedMove {
        ply,
        eval_cp: m.eval_cp,
        mate: m.mate,
        best: m.best,
        judgement: m.judgement,
    }
}
