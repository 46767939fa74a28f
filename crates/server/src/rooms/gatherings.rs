//! Streams that somebody adds games to while they are open, by a name that their owner
//! chose: at whichever node they are.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use store::TableId;
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::Rooms;
use crate::lock::lock;

/// Additions that may wait to be looked at.
const QUEUE: usize = 64;

/// The streams that are open here.
#[derive(Default)]
pub(super) struct Gatherings {
    open: Mutex<HashMap<String, Open>>,
    next: AtomicU64,
}

/// Which stream it is, and where what is added goes.
type Open = (u64, Sender<Vec<TableId>>);

impl Gatherings {
    /// All of them end.
    pub(super) fn close(&self) {
        lock(&self.open).clear();
    }
}

/// One of them, until dropped.
pub(crate) struct Gathering {
    rooms: Rooms,
    name: String,
    number: u64,
    added: Receiver<Vec<TableId>>,
}

impl Gathering {
    /// The next games that are added; `None`: another stream has taken the name, or the
    /// server stops. May be
    /// interrupted at any time.
    pub(crate) async fn added(&mut self) -> Option<Vec<TableId>> {
        self.added.recv().await
    }
}

impl Drop for Gathering {
    fn drop(&mut self) {
        let mut open = lock(&self.rooms.0.gatherings.open);
        if open
            .get(&self.name)
            .is_some_and(|(number, _)| *number == self.number)
        {
            open.remove(&self.name);
        }
    }
}

impl Rooms {
    /// Opens a stream under that name. One that has it ends.
    pub(crate) fn gather(&self, name: &str) -> Gathering {
        let gatherings = &self.0.gatherings;
        let (sender, added) = channel(QUEUE);
        let number = gatherings.next.fetch_add(1, Ordering::Relaxed);
        lock(&gatherings.open).insert(name.to_owned(), (number, sender));
        Gathering {
            rooms: self.clone(),
            name: name.to_owned(),
            number,
            added,
        }
    }

    /// Adds games to the stream of that name, here or at another node. Whether there may
    /// be one.
    pub(crate) fn add_to_gathering(&self, name: &str, games: &[TableId]) -> bool {
        self.add_here(name, games) || self.add_elsewhere(name, games)
    }

    /// The same for one that is here.
    pub(super) fn add_here(&self, name: &str, games: &[TableId]) -> bool {
        let open = lock(&self.0.gatherings.open);
        let stream = open.get(name).map(|(_, stream)| stream);
        // Who does not take what is added has enough to do.
        stream.is_some_and(|stream| stream.try_send(games.to_vec()).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Settings;

    #[tokio::test]
    async fn games_are_added_by_name_to_the_last_who_took_it() {
        let rooms = Rooms::new(&Settings::default());
        let game = TableId::from_random(7);
        assert!(!rooms.add_to_gathering("mine", &[game]));
        let mut first = rooms.gather("mine");
        assert!(rooms.add_to_gathering("mine", &[game]));
        assert_eq!(first.added().await, Some(vec![game]));
        let mut second = rooms.gather("mine");
        assert_eq!(first.added().await, None, "its name was taken");
        drop(first);
        assert!(rooms.add_to_gathering("mine", &[game]));
        assert_eq!(second.added().await, Some(vec![game]));
        drop(second);
        assert!(!rooms.add_to_gathering("mine", &[game]));
    }
}
