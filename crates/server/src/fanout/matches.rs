//! Tells the guests of matches what happened, and who is there.

use std::collections::HashMap;
use std::sync::Arc;

use chess::ByColor;
use chess::skill::{Event, Match};
use chess::table::PlayerId;
use store::TableId;

use super::MatchChanged;
use super::told::{MatchNews, Told};
use crate::app::App;
use crate::doors::collector::event::What;
use crate::doors::collector::guest::{Guests, guests_of};
use crate::doors::collector::presence;

/// The matches that somebody is at.
#[derive(Default)]
pub(super) struct Matches(HashMap<TableId, Board>);

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
        if board.played.version() < after.version() {
            board.played = Arc::clone(&after);
        }
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
        let Some(board) = self.0.get_mut(&id) else {
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
        self.0.retain(|id, _| app.rooms.hub().is_open(*id));
        let ids: Vec<TableId> = self.0.keys().copied().collect();
        for id in ids {
            self.look(app, id).await;
        }
    }

    fn board(&mut self, id: TableId, played: &Arc<Match>) -> &mut Board {
        self.0.entry(id).or_insert_with(|| Board {
            played: Arc::clone(played),
            here: ByColor::default(),
        })
    }

    /// Tells what has changed about who is there.
    async fn look(&mut self, app: &App, id: TableId) {
        let Some(board) = self.0.get_mut(&id) else {
            return;
        };
        let here = presence::of(app, id, &board.played);
        if here != board.here {
            board.here = here;
            let played = Arc::clone(&board.played);
            tell(app, id, &played, here, What::Presence).await;
        }
    }
}

async fn tell(app: &App, id: TableId, played: &Arc<Match>, here: ByColor<bool>, what: What) {
    let Some(lanes) = app.rooms.lanes(id) else {
        return;
    };
    let news = match guests_of(app, played).await {
        Ok(guests) => news(played, guests, here, what),
        // Nobody can be named: the streams read the match for themselves.
        Err(_) => Told::Lost,
    };
    lanes.tell(Arc::new(news));
}

fn news(played: &Arc<Match>, guests: Arc<Guests>, here: ByColor<bool>, what: What) -> Told {
    Told::Match(MatchNews {
        played: Arc::clone(played),
        guests,
        here,
        what,
    })
}
