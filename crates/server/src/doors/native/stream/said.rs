//! What a client says over a socket.

use live::room::Audience;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::asking::{self, Asking};
use super::words;
use crate::doors::native::games::answer::table_id;
use crate::doors::native::games::deeds::Deed;
use crate::doors::native::games::moves::MoveRequest;
use crate::play::room;
use crate::problem::Problem;
use crate::stream::{End, Pace, Reply, Source, UNWELCOME};

/// What a client may say.
#[derive(Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum Said {
    /// Speaks: to the room, or to the observers only.
    Chat(Speech),
    /// Asks for `PONG`.
    Ping {
        /// Anything.
        id: Option<Value>,
    },
    /// Makes a move, as `POST /v1/games/{id}/moves` does; answered by `ACK` or `REFUSED`.
    Move(Asking<MoveRequest>),
    /// Does what is done by `POST /v1/games/{id}/{do}`; answered by `ACK` or `REFUSED`.
    Command(Asking<Deed>),
}

/// Something to say.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Speech {
    /// Up to 500 characters.
    text: Option<String>,
    /// `room` or `observers`.
    audience: Option<String>,
    /// Where; the game of the stream, if it is one game's.
    game_id: Option<String>,
}

/// Does what a client asks for, or sees to it that it is done.
pub(crate) async fn answer<S: Source>(
    source: &S,
    text: &str,
    pace: &mut Pace,
    in_hand: usize,
) -> Result<Reply, End> {
    // When all of it was here.
    let received = source.app().now();
    let said = match serde_json::from_str(text) {
        Ok(said) => said,
        Err(error) => {
            let refused = asking::not_understood(text, &error);
            return refused.map(Reply::Answer).ok_or(End(1008, MEANT));
        }
    };
    match said {
        Said::Move(asked) => Ok(asked.take(source, received, in_hand)),
        Said::Command(asked) => Ok(asked.take(source, received, in_hand)),
        Said::Ping { id } => {
            pace.count()?;
            Ok(Reply::Answer(words::pong(id)))
        }
        Said::Chat(line) => {
            pace.count()?;
            match say(source, line).await {
                Ok(true) => Ok(Reply::Nothing),
                Ok(false) => Err(UNWELCOME),
                Err(error) => Ok(Reply::Answer(words::error(&error))),
            }
        }
    }
}

const MEANT: &str = "messages are JSON objects of type MOVE, COMMAND, CHAT or PING";

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
