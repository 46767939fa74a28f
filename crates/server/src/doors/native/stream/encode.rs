//! Messages as text: encoded once, whoever reads them.

use axum::extract::ws::Utf8Bytes;
use chess::game::{Entry, Game, Offer};
use chess::rules::Board;
use chess::{Color, Timestamp};
use live::room::Role;
use serde::Serialize;
use serde_json::{Value, json};
use store::TableId;

use super::here::{Audience, PresenceView, player_view};
use super::presence::PlayerHere;
use crate::doors::native::games::GameView;
use crate::doors::native::games::messages::{Message, messages_of, messages_since};
use crate::doors::native::games::view::{clock_views, color_name};
use crate::play::names::Names;
use crate::problem::Problem;
use crate::room::ChatView;
use crate::text_time::rfc3339;

/// A message of one of the games that a socket may carry.
#[derive(Serialize)]
struct Of<'a, M> {
    #[serde(flatten)]
    message: &'a M,
    game_id: String,
}

fn text(message: &impl Serialize) -> Utf8Bytes {
    let text = serde_json::to_string(message).expect("messages are plain JSON");
    Utf8Bytes::from(text)
}

fn of(id: TableId, message: &impl Serialize) -> Utf8Bytes {
    text(&Of {
        message,
        game_id: id.to_string(),
    })
}

/// One change.
pub(crate) fn change(
    id: TableId,
    before: &Board,
    entry: &Entry,
    after: &Game,
    names: &Names,
) -> Vec<Utf8Bytes> {
    messages_of(before, entry, after, names)
        .map(|message: Message| of(id, &message))
        .collect()
}

/// Every change after that version, each message with the last version of
/// which everything is told by then.
pub(crate) fn missed(id: TableId, game: &Game, since: u32, names: &Names) -> Vec<(Utf8Bytes, u32)> {
    let messages = messages_since(game, since, names);
    let next = messages.iter().skip(1).map(|message| message.version);
    let next = next.chain([u32::MAX]);
    messages
        .iter()
        .zip(next)
        .map(|(message, next)| (of(id, message), message.version.min(next - 1)))
        .collect()
}

/// `CLOCK`.
pub(crate) fn clock(id: TableId, game: &Game, now: Timestamp) -> Utf8Bytes {
    let (clock, clock_ms) = clock_views(game.clocks(now));
    let clock_at = rfc3339(now);
    of(
        id,
        &json!({ "type": "CLOCK", "clock": clock, "clock_ms": clock_ms, "clock_at": clock_at }),
    )
}

/// `PRESENCE` of a player.
pub(crate) fn presence(id: TableId, color: Color, player: &PlayerHere, names: &Names) -> Utf8Bytes {
    let mut message = json!(player_view(player, names));
    message["type"] = json!("PRESENCE");
    message["role"] = json!(Role::Player.name());
    message["color"] = json!(color_name(color));
    of(id, &message)
}

/// `PRESENCE` of everybody else.
pub(crate) fn audience(id: TableId, audience: &Audience) -> Utf8Bytes {
    let mut message = json!(audience.view());
    message["type"] = json!("PRESENCE");
    of(id, &message)
}

/// `REMATCH`: here the game is the new one.
pub(crate) fn rematch(finished: TableId, id: TableId, game: &Game, names: &Names) -> Utf8Bytes {
    let message = json!({
        "type": "REMATCH", "game_id": id.to_string(), "of": finished.to_string(),
        "by": names.id(game.creator()), "by_title": names.title(game.creator()),
        "accepted": game.started_at().is_some(),
    });
    text(&message)
}

/// `CHAT`.
pub(crate) fn chat(id: TableId, line: &impl Serialize) -> Utf8Bytes {
    #[derive(Serialize)]
    struct Chat<'a, L> {
        #[serde(rename = "type")]
        kind: &'static str,
        #[serde(flatten)]
        line: &'a L,
    }
    of(id, &Chat { kind: "CHAT", line })
}

/// Something that could not be done.
pub(crate) fn error(error: &Problem) -> Utf8Bytes {
    let mut message = error.context.clone();
    message.insert("type".to_owned(), json!("ERROR"));
    message.insert("error".to_owned(), json!(error.code));
    message.insert("detail".to_owned(), json!(error.detail));
    text(&message)
}

/// `PONG`.
pub(crate) fn pong(id: Option<&Value>) -> Utf8Bytes {
    text(&json!({ "type": "PONG", "id": id }))
}

/// `STATE`: the game, and where the reader stands.
#[derive(Serialize)]
pub(crate) struct State {
    #[serde(rename = "type")]
    kind: &'static str,
    game_id: String,
    role: &'static str,
    presence: PresenceView,
    chat: Vec<ChatView>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    resync: bool,
    #[serde(flatten)]
    game: GameView,
}

impl State {
    pub(crate) fn new(
        game: GameView,
        role: Role,
        presence: PresenceView,
        chat: Vec<ChatView>,
        resync: bool,
    ) -> State {
        State {
            kind: "STATE",
            game_id: game.id.clone(),
            role: role.name(),
            presence,
            chat,
            resync,
            game,
        }
    }

    pub(crate) fn text(&self) -> Utf8Bytes {
        text(self)
    }
}

/// `SYNC`: from here on everything comes as it happens.
pub(crate) fn sync(
    id: TableId,
    game: &Game,
    role: Role,
    presence: &PresenceView,
    now: Timestamp,
) -> Utf8Bytes {
    let clock_at = game.ended_at().unwrap_or(now);
    let (_, clock_ms) = clock_views(game.clocks(clock_at));
    let offer = |offer| game.offer(offer).map(color_name);
    of(
        id,
        &json!({
            "type": "SYNC", "version": game.version(), "role": role.name(),
            "clock_ms": clock_ms, "clock_at": rfc3339(clock_at), "presence": presence,
            "offers": {
                "draw": offer(Offer::Draw), "takeback": offer(Offer::Takeback),
                "pause": offer(Offer::Pause),
            },
            "resume_by": Vec::from_iter(game.resume_by().map(color_name)),
        }),
    )
}
