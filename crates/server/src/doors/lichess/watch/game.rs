//! One game: what it is, every position, and how it ended.

use std::collections::VecDeque;

use serde_json::{Value, json};
use store::TableId;

use super::telling::Told;
use crate::auth::Caller;
use crate::doors::lichess::caller::Base;
use crate::doors::lichess::export::{Page, game};
use crate::doors::lichess::ndjson;
use crate::doors::lichess::vocab::{self, Status};
use crate::play::look::look;
use crate::play::{App, Sight, room};
use crate::problem::Problem;
use crate::rooms::Visit;
use crate::stream::{Out, Source};

/// Why the stream ends when all is told.
const DONE: (u16, &str) = (1000, "the game is over");

/// Somebody who watches a game.
pub(super) struct Watching {
    app: App,
    caller: Option<Caller>,
    base: Base,
    visit: Visit,
    told: Told,
    is_described: bool,
    /// Whether the game must be looked at: being interrupted must lose nothing.
    is_stale: bool,
    pending: VecDeque<Out>,
}

impl Watching {
    /// Comes to a game that the caller may see.
    ///
    /// # Errors
    /// `game_not_found`: they may not.
    pub(super) async fn open(
        app: App,
        caller: Option<Caller>,
        id: TableId,
        base: Base,
    ) -> Result<Watching, Problem> {
        let visit = room::visit(&app, id, caller.as_ref()).await?;
        Ok(Watching {
            app,
            caller,
            base,
            visit,
            told: Told::default(),
            is_described: false,
            is_stale: true,
            pending: VecDeque::new(),
        })
    }

    /// The game, if there is anything new in it.
    async fn look(&self) -> Result<Option<(Sight, Value)>, Problem> {
        let sight = look(&self.app, self.visit.table(), self.caller.as_ref()).await?;
        if self.told.knows(&sight) {
            return Ok(None);
        }
        let page = Page::of(&self.app, vec![sight.clone()]).await?;
        let described = game::described(&sight.game, &page.card(&self.base, &sight));
        Ok(Some((sight, described)))
    }

    fn take_in(&mut self, sight: &Sight, mut described: Value) {
        if !self.is_described {
            self.is_described = true;
            self.pending.push_back(ndjson::out(&described));
        }
        let news = self.told.news(sight);
        self.pending.extend(news.iter().map(ndjson::out));
        let Some(ending) = sight.game.ending() else {
            return;
        };
        described["fen"] = json!(sight.game.board().fen());
        described["turns"] = json!(sight.game.ply());
        described["status"] = Status::of(&sight.game).json();
        if let Some(winner) = ending.winner() {
            described["winner"] = json!(vocab::color(winner));
        }
        self.pending.push_back(ndjson::out(&described));
        self.pending.push_back(Out::close(DONE.0, DONE.1));
    }
}

impl Source for Watching {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    fn table(&self) -> Option<TableId> {
        Some(self.visit.table())
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            if !self.is_stale && !self.visit.is_stirred().await {
                return Out::BYE;
            }
            self.is_stale = true;
            let Ok(looked) = self.look().await else {
                return Out::close(1013, "try again later");
            };
            self.is_stale = false;
            if let Some((sight, described)) = looked {
                self.take_in(&sight, described);
            }
        }
    }
}
