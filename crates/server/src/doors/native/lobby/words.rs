//! The messages of the lobby's streams.

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use store::TableId;
use utoipa::ToSchema;

use crate::doors::native::games::GameView;
use crate::doors::native::games::view::Shown;
use crate::play::{App, Sight};
use crate::rooms::What;
use crate::rooms::lobby::Open;

/// What a stream of the lobby says.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum LobbyMessage {
    /// First, and again whenever the reader must begin anew: the games that the reader
    /// may join, newest first; the newest 200 if there are more.
    State {
        /// The games. They take the place of all that was told before.
        games: Vec<GameView>,
        /// Whether there are older ones, or may be. They are told as there is room.
        more: bool,
        /// Whether what was told before counts for nothing.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        resync: bool,
    },
    /// A game is among them now, or has changed.
    Opened {
        /// The game.
        game: Box<GameView>,
    },
    /// A game is no longer among them.
    Gone {
        /// Which.
        game_id: String,
        /// `joined`, `cancelled`, `expired`, `aborted` by an operator, `older` if
        /// newer games took its place among the 200, or `other`.
        reason: &'static str,
    },
}

/// This door, as news know it.
struct Lobby;

/// How `OPENED` begins; a brace ends it.
const OPENED: &str = r#"{"type":"OPENED","game":"#;

/// `OPENED`, put into words once for everybody; `None` if that fails.
pub(super) fn opened(app: &App, open: &Open) -> Option<Utf8Bytes> {
    let words = open.news.words::<Lobby>(0, |what| {
        let What::Open(open) = what else {
            return Vec::new();
        };
        // Nobody who reads it has made it.
        let sight = Sight::whole(app, open.id, &open.game, None);
        let game = Box::new(Shown { app, sight }.with(&open.names, None));
        vec![text(&LobbyMessage::Opened { game })]
    });
    words.and_then(|words| words.first().cloned())
}

/// `GONE`.
pub(super) fn gone(id: TableId, reason: &'static str) -> Utf8Bytes {
    text(&LobbyMessage::Gone {
        game_id: id.to_string(),
        reason,
    })
}

/// `STATE`, of games that were put into words already.
pub(super) fn state(opened: &[Utf8Bytes], more: bool, resync: bool) -> Utf8Bytes {
    let games: Vec<&str> = opened.iter().map(|opened| game_in(opened)).collect();
    let without_games = text(&LobbyMessage::State {
        games: Vec::new(),
        more,
        resync,
    });
    let games = format!("[{}]", games.join(","));
    without_games.replacen("[]", &games, 1).into()
}

/// The game in the words of `OPENED`.
fn game_in(opened: &str) -> &str {
    let game = opened.strip_prefix(OPENED);
    game.and_then(|game| game.strip_suffix('}'))
        .unwrap_or("null")
}

fn text(message: &LobbyMessage) -> Utf8Bytes {
    let text = serde_json::to_string(message).expect("messages are plain JSON");
    Utf8Bytes::from(text)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// What is put together from parts reads as if it had been written whole.
    #[test]
    fn the_state_is_made_of_what_was_told_of_each_game() {
        let opened = [r#"{"id":"a"}"#, r#"{"id":"b"}"#].map(|game| format!("{OPENED}{game}}}"));
        let opened = opened.map(Utf8Bytes::from);
        for (more, resync) in [(false, false), (true, true)] {
            let made: Value = serde_json::from_str(&state(&opened, more, resync)).unwrap();
            let mut whole = json!({ "type": "STATE", "games": [{ "id": "a" }, { "id": "b" }] });
            whole["more"] = more.into();
            if resync {
                whole["resync"] = true.into();
            }
            assert_eq!(made, whole);
        }
        assert_eq!(
            &*gone(TableId::from_random(7), "joined"),
            format!(
                r#"{{"type":"GONE","game_id":"{}","reason":"joined"}}"#,
                TableId::from_random(7)
            )
        );
    }
}
