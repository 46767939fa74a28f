//! Rooms that lost something: their tables are read again, and everybody there is
//! brought forward.
//!
//! Reading may take long, above all where the store is far away, and whoever tells
//! waits for nobody: what was read comes back like all that happens.

use std::panic::AssertUnwindSafe;

use chess::Millis;
use futures_util::FutureExt;
use live::room::Loss;
use store::TableId;

use super::Teller;
use crate::play::App;
use crate::rooms::Thread;
use crate::rooms::bus::{Happened, Reread};

/// When a room is looked after again whose table could not be read.
const REPAIR_AGAIN: Millis = Millis::from_secs(1);

/// Reads a table again, for its room.
pub(super) fn reread(app: &App, id: TableId) {
    let (app, rooms) = (app.clone(), app.rooms.clone());
    rooms.clone().spawn(Thread::Telling, async move {
        match AssertUnwindSafe(find(&app, id)).catch_unwind().await {
            Ok(found) => rooms.publish(id, Happened::Reread(Box::new(found))),
            Err(_) => {
                tracing::error!(table = %id, "reading it again for its room failed");
                rooms.note_failed();
                rooms.all().lost(id, Loss::Failed);
            }
        }
    });
}

async fn find(app: &App, id: TableId) -> Reread {
    if let Ok(game) = app.games.newest(id).await {
        let rematch = match game.ending() {
            Some(_) => super::games::rematch_at(app, id).await,
            None => None,
        };
        Reread::Game(game, rematch)
    } else if let Ok(played) = app.matches.newest(id).await {
        Reread::Match(played)
    } else {
        Reread::Nothing
    }
}

impl Teller {
    /// Brings everybody in the room forward; later, if its table could not be read.
    pub(super) async fn repair(&mut self, id: TableId, found: &Reread) {
        let now = self.now();
        let Some(room) = self.app.rooms.all().get(id) else {
            return;
        };
        match found {
            Reread::Game(game, rematch) => {
                self.open(&room, game).await;
                self.app.rooms.look_for_lines(&room);
                room.repair(&**game, now);
                self.expect_lines(&room, game).await;
                room.notes(|notes| notes.take_in(game));
                self.remind(&room);
                if let Some(next) = rematch {
                    self.tell_rematch_in(&room, next.clone());
                }
            }
            Reread::Match(played) => {
                room.repair(&**played, now);
                self.came_to_match(&room, played).await;
            }
            Reread::Nothing => self.repairs.set(id, now + REPAIR_AGAIN),
        }
    }
}
