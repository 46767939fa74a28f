//! All finished games, for researchers: page by page, oldest first.

use std::collections::HashMap;
use std::io::Error;
use std::sync::Arc;
use std::vec::IntoIter;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use chess::Timestamp;
use chess::game::Game;
use chess::pgn::Date;
use futures_util::stream;
use serde::{Deserialize, Serialize};
use store::{FinishedPlace, RatedGame, TableId};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::games::view::{GameView, Shown};
use crate::http::{ClientAddress, MaybeCaller, Query};
use crate::play::export::{self, Page, Wanted};
use crate::play::names::{Names, people};
use crate::play::pgn::{pgn_of, written};
use crate::play::{App, Sight, ratings};
use crate::problem::Problem;
use crate::text_time::read_rfc3339;

const PGN: &str = "application/x-chess-pgn";
const NDJSON: &str = "application/x-ndjson";
/// Where a page ended.
const CURSOR: HeaderName = HeaderName::from_static("arbiter-cursor");

const LIMIT: u32 = 100;
const LIMIT_MAX: u32 = 500;

/// Every call under `/v1/export`.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(games))
}

/// Which games.
#[derive(Debug, Deserialize, IntoParams)]
struct Filter {
    /// Only those that were known to be over then or later: `2026-01-31` or
    /// `2026-01-31T18:05:09Z`.
    since: Option<String>,
    /// Only games of this player.
    player: Option<String>,
    /// Where the last page ended: its `Arbiter-Cursor`, or the `cursor` of its last line.
    cursor: Option<String>,
    /// How many, 1 to 500; 100 if left out.
    limit: Option<u32>,
}

/// A finished game as a line of `application/x-ndjson`.
#[derive(Debug, Serialize, ToSchema)]
struct ExportedGame {
    /// Where to go on after this game.
    cursor: String,
    #[serde(flatten)]
    game: GameView,
}

/// Take all finished games
///
/// Public games that were played, in the order in which everybody may know that they are
/// over, as PGN or, with `Accept: application/x-ndjson`, one JSON object per line.
/// `Arbiter-Cursor` says where the page ended; `Link` with `rel="next"` leads to the next
/// one while there is more. Whoever comes back later with the last cursor misses nothing
/// that ended since: a game is there a minute after it is over. Games that an operator
/// takes in from a file are found by the dates in it.
#[utoipa::path(
    get,
    path = "/v1/export/games",
    operation_id = "export_games",
    tag = "games",
    params(Filter),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "A page of games", content(
            (String = "application/x-chess-pgn"), (ExportedGame = "application/x-ndjson")),
         headers(("Arbiter-Cursor" = String, description = "Where the page ended; left out if there is nothing yet"),
                 ("Link" = String, description = "The next page, with `rel=\"next\"`, while there is more"))),
        (status = 404, description = "`not_found`: there is no such player"),
        (status = 429, description = "`rate_limited`: more than one page in a second for long"),
    ),
)]
async fn games(
    State(app): State<App>,
    MaybeCaller(caller): MaybeCaller,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Query(filter): Query<Filter>,
) -> Result<Response, Problem> {
    let accept = headers.get(header::ACCEPT).and_then(|v| v.to_str().ok());
    let form = match accept {
        Some(accept) if accept.contains(NDJSON) => Form::Lines,
        _ => Form::Pgn,
    };
    let after = filter.cursor.as_deref().map(read_cursor).transpose()?;
    let wanted = Wanted {
        since: filter.since.as_deref().map_or(Ok(Timestamp(0)), moment)?,
        player: filter.player.clone(),
        after,
        limit: limit(filter.limit)?,
    };
    let page = export::page(&app, caller.as_ref(), from, wanted).await?;
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(form.media()));
    headers.insert(header::VARY, HeaderValue::from_static("accept"));
    // Nothing new: the client goes on from where it was.
    if let Some(end) = page.end.or(after) {
        put(&mut headers, CURSOR, &write_cursor(end));
    }
    if let Some(end) = page.end.filter(|_| page.has_more) {
        let next = format!("<{}>; rel=\"next\"", filter.next(end));
        put(&mut headers, header::LINK, &next);
    }
    let body = told(app, page, form).await?;
    Ok((headers, body).into_response())
}

impl Filter {
    /// Where the next page is. A name that was found has nothing in it that an address
    /// could not have.
    fn next(&self, end: FinishedPlace) -> String {
        let mut next = format!("/v1/export/games?cursor={}", write_cursor(end));
        if let Some(player) = &self.player {
            next += &format!("&player={player}");
        }
        if let Some(limit) = self.limit {
            next += &format!("&limit={limit}");
        }
        next
    }
}

fn put(headers: &mut HeaderMap, name: HeaderName, text: &str) {
    if let Ok(value) = HeaderValue::from_str(text) {
        headers.insert(name, value);
    }
}

fn limit(asked: Option<u32>) -> Result<u32, Problem> {
    match asked.unwrap_or(LIMIT) {
        limit @ 1..=LIMIT_MAX => Ok(limit),
        _ => {
            let detail = format!("limit must be from 1 to {LIMIT_MAX}");
            Err(Problem::bad_request(detail).with("field", "limit"))
        }
    }
}

fn moment(text: &str) -> Result<Timestamp, Problem> {
    let day = || Date::read(text).and_then(|date| date.at("00:00:00"));
    read_rfc3339(text).or_else(day).ok_or_else(|| {
        let detail =
            "since must be a day such as 2026-01-31, or a time such as 2026-01-31T18:05:09Z";
        Problem::bad_request(detail).with("field", "since")
    })
}

fn write_cursor(place: FinishedPlace) -> String {
    format!("{}-{}", place.known_at.0, place.table)
}

fn read_cursor(text: &str) -> Result<FinishedPlace, Problem> {
    let parts = text.split_once('-');
    let place = parts.and_then(|(at, id)| {
        Some(FinishedPlace {
            known_at: Timestamp(at.parse().ok().filter(|at| *at <= i64::MAX as u64)?),
            table: id.parse().ok()?,
        })
    });
    place.ok_or_else(|| Problem::bad_request("cursor is not one of ours").with("field", "cursor"))
}

/// How games are written.
#[derive(Clone, Copy)]
enum Form {
    Pgn,
    Lines,
}

impl Form {
    fn media(self) -> &'static str {
        match self {
            Form::Pgn => PGN,
            Form::Lines => NDJSON,
        }
    }
}

/// What is being told, game by game.
struct Telling {
    app: App,
    form: Form,
    games: IntoIter<(FinishedPlace, Sight)>,
    names: Arc<Names>,
    rated: HashMap<TableId, RatedGame>,
}

/// The games one after the other, each written when the one before was taken.
async fn told(app: App, page: Page, form: Form) -> Result<Body, Problem> {
    let games = page.games.iter();
    let named: Vec<_> = games.flat_map(|(_, sight)| people(&sight.game)).collect();
    let names = Arc::new(Names::of(&app, named).await?);
    let finished = page.games.iter().map(|(_, sight)| (sight.id, &*sight.game));
    let rated = ratings::of_games(&app, finished).await?;
    let telling = Telling {
        app,
        form,
        games: page.games.into_iter(),
        names,
        rated,
    };
    Ok(Body::from_stream(stream::unfold(
        telling,
        |mut telling| async {
            let (place, sight) = telling.games.next()?;
            // Broken off, so that nobody takes it for whole.
            let text = telling.write(place, sight).await;
            Some((
                text.map_err(|problem| Error::other(problem.detail)),
                telling,
            ))
        },
    )))
}

impl Telling {
    async fn write(&self, place: FinishedPlace, sight: Sight) -> Result<String, Problem> {
        let rated = self.rated.get(&sight.id);
        match self.form {
            Form::Pgn => {
                let (app, names, rated) =
                    (self.app.clone(), Arc::clone(&self.names), rated.copied());
                let id = sight.id;
                let write =
                    move |game: &Game| pgn_of(&app.settings, id, game, &names, rated.as_ref());
                let text = written(&self.app, &sight.game, write).await?;
                Ok(format!("{}\n\n", text.trim_end()))
            }
            Form::Lines => {
                let app = &self.app;
                let line = ExportedGame {
                    cursor: write_cursor(place),
                    game: Shown { app, sight }.with(&self.names, rated),
                };
                let line = serde_json::to_string(&line).map_err(|_| Problem::unavailable())?;
                Ok(line + "\n")
            }
        }
    }
}
