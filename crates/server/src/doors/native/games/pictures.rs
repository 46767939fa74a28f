//! A game to look at: as a picture and as plain text.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chess::Color;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::reading::Reading;
use crate::http::Query;
use crate::http::described::NoGame;
use crate::http::etag::is_known;
use crate::picture::gallery::{Subject, subject};
use crate::picture::{self, BoardView, SIZE_DEFAULT};
use crate::play::{App, Sight, text};
use crate::problem::Problem;

/// The board of a game that is over does not change; only how it is drawn may.
const FINISHED: &str = "max-age=3600";
const RUNNING: &str = "no-cache";

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(board_svg))
        .routes(routes!(board_png))
        .routes(routes!(board_text))
}

/// How to look at the board.
#[derive(Debug, Deserialize, IntoParams)]
struct Look {
    /// The edge in pixels, 160 to 1080; 480 if left out.
    size: Option<u32>,
    /// The side at the bottom: `white` (default) or `black`.
    #[param(inline)]
    orientation: Option<Orientation>,
    /// Whether files and ranks are named; they are if left out.
    coordinates: Option<bool>,
    /// `brown` (default), `blue`, `green` or `grey`.
    #[serde(default)]
    #[param(inline)]
    theme: picture::Theme,
}

/// A side of the board.
#[derive(Clone, Copy, Debug, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum Orientation {
    White,
    Black,
}

impl Look {
    fn at<'a>(&self, sight: &'a Sight) -> BoardView<'a> {
        BoardView {
            size: self.size.unwrap_or(SIZE_DEFAULT),
            orientation: match self.orientation {
                Some(Orientation::Black) => Color::Black,
                Some(Orientation::White) | None => Color::White,
            },
            coordinates: self.coordinates.unwrap_or(true),
            theme: self.theme,
            ..BoardView::of_game(&sight.game)
        }
    }
}

/// Get the board as SVG
#[utoipa::path(
    get,
    path = "/v1/games/{id}/board.svg",
    params(("id" = String, Path, description = "The game"), Look),
    responses(
        (status = 200, description = "A picture", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Unchanged"),
        NoGame,
    ),
)]
async fn board_svg(
    reading: Reading,
    Query(look_at): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let sight = reading.look().await?;
    let svg = picture::svg(&look_at.at(&sight));
    let tags = tags(&reading.app, &sight, subject("svg", &svg));
    if is_known(&headers, &tags[0].1) {
        return Ok((StatusCode::NOT_MODIFIED, tags).into_response());
    }
    Ok((tags, [(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// Get the board as PNG
#[utoipa::path(
    get,
    path = "/v1/games/{id}/board.png",
    params(("id" = String, Path, description = "The game"), Look),
    responses(
        (status = 200, description = "A picture", content_type = "image/png"),
        (status = 304, description = "Unchanged"),
        NoGame,
        (status = 503, description = "`unavailable`: too many are being drawn"),
    ),
)]
async fn board_png(
    reading: Reading,
    Query(look_at): Query<Look>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let sight = reading.look().await?;
    let subject = subject("png", &picture::svg(&look_at.at(&sight)));
    let tags = tags(&reading.app, &sight, subject);
    if is_known(&headers, &tags[0].1) {
        return Ok((StatusCode::NOT_MODIFIED, tags).into_response());
    }
    // Drawing takes milliseconds: it must not hold up the moves of others.
    let draw = move || picture::png(&look_at.at(&sight));
    let png = reading.app.gallery.picture(subject, draw).await?;
    Ok((tags, [(header::CONTENT_TYPE, "image/png")], png).into_response())
}

/// What lets others keep a picture: its tag, and for how long.
fn tags(app: &App, sight: &Sight, subject: Subject) -> [(header::HeaderName, HeaderValue); 2] {
    let tag: String = subject.iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = HeaderValue::from_str(&format!("\"{tag}\"")).expect("hexadecimal is ASCII");
    let is_open = app.settings.anonymous_reads && sight.game.terms().is_public();
    let whose = if is_open { "public" } else { "private" };
    let until = match sight.game.ending() {
        Some(_) => FINISHED,
        None => RUNNING,
    };
    let caching = HeaderValue::from_str(&format!("{whose}, {until}")).expect("words are ASCII");
    [(header::ETAG, tag), (header::CACHE_CONTROL, caching)]
}

/// Get the board as text
///
/// With the clocks and the legal moves, for a terminal or a screen reader.
#[utoipa::path(
    get,
    path = "/v1/games/{id}/text",
    operation_id = "text",
    params(("id" = String, Path, description = "The game")),
    responses(
        (status = 200, description = "The board", body = String, content_type = "text/plain"),
        NoGame,
    ),
)]
async fn board_text(reading: Reading) -> Result<Response, Problem> {
    let sight = reading.look().await?;
    let text = text::text(&reading.app, &sight).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
