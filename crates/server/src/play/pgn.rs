//! A game written out, as PGN and otherwise.

use std::sync::Arc;

use chess::game::Game;
use chess::pgn;
use chess::{ByColor, Color};
use store::TableId;
use tokio::task::spawn_blocking;

use super::App;
use super::look::Sight;
use super::names::Names;
use crate::problem::Problem;
use crate::settings::Settings;

/// A game of so many changes is written out on the spot.
const SHORT: u32 = 100;

/// The game as PGN.
///
/// # Errors
/// `unavailable`: too many long games are being written out.
pub(crate) async fn pgn(app: &App, sight: &Sight) -> Result<String, Problem> {
    let Sight { id, game, .. } = sight;
    let names = Names::of(app, game.seats().iter().flatten().copied()).await?;
    let (whose, id) = (app.clone(), *id);
    let write = move |game: &Game| pgn_of(&whose.settings, id, game, &names);
    written(app, game, write).await
}

/// Writes a game out move by move. For a long one that takes milliseconds:
/// those who do not wait for it must not either.
pub(crate) async fn written<T: Send + 'static>(
    app: &App,
    game: &Arc<Game>,
    write: impl FnOnce(&Game) -> T + Send + 'static,
) -> Result<T, Problem> {
    if game.version() <= SHORT {
        return Ok(write(game));
    }
    let turn = app.replays.turn().await?;
    let game = Arc::clone(game);
    let written = spawn_blocking(move || {
        let _turn = turn;
        write(&game)
    });
    written.await.map_err(|_| Problem::unavailable())
}

/// The text; `names` has its players.
pub(crate) fn pgn_of(settings: &Settings, id: TableId, game: &Game, names: &Names) -> String {
    let id = id.to_string();
    let site = match &settings.public_url {
        Some(url) => format!("{}/game/{id}", url.trim_end_matches('/')),
        None => id.clone(),
    };
    let player = |color| {
        let person = game.seats().get(color).and_then(|player| names.get(player));
        pgn::Player {
            name: person.map_or("?", |p| p.name.as_str()),
            title: person.and_then(|p| p.title.as_deref()),
            ..pgn::Player::default()
        }
    };
    let event = if game.terms().rated {
        "Rated game"
    } else {
        "Casual game"
    };
    let tags = pgn::Tags {
        event,
        site: &site,
        players: ByColor {
            white: player(Color::White),
            black: player(Color::Black),
        },
        game_id: Some(&id),
        ..pgn::Tags::default()
    };
    pgn::write(game, &tags)
}
