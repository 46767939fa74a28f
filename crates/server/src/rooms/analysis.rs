//! How far somebody is who goes through a finished game: told in its room.

use store::TableId;

use super::{News, Rooms, What};

impl Rooms {
    /// Tells the room at every node how far it is; before those who watch know of the end,
    /// only the players.
    pub(crate) fn tell_analysis(&self, id: TableId, done: u32, total: u32, is_for_all: bool) {
        self.tell_analysis_here(id, done, total, is_for_all);
        self.tell_others_of_analysis(id, done, total, is_for_all);
    }

    pub(super) fn tell_analysis_here(&self, id: TableId, done: u32, total: u32, is_for_all: bool) {
        let Some(room) = self.all().get(id) else {
            return;
        };
        let news = News::of(What::Analysis { done, total });
        match is_for_all {
            true => room.tell(news),
            false => room.tell_players(news),
        }
    }
}
