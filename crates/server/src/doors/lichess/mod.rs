//! The Lichess door: clients written for lichess.org (berserk, lichess-bot, bots on
//! python-chess) are pointed at this server and play.
//!
//! Paths, names, values and units are those of its public API, at the host's root,
//! since its clients drop any path of a base URL. It is described there, so it is no
//! part of our OpenAPI; docs/lichess.md says what differs here, and why:
//!
//! - A player's or bot's stream carries what the two players say (`player` is said to
//!   the room, `spectator` to the observers alone), never an observer's word before
//!   the end.
//! - Positions of running games are exported as they are, unless the game has a
//!   spectator delay.
//! - Games made here start their clocks with the second half-move.
//!
//! Ids are the server's own: eight letters and digits, of a game as of a challenge,
//! for a challenge is a game that waits. So the game that comes of a challenge has
//! the challenge's id. A `fullId` is the id and four more that mean nothing; whoever
//! sends twelve is understood. `/{id}` opens the game's page; every fixed route comes
//! first, and no id is given out that reads like one.
//!
//! Each file is a group of calls with the functions it answers by; `body` reads what
//! clients send, `error` writes what went wrong, `vocab` has the words and units, and
//! `ndjson` carries streams.

mod account;
mod body;
mod caller;
mod challenge;
mod challenges;
mod error;
mod events;
mod export;
mod game;
mod keep;
mod ndjson;
mod play;
mod reader;
mod seek;
mod terms;
mod tv;
mod users;
mod vocab;
mod watch;
mod words;

use axum::Router;
use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodFilter, MethodRouter, on};

pub(crate) use self::body::bytes_max;
use crate::play::App;

/// One call of this door: what is asked where, and who answers.
pub(crate) struct Call {
    method: Method,
    path: String,
    answer: MethodRouter<App>,
}

impl Call {
    /// What is read there.
    fn get<T: 'static>(path: &'static str, handler: impl Handler<T, App>) -> Call {
        Call {
            method: Method::GET,
            path: path.to_owned(),
            answer: on(MethodFilter::GET, handler),
        }
    }

    /// What is done there.
    fn post<T: 'static>(path: &'static str, handler: impl Handler<T, App>) -> Call {
        Call {
            method: Method::POST,
            path: path.to_owned(),
            answer: on(MethodFilter::POST, handler),
        }
    }

    /// The same call for bots, under `/api/bot`, and for everybody else, under
    /// `/api/board`.
    fn both<T: 'static>(
        filter: MethodFilter,
        path: &str,
        handler: impl Handler<T, App>,
    ) -> [Call; 2] {
        ["bot", "board"].map(|whose| Call {
            method: match filter {
                MethodFilter::GET => Method::GET,
                _ => Method::POST,
            },
            path: format!("/api/{whose}{path}"),
            answer: on(filter, handler.clone()),
        })
    }
}

/// Every call of this door.
fn calls() -> Vec<Call> {
    let groups = [
        account::routes(),
        events::routes(),
        game::routes(),
        play::routes(),
        challenges::routes(),
        export::routes(),
        users::routes(),
        watch::routes(),
        tv::routes(),
        seek::routes(),
    ];
    groups.into_iter().flatten().collect()
}

/// Method and path of every call, for whoever must know them all.
pub fn paths() -> Vec<(Method, String)> {
    let calls = calls().into_iter();
    calls.map(|call| (call.method, call.path)).collect()
}

/// Every route, with and without a slash at the end: some clients add one.
pub fn routes() -> Router<App> {
    let mut routes = Router::new();
    for call in calls() {
        routes = routes
            .route(&call.path, call.answer.clone())
            .route(&format!("{}/", call.path), call.answer);
    }
    routes
}
