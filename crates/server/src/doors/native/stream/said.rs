//! What a client says over a socket.

use axum::extract::ws::Utf8Bytes;
use live::room::Audience;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::words;
use crate::doors::native::games::answer::table_id;
use crate::play::room;
use crate::problem::Problem;
use crate::stream::{End, Source, UNWELCOME};

/// What a client may say.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Said {
    /// Speaks: to the room, or to the observers only.
    Chat(Speech),
    /// Asks for `PONG`.
    Ping {
        /// Anything.
        id: Option<Value>,
    },
}

/// Something to say.
#[derive(Deserialize, ToSchema)]
pub(super) struct Speech {
    /// Up to 500 characters.
    text: Option<String>,
    /// `room` or `observers`.
    audience: Option<String>,
    /// Where; the game of the stream, if it is one game's.
    game_id: Option<String>,
}

/// Does what a client asks for.
pub(super) async fn answer<S: Source>(source: &S, text: &str) -> Result<Option<Utf8Bytes>, End> {
    let said: Said = serde_json::from_str(text)
        .map_err(|_| End(1008, "messages are JSON objects of type CHAT or PING"))?;
    match said {
        Said::Ping { id } => Ok(Some(words::pong(id))),
        Said::Chat(line) => match say(source, line).await {
            Ok(true) => Ok(None),
            Ok(false) => Err(UNWELCOME),
            Err(error) => Ok(Some(words::error(&error))),
        },
    }
}

/// Says a line; `false` if the speaker's token is no longer good.
async fn say<S: Source>(source: &S, said: Speech) -> Result<bool, Problem> {
    let caller = source
        .caller()
        .ok_or_else(|| Problem::unauthorized("speaking needs a token"))?;
    if !source.app().auth.is_still_good(caller).await? {
        return Ok(false);
    }
    source.app().auth.confirm(caller).await?;
    let id = match &said.game_id {
        Some(id) => table_id(id)?,
        None => source
            .table()
            .ok_or_else(|| Problem::bad_request("game_id says where").with("field", "game_id"))?,
    };
    let audience = match said.audience.as_deref() {
        None => Audience::Room,
        Some(name) => Audience::named(name).ok_or_else(|| {
            Problem::bad_request("audience is room or observers").with("field", "audience")
        })?,
    };
    let text = said.text.unwrap_or_default();
    room::say(source.app(), id, caller, &text, audience).await?;
    Ok(true)
}
