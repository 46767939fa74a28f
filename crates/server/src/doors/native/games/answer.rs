//! Games as answers.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use chess::game::Game;
use chess::table::PlayerId;
use store::TableId;

use super::view::Shown;
use crate::json;
pub(crate) use crate::play::look::table_id;
use crate::play::{App, Sight};
use crate::problem::Problem;

/// More than most games take.
const GAME_BYTES: usize = 2_048;

/// A game with all of its fields.
pub(super) fn whole<V>(view: V) -> json::Answer<V> {
    json::Answer(view, GAME_BYTES)
}

/// 200 with the game.
pub(super) async fn answer(app: &App, sight: Sight) -> Result<Response, Problem> {
    Ok(whole(shown_as(app, sight).view().await?).into_response())
}

/// What was seen, ready to be rendered.
pub(crate) fn shown_as(app: &App, sight: Sight) -> Shown<'_> {
    Shown { app, sight }
}

/// 200 with a game that was found to be for that viewer.
pub(crate) async fn show(
    app: &App,
    id: TableId,
    game: &Arc<Game>,
    viewer: Option<PlayerId>,
) -> Result<Response, Problem> {
    answer(app, Sight::whole(app, id, game, viewer)).await
}

/// The same, ready to be rendered.
pub(crate) fn shown<'a>(
    app: &'a App,
    id: TableId,
    game: &Arc<Game>,
    viewer: Option<PlayerId>,
) -> Shown<'a> {
    Shown {
        app,
        sight: Sight::whole(app, id, game, viewer),
    }
}
