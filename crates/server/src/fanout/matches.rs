//! Tells the guests of matches what happened, and who is there.

use std::collections::HashMap;
use std::sync::Arc;

use chess::ByColor;
use chess::skill::{Event, Match};
use chess::table::PlayerId;
use store::TableId;

use super::MatchChanged;
use super::alarms::Alarms;
use super::told::{MatchNews, Told};
use crate::doors::collector::event::What;
use crate::doors::collector::guest::guests_of;
use crate::doors::collector::presence;
use crate::play::App;

/// The matches that somebody is at.
#[derive(Default)]
pub(super) struct Matches {
    boards: HashMap<TableId, Board>,
    alarms: Alarms,
}

struct Board {
    /// The newest that was told.
    played: Arc<Match>,
    here: ByColor<bool>,
}

impl Matches {
    /// A match has changed.
    pub(super) async fn changed(&mut self, app: &App, changed: MatchChanged) {
        let MatchChanged {
            id, after, event, ..
        } = changed;
        let board = self.board(id, &after);
        let action = match event {
            Some(Event::Acted { action, .. }) => Some(action),
            // Whoever joins is there; all other coming and going is told by itself.
            Some(Event::Joined { .. }) => {
                board.here = presence::of(app, id, &after);
                None
            }
            _ => None,
        };
        let here = board.here;
        tell(app, id, &after, here, What::Changed(action)).await;
        self.look(app, id).await;
    }

    /// Somebody has come, or is back.
    pub(super) async fn came(&mut self, app: &App, id: TableId, played: &Arc<Match>) {
        if app.rooms.hub().is_open(id) {
            self.board(id, played);
            self.look(app, id).await;
        }
    }

    /// Somebody has gone: that is told even if they are back by now.
    pub(super) async fn went(&mut self, app: &App, id: TableId, who: Option<PlayerId>) {
        let Some(board) = self.boards.get_mut(&id) else {
            return;
        };
        let color = who.and_then(|player| board.played.seat_of(player));
        if let Some(color) = color
            && std::mem::take(board.here.get_mut(color))
        {
            let (played, here) = (Arc::clone(&board.played), board.here);
            tell(app, id, &played, here, What::Presence).await;
        }
        self.look(app, id).await;
    }

    /// Time has passed.
    pub(super) async fn tick(&mut self, app: &App) {
        let now = app.now();
        while let Some(id) = self.alarms.next(now) {
            self.look(app, id).await;
        }
    }

    fn board(&mut self, id: TableId, played: &Arc<Match>) -> &mut Board {
        let board = self.boards.entry(id).or_insert_with(|| Board {
            played: Arc::clone(played),
            here: ByColor::default(),
        });
        if board.played.version() < played.version() {
            board.played = Arc::clone(played);
        }
        board
    }

    /// Tells what has changed about who is there.
    async fn look(&mut self, app: &App, id: TableId) {
        let Some(board) = self.boards.get_mut(&id) else {
            return;
        };
        if !app.rooms.hub().is_open(id) {
            self.boards.remove(&id);
            self.alarms.forget(id);
            return;
        }
        let here = presence::of(app, id, &board.played);
        let is_news = std::mem::replace(&mut board.here, here) != here;
        let played = Arc::clone(&board.played);
        // Now and then at any rate: an item that found the queue full is lost.
        let at_last = app.now() + presence::GRACE;
        let ends = presence::ends_at(app, id, &played);
        self.alarms
            .set(id, ends.map_or(at_last, |at| at.min(at_last)));
        if is_news {
            tell(app, id, &played, here, What::Presence).await;
        }
    }
}

async fn tell(app: &App, id: TableId, played: &Arc<Match>, here: ByColor<bool>, what: What) {
    let Some(lanes) = app.rooms.lanes(id) else {
        return;
    };
    let news = match guests_of(app, played).await {
        Ok(guests) => Told::Match(MatchNews::new(what, Arc::clone(played), guests, here)),
        // Nobody can be named: the streams read the match for themselves.
        Err(_) => Told::Lost,
    };
    lanes.tell(Arc::new(news));
}
