//! The lobby: the games that wait for whoever comes, and those who read it.
//!
//! Readers are told how it stands and not what happened: each compares what it was
//! told with the newest picture (`Picture`), so one who is slow misses nothing but
//! what has come and gone meanwhile. While nobody reads, nothing is kept, and
//! whoever makes a game pays for a look at a flag.
//!
//! Whoever tells (`tell::lobby`) takes what was heard a few times a second, or reads
//! the store anew where something was lost.

mod board;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::game::Game;
use chess::tables::AnyTable;
use live::bus::Subscription;
use store::TableId;
use tokio::sync::{Notify, watch};

use self::board::Board;
use super::Rooms;
use crate::lock::lock;

pub use self::board::{KEPT_MAX, Open, Page, Why};

/// Games that may have changed between two looks; beyond it the store is read.
const HEARD_MAX: usize = 50_000;

/// The lobby of a node.
pub struct Lobby {
    is_read: AtomicBool,
    /// What was heard since somebody looked, by game: what came and went in between
    /// is nothing to tell.
    heard: Mutex<HashMap<TableId, Heard>>,
    state: Mutex<State>,
    stirred: Notify,
    told: watch::Sender<Picture>,
}

impl Default for Lobby {
    fn default() -> Lobby {
        Lobby {
            is_read: AtomicBool::new(false),
            heard: Mutex::default(),
            state: Mutex::default(),
            stirred: Notify::new(),
            told: watch::Sender::new(Picture::default()),
        }
    }
}

#[derive(Default)]
struct State {
    readers: usize,
    /// Goes up when the first reader comes: what was begun before counts no more.
    generation: u64,
    /// Listens to other nodes.
    ear: Option<Subscription>,
    must_read: Option<Reading>,
    board: Board,
    epoch: u64,
    /// What the store knew otherwise when it was last asked.
    astray: HashSet<TableId>,
    /// What the bus had lost by then.
    losses: Option<(u64, u64)>,
}

/// Why the store is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reading {
    /// Nothing is known, or only the newest.
    More,
    /// Something was lost.
    Anew,
}

/// What was heard of a game.
#[derive(Clone, Debug)]
pub enum Heard {
    /// It waits for whoever comes.
    Open(Arc<Game>),
    /// It does no longer.
    Gone(Why),
}

impl Heard {
    /// A game waits for whoever comes.
    pub(super) fn open(game: Game) -> Heard {
        Heard::Open(Arc::new(game))
    }

    /// What a change means for the lobby, if anything.
    pub(super) fn of(change: &live::Changed<AnyTable>) -> Option<Heard> {
        let after = change.after.chess()?;
        if after.is_open() {
            return Some(Heard::Open(Arc::clone(after)));
        }
        let before = change.before.as_ref()?.chess()?;
        before.is_open().then(|| Heard::Gone(Why::of(after)))
    }
}

/// How the lobby stands; cheap to clone.
#[derive(Clone, Default)]
pub struct Picture {
    /// The games, newest first; `None` before they are read.
    pub games: Option<Arc<[Arc<Open>]>>,
    /// Whether there may be older ones.
    pub is_cut: bool,
    /// Goes up when something was lost: whoever knows an older one begins anew.
    pub epoch: u64,
    /// Whether the server is stopping.
    pub is_over: bool,
}

/// What is to be done, for the one who tells.
pub(crate) struct Turn {
    /// What was heard.
    pub(crate) heard: HashMap<TableId, Heard>,
    /// Whether the store is to be read.
    pub(crate) must_read: bool,
    reading: Option<Reading>,
    generation: u64,
}

/// Somebody reads the lobby, until this is dropped.
pub struct Reader {
    rooms: Rooms,
    told: watch::Receiver<Picture>,
}

impl Rooms {
    /// Reads the lobby.
    pub fn read_lobby(&self) -> Reader {
        let lobby = &self.0.lobby;
        let mut state = lock(&lobby.state);
        state.readers += 1;
        if state.readers == 1 {
            state.generation += 1;
            // Heard from here on: what is made later than what is read.
            lobby.is_read.store(true, Ordering::SeqCst);
            state.ear = self.listen_to_lobby();
            state.must_read = Some(Reading::More);
            lobby.stirred.notify_one();
        }
        Reader {
            rooms: self.clone(),
            told: lobby.told.subscribe(),
        }
    }

    /// The lobby.
    pub fn lobby(&self) -> &Lobby {
        &self.0.lobby
    }

    /// A table has changed.
    pub(super) fn lobby_changed(&self, id: TableId, change: &live::Changed<AnyTable>) {
        let Some(heard) = Heard::of(change) else {
            return;
        };
        if !change.is_foreign {
            self.tell_others_of_lobby(id, &heard);
        }
        self.0.lobby.hears(id, heard);
    }

    /// Why a game is no longer in the lobby, if that is remembered.
    pub fn left_lobby(&self, id: TableId) -> Option<Why> {
        lock(&self.0.lobby.state).board.why(id)
    }
}

impl Reader {
    /// Waits until there is something new. May be interrupted at any time.
    pub async fn changed(&mut self) {
        if self.told.changed().await.is_err() {
            // The rooms hold the other end, and this holds the rooms.
            std::future::pending().await
        }
    }

    /// How it stands.
    pub fn picture(&mut self) -> Picture {
        self.told.borrow_and_update().clone()
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let lobby = &self.rooms.0.lobby;
        let mut state = lock(&lobby.state);
        state.readers -= 1;
        if state.readers == 0 {
            lobby.is_read.store(false, Ordering::SeqCst);
            let (readers, generation, epoch) = (0, state.generation, state.epoch);
            let ear = std::mem::replace(
                &mut *state,
                State {
                    readers,
                    generation,
                    epoch,
                    ..State::default()
                },
            )
            .ear;
            lock(&lobby.heard).clear();
            lobby.told.send_if_modified(|told| {
                told.games = None;
                false
            });
            drop(state);
            drop(ear);
        }
    }
}

impl Lobby {
    /// How many read it.
    pub fn readers(&self) -> usize {
        lock(&self.state).readers
    }

    /// Whether anybody reads it.
    pub(super) fn is_read(&self) -> bool {
        self.is_read.load(Ordering::SeqCst)
    }

    /// Something was heard of a game. Under a table's lock: a look at a flag, if
    /// nobody reads.
    pub(super) fn hears(&self, id: TableId, heard: Heard) {
        if !self.is_read() {
            return;
        }
        let mut all = lock(&self.heard);
        if all.len() >= HEARD_MAX {
            all.clear();
            drop(all);
            return self.lost();
        }
        match all.get(&id) {
            // It never comes back.
            Some(Heard::Gone(_)) => {}
            Some(Heard::Open(known)) if !is_newer(&heard, known) => {}
            _ => {
                all.insert(id, heard);
            }
        }
        drop(all);
        self.stirred.notify_one();
    }

    /// Something was lost: the store is read, and readers begin anew.
    pub fn lost(&self) {
        let mut state = lock(&self.state);
        if state.readers > 0 {
            state.must_read = Some(Reading::Anew);
            self.stirred.notify_one();
        }
    }

    /// Tells all who read that the server is stopping.
    pub(super) fn farewell(&self) {
        self.told.send_modify(|told| told.is_over = true);
    }

    /// Listens to other nodes no longer.
    pub(super) fn deafen(&self) {
        let ear = lock(&self.state).ear.take();
        drop(ear);
    }

    /// Waits until there is something to do. May be interrupted at any time.
    pub(crate) async fn stirred(&self) {
        self.stirred.notified().await;
    }

    /// What is to be done, if anything.
    pub(crate) fn turn(&self) -> Option<Turn> {
        let mut state = lock(&self.state);
        let reading = state.must_read.take();
        let heard = std::mem::take(&mut *lock(&self.heard));
        let is_idle = reading.is_none() && heard.is_empty();
        (state.readers > 0 && !is_idle).then_some(Turn {
            heard,
            must_read: reading.is_some(),
            reading,
            generation: state.generation,
        })
    }

    /// Puts up what came of it: what the store lists, if it was read, and the games
    /// that were heard of.
    pub(crate) fn put_up(&self, turn: &Turn, page: Option<Page>, opened: Vec<Arc<Open>>) {
        let mut state = lock(&self.state);
        if state.readers == 0 || state.generation != turn.generation {
            return;
        }
        let mut is_news = page.is_some();
        if let Some(page) = page {
            state.board.replace(page);
            state.astray.clear();
            state.epoch += u64::from(turn.reading == Some(Reading::Anew));
        }
        for (id, heard) in &turn.heard {
            if let Heard::Gone(why) = heard {
                is_news |= state.board.take_off(*id, *why);
            }
        }
        for open in opened {
            is_news |= state.board.put(open);
        }
        if state.board.is_thin() && state.must_read.is_none() && turn.reading.is_none() {
            state.must_read = Some(Reading::More);
            self.stirred.notify_one();
        }
        if is_news {
            let picture = Picture {
                games: Some(state.board.newest_first()),
                is_cut: state.board.is_cut(),
                epoch: state.epoch,
                is_over: self.told.borrow().is_over,
            };
            self.told.send_replace(picture);
        }
    }

    /// The store could not be read: what was to be done is still to be done.
    pub(crate) fn put_off(&self, turn: Turn) {
        let mut state = lock(&self.state);
        if state.readers > 0 && state.generation == turn.generation {
            // What was heard is in the store.
            state.must_read = Some(Reading::Anew).max(state.must_read);
        }
        drop(state);
        self.stirred.notify_one();
    }

    /// The games that are shown, and their versions; `None` while nobody reads.
    pub(super) fn shown(&self) -> Option<HashMap<TableId, u32>> {
        let state = lock(&self.state);
        let is_ready = state.readers > 0 && state.must_read.is_none();
        (is_ready && self.told.borrow().games.is_some()).then(|| state.board.versions())
    }

    /// What the bus has lost by now. Whether that is more than before.
    pub(super) fn has_lost(&self, losses: (u64, u64)) -> bool {
        let mut state = lock(&self.state);
        let before = state.losses.replace(losses);
        before.is_some_and(|before| before != losses)
    }

    /// The store says of these games that they wait, and in which version if that
    /// was asked. What was so a second ago, and still is, was lost on the way.
    pub(super) fn compare(&self, found: impl Iterator<Item = (TableId, Option<u32>)>) {
        let mut state = lock(&self.state);
        let astray = found.filter(|(id, version)| state.board.is_astray(*id, *version));
        let astray: HashSet<TableId> = astray.map(|(id, _)| id).collect();
        let is_lost = !astray.is_disjoint(&state.astray);
        state.astray = astray;
        drop(state);
        if is_lost {
            self.lost();
        }
    }
}

fn is_newer(heard: &Heard, known: &Game) -> bool {
    match heard {
        Heard::Open(game) => game.version() > known.version(),
        Heard::Gone(_) => true,
    }
}

#[cfg(test)]
mod tests;
