//! Accounts and tokens.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use chess::game::Game;
use chess::table::{PlayerId, State as Phase};
use futures_util::stream::iter;
use futures_util::{StreamExt, TryStreamExt};
use serde_json::{Map, Value, json};
use store::{ListQuery, TableId};

use super::Call;
use super::body::{Asked as Query, Text};
use super::caller::{Base, Player};
use super::error::Error;
use super::play::{Done, done};
use super::reader::AT_ONCE;
use super::users::Known;
use super::words::Info;
use crate::auth::{Caller, Names, Scope};
use crate::games::Listed;
use crate::http::ClientAddress;
use crate::limits::rates::Rate;
use crate::play::names::people;
use crate::play::{App, upgrade};
use crate::problem::Kind;

/// The calls of this file.
pub(super) fn routes() -> Vec<Call> {
    vec![
        Call::post("/api/token/test", test),
        Call::get("/api/account", account),
        Call::get("/api/account/playing", playing),
        Call::post("/api/bot/account/upgrade", become_bot),
    ]
}

/// Tokens that can be asked for at once.
const TOKENS_MAX: usize = 1_000;

/// What tokens are good for, each under its own text: nothing for a bad one.
async fn test(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Text(text): Text,
) -> Result<Json<Value>, Error> {
    app.rates.check(Rate::Bulk, from)?;
    let tokens = text
        .split(',')
        .map(str::trim)
        .filter(|token| !token.is_empty());
    let tokens: Vec<String> = tokens.take(TOKENS_MAX).map(str::to_owned).collect();
    let tested = iter(tokens).map(|token| {
        let app = app.clone();
        async move {
            let found = match app.auth.authenticate(&token).await {
                Ok(caller) => of_token(&caller),
                Err(problem) if problem.kind == Kind::Unavailable => return Err(problem),
                Err(_) => Value::Null,
            };
            Ok((token, found))
        }
    });
    let tested: Map<String, Value> = tested.buffered(AT_ONCE).try_collect().await?;
    Ok(Json(Value::Object(tested)))
}

fn of_token(caller: &Caller) -> Value {
    let scopes = Scope::LICHESS.into_iter();
    let scopes = scopes.filter(|scope| caller.scopes.contains(*scope));
    let scopes: Vec<_> = scopes.map(Scope::name).collect();
    json!({
        "userId": caller.person.id,
        "scopes": scopes.join(","),
        "expires": caller.expires_at.map(|end| end.0),
    })
}

/// Whose token it is.
async fn account(
    State(app): State<App>,
    Player(caller): Player,
    base: Base,
) -> Result<Json<Value>, Error> {
    let found = app.store.account_by_number(caller.number()).await?;
    let found = found.ok_or_else(|| Error::not_found("Not found"))?;
    let known = Known::of(&app, found, Some(caller.number())).await?;
    Ok(Json(known.json(&app, &base)))
}

/// Games that are listed at most, and unless more are asked for.
const PLAYING: (u32, u32) = (50, 9);

/// The games that the caller plays now, those first in which it is their move.
async fn playing(
    State(app): State<App>,
    Player(caller): Player,
    Query(query): Query,
) -> Result<Json<Value>, Error> {
    let (most, usual) = PLAYING;
    let wanted = query.number("nb")?.unwrap_or(usual).clamp(1, most);
    let mut entries = Vec::new();
    for (id, game) in running(&app, caller.number(), most).await? {
        let names = Names::of(&app, people(&game)).await?;
        let info = Info {
            app: &app,
            id,
            game: &game,
            player: caller.number(),
            names: &names,
            rated: None,
            now: app.now(),
        };
        entries.extend(info.entry());
    }
    entries.sort_by_key(|entry| entry["isMyTurn"] != true);
    let turns = entries.iter().filter(|entry| entry["isMyTurn"] == true);
    let turns = turns.count();
    entries.truncate(wanted as usize);
    Ok(Json(json!({ "nowPlaying": entries, "nbMyTurn": turns })))
}

/// The games that somebody plays now.
pub(super) async fn running(
    app: &App,
    player: PlayerId,
    most: u32,
) -> Result<Vec<(TableId, Arc<Game>)>, Error> {
    let mut games = Vec::new();
    for state in [Phase::Active, Phase::Paused] {
        let query = ListQuery {
            kind: Some(Game::KIND),
            state: Some(state),
            player: Some(player),
            viewer: Some(player),
            limit: most,
            ..ListQuery::default()
        };
        for Listed { place, game, .. } in app.games.list(query).await? {
            let game = game.filter(|game| game.ending().is_none());
            games.extend(game.map(|game| (place.table, game)));
        }
    }
    Ok(games)
}

/// Makes the account a bot's.
async fn become_bot(State(app): State<App>, Player(caller): Player) -> Done {
    caller.require(Scope::BotPlay)?;
    upgrade::to_bot(&app, &caller).await?;
    done()
}
