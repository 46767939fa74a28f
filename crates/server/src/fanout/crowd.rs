//! Everyone who watches by a WebSocket that nothing encrypts: most of a crowd.
//!
//! Whatever reads the same for all of them is encoded once and written to one
//! wire after the other. Whoever is not just listening (there is something to
//! be told before, or the wire is full) finds it in a queue of their own.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use chess::table::{PlayerId, Table};
use store::{IdMap, TableId};
use tokio::sync::Notify;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use super::LANE;
use super::told::{News, Told};
use crate::fanout::wire::{Slipped, Wire};
use crate::lock::lock;

/// News that may wait to be told, of all games together.
const QUEUE: usize = 10_000;
/// How many are told before others have a turn.
const IN_A_ROW: usize = 1024;

/// The crowds of all games.
pub(crate) struct Crowd {
    circles: Mutex<IdMap<TableId, Circle>>,
    queue: Sender<(Circle, News)>,
    /// The other end, until the teller takes it.
    waiting: Mutex<Option<Receiver<(Circle, News)>>>,
}

/// Those around one game.
type Circle = Arc<Mutex<Vec<Weak<Seat>>>>;

/// One of them.
pub struct Seat {
    wire: Arc<Wire>,
    /// Who sits there, if that is known.
    who: Option<PlayerId>,
    state: Mutex<State>,
    ready: Notify,
}

#[derive(Default)]
struct State {
    queue: VecDeque<News>,
    /// Something did not fit.
    has_lost: bool,
    /// A frame was begun: the owner must flush it.
    has_begun: bool,
    /// Nothing is in hand: what comes next may be written to the wire.
    is_listening: bool,
    /// The last version that was told.
    version: u32,
}

impl State {
    /// What waits is worth nothing: the newest state is.
    fn lose(&mut self) {
        self.queue.clear();
        self.has_lost = true;
    }

    /// What is in hand for whoever has been told up to that version. If it is
    /// nothing, the next may be written to the wire.
    fn next(&mut self, version: u32) -> Option<Result<Heard, RecvError>> {
        self.version = version.max(self.version);
        if std::mem::take(&mut self.has_begun) {
            return Some(Ok(Heard::Begun));
        }
        if std::mem::take(&mut self.has_lost) {
            return Some(Err(RecvError::Lagged(LANE as u64)));
        }
        let news = self.queue.pop_front();
        if news.is_none() {
            // An idle seat keeps no buffer.
            self.queue = VecDeque::new();
            self.is_listening = true;
        }
        news.map(|news| Ok(Heard::News(news)))
    }
}

/// What a seat hears of.
pub(crate) enum Heard {
    /// News.
    News(News),
    /// Something was written, but not to its end: flush.
    Begun,
}

impl Crowd {
    pub(super) fn new() -> Crowd {
        let (queue, waiting) = channel(QUEUE);
        Crowd {
            circles: Mutex::default(),
            queue,
            waiting: Mutex::new(Some(waiting)),
        }
    }

    /// Takes a seat at a game.
    pub(super) fn join(&self, id: TableId, who: Option<PlayerId>, wire: Arc<Wire>) -> Arc<Seat> {
        let seat = Arc::new(Seat {
            wire,
            who,
            state: Mutex::default(),
            ready: Notify::new(),
        });
        let circle = Arc::clone(lock(&self.circles).entry(id).or_default());
        lock(&circle).push(Arc::downgrade(&seat));
        seat
    }

    /// Somebody has left a game. Whoever comes to one that is being closed is
    /// counted before they sit down, so asking under the lock misses nobody.
    pub(super) fn close_unless(&self, id: TableId, is_open: impl FnOnce() -> bool) {
        let mut circles = lock(&self.circles);
        if !is_open() {
            circles.remove(&id);
        }
    }

    /// Tells those at a game, in turn with everything else that is told.
    pub(super) fn tell(&self, id: TableId, news: News) {
        if let Some(circle) = lock(&self.circles).get(&id) {
            self.push(circle, news);
        }
    }

    /// Tells everybody.
    pub(super) fn tell_all(&self, news: &News) {
        for circle in lock(&self.circles).values() {
            self.push(circle, Arc::clone(news));
        }
    }

    /// If there is too much to tell, they look at the game themselves.
    fn push(&self, circle: &Circle, news: News) {
        if self.queue.try_send((Arc::clone(circle), news)).is_err() {
            let seats: Vec<_> = lock(circle).clone();
            seats.iter().filter_map(Weak::upgrade).for_each(|seat| {
                let mut state = seat.state();
                state.lose();
                seat.wake(state);
            });
        }
    }

    /// The queue's other end: for the one who tells.
    pub(crate) fn take_queue(&self) -> Option<Receiver<(Circle, News)>> {
        lock(&self.waiting).take()
    }
}

/// Tells one after the other, until nobody has anything more to tell.
/// It shares the one thread of those who own the seats' sockets: between a
/// socket's last frame and the end of its seat nobody is told anything.
pub(crate) async fn run(mut queue: Receiver<(Circle, News)>) {
    while let Some((circle, news)) = queue.recv().await {
        let frame = frame(&news);
        let seats: Vec<_> = lock(&circle).clone();
        let mut is_somebody_gone = false;
        for seats in seats.chunks(IN_A_ROW) {
            for seat in seats {
                match seat.upgrade() {
                    Some(seat) => seat.tell(&news, frame.as_ref()),
                    None => is_somebody_gone = true,
                }
            }
            tokio::task::yield_now().await;
        }
        if is_somebody_gone {
            lock(&circle).retain(|seat| seat.strong_count() > 0);
        }
    }
}

/// As it goes over the wire, if it reads the same for everybody who listens.
fn frame(news: &Told) -> Option<Bytes> {
    match news {
        // What a game's end brings with it is not the same for all.
        Told::Change { game, texts } if game.ending().is_none() => Some(encode(texts)),
        Told::Notice(text) => Some(encode(std::slice::from_ref(text))),
        _ => None,
    }
}

fn encode(texts: &[Utf8Bytes]) -> Bytes {
    let mut bytes = Vec::new();
    for text in texts {
        let text = Bytes::copy_from_slice(text.as_bytes());
        let frame = Frame::message(text, OpCode::Data(Data::Text), true);
        frame.format(&mut bytes).expect("a Vec takes it all");
    }
    bytes.into()
}

impl Seat {
    fn tell(&self, news: &News, frame: Option<&Bytes>) {
        let mut state = self.state();
        if let Some(frame) = frame
            && state.is_listening
            && let Some(version) = self.version_after(news, state.version)
        {
            let slipped = self.wire.slip(frame);
            if slipped != Slipped::No {
                state.version = version;
            }
            match slipped {
                Slipped::Whole => return,
                Slipped::Begun => {
                    state.has_begun = true;
                    return self.wake(state);
                }
                Slipped::No => {}
            }
        }
        if state.queue.len() >= LANE {
            state.lose();
        }
        state.queue.push_back(Arc::clone(news));
        self.wake(state);
    }

    /// The version after that news, if it is what comes next here.
    fn version_after(&self, news: &Told, version: u32) -> Option<u32> {
        match news {
            Told::Change { game, .. } => {
                let plays = self.who.is_some() && game.players().contains(&self.who);
                (game.version() == version + 1 && !plays).then_some(version + 1)
            }
            _ => Some(version),
        }
    }

    fn wake(&self, mut state: MutexGuard<'_, State>) {
        state.is_listening = false;
        drop(state);
        self.ready.notify_one();
    }

    /// Listens: the next thing that was not just written to the wire. May be
    /// interrupted at any time.
    pub(super) async fn recv(&self, version: u32) -> Result<Heard, RecvError> {
        loop {
            if let Some(heard) = self.state().next(version) {
                return heard;
            }
            self.ready.notified().await;
        }
    }

    /// The last version that was told.
    pub(super) fn version(&self) -> u32 {
        self.state().version
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }
}
