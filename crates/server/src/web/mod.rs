//! The browser client, carried in the binary: one page for people, whatever
//! its address, and the files it loads.

mod files;
mod page;
mod preview;
mod source;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use self::page::About;
use crate::http::Path;
use crate::play::App;
use crate::problem::Problem;

/// Addresses that are the client's own: it shows what they mean.
const PAGES: [&str; 5] = ["/", "/tv", "/join/{code}", "/skill", "/skill/{id}"];

/// Files that browsers ask for by a fixed name.
const FIXED: [&str; 3] = ["favicon.svg", "manifest.webmanifest", "robots.txt"];

/// Every address of the client.
pub fn routes() -> Router<App> {
    let mut routes = Router::new()
        .route("/game/{id}", get(game))
        .route(
            "/docs",
            get(async |headers: HeaderMap| page::docs(&headers)),
        )
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

async fn plain(headers: HeaderMap) -> Response {
    let about = About {
        title: "Arbiter: play chess".into(),
        description: "Play a friend by link, as a guest or signed in. Watch live games.".into(),
        ..About::default()
    };
    page::answer(&about, &headers)
}

async fn game(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Response {
    match preview::of_game(&app, &id, &headers).await {
        Some(about) => page::answer(&about, &headers),
        // Private games and games that are not there look alike. Their players
        // sign in on the page, which then shows them what they may see.
        None => plain(headers).await,
    }
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
