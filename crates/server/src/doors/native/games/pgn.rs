//! A game as PGN, with those who played it.

use chess::game::Game;
use chess::pgn;
use chess::{ByColor, Color};
use store::TableId;

use crate::play::names::Names;
use crate::settings::Settings;

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
