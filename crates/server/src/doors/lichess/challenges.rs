//! Challenges: making, answering and withdrawing them. A challenge is a game that waits,
//! and what comes of it has its id.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use bots::Level;
use chess::game::Game;
use chess::table::{State as Phase, Table};
use serde_json::{Value, json};
use store::TableId;

use super::body::{Asked as Query, Fields, Sent};
use super::caller::{Base, Player, game_id};
use super::challenge::Challenges;
use super::error::Error;
use super::keep::Keep;
use super::play::{Done, done};
use super::vocab::{self, Rules};
use super::words::{full_id, initial_fen, source};
use super::{Call, ndjson, terms};
use crate::auth::{Caller, Scope};
use crate::http::caller::by_token;
use crate::http::{ClientAddress, Path};
use crate::play::challenges;
use crate::play::house::new as house;
use crate::play::sight::visible;
use crate::play::{App, Asked, Sight, commands, create, join};
use crate::problem::{Kind, Problem};

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![
        Call::get("/api/challenge", list),
        Call::post("/api/challenge/ai", against_bot),
        Call::post("/api/challenge/open", open),
        Call::post("/api/challenge/{name}", challenge),
        Call::get("/api/challenge/{id}/show", show),
        Call::post("/api/challenge/{id}/accept", accept),
        Call::post("/api/challenge/{id}/decline", decline),
        Call::post("/api/challenge/{id}/cancel", cancel),
    ]
}

/// What a token needs to make or answer a challenge: one of these.
const TO_WRITE: [Scope; 3] = [Scope::ChallengeWrite, Scope::BotPlay, Scope::BoardPlay];

/// Challenges that are listed at most, either way.
const LISTED_MAX: u32 = 100;

/// Those that wait for the caller, and those that the caller made.
async fn list(
    State(app): State<App>,
    player: Player,
    Base(base): Base,
) -> Result<Json<Value>, Error> {
    let caller = player.with(&[Scope::ChallengeRead])?;
    let found = challenges::page(&app, &caller, None, LISTED_MAX).await?;
    let games = found.games.iter().map(|sight| &*sight.game);
    let known = Challenges::of(&app, &base, games).await?;
    let (mut coming, mut going) = (Vec::new(), Vec::new());
    for sight in &found.games {
        let shown = known.json(sight.id, &sight.game, Some(caller.number()));
        match sight.game.creator() == caller.number() {
            true => going.push(shown),
            false => coming.push(shown),
        }
    }
    Ok(Json(json!({ "in": coming, "out": going })))
}

/// Challenges somebody.
async fn challenge(
    State(app): State<App>,
    player: Player,
    Base(base): Base,
    address: ClientAddress,
    Path(name): Path<String>,
    Sent(fields): Sent,
) -> Result<Response, Error> {
    let caller = player.with(&TO_WRITE)?;
    let opponent = match fields.text("acceptByToken") {
        Some(token) => Some(whoever_accepts(&app, token, &name).await?),
        None => None,
    };
    let new = terms::new_game(&fields, Some(name))?;
    let made = made(create::make(&Asked::new(&app, &caller), new).await)?;
    if let Some(opponent) = opponent {
        return accepted(&app, &caller, &opponent, made.id).await;
    }
    let mut shown = shown(&app, &base, &made, &caller).await?;
    let rules = terms::house_rules(&fields);
    if !rules.is_empty() {
        shown["rules"] = json!(rules);
    }
    if fields.flag("keepAliveStream") {
        let place = app.rooms.place(Some(caller.number()), address.0)?;
        let keep = Keep::open(app, caller, made.id, shown).await?;
        return Ok(ndjson::serve(keep, place));
    }
    Ok(Json(shown).into_response())
}

/// The one who is challenged, by a token of theirs that allows to accept.
async fn whoever_accepts(app: &App, token: &str, name: &str) -> Result<Caller, Error> {
    let wrong = || Error::form("acceptByToken", "Must be a token of whom you challenge");
    let opponent = match by_token(app, token, false).await {
        Err(problem) if problem.kind != Kind::Unavailable => return Err(wrong()),
        opponent => opponent?,
    };
    let may = opponent.require_any(&TO_WRITE);
    match opponent.person.id == name.to_ascii_lowercase() && may.is_ok() {
        true => Ok(opponent),
        false => Err(wrong()),
    }
}

/// A challenge that its opponent takes up at once: the game. If they may not, nothing is left
/// of it.
async fn accepted(
    app: &App,
    caller: &Caller,
    opponent: &Caller,
    id: TableId,
) -> Result<Response, Error> {
    match join::by_id(&Asked::new(app, opponent), id).await {
        Ok(sight) => {
            let color = sight.game.seat_of(caller.number());
            let color = color.ok_or_else(Problem::unavailable)?;
            Ok(Json(json!({ "game": begun(app, &sight, color) })).into_response())
        }
        Err(problem) => {
            commands::cancel(&Asked::new(app, caller), id).await?;
            Err(problem.into())
        }
    }
}

/// Somebody unknown is not found, and that is all that is said of them.
fn made(result: Result<Sight, Problem>) -> Result<Sight, Error> {
    result.map_err(|problem| match problem.kind {
        Kind::Missing => Error::not_found("Not found"),
        _ => match problem.context.get("field").and_then(Value::as_str) {
            Some(field) if problem.kind == Kind::Impossible => {
                Error::form(named(field), &problem.detail)
            }
            _ => problem.into(),
        },
    })
}

/// What this door calls a field of ours.
fn named(field: &str) -> &str {
    match field {
        "time_control.initial_seconds" => "clock.limit",
        "time_control.increment_seconds" => "clock.increment",
        "time_control.days_per_move" => "days",
        "initial_fen" => "fen",
        field => field,
    }
}

async fn shown(app: &App, base: &str, sight: &Sight, caller: &Caller) -> Result<Value, Error> {
    let known = Challenges::of(app, base, [&*sight.game]).await?;
    Ok(known.json(sight.id, &sight.game, Some(caller.number())))
}

/// A game for whoever comes; the caller has one of the places, and whoever comes says which
/// unless the caller did.
async fn open(
    State(app): State<App>,
    player: Player,
    Base(base): Base,
    Sent(fields): Sent,
) -> Result<Json<Value>, Error> {
    let caller = player.with(&TO_WRITE)?;
    let new = terms::new_game(&fields, None)?;
    let made = made(create::make(&Asked::new(&app, &caller), new).await)?;
    let mut shown = shown(&app, &base, &made, &caller).await?;
    let url = shown["url"].as_str().unwrap_or_default().to_owned();
    shown["urlWhite"] = json!(format!("{url}?color=white"));
    shown["urlBlack"] = json!(format!("{url}?color=black"));
    shown["open"] = json!({ "userIds": [] });
    Ok(Json(shown))
}

/// A game against a bot of the server's, which begins at once.
async fn against_bot(
    State(app): State<App>,
    player: Player,
    Sent(fields): Sent,
) -> Result<Response, Error> {
    let caller = player.with(&TO_WRITE)?;
    let level = level(&fields)?;
    let new = terms::new_game(&fields, None)?;
    let asked = Asked::new(&app, &caller);
    let made = house::make(&asked, level, new).await?;
    let game = begun(&app, &made.sight, !made.color);
    Ok((StatusCode::CREATED, Json(game)).into_response())
}

/// Their eight levels are our six: the weakest are the weakest, and the strongest the
/// strongest.
fn level(fields: &Fields) -> Result<Level, Error> {
    let wrong = || Error::form("level", "Must be between 1 and 8");
    let levels = [
        Level::Beginner,
        Level::Easy,
        Level::Easy,
        Level::Medium,
        Level::Hard,
        Level::Hard,
        Level::Expert,
        Level::Master,
    ];
    let number: usize = fields.number("level")?.ok_or_else(wrong)?;
    let level = number.checked_sub(1).and_then(|place| levels.get(place));
    level.copied().ok_or_else(wrong)
}

/// A game that has just begun.
fn begun(app: &App, sight: &Sight, color: chess::Color) -> Value {
    let (game, id) = (&*sight.game, sight.id.to_string());
    let control = &game.terms().control;
    json!({
        "id": id,
        "fullId": full_id(&id, color),
        "variant": Rules::of(game).json(),
        "speed": vocab::speed(control.speed()),
        "perf": vocab::perf(vocab::category(game)),
        "rated": game.terms().rated,
        "initialFen": initial_fen(game),
        "fen": game.board().fen(),
        "player": vocab::color(game.turn()),
        "color": vocab::color(color),
        "turns": game.ply(),
        "source": source(app, game),
        "status": vocab::Status::STARTED.json(),
        "createdAt": game.created_at().0,
    })
}

/// A challenge, for those whom it concerns.
async fn show(
    State(app): State<App>,
    player: Player,
    Base(base): Base,
    Path(id): Path<String>,
) -> Result<Json<Value>, Error> {
    let caller = player.with(&[Scope::ChallengeRead, Scope::BotPlay, Scope::BoardPlay])?;
    let id = challenge_id(&id)?;
    let game = visible(&app, id, Some(&caller)).await.map_err(gone)?;
    if !game.is_player(caller.number()) && game.opponent().is_some() {
        return Err(Error::not_found("Not found"));
    }
    let known = Challenges::of(&app, &base, [&*game]).await?;
    Ok(Json(known.json(id, &game, Some(caller.number()))))
}

/// Accepts a challenge: the game begins. Where nobody has chosen, `color` says which side.
async fn accept(
    State(app): State<App>,
    player: Player,
    Path(id): Path<String>,
    Query(query): Query,
) -> Done {
    let caller = player.with(&TO_WRITE)?;
    let id = challenge_id(&id)?;
    let side = terms::side(&query)?;
    let asked = Asked::new(&app, &caller);
    match join::on_side(&asked, id, side).await {
        // Whoever made an open one has a place already.
        Err(problem) if problem.code == "own_game" => {
            let game = visible(&app, id, Some(&caller)).await?;
            match game.opponent() {
                None => done(),
                Some(_) => Err(Error::not_found("Not found")),
            }
        }
        Err(problem) => Err(gone(problem)),
        Ok(_) => done(),
    }
}

/// Declines one.
async fn decline(
    State(app): State<App>,
    player: Player,
    Path(id): Path<String>,
    Sent(fields): Sent,
) -> Done {
    let caller = player.with(&TO_WRITE)?;
    let why = vocab::decline_reason(fields.text("reason"));
    let asked = Asked::new(&app, &caller);
    let declined = commands::decline(&asked, challenge_id(&id)?, Some(why)).await;
    declined.map_err(gone)?;
    done()
}

/// Withdraws one; by whom it was made to, declines it; in a game that has just begun,
/// calls that off.
async fn cancel(State(app): State<App>, player: Player, Path(id): Path<String>) -> Done {
    let caller = player.with(&TO_WRITE)?;
    let id = challenge_id(&id)?;
    let asked = Asked::new(&app, &caller);
    let game = visible(&app, id, Some(&caller)).await.map_err(gone)?;
    let cancelled = match game.state() {
        Phase::Waiting if game.creator() == caller.number() => commands::cancel(&asked, id).await,
        Phase::Waiting => commands::decline(&asked, id, None).await,
        _ if is_new(&game, &caller) => commands::abort(&asked, id).await,
        _ => return Err(Error::not_found("Not found")),
    };
    cancelled.map_err(gone)?;
    done()
}

fn is_new(game: &Game, caller: &Caller) -> bool {
    let is_running = game.ending().is_none();
    is_running && game.ply() < 2 && game.seat_of(caller.number()).is_some()
}

/// What is no challenge, or none any more, is not there.
fn gone(problem: Problem) -> Error {
    match problem.kind {
        Kind::Conflict | Kind::Missing => Error::not_found("Not found"),
        Kind::Forbidden if problem.code != "missing_scope" => Error::not_found("Not found"),
        _ => problem.into(),
    }
}

fn challenge_id(text: &str) -> Result<TableId, Error> {
    game_id(text).map_err(|_| Error::not_found("Not found"))
}
