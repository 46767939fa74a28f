//! Looking at a game in every form.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chess::game::Game;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::messages::{Message, messages_since};
use super::reading::Reading;
use super::view::{GameView, Shown};
use crate::http::Query;
use crate::http::described::NoGame;
use crate::http::etag::is_known;
use crate::play::names::{Names, people};
use crate::play::pgn::Remarks;
use crate::play::{App, Sight, pgn, ratings, text};
use crate::problem::Problem;

const PGN: &str = "application/x-chess-pgn";

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_game))
        .routes(routes!(legal_moves))
        .routes(routes!(get_pgn))
        .routes(routes!(get_log))
}

/// Get a game
///
/// With `If-None-Match` an unchanged game is 304; with
/// `Accept: application/x-chess-pgn` it comes as PGN.
#[utoipa::path(
    get,
    path = "/v1/games/{id}",
    params(("id" = String, Path, description = "The game")),
    responses(
        (status = 200, description = "The game", content(
            (GameView = "application/json"),
            (String = "application/x-chess-pgn"),
        )),
        (status = 304, description = "Unchanged"),
        NoGame,
    ),
)]
async fn get_game(reading: Reading, headers: HeaderMap) -> Result<Response, Problem> {
    let sight = reading.look().await?;
    let accept = headers.get(header::ACCEPT).and_then(|v| v.to_str().ok());
    if accept.is_some_and(|accept| accept.starts_with(PGN)) {
        return pgn_answer(&reading.app, &sight, Remarks::USUAL).await;
    }
    let shown = Shown {
        app: &reading.app,
        sight,
    };
    let names = shown.names().await?;
    let etag = HeaderValue::from_str(&shown.etag(&names)).expect("an ETag is ASCII");
    let unchanged = is_known(&headers, &etag);
    let tagged = [
        (header::ETAG, etag),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    if unchanged {
        return Ok((StatusCode::NOT_MODIFIED, tagged).into_response());
    }
    let rated = shown.rated().await?;
    Ok((tagged, Json(shown.with(&names, rated.as_ref()))).into_response())
}

/// The moves that may be played.
#[derive(Debug, Serialize, ToSchema)]
struct LegalMoves {
    /// The half-moves played so far.
    ply: u32,
    /// All of them; none once the game is over.
    moves: Vec<LegalMove>,
}

/// A move in both notations.
#[derive(Debug, Serialize, ToSchema)]
struct LegalMove {
    /// In UCI.
    uci: String,
    /// In standard algebraic notation.
    san: String,
}

/// List the legal moves
#[utoipa::path(
    get,
    path = "/v1/games/{id}/legal-moves",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The legal moves", body = LegalMoves), NoGame),
)]
async fn legal_moves(reading: Reading) -> Result<Response, Problem> {
    let Sight { game, .. } = reading.look().await?;
    let legal = text::legal(&game).into_iter();
    Ok(Json(LegalMoves {
        ply: game.ply(),
        moves: legal.map(|(san, uci)| LegalMove { uci, san }).collect(),
    })
    .into_response())
}

/// What is written besides the moves.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PgnQuery {
    /// Whether the clocks are written (`[%clk 0:04:56]`); left out: they are.
    clocks: Option<bool>,
    /// Whether evaluations are written (`[%eval 0.17]`), if the game was analysed.
    #[serde(default)]
    evals: bool,
}

/// Get a game as PGN
#[utoipa::path(
    get,
    path = "/v1/games/{id}/pgn",
    params(("id" = String, Path, description = "The game"), PgnQuery),
    responses(
        (status = 200, description = "The game, with clock comments unless they are not wanted", body = String, content_type = "application/x-chess-pgn"),
        NoGame,
    ),
)]
async fn get_pgn(reading: Reading, Query(query): Query<PgnQuery>) -> Result<Response, Problem> {
    let sight = reading.look().await?;
    let remarks = Remarks {
        clocks: query.clocks.unwrap_or(true),
        evals: query.evals,
    };
    pgn_answer(&reading.app, &sight, remarks).await
}

async fn pgn_answer(app: &App, sight: &Sight, remarks: Remarks) -> Result<Response, Problem> {
    let text = pgn::pgn(app, sight, remarks).await?;
    let name = format!("inline; filename=\"{}.pgn\"", sight.id);
    let headers = [
        (header::CONTENT_TYPE, PGN.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

/// Get the audit trail
///
/// Every accepted change with its version and time.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/log",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The changes in order", body = [Message]), NoGame),
)]
async fn get_log(reading: Reading) -> Result<Response, Problem> {
    let Sight { id, game, .. } = reading.look().await?;
    let names = Names::of(&reading.app, people(&game)).await?;
    let rated = ratings::of_game(&reading.app, id, &game).await?;
    let write = move |game: &Game| {
        let messages = messages_since(game, 0, &names, rated.as_ref());
        serde_json::to_vec(&messages)
    };
    let text = pgn::written(&reading.app, &game, write).await?;
    let text = text.expect("a record is plain JSON");
    let kind = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}
