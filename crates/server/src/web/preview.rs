//! What a link to a game or a player tells before it is opened.

use axum::http::HeaderMap;
use chess::game::{Ending, Game, Phase};
use chess::table::PlayerId;

use store::{RatingProfile, TableId};

use super::files;
use super::page::About;
use crate::http::address::base_url;
use crate::play::look::table_id;
use crate::play::names::{Names, people};
use crate::play::{App, Sight, look, ratings};
use crate::problem::{Kind, Problem};

/// What stands for the server.
const ICON: &str = "icon-512.png";
const ICON_SIZE: u16 = 512;

/// What anyone may know of something.
pub(super) enum Known {
    All(About),
    /// There is none, or none that anyone may see.
    Nothing,
    /// Who is not signed in is told nothing, or it cannot be said now.
    Untold,
}

impl Known {
    fn of(found: Result<About, Problem>) -> Known {
        match found {
            Ok(about) => Known::All(about),
            Err(problem) if problem.kind == Kind::Missing => Known::Nothing,
            Err(_) => Known::Untold,
        }
    }
}

/// What anyone may know of the game.
pub(super) async fn of_game(app: &App, id: &str, asked: &HeaderMap) -> Known {
    match table_id(id) {
        Ok(_) if !app.settings.anonymous_reads => Known::Untold,
        Ok(id) => Known::of(game_about(app, id, asked).await),
        Err(_) => Known::Nothing,
    }
}

async fn game_about(app: &App, id: TableId, asked: &HeaderMap) -> Result<About, Problem> {
    let sight = look::look(app, id, None).await?;
    let Sight { id, game, .. } = &sight;
    let names = Names::of(app, people(game)).await?;
    let base = base_url(&app.settings, asked);
    let picture = |base: &String| {
        let version = game.version();
        let url = format!("{base}/v1/games/{id}/board.png?size=720&v={version}");
        (url, 720)
    };
    Ok(About {
        title: title(game, &names),
        description: description(game),
        url: base.as_ref().map(|base| format!("{base}/game/{id}")),
        image: base.as_ref().map(picture),
    })
}

/// What anyone may know of the player.
pub(super) async fn of_player(app: &App, name: &str, asked: &HeaderMap) -> Known {
    match app.settings.anonymous_reads {
        true => Known::of(player_about(app, name, asked).await),
        false => Known::Untold,
    }
}

async fn player_about(app: &App, name: &str, asked: &HeaderMap) -> Result<About, Problem> {
    let person = app.auth.person_by_name(name).await?;
    let person = person.filter(|person| !person.deleted);
    let person = person.ok_or_else(|| Problem::not_found("there is no such player"))?;
    let known = ratings::profile(app, person.number, None).await?;
    let rated = known.iter().map(|RatingProfile { rating, .. }| {
        let points = rating.standing.rating.points();
        format!("{} {points}", rating.category.name().replace('_', " "))
    });
    let rated = rated.collect::<Vec<_>>().join(", ");
    let base = base_url(&app.settings, asked);
    let icon = |base: &String| {
        let icon = files::find(ICON)?;
        Some((format!("{base}/{}", icon.path), ICON_SIZE))
    };
    Ok(About {
        title: Names::titled(person.title.as_deref(), &person.name),
        description: match rated.is_empty() {
            true => "Plays chess here.".to_owned(),
            false => format!("Plays chess here: {rated}."),
        },
        url: base.as_ref().map(|base| format!("{base}/@/{}", person.id)),
        image: base.as_ref().and_then(icon),
    })
}

fn title(game: &Game, names: &Names) -> String {
    let titled = |player: PlayerId, name: &str| {
        let title = names.title(player);
        Names::titled(title.as_deref(), name)
    };
    let name = |player: PlayerId| match names.get(player) {
        Some(person) => person.name.clone(),
        None => names.id(player),
    };
    let seats = game.seats();
    if game.phase() == Phase::Waiting {
        let host = seats.white.or(seats.black);
        let host = host.map_or_else(|| names.id(game.creator()), name);
        let host = titled(game.creator(), &host);
        return format!("{host} invites you to a game of chess");
    }
    let player = |seat: Option<PlayerId>| {
        seat.map_or_else(|| "?".to_owned(), |player| titled(player, &name(player)))
    };
    format!("{} – {}", player(seats.white), player(seats.black))
}

fn description(game: &Game) -> String {
    let terms = game.terms();
    let kind = if terms.rated { "Rated" } else { "Casual" };
    let variant = terms.variant.name().replace('_', " ");
    let why = |ending: Ending| ending.reason().replace('_', " ");
    let end = match game.ending() {
        Some(ending) => match ending.result() {
            "white_wins" => format!("White won: {}.", why(ending)),
            "black_wins" => format!("Black won: {}.", why(ending)),
            "draw" => format!("Draw: {}.", why(ending)),
            _ => "Aborted.".to_owned(),
        },
        None if game.phase() == Phase::Waiting => "Waiting for an opponent.".to_owned(),
        None => format!("Being played, {} half-moves so far.", game.ply()),
    };
    format!("{kind} game of {variant} chess. {end}")
}
