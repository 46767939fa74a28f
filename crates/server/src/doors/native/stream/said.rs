//! What a client says over a socket.

use std::time::Instant;

use live::room::Audience;
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::asking::{self, Asking, Head, Heard};
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
    let heard = Heard {
        received: source.app().now(),
        at: Instant::now(),
    };
    let said = match read(text) {
        Ok(said) => said,
        Err(error) => {
            let refused = asking::not_understood(source.app(), text, heard, &error);
            let refused = refused.ok_or(End(1008, MEANT))?;
            return Ok(counted(Reply::Answer(refused), pace));
        }
    };
    match said {
        Said::Move(asked) => Ok(counted(asked.take(source, heard, in_hand), pace)),
        Said::Command(asked) => Ok(counted(asked.take(source, heard, in_hand), pace)),
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

/// What is refused at once no other limit has counted.
fn counted(reply: Reply, pace: &mut Pace) -> Reply {
    if let Reply::Answer(_) = reply {
        pace.count_refused();
    }
    reply
}

/// Reads what a client says. What is asked for is read as it stands; going by `type` first
/// and by what is left over then, as everything else is, would take a copy of every field
/// for each.
fn read(text: &str) -> serde_json::Result<Said> {
    match asked(text) {
        Some(said) => Ok(said),
        None => serde_json::from_str(text),
    }
}

/// A move or a command, if it is one without a mistake.
fn asked(text: &str) -> Option<Said> {
    // A list would be taken for the fields in the order of their declaration.
    if !text.starts_with('{') {
        return None;
    }
    let head: Head<'_> = serde_json::from_str(text).ok()?;
    match head.r#type {
        "MOVE" => Asking::read(head, text).map(Said::Move),
        "COMMAND" => Asking::read(head, text).map(Said::Command),
        _ => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As [`read`] read it before there was another way.
    fn as_declared(text: &str) -> serde_json::Result<Said> {
        serde_json::from_str(text)
    }

    #[test]
    fn what_is_asked_for_is_read_as_it_is_declared() {
        let fields = [
            r#""move":"e2e4""#,
            r#""move":"e2\u0065\u0034""#,
            r#""move":5"#,
            r#""from":"e2","to":"e4","promotion":null"#,
            r#""do":"resign""#,
            r#""do":"add-time","seconds":15"#,
            r#""do":"decline","reason":"later","move":"e2e4""#,
            r#""seconds":-1,"do":"add-time""#,
            "",
        ];
        let besides = [
            r#""id":1"#,
            r#""id":{"a":[1,2.5,null,18446744073709551616]},"ply":3"#,
            r#""id":null,"game_id":"abcdefgh","key":"k","version":7"#,
            r#""game_id":5"#,
            r#""key":"a","key":"b""#,
            r#""type":"MOVE""#,
            r#""offer_draw":true,"unknown":{"deep":[{}]}"#,
            r#""offer_draw":null"#,
            r#""ply":1.5"#,
            "",
        ];
        let kinds = ["MOVE", "COMMAND", "MOVES", "\\u004dOVE"];
        let mut read_well = 0;
        for kind in kinds {
            for (field, beside) in fields.iter().flat_map(|f| besides.map(|b| (f, b))) {
                let parts = [beside, &format!(r#""type":"{kind}""#), field];
                let parts: Vec<&str> = parts.into_iter().filter(|p| !p.is_empty()).collect();
                let text = format!("{{{}}}", parts.join(","));
                let (ours, declared) = (read(&text), as_declared(&text));
                assert_eq!(shown(&ours), shown(&declared), "{text}");
                read_well += usize::from(asked(&text).is_some());
            }
        }
        assert!(read_well > 50, "{read_well}");
        for text in [
            "",
            "[]",
            r#"["MOVE",1,null,null]"#,
            "{}",
            "5",
            "{\"type\":5}",
        ] {
            assert_eq!(shown(&read(text)), shown(&as_declared(text)), "{text}");
        }
    }

    fn shown(said: &serde_json::Result<Said>) -> String {
        match said {
            Ok(Said::Move(asked)) => format!("{asked:?}"),
            Ok(Said::Command(asked)) => format!("{asked:?}"),
            Ok(Said::Chat(_) | Said::Ping { .. }) => "something else".to_owned(),
            Err(error) => error.to_string(),
        }
    }
}
