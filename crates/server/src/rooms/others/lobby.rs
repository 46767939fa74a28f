//! The lobby over nodes: a subject of its own, heard only where somebody reads it.
//!
//! Who makes or joins a game says so, with all there is of a new game, so that nobody
//! has to read it. What the bus loses is found by comparing with the store.

use chess::game::Game;
use chess::table::{State, Table};
use live::bus::{Message, Subscription};
use store::{ListQuery, Store, TableId};

use super::word::Word;
use super::{Others, Rooms};
use crate::rooms::lobby::{Heard, KEPT_MAX};

/// What is said of any game.
const EVERY_GAME: &str = "lobby.*";

impl Rooms {
    /// Tells the other nodes what a change made here means for the lobby.
    pub(in crate::rooms) fn tell_others_of_lobby(&self, id: TableId, heard: &Heard) {
        if let Some(others) = self.others() {
            let word = match heard {
                Heard::Open(game) => Word::Open(game.encode()),
                Heard::Gone(why) => Word::Gone(*why),
            };
            others.publish(&format!("lobby.{id}"), &word);
        }
    }

    /// Listens to what other nodes say of the lobby.
    pub(in crate::rooms) fn listen_to_lobby(&self) -> Option<Subscription> {
        let others = self.others()?;
        let rooms = self.clone();
        let heard = move |message: Message| rooms.hear_of_lobby(&message);
        Some(others.bus.subscribe(EVERY_GAME, heard))
    }

    fn hear_of_lobby(&self, message: &Message) {
        let id = message.subject.split('.').nth(1);
        let id: Option<TableId> = id.and_then(|id| id.parse().ok());
        let heard = match Word::decode(&message.bytes) {
            Some(Word::Open(history)) => Game::decode(&history).ok().map(Heard::open),
            Some(Word::Gone(why)) => Some(Heard::Gone(why)),
            _ => None,
        };
        if let (Some(id), Some(heard)) = (id, heard) {
            self.lobby().hears(id, heard);
        }
    }

    /// Looks in the store whether those who read the lobby here missed something.
    pub(super) async fn look_after_lobby(&self, others: &Others, store: &Store) {
        let lobby = self.lobby();
        let Some(shown) = lobby.shown() else {
            return;
        };
        let stats = others.bus.stats();
        if lobby.has_lost((stats.connects, stats.missed)) {
            return lobby.lost();
        }
        let query = ListQuery {
            kind: Some(Game::KIND),
            state: Some(State::Waiting),
            is_addressed: Some(false),
            limit: KEPT_MAX as u32,
            ..ListQuery::default()
        };
        // If the store cannot say, it is asked again in a second.
        let Ok(listed) = store.list(query).await else {
            return;
        };
        let Ok(standings) = store.standings(shown.into_keys().collect()).await else {
            return;
        };
        let listed = listed.iter().map(|place| (place.table, None));
        let standings = standings.iter().map(|s| (s.table, Some(s.version)));
        lobby.compare(listed.chain(standings));
    }
}
