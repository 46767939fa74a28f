//! Going through a player's games, each written when the one before was taken.

use std::collections::{HashSet, VecDeque};
use std::io::Error as Broken;

use axum::body::Body;
use chess::table::State;
use futures_util::stream;
use store::{Cursor, TableId};

use super::filter::Filter;
use super::{Page, Writer};
use crate::auth::Caller;
use crate::play::lists::{self, Wanted};
use crate::play::{App, Sight};
use crate::problem::Problem;

/// Games that are looked at together.
const LOOK: u32 = 50;

/// What is being told.
pub(super) struct Walk {
    writer: Writer,
    caller: Option<Caller>,
    filter: Filter,
    /// The states that are still to be gone through; `None`: all at once.
    states: VecDeque<Option<State>>,
    after: Option<Cursor>,
    /// What was found and not told yet: the last of it comes first.
    page: Page,
    left: u64,
}

impl Walk {
    /// Looks at the first games: who may not, hears it at once.
    pub(super) async fn open(
        writer: Writer,
        caller: Option<Caller>,
        filter: Filter,
    ) -> Result<Walk, Problem> {
        let states = match (filter.ongoing, filter.finished) {
            (true, true) => vec![None],
            (false, true) => vec![Some(State::Completed)],
            (true, false) => vec![Some(State::Active), Some(State::Paused)],
            (false, false) => Vec::new(),
        };
        let mut walk = Walk {
            page: Page::of(&writer.app, Vec::new()).await?,
            after: filter.begin(),
            left: filter.max,
            states: states.into(),
            writer,
            caller,
            filter,
        };
        walk.look().await?;
        Ok(walk)
    }

    /// Finds the next games, if there are any.
    async fn look(&mut self) -> Result<(), Problem> {
        while self.page.sights.is_empty() && self.left > 0 {
            let Some(state) = self.states.front() else {
                return Ok(());
            };
            let wanted = Wanted {
                state: *state,
                player: Some(self.filter.name.clone()),
                variant: None,
                after: self.after,
                only: Default::default(),
                oldest_first: self.filter.oldest_first,
                limit: LOOK,
            };
            let app = &self.writer.app;
            let found = lists::page(app, self.caller.as_ref(), wanted).await?;
            let is_end = |sight: &Sight| self.filter.ends_before(&sight.game);
            let is_done = found.next.is_none() || found.games.iter().any(is_end);
            self.after = found.next;
            if is_done {
                self.states.pop_front();
                self.after = self.filter.begin();
            }
            let games = found.games.into_iter();
            let mut games: Vec<Sight> = games.filter(|s| self.filter.takes(&s.game)).collect();
            if let Some(wanted) = self.filter.analysed {
                keep_analysed(app, &mut games, wanted).await?;
            }
            games.reverse();
            self.page = Page::of(app, games).await?;
        }
        Ok(())
    }

    async fn next(&mut self) -> Result<Option<String>, Problem> {
        self.look().await?;
        let Some(sight) = self.page.sights.pop().filter(|_| self.left > 0) else {
            return Ok(None);
        };
        self.left -= 1;
        self.writer.write(&self.page, &sight).await.map(Some)
    }

    /// All of it, as it is taken.
    pub(super) fn into_body(self) -> Body {
        Body::from_stream(stream::unfold(self, |mut walk| async {
            // Broken off, so that nobody takes it for whole.
            let text = walk.next().await.transpose()?;
            let text = text.map_err(|problem| Broken::other(problem.detail));
            Some((text, walk))
        }))
    }
}

/// Keeps those that a computer has looked at, or the others. Of a game whose end somebody
/// does not know yet they do not hear that it was.
async fn keep_analysed(app: &App, games: &mut Vec<Sight>, wanted: bool) -> Result<(), Problem> {
    let ids: Vec<TableId> = games.iter().map(|sight| sight.id).collect();
    let analysed: HashSet<TableId> = app.store.analysed_among(&ids).await?.into_iter().collect();
    games.retain(|sight| {
        let is_known = sight.game.ending().is_some() && analysed.contains(&sight.id);
        is_known == wanted
    });
    Ok(())
}
