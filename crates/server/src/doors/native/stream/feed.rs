//! What concerns an account: challenges, its turn to move, games that begin
//! and end.

use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use chess::game::{Event, Game};
use chess::table::{PlayerId, Table};
use live::room::hub::tell as tell_lane;
use serde_json::{Value, json};
use store::{ListQuery, TableId};

use crate::doors::native::games::answer::shown;
use crate::doors::native::games::view::color_name;
use crate::fanout::Changed;
use crate::fanout::told::Told;
use crate::play::App;
use crate::play::names::Names;
use crate::problem::Problem;

/// Games and challenges that an account is told of when it comes.
const PENDING_MAX: u32 = 100;

/// Tells those who follow their account.
pub(crate) async fn tell(app: &App, changed: &Changed, names: &Names) {
    let (id, game) = (changed.id, &changed.after);
    let mut people: Vec<PlayerId> = game.players().into_iter().flatten().collect();
    people.extend(game.opponent());
    people.dedup();
    for player in people {
        let Some(lane) = app.rooms.hub().feed(player) else {
            continue;
        };
        for message in messages(app, id, changed, player, names).await {
            tell_lane(&lane, Arc::new(Told::Notice(text(&message))));
        }
    }
}

async fn messages(
    app: &App,
    id: TableId,
    changed: &Changed,
    player: PlayerId,
    names: &Names,
) -> Vec<Value> {
    let game = &changed.after;
    let had_begun = changed
        .before
        .as_ref()
        .is_some_and(|g| g.started_at().is_some());
    let is_over = game.ending().is_some();
    let mut messages = Vec::new();
    match &changed.event {
        None if game.started_at().is_some() => messages.push(started(id, game, player, names)),
        None if game.opponent() == Some(player) => messages.extend(challenge(app, id, game).await),
        Some(Event::Joined { .. }) => messages.push(started(id, game, player, names)),
        Some(_) if is_over && had_begun => messages.push(over(id, game)),
        Some(_) if is_over => messages.push(gone(id, game)),
        _ => {}
    }
    let is_news = changed
        .before
        .as_ref()
        .is_none_or(|before| (before.ply(), before.state()) != (game.ply(), game.state()));
    if is_news && is_turn(game, player) {
        messages.push(your_turn(id, game, names));
    }
    messages
}

/// What waits for an account when it comes: challenges, and games to move in.
pub(crate) async fn pending(app: &App, player: PlayerId) -> Result<Vec<Utf8Bytes>, Problem> {
    let mut texts = Vec::new();
    for state in ["WAITING", "ACTIVE"] {
        let found = app
            .store
            .list(ListQuery {
                kind: Some(Game::KIND),
                state: Some(state.to_owned()),
                player: Some(player),
                viewer: Some(player),
                limit: PENDING_MAX,
                ..ListQuery::default()
            })
            .await?;
        for place in found {
            let Some(game) = app.games.listed(place.table, None).await? else {
                continue;
            };
            if is_turn(&game, player) {
                let names = Names::of(app, game.players().into_iter().flatten()).await?;
                texts.push(text(&your_turn(place.table, &game, &names)));
            } else if game.state() == "WAITING" && game.opponent() == Some(player) {
                let message = challenge(app, place.table, &game).await;
                texts.extend(message.as_ref().map(text));
            }
        }
    }
    Ok(texts)
}

fn is_turn(game: &Game, player: PlayerId) -> bool {
    game.state() == "ACTIVE" && game.seat_of(player) == Some(game.turn())
}

fn text(message: &Value) -> Utf8Bytes {
    Utf8Bytes::from(message.to_string())
}

async fn challenge(app: &App, id: TableId, game: &Game) -> Option<Value> {
    let view = shown(app, id, game, game.opponent()).view().await.ok()?;
    Some(json!({
        "type": "CHALLENGE", "game_id": id.to_string(),
        "from": view.creator, "from_title": view.creator_title, "game": view,
    }))
}

fn gone(id: TableId, game: &Game) -> Value {
    let reason = game.ending().map(|ending| ending.reason());
    json!({ "type": "CHALLENGE_GONE", "game_id": id.to_string(), "reason": reason })
}

fn started(id: TableId, game: &Game, player: PlayerId, names: &Names) -> Value {
    let color = game.seat_of(player);
    let opponent = color.and_then(|color| *game.seats().get(!color));
    json!({
        "type": "GAME_STARTED", "game_id": id.to_string(), "version": game.version(),
        "color": color.map(color_name), "opponent": opponent.map(|p| names.id(p)),
        "opponent_title": opponent.and_then(|p| names.title(p)),
    })
}

fn your_turn(id: TableId, game: &Game, names: &Names) -> Value {
    let opponent = *game.seats().get(!game.turn());
    json!({
        "type": "YOUR_TURN", "game_id": id.to_string(), "version": game.version(),
        "ply": game.ply(), "fen": game.board().fen(), "color": color_name(game.turn()),
        "opponent": opponent.map(|p| names.id(p)),
        "opponent_title": opponent.and_then(|p| names.title(p)),
    })
}

fn over(id: TableId, game: &Game) -> Value {
    let ending = game.ending();
    json!({
        "type": "GAME_OVER", "game_id": id.to_string(), "version": game.version(),
        "result": ending.map(|e| e.result()), "reason": ending.map(|e| e.reason()),
        "winner": ending.and_then(|e| e.winner()).map(color_name),
    })
}
