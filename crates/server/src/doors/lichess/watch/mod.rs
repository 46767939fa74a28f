//! Watching without playing: one game move by move, and what begins and ends among
//! certain players or games.

mod game;
mod several;
mod telling;

use std::collections::HashSet;
use std::net::IpAddr;

use axum::Json;
use axum::extract::State;
use axum::response::Response;
use serde_json::{Value, json};

use self::game::Watching;
use self::several::Several;
pub(super) use self::telling::{Told, clocks};
use super::Call;
use super::body::{Asked, Text};
use super::caller::{Base, game_id};
use super::error::Error;
use super::export::seen;
use super::ndjson;
use super::reader::{Reader, game_ids, names};
use crate::auth::Caller;
use crate::http::{ClientAddress, Path};
use crate::play::App;

/// Players whose games one stream tells.
const USERS_MAX: usize = 300;
/// Games that one stream tells of, and one of somebody without a token: each is a visit to
/// a room.
const GAMES_MAX: usize = 500;
const ANONYMOUS_GAMES_MAX: usize = 100;
/// How long the name of a stream may be.
const NAME_MAX: usize = 64;

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![
        Call::get("/api/stream/game/{id}", game),
        Call::post("/api/stream/games-by-users", by_users),
        Call::post("/api/stream/games/{sid}", by_ids),
        Call::post("/api/stream/games/{sid}/add", add),
    ]
}

async fn game(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = game_id(&id)?;
    seen(&app, id, &who).await?;
    let place = app.rooms.place(who.number(), from)?;
    let watching = Watching::open(app, who.0, id, base).await?;
    Ok(ndjson::serve(watching, place))
}

async fn by_users(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Asked(asked): Asked,
    Text(ids): Text,
) -> Result<Response, Error> {
    let names = names(&ids, USERS_MAX)?;
    let people = app.auth.people_by_names(&names).await?;
    let players: HashSet<_> = people.values().map(|person| person.number).collect();
    let place = app.rooms.place(who.number(), from)?;
    let mut several = Several::of_users(app, who.0, base, players);
    if asked.flag("withCurrentGames") {
        several.add_current().await?;
    }
    Ok(ndjson::serve(several, place))
}

async fn by_ids(
    State(app): State<App>,
    who: Reader,
    base: Base,
    ClientAddress(from): ClientAddress,
    Path(sid): Path<String>,
    Text(ids): Text,
) -> Result<Response, Error> {
    let name = stream_name(&sid, &who, from)?;
    let games = game_ids(&ids, games_max(who.0.as_ref()))?;
    let place = app.rooms.place(who.number(), from)?;
    let several = Several::of_games(app, who.0, base, &name, games);
    Ok(ndjson::serve(several, place))
}

async fn add(
    State(app): State<App>,
    who: Reader,
    ClientAddress(from): ClientAddress,
    Path(sid): Path<String>,
    Text(ids): Text,
) -> Result<Json<Value>, Error> {
    let games = game_ids(&ids, games_max(who.0.as_ref()))?;
    let name = stream_name(&sid, &who, from)?;
    match app.rooms.add_to_gathering(&name, &games) {
        true => Ok(Json(json!({ "ok": true }))),
        false => Err(Error::not_found("No such stream")),
    }
}

/// How many games a stream of somebody tells of.
fn games_max(who: Option<&Caller>) -> usize {
    match who {
        Some(_) => GAMES_MAX,
        None => ANONYMOUS_GAMES_MAX,
    }
}

/// What a stream is called among those of everybody: nobody ends or fills another's.
fn stream_name(sid: &str, who: &Reader, from: IpAddr) -> Result<String, Error> {
    let owner = who
        .number()
        .map_or_else(|| from.to_string(), |n| n.0.get().to_string());
    match sid.len() {
        1..=NAME_MAX => Ok(format!("{owner} {sid}")),
        _ => Err(Error::refused("The id of a stream has 1 to 64 characters")),
    }
}
