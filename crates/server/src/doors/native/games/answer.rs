//! From outcomes to answers.

use std::sync::Arc;

use axum::Json;
use axum::response::{IntoResponse, Response};
use chess::game::{Game, Refusal};
use chess::table::PlayerId;
use live::Outcome;
use store::TableId;

use super::view::Shown;
use crate::auth::Caller;
use crate::play::App;
use crate::play::sight::{may_see, may_see_it};
use crate::problem::Problem;

/// Reads an id out of a path.
pub(crate) fn table_id(text: &str) -> Result<TableId, Problem> {
    text.parse().map_err(|_| Problem::game_not_found())
}

/// Reads a game that the caller may see.
pub(crate) async fn visible_game(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
) -> Result<Arc<Game>, Problem> {
    let game = app.games.read(id, caller.map(Caller::number)).await?;
    if may_see_it(app, id, &game, caller).await? {
        Ok(game)
    } else {
        Err(Problem::game_not_found())
    }
}

/// 200 with the game as it is now.
pub(crate) async fn show(
    app: &App,
    id: TableId,
    game: &Game,
    viewer: Option<PlayerId>,
) -> Result<Response, Problem> {
    let shown = shown(app, id, game, viewer);
    Ok(Json(shown.view().await?).into_response())
}

/// The game, ready to be rendered for that viewer.
pub(crate) fn shown<'a>(
    app: &'a App,
    id: TableId,
    game: &'a Game,
    viewer: Option<PlayerId>,
) -> Shown<'a> {
    Shown {
        app,
        id,
        game,
        viewer,
        join_code: app.games.join_code(id),
        now: app.now(),
    }
}

/// The table after a command, or why there is none. An outsider's refusal
/// must not tell that a private game exists.
pub(crate) fn settled(outcome: Outcome<Game>, caller: &Caller) -> Result<Arc<Game>, Problem> {
    match outcome {
        Outcome::Changed { after, .. } => Ok(after),
        Outcome::Already { table, .. } => Ok(table),
        Outcome::Refused { table, .. } if !may_see(&table, Some(caller)) => {
            Err(Problem::game_not_found())
        }
        Outcome::Refused { why, table } => {
            let ends_with_it = matches!(why, Refusal::IllegalMove(_) | Refusal::ClockExpired);
            let error = Problem::from(as_told_to(caller, &table, why));
            Err(match table.ending() {
                Some(ending) if ends_with_it => error
                    .with("game_state", table.phase().name())
                    .with("result", ending.result())
                    .with("reason", ending.reason()),
                _ => error,
            })
        }
    }
}

/// A refusal does not tell a spectator that a game with a delay is over.
fn as_told_to(caller: &Caller, game: &Game, why: Refusal) -> Refusal {
    let is_delayed = game.terms().spectator_delay > 0 && !game.is_player(caller.number());
    match why {
        Refusal::GameNotWaiting { .. } if is_delayed => Refusal::GameNotWaiting { state: "ACTIVE" },
        why => why,
    }
}

/// The first answer again: the game as it was at that version.
pub(crate) async fn show_again(
    app: &App,
    id: TableId,
    version: u32,
    caller: &Caller,
) -> Result<Response, Problem> {
    let now = app.games.read(id, Some(caller.number())).await?;
    let then = now.as_of(version).ok_or_else(Problem::unavailable)?;
    let shown = Shown {
        now: then.last_at(),
        ..shown(app, id, &then, Some(caller.number()))
    };
    Ok(Json(shown.view().await?).into_response())
}
