//! Who is at a game: told when it changes.

use std::sync::Arc;

use chess::Color;

use super::Teller;
use crate::auth::Names;
use crate::play::names::people;
use crate::play::presence;
use crate::rooms::{News, Room, What};

/// Tells the players, or everybody else.
const WAYS: [fn(&Room, News); 2] = [Room::tell_players, Room::tell_watchers];

impl Teller {
    /// Tells what has changed about who is here.
    pub(super) async fn tell_presence(&mut self, room: &Arc<Room>) {
        let (app, id, now) = (&self.app, room.id(), self.now());
        // Whoever has joined is not here before spectators hear of it.
        room.tell_due(now);
        let known = room.notes(|notes| Some((notes.both(now)?, notes.presence)));
        let Some(((game, seen), told)) = known else {
            return;
        };
        let seen = presence::seen_by(app, id, &seen, None);
        let here = [presence::of(app, id, &game), seen];
        if here == told {
            return;
        }
        let Ok(names) = Names::of(app, people(&game)).await else {
            return;
        };
        let names = Arc::new(names);
        room.notes(|notes| notes.presence = here);
        for (tell, (now, before)) in WAYS.iter().zip(here.iter().zip(&told)) {
            for color in Color::ALL {
                if let Some(player) = now.get(color)
                    && before.get(color) != Some(player)
                {
                    let news = What::Here(color, *player, Arc::clone(&names));
                    tell(room, News::of(news));
                }
            }
        }
    }

    /// Tells what has changed about who watches.
    pub(super) async fn tell_audience(&mut self, room: &Arc<Room>) {
        let (app, id, now) = (&self.app, room.id(), self.now());
        let Some((game, seen)) = room.notes(|notes| notes.both(now)) else {
            return;
        };
        let Ok(observers) = presence::observers(app, id, &game).await else {
            return;
        };
        let audience = [
            presence::audience(app, id, &game, true, &observers),
            presence::audience(app, id, &seen, false, &observers),
        ];
        let told = room.notes(|notes| std::mem::replace(&mut notes.audience, audience.clone()));
        for (tell, (now, before)) in WAYS.iter().zip(audience.into_iter().zip(&told)) {
            if now.differs_from(before) {
                tell(room, News::of(What::Audience(now)));
            }
        }
    }
}
