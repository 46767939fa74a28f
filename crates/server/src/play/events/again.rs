//! Telling once more, for whoever lost it.

use chess::game::Game;
use store::{EventKind, TableId};

use crate::auth::{Caller, Scope};
use crate::play::App;
use crate::problem::{Kind, Problem};

/// Tells again that a game is over, as it ended. Nothing else changes.
///
/// # Errors
/// `missing_scope` without scope `service`; `game_not_ended`.
pub(crate) async fn game_ended(
    app: &App,
    caller: &Caller,
    id: TableId,
    game: &Game,
) -> Result<(), Problem> {
    caller.require(Scope::Service)?;
    if game.ending().is_none() {
        let detail = "the game is not over";
        let problem = Problem::new(Kind::Conflict, "game_not_ended", detail);
        return Err(problem.with("game_state", game.phase().state().name()));
    }
    // As of now: events are kept for a while after they are told.
    let told = app
        .store
        .tell_again(EventKind::GameEnded, id, game.version(), app.now());
    Ok(told.await?)
}
