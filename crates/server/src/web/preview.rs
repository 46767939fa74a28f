//! What a link to a game tells before it is opened.

use axum::http::{HeaderMap, header};

use super::page::About;
use crate::doors::native::games::{GameView, PlayerView, public_view};
use crate::play::App;
use crate::play::names::Names;

/// What anyone may know of the game; `None` if that is nothing.
pub(super) async fn of_game(app: &App, id: &str, asked: &HeaderMap) -> Option<About> {
    if !app.settings.anonymous_reads {
        return None;
    }
    let game = public_view(app, id).await.ok()?;
    let base = base(app, asked);
    let picture = |base: &String| {
        let version = game.version;
        format!("{base}/v1/games/{}/board.png?size=720&v={version}", game.id)
    };
    Some(About {
        title: title(&game),
        description: description(&game),
        url: base.as_ref().map(|base| format!("{base}/game/{}", game.id)),
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

fn title(game: &GameView) -> String {
    let (white, black) = (&game.players.white, &game.players.black);
    if game.state == "WAITING" {
        let host = white.as_ref().or(black.as_ref());
        let host = host.map_or(&game.creator, |player| &player.name);
        let host = Names::titled(game.creator_title.as_deref(), host);
        return format!("{host} invites you to a game of chess");
    }
    let name = |player: &Option<PlayerView>| match player {
        Some(player) => Names::titled(player.title.as_deref(), &player.name),
        None => "?".to_owned(),
    };
    format!("{} – {}", name(white), name(black))
}

fn description(game: &GameView) -> String {
    let kind = if game.rated { "Rated" } else { "Casual" };
    let variant = game.variant.replace('_', " ");
    let end = match (game.result, game.reason) {
        (Some("white_wins"), Some(why)) => format!("White won: {}.", why.replace('_', " ")),
        (Some("black_wins"), Some(why)) => format!("Black won: {}.", why.replace('_', " ")),
        (Some("draw"), Some(why)) => format!("Draw: {}.", why.replace('_', " ")),
        (Some(_), _) => "Aborted.".to_owned(),
        (None, _) if game.state == "WAITING" => "Waiting for an opponent.".to_owned(),
        (None, _) => format!("Being played, {} half-moves so far.", game.ply),
    };
    format!("{kind} game of {variant} chess. {end}")
}
