//! What a link to a game tells before it is opened.

use axum::http::{HeaderMap, header};
use chess::game::{Ending, Game, Phase};
use chess::table::PlayerId;

use super::page::About;
use crate::play::names::{Names, people};
use crate::play::{App, Sight, look};

/// What anyone may know of the game; `None` if that is nothing.
pub(super) async fn of_game(app: &App, id: &str, asked: &HeaderMap) -> Option<About> {
    if !app.settings.anonymous_reads {
        return None;
    }
    let sight = look::look(app, id.parse().ok()?, None).await.ok()?;
    let Sight { id, game, .. } = &sight;
    let names = Names::of(app, people(game)).await.ok()?;
    let base = base(app, asked);
    let picture = |base: &String| {
        let version = game.version();
        format!("{base}/v1/games/{id}/board.png?size=720&v={version}")
    };
    Some(About {
        title: title(game, &names),
        description: description(game),
        url: base.as_ref().map(|base| format!("{base}/game/{id}")),
        image: base.as_ref().map(picture),
    })
}

/// Where the server is found: as the operator says, or as the client asked.
fn base(app: &App, asked: &HeaderMap) -> Option<String> {
    if let Some(url) = &app.settings.public_url {
        return Some(url.trim_end_matches('/').to_owned());
    }
    let scheme = if app.settings.is_tls() {
        "https"
    } else {
        "http"
    };
    let host = asked.get(header::HOST)?.to_str().ok()?;
    Some(format!("{scheme}://{host}"))
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
