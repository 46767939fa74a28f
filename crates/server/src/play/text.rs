//! A game in words: the board as text, and the moves that may be played.

use chess::Color;
use chess::game::Game;

use super::App;
use super::look::Sight;
use super::names::Names;
use crate::picture::{self, TextView};
use crate::problem::Problem;

/// The moves that may be played, in standard algebraic notation and in UCI; none once
/// the game is over.
pub(crate) fn legal(game: &Game) -> Vec<(String, String)> {
    if game.ending().is_some() {
        return Vec::new();
    }
    let board = game.board();
    let written = |m| {
        let mut after = board.clone();
        after.play(m);
        (board.san(m, &after), board.uci(m).to_string())
    };
    board.legal_moves().into_iter().map(written).collect()
}

/// The board as text, with players, clocks and legal moves.
///
/// # Errors
/// `unavailable` if the store cannot say who plays.
pub(crate) async fn text(app: &App, sight: &Sight) -> Result<String, Problem> {
    let Sight { id, game, .. } = sight;
    let names = Names::of(app, game.seats().iter().flatten().copied()).await?;
    let name = |color| {
        let player = *game.seats().get(color);
        player.map_or_else(
            || "?".to_owned(),
            |p| Names::titled(names.title(p).as_deref(), &names.id(p)),
        )
    };
    let heading = format!("Game {id}: {} - {}", name(Color::White), name(Color::Black));
    let view = TextView::of_game(game, sight.clock_at(), heading, legal(game));
    Ok(picture::text(&view))
}
