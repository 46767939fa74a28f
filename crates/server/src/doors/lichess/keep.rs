//! A challenge whose maker waits on the line: the challenge, empty lines, and what came
//! of it.

use std::collections::VecDeque;

use chess::game::Game;
use serde_json::{Value, json};
use store::TableId;

use super::challenge::declined;
use super::error::Error;
use super::ndjson;
use crate::auth::Caller;
use crate::play::{App, room};
use crate::rooms::Visit;
use crate::stream::{Out, Source};

/// The stream.
pub(super) struct Keep {
    app: App,
    caller: Caller,
    visit: Visit,
    pending: VecDeque<Out>,
    /// Whether the challenge must be looked at: being interrupted must not lose this.
    must_look: bool,
}

impl Keep {
    /// Waits for what becomes of a challenge that was just made.
    pub(super) async fn open(
        app: App,
        caller: Caller,
        id: TableId,
        challenge: Value,
    ) -> Result<Keep, Error> {
        let visit = room::visit(&app, id, Some(&caller)).await?;
        Ok(Keep {
            app,
            caller,
            visit,
            pending: VecDeque::from([ndjson::out(&challenge)]),
            must_look: true,
        })
    }

    fn take(&mut self, game: &Game) {
        if let Some(done) = outcome(game) {
            self.pending
                .push_back(ndjson::out(&json!({ "done": done })));
            self.pending.push_back(Out::close(1000, "it is decided"));
        }
    }
}

fn outcome(game: &Game) -> Option<&'static str> {
    if game.started_at().is_some() {
        return Some("accepted");
    }
    game.ending()?;
    Some(match declined(game) {
        Some(_) => "declined",
        None => "canceled",
    })
}

impl Source for Keep {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        Some(&self.caller)
    }

    fn table(&self) -> Option<TableId> {
        Some(self.visit.table())
    }

    fn is_player(&self) -> bool {
        true
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            if self.must_look {
                match self.app.games.read(self.visit.table(), None).await {
                    Ok(game) => self.take(&game),
                    Err(_) => return Out::close(1013, "try again later"),
                }
                self.must_look = false;
                continue;
            }
            if !self.visit.is_stirred().await {
                return Out::BYE;
            }
            self.must_look = true;
        }
    }
}
