//! Looking at a game in every form.

use axum::Json;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chess::game::Game;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::messages::{Message, messages_since};
use super::reading::Reading;
use super::view::{GameView, Shown};
use crate::http::described::NoGame;
use crate::http::etag::is_known;
use crate::play::names::{Names, people};
use crate::play::{App, Sight, pgn};
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
        return pgn_answer(&reading.app, &sight).await;
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
    Ok((tagged, Json(shown.with(&names))).into_response())
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
pub(super) struct LegalMove {
    /// In UCI.
    pub(super) uci: String,
    /// In standard algebraic notation.
    pub(super) san: String,
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
    Ok(Json(LegalMoves {
        ply: game.ply(),
        moves: playable(&game),
    })
    .into_response())
}

/// The moves that may be played, none once the game is over.
pub(super) fn playable(game: &Game) -> Vec<LegalMove> {
    if game.ending().is_some() {
        return Vec::new();
    }
    let board = game.board();
    board
        .legal_moves()
        .into_iter()
        .map(|m| {
            let mut after = board.clone();
            after.play(m);
            LegalMove {
                uci: board.uci(m).to_string(),
                san: board.san(m, &after),
            }
        })
        .collect()
}

/// Get a game as PGN
#[utoipa::path(
    get,
    path = "/v1/games/{id}/pgn",
    params(("id" = String, Path, description = "The game")),
    responses(
        (status = 200, description = "The game with clock comments", body = String, content_type = "application/x-chess-pgn"),
        NoGame,
    ),
)]
async fn get_pgn(reading: Reading) -> Result<Response, Problem> {
    let sight = reading.look().await?;
    pgn_answer(&reading.app, &sight).await
}

async fn pgn_answer(app: &App, sight: &Sight) -> Result<Response, Problem> {
    let text = pgn::pgn(app, sight).await?;
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
    let Sight { game, .. } = reading.look().await?;
    let names = Names::of(&reading.app, people(&game)).await?;
    let write = move |game: &Game| serde_json::to_vec(&messages_since(game, 0, &names));
    let text = pgn::written(&reading.app, &game, write).await?;
    let text = text.expect("a record is plain JSON");
    let kind = HeaderValue::from_static("application/json");
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}
