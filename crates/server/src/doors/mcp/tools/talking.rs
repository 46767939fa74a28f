//! Talking at the board.

use live::room::Audience;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use store::TableId;

use super::super::answer::Said;
use super::super::call::Call;
use crate::auth::Caller;
use crate::play::App;
use crate::play::look::table_id;
use crate::play::names::Names;
use crate::play::room::{self, LastRead};
use crate::problem::Problem;
use crate::rooms::Line;
use crate::text_time::rfc3339;

pub(super) const SAY: &str = "\
Say one line to everybody at a game that you play, or to those who watch if you watch. At most 500 \
characters. Errors: `bad_chat` (empty, too long, or more than a line), `chat_off` and `muted` (say nothing \
here), `rate_limited` (more than 5 lines in 10 seconds).";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// The game's id.
    game_id: String,
    /// What to say.
    text: String,
}

pub(super) async fn say(call: Call, words: Words) -> Result<Said, Problem> {
    let (app, caller) = (&call.app, call.player().await?);
    let id = table_id(&words.game_id)?;
    let line = room::say(app, id, &caller, &words.text, Audience::Room).await?;
    Ok(Said {
        text: format!("You said: {}", line.text),
        data: json!({ "id": line.id.to_string(), "text": line.text, "at": rfc3339(line.at) }),
    })
}

pub(super) const READ: &str = "\
Read what was said at a game, oldest first. With after (the id of the last line that you read) only what \
came later. wait_for_opponent also tells what others say meanwhile. Errors: `game_not_found`.";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct From {
    /// The game's id.
    game_id: String,
    /// The id of the last line that you read.
    after: Option<String>,
}

pub(super) async fn read(call: Call, from: From) -> Result<Said, Problem> {
    let caller = call.reader().await?;
    let id = table_id(&from.game_id)?;
    let after = from.after.as_deref();
    let after = after.map(|text| room::chat_id("after", text)).transpose()?;
    let lines = lines(&call.app, id, caller.as_ref(), after.map(LastRead::of)).await?;
    let (words, data) = told(&call.app, &lines).await?;
    Ok(Said {
        text: match words.is_empty() {
            true => "Nothing was said.".to_owned(),
            false => words.join("\n"),
        },
        data: json!({ "chat": data }),
    })
}

/// What the caller may read by now, after the last line that they read.
pub(super) async fn lines(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
    after: Option<LastRead>,
) -> Result<Vec<Line>, Problem> {
    let occupant = room::enter(app, id, caller).await?;
    let read = room::history(app, id, &occupant.game, &occupant.viewer, after, app.now()).await?;
    Ok(read.new)
}

/// Lines in words, and as JSON.
pub(super) async fn told(app: &App, lines: &[Line]) -> Result<(Vec<String>, Value), Problem> {
    let names = Names::of(app, lines.iter().map(Line::from)).await?;
    let words = lines.iter().map(|line| {
        let role = line.facts.role.name();
        format!("{} ({role}): {}", names.id(line.from()), line.text)
    });
    let data = lines.iter().map(|line| {
        json!({
            "id": line.id.to_string(), "from": names.id(line.from()),
            "role": line.facts.role.name(), "text": line.text, "at": rfc3339(line.at),
        })
    });
    Ok((words.collect(), data.collect()))
}
