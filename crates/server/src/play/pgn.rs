//! A game written out, as PGN and otherwise.

use std::sync::Arc;

use chess::game::Game;
use chess::pgn;
use chess::{ByColor, Color};
use store::{RatedGame, TableId};
use tokio::task::spawn_blocking;

use super::App;
use super::analysis;
use super::look::Sight;
use super::names::Names;
use super::ratings;
use crate::problem::Problem;
use crate::settings::Settings;

/// A game of so many changes is written out on the spot.
const SHORT: u32 = 100;

/// What is written with the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Remarks {
    /// The clocks after each, where there is one.
    pub(crate) clocks: bool,
    /// How the position stands, if the game was analysed.
    pub(crate) evals: bool,
}

impl Remarks {
    /// What a game is written with unless somebody wants otherwise.
    pub(crate) const USUAL: Remarks = Remarks {
        clocks: true,
        evals: false,
    };
}

/// The game as PGN; with evaluations, if they are wanted and it was analysed.
///
/// # Errors
/// `unavailable`: too many long games are being written out.
pub(crate) async fn pgn(app: &App, sight: &Sight, remarks: Remarks) -> Result<String, Problem> {
    let Sight { id, game, .. } = sight;
    let names = Names::of(app, game.seats().iter().flatten().copied()).await?;
    let rated = ratings::of_sight(app, sight).await?;
    let evals = match remarks.evals {
        true => analysis::evals(app, sight).await?,
        false => Vec::new(),
    };
    let (whose, id) = (app.clone(), *id);
    let write = move |game: &Game| {
        let rated = rated.as_ref();
        let tags = pgn::Tags {
            evals: &evals,
            without_clocks: !remarks.clocks,
            ..pgn::Tags::default()
        };
        pgn_with(&whose.settings, id, game, &names, rated, tags)
    };
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

/// The text; `names` has its players, `rated` what it did to their ratings.
pub(crate) fn pgn_of(
    settings: &Settings,
    id: TableId,
    game: &Game,
    names: &Names,
    rated: Option<&RatedGame>,
) -> String {
    pgn_with(settings, id, game, names, rated, pgn::Tags::default())
}

fn pgn_with(
    settings: &Settings,
    id: TableId,
    game: &Game,
    names: &Names,
    rated: Option<&RatedGame>,
    remarks: pgn::Tags<'_>,
) -> String {
    let id = id.to_string();
    let site = match &settings.public_url {
        Some(url) => format!("{}/game/{id}", url.trim_end_matches('/')),
        None => id.clone(),
    };
    let ratings = game.start_ratings();
    let player = |color| {
        let person = game.seats().get(color).and_then(|player| names.get(player));
        pgn::Player {
            name: person.map_or("?", |p| p.name.as_str()),
            title: person.and_then(|p| p.title.as_deref()),
            rating: ratings.get(color).map(|rating| rating.points),
            rating_diff: rated.map(|rated| difference(rated, color)),
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
        ..remarks
    };
    pgn::write(game, &tags)
}

fn difference(rated: &RatedGame, color: Color) -> i16 {
    let points = rated.changes.get(color).points();
    i16::try_from(points).expect("no rating has more points than that")
}
