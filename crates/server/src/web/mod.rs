//! The browser client, carried in the binary: one page for people, whatever
//! its address, and the files it loads.

mod files;
mod page;
mod preview;
mod source;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use store::TableId;

pub(crate) use self::page::may_be_framed;
use self::page::{About, Manner};
use self::preview::Known;
use crate::http::Path;
use crate::play::App;
use crate::problem::Problem;

/// Addresses that are the client's own: it shows what they mean.
const PAGES: [&str; 12] = [
    "/",
    "/account",
    "/analysis",
    "/console",
    "/console/{part}",
    "/console/{part}/{which}",
    "/join/{code}",
    "/players",
    "/skill",
    "/skill/{id}",
    "/tv",
    "/tv/many",
];

/// Files that browsers ask for by a fixed name.
const FIXED: [&str; 3] = ["favicon.svg", "manifest.webmanifest", "robots.txt"];

/// What else could be the icon, the best first.
const ICONS: [&str; 3] = ["favicon.ico", "icon-192.png", "favicon.svg"];

/// The file that keeps the client going without a network.
const WORKER: &str = "service-worker.js";

/// Below these nothing is meant for people: what is not there is said as the API says it.
const NOT_FOR_PEOPLE: [&str; 6] = [
    "/v1/",
    "/api/",
    "/live/",
    "/assets/",
    "/game/export/",
    "/mcp",
];

/// Every address of the client.
pub fn routes() -> Router<App> {
    let mut routes = Router::new()
        .route("/game/{id}", get(game))
        .route("/analysis/{id}", get(game))
        .route("/embed/{id}", get(embed))
        .route("/@/{name}", get(profile))
        .route("/{id}", get(short))
        .route(
            "/docs",
            get(async |headers: HeaderMap| page::docs(&headers)),
        )
        .route("/favicon.ico", get(icon))
        .route("/service-worker.js", get(worker))
        .route("/source", get(source::answer))
        .route("/assets/{*path}", get(asset));
    for path in PAGES {
        routes = routes.route(path, get(plain));
    }
    for name in FIXED {
        let fixed = async move |headers: HeaderMap| file(name, &headers);
        routes = routes.route(&format!("/{name}"), get(fixed));
    }
    routes
}

/// All of them.
#[cfg(test)]
pub(crate) fn addresses() -> impl Iterator<Item = String> {
    let pages = PAGES.iter().map(|page| (*page).to_owned());
    let fixed = FIXED.iter().map(|name| format!("/{name}"));
    let others = [
        "/@",
        "/assets",
        "/docs",
        "/embed",
        "/favicon.ico",
        "/game",
        "/service-worker.js",
        "/source",
    ];
    pages.chain(fixed).chain(others.map(str::to_owned))
}

/// What is said at an address where there is nothing: a page with a way home to people,
/// and what every problem looks like to programs.
pub(crate) fn nowhere(path: &str, asked: &HeaderMap) -> Response {
    let is_for_people = !NOT_FOR_PEOPLE.iter().any(|begin| path.starts_with(begin));
    if is_for_people && wants_page(asked) {
        return page::answer(&About::nowhere(), asked, Manner::Nowhere);
    }
    Problem::not_found("there is nothing here: see /docs").into_response()
}

/// Browsers say that they want a page; programs take anything, or JSON.
fn wants_page(asked: &HeaderMap) -> bool {
    let accepted = asked.get_all(header::ACCEPT).iter();
    let mut accepted = accepted.filter_map(|value| value.to_str().ok());
    accepted.any(|value| value.contains("text/html"))
}

async fn plain(headers: HeaderMap) -> Response {
    page::answer(&About::usual(), &headers, Manner::Usual)
}

async fn game(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let (about, manner) = told(preview::of_game(&app, &id, &headers).await);
    page::answer(&about, &headers, manner)
}

/// A game within another page.
async fn embed(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    let (about, manner) = told(preview::of_game(&app, &id, &headers).await);
    page::framed(&about, &headers, manner)
}

async fn profile(State(app): State<App>, Path(name): Path<String>, headers: HeaderMap) -> Response {
    let (about, manner) = told(preview::of_player(&app, &name, &headers).await);
    page::answer(&about, &headers, manner)
}

/// Private games and games that are not there look alike. Their players sign in on the
/// page, which then shows them what they may see.
fn told(known: Known) -> (About, Manner) {
    match known {
        Known::All(about) => (about, Manner::Usual),
        Known::Untold => (About::usual(), Manner::Usual),
        Known::Nothing => (About::nowhere(), Manner::Nowhere),
    }
}

/// A game by its id alone, as the Lichess door tells it to its clients, or a file. Whatever
/// has an address of its own comes before, and no game has an id like one (`play::place`).
async fn short(app: State<App>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    if id.parse::<TableId>().is_ok() {
        return game(app, Path(id), headers).await;
    }
    // Pages have addresses of their own.
    let named = files::find(&id).filter(|_| !id.ends_with(".html"));
    match named {
        Some(file) => file.answer(&headers),
        None => nowhere(&id, &headers),
    }
}

/// An icon for whoever asks for it where icons once were.
async fn icon(headers: HeaderMap) -> Response {
    match ICONS.into_iter().find_map(files::find) {
        Some(icon) => icon.answer(&headers),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

/// The worker speaks to this server, for all of its pages. Its own policy counts there, and
/// not that of the page.
async fn worker(headers: HeaderMap) -> Response {
    const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'";
    let mut answer = file(WORKER, &headers);
    let allowed = HeaderValue::from_static("/");
    let policy = HeaderValue::from_static(POLICY);
    let head = answer.headers_mut();
    head.insert("service-worker-allowed", allowed);
    head.insert(header::CONTENT_SECURITY_POLICY, policy);
    answer
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    file(&format!("assets/{path}"), &headers)
}

fn file(path: &str, headers: &HeaderMap) -> Response {
    match files::find(path) {
        Some(file) => file.answer(headers),
        None => Problem::not_found("there is no such file").into_response(),
    }
}
