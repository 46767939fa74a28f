//! Waiting until something happens.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, timeout_at};

use super::super::answer::Said;
use super::super::call::Call;
use super::{talking, view};
use crate::auth::Caller;
use crate::play::look::{look, table_id};
use crate::play::room::{self, LastRead};
use crate::play::{App, Sight};
use crate::problem::Problem;
use crate::rooms::crowd::Got;
use crate::rooms::{Line, Visit, What};

/// The longest that is waited for.
const SECONDS_MAX: u32 = 25;
/// The answer leaves so long before any request would be cut off.
const MARGIN: u32 = 1;

pub(super) const WAIT: &str = "\
Wait until something happens in a game: your opponent moves, joins, offers a draw or says something, or the \
game ends. Returns at once if it is your turn or the game is over, else after 25 seconds at the latest: then \
call it again. Returns what happened and the game. Errors: `game_not_found`, `too_many_streams` (you wait in \
too many games at once).";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Wait {
    /// The game's id.
    game_id: String,
    /// The version of the game that you saw last: returns at once if there is a newer one.
    after_version: Option<u32>,
    /// How long to wait at most, 1 to 25 seconds; 25 if left out.
    seconds: Option<u32>,
}

pub(super) async fn wait(call: Call, wait: Wait) -> Result<Said, Problem> {
    let app = &call.app;
    let patience = patience(app, wait.seconds)?;
    let id = table_id(&wait.game_id)?;
    let caller = call.reader().await?;
    let _place = app
        .rooms
        .place(caller.as_ref().map(Caller::number), call.from)?;
    // First the room, then the game: nothing falls in between.
    let mut visit = room::visit(app, id, caller.as_ref()).await?;
    let first = look(app, id, caller.as_ref()).await?;
    let read = talking::lines(app, id, caller.as_ref(), None).await?;
    let read = read.last().map(|line| LastRead::of(line.id));
    let seen = wait.after_version.unwrap_or_else(|| first.game.version());
    let mut waiting = Waiting {
        sight: first.clone(),
        said: Vec::new(),
    };
    while !waiting.is_over(seen) {
        let stirred = timeout_at(patience, stirred(&mut visit)).await;
        if stirred != Ok(true) {
            break;
        }
        // A token that was taken back, or a room that one was removed from, ends it.
        let caller = call.reader().await?;
        waiting = Waiting::look(app, &first, caller.as_ref(), read).await?;
    }
    waiting.told(app, seen).await
}

/// Until when to wait.
fn patience(app: &App, seconds: Option<u32>) -> Result<Instant, Problem> {
    let seconds = seconds.unwrap_or(SECONDS_MAX);
    if !(1..=SECONDS_MAX).contains(&seconds) {
        let detail = format!("seconds must be from 1 to {SECONDS_MAX}");
        return Err(Problem::bad_request(detail).with("field", "seconds"));
    }
    let longest = app.settings.request_seconds.saturating_sub(MARGIN);
    Ok(Instant::now() + Duration::from_secs(seconds.min(longest).into()))
}

/// Waits for news that may be of interest; `false`: there will be none.
async fn stirred(visit: &mut Visit) -> bool {
    loop {
        match visit.recv(0).await {
            Ok(Got::News(news)) => match news.what() {
                What::Clock(..) | What::Here(..) | What::Audience(_) | What::Ping => {}
                What::Farewell => return false,
                _ => return true,
            },
            Ok(Got::Begun) | Err(RecvError::Lagged(_)) => return true,
            Ok(Got::Removed) => return true,
            Err(RecvError::Closed) => return false,
        }
    }
}

/// How things stand while somebody waits.
struct Waiting {
    sight: Sight,
    /// What others said meanwhile.
    said: Vec<Line>,
}

impl Waiting {
    async fn look(
        app: &App,
        first: &Sight,
        caller: Option<&Caller>,
        read: Option<LastRead>,
    ) -> Result<Waiting, Problem> {
        let sight = look(app, first.id, caller).await?;
        let mut said = talking::lines(app, first.id, caller, read).await?;
        said.retain(|line| Some(line.from()) != sight.viewer);
        Ok(Waiting { sight, said })
    }

    /// Whether there is something to tell, or nothing to wait for.
    fn is_over(&self, seen: u32) -> bool {
        let Sight { game, .. } = &self.sight;
        let has_changed = game.version() > seen || !self.said.is_empty();
        has_changed || game.ending().is_some() || view::is_own_turn(&self.sight)
    }

    async fn told(self, app: &App, seen: u32) -> Result<Said, Problem> {
        let Waiting { sight, said } = self;
        let before = sight.game.as_of(seen.clamp(1, sight.game.version()));
        let mut happened = before.map_or_else(Vec::new, |before| {
            view::since(app, sight.id, &before, &sight)
        });
        let (words, chat) = talking::told(app, &said).await?;
        happened.extend(words);
        let Said { text, mut data } = view::game(app, &sight).await?;
        let summary = match happened.is_empty() {
            true if sight.game.ending().is_some() => "The game is over.".to_owned(),
            true if view::is_own_turn(&sight) => "It is your turn.".to_owned(),
            true => "Nothing has happened yet: call wait_for_opponent again.".to_owned(),
            false => happened.join("\n"),
        };
        data["happened"] = json!(happened);
        data["chat"] = chat;
        Ok(Said {
            text: format!("{summary}\n\n{text}"),
            data,
        })
    }
}
