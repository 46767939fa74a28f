//! Tells the guests of matches what happened, and who is there.

use std::sync::Arc;

use chess::ByColor;
use chess::skill::{Event, Match, Uuid};
use chess::table::PlayerId;
use chess::tables::Hosted;
use live::room::News as _;
use store::TableId;

use super::Teller;
use crate::auth::Names;
use crate::play::match_presence as presence;
use crate::rooms::bus::Changed;
use crate::rooms::news::MatchNews;
use crate::rooms::{News, Room, What};

impl Teller {
    /// A match has changed.
    pub(super) async fn match_changed(
        &mut self,
        id: TableId,
        changed: &Changed,
        after: &Arc<Match>,
    ) {
        let Some(room) = self.app.rooms.all().get(id) else {
            return;
        };
        let mut here = take_in(&room, after);
        let action = match changed.event.clone().and_then(Match::happened) {
            Some(Event::Acted { action, .. }) => Some(action),
            // Whoever joins is there; all other coming and going is told by itself.
            Some(Event::Joined { .. }) => {
                here = presence::of(&self.app, id, after);
                set_here(&room, here);
                None
            }
            _ => None,
        };
        let before = changed.before.as_ref().and_then(|before| before.skill());
        if let Some(before) = before {
            room.open(&**before, self.now());
        }
        let news = self.match_news(after, here, Some(action)).await;
        room.changed(&**after, news, self.now());
        self.tell_guests_here(&room).await;
    }

    /// Somebody has come, or is back.
    pub(super) async fn came_to_match(&mut self, room: &Arc<Room>, played: &Arc<Match>) {
        // Somebody else may have changed it: then all look for themselves.
        room.came(&**played, self.now());
        take_in(room, played);
        self.tell_guests_here(room).await;
    }

    /// Somebody has gone: that is told even if they are back by now.
    pub(super) async fn went_from_match(&mut self, room: &Arc<Room>, who: Option<PlayerId>) {
        let left = room.notes(|notes| {
            let (played, here) = notes.played.as_mut()?;
            let color = played.seat_of(who?)?;
            std::mem::take(here.get_mut(color)).then(|| (Arc::clone(played), *here))
        });
        if let Some((played, here)) = left {
            room.tell(self.match_news(&played, here, None).await);
        }
        self.tell_guests_here(room).await;
    }

    /// Tells what has changed about who is there.
    pub(super) async fn tell_guests_here(&mut self, room: &Arc<Room>) {
        let id = room.id();
        let Some((played, told)) = room.notes(|notes| notes.played.clone()) else {
            return;
        };
        let here = presence::of(&self.app, id, &played);
        set_here(room, here);
        // Now and then at any rate: something that found the queue full is lost.
        let at_last = self.now() + presence::GRACE;
        let ends = presence::ends_at(&self.app, id, &played);
        self.leaving
            .set(id, ends.map_or(at_last, |at| at.min(at_last)));
        if here != told {
            room.tell(self.match_news(&played, here, None).await);
        }
    }

    async fn match_news(
        &self,
        played: &Arc<Match>,
        here: ByColor<bool>,
        change: Option<Option<Uuid>>,
    ) -> News {
        let guests = played.seats().into_iter().flatten();
        match Names::of(&self.app, guests).await {
            Ok(names) => News::of(What::Match(MatchNews {
                played: Arc::clone(played),
                is_change: change.is_some(),
                action: change.flatten(),
                names: Arc::new(names),
                here,
            })),
            // Nobody can be named: the streams read the match for themselves.
            Err(_) => News::lost(),
        }
    }
}

/// Takes note of a match, unless a newer one is known; who was told to be there.
fn take_in(room: &Room, played: &Arc<Match>) -> ByColor<bool> {
    room.notes(|notes| {
        let new = || (Arc::clone(played), ByColor::default());
        let (known, here) = notes.played.get_or_insert_with(new);
        if known.version() < played.version() {
            *known = Arc::clone(played);
        }
        *here
    })
}

fn set_here(room: &Room, now: ByColor<bool>) {
    room.notes(|notes| {
        if let Some((_, here)) = &mut notes.played {
            *here = now;
        }
    });
}
