//! Everyone who watches by a WebSocket that nothing encrypts: most of a crowd.
//!
//! Whatever reads the same for all of them is encoded once and written to one
//! wire after the other. Whoever is not just listening (there is something to
//! be told before, or the wire is full) finds it in a queue of their own.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use axum::body::Bytes;
use axum::extract::ws::Utf8Bytes;
use chess::table::PlayerId;
use futures_util::FutureExt;
use live::room::{self, Follower, Heard};
use store::TableId;
use tokio::sync::Notify;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

use super::news::{News, What, Words};
use super::threads::Part;
use super::wire::{Slipped, Wire};
use super::{LANE, Rooms};
use crate::lock::lock;

/// News that may wait to be told, of all games together.
const QUEUE: usize = 10_000;
/// How many are told before others have a turn.
const IN_A_ROW: usize = 1024;

/// The crowd of one game.
pub struct Crowd([Corner; Part::COUNT]);

/// Those of it whom one thread tells.
struct Corner {
    id: TableId,
    listeners: Listeners,
    queue: Sender<Telling>,
    /// The last number given to what is told.
    told: AtomicU64,
}

/// Those around one game.
type Listeners = Arc<Mutex<Vec<Weak<Listener>>>>;

/// What is to be told, and to whom.
pub(crate) struct Telling {
    table: TableId,
    listeners: Listeners,
    news: News,
    /// Rises from one to the next.
    number: u64,
}

/// How a door says news that read the same for everybody who watches; nothing
/// if they do not.
pub(crate) type Language = fn(TableId, &News) -> Option<Words>;

/// The ways to all crowds, one for each part of them: one after the other is told.
pub(super) struct Crowds {
    queues: [Sender<Telling>; Part::COUNT],
    /// The other ends, until the tellers take them.
    waiting: Mutex<Option<[Receiver<Telling>; Part::COUNT]>>,
}

impl Default for Crowds {
    fn default() -> Crowds {
        let ((some, first), (others, second)) = (channel(QUEUE), channel(QUEUE));
        Crowds {
            queues: [some, others],
            waiting: Mutex::new(Some([first, second])),
        }
    }
}

impl Crowds {
    /// Makes crowds, each of a new room.
    pub(super) fn maker(&self) -> impl Fn(TableId) -> Crowd + Send + Sync + 'static {
        let queues = self.queues.clone();
        move |id| {
            Crowd(queues.each_ref().map(|queue| Corner {
                id,
                listeners: Listeners::default(),
                queue: queue.clone(),
                told: AtomicU64::new(0),
            }))
        }
    }

    /// The queues' other ends: for those who tell.
    pub(super) fn take_queues(&self) -> Option<[Receiver<Telling>; Part::COUNT]> {
        lock(&self.waiting).take()
    }
}

/// One of them.
pub struct Listener {
    wire: Arc<Wire>,
    /// Who it is, if that is known.
    who: Option<PlayerId>,
    language: Language,
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
    /// What was to be told up to here is older than what they find when they look.
    deaf_until: u64,
}

impl State {
    /// What waits is worth nothing: the newest state is.
    fn lose(&mut self) {
        self.queue.clear();
        self.has_lost = true;
    }

    /// What is in hand for whoever has been told up to that version. If it is
    /// nothing, the next may be written to the wire.
    fn next(&mut self, version: u32) -> Option<Result<Got, RecvError>> {
        self.version = version.max(self.version);
        if std::mem::take(&mut self.has_begun) {
            return Some(Ok(Got::Begun));
        }
        if std::mem::take(&mut self.has_lost) {
            return Some(Err(RecvError::Lagged(LANE as u64)));
        }
        let news = self.queue.pop_front();
        if news.is_none() {
            // An idle listener keeps no buffer.
            self.queue = VecDeque::new();
            self.is_listening = true;
        }
        news.map(|news| Ok(Got::News(news)))
    }
}

/// What a listener gets.
pub(crate) enum Got {
    /// News.
    News(News),
    /// Something was written, but not to its end: flush.
    Begun,
    /// They must leave.
    Removed,
}

impl Crowd {
    /// Joins the crowd, where the wire's part of it is.
    pub(super) fn join(
        &self,
        who: Option<PlayerId>,
        wire: Arc<Wire>,
        language: Language,
    ) -> Arc<Listener> {
        let corner = &self.0[wire.part().index()];
        let listener = Arc::new(Listener {
            wire,
            who,
            language,
            state: Mutex::new(State {
                // Whoever comes looks at the game after that.
                deaf_until: corner.told.load(Ordering::Relaxed),
                ..State::default()
            }),
            ready: Notify::new(),
        });
        lock(&corner.listeners).push(Arc::downgrade(&listener));
        listener
    }
}

impl room::Crowd<News> for Crowd {
    fn tell(&self, news: &News) {
        self.0.iter().for_each(|corner| corner.tell(news));
    }
}

impl Corner {
    /// In turn with everything else that is told. If there is too much to
    /// tell, they look at the game themselves.
    fn tell(&self, news: &News) {
        let mut listeners = lock(&self.listeners);
        if listeners.is_empty() {
            return;
        }
        let number = self.told.fetch_add(1, Ordering::Relaxed) + 1;
        let telling = Telling {
            table: self.id,
            listeners: Arc::clone(&self.listeners),
            news: news.clone(),
            number,
        };
        if self.queue.try_send(telling).is_err() {
            lose_all(&mut listeners, number);
        }
    }
}

/// Everybody looks for themselves; what waits for them up to there is older.
fn lose_all(listeners: &mut Vec<Weak<Listener>>, until: u64) {
    listeners.retain(|listener| listener.strong_count() > 0);
    for listener in listeners.iter().filter_map(Weak::upgrade) {
        let mut state = listener.state();
        state.lose();
        state.deaf_until = until;
        listener.wake(state);
    }
}

/// Tells one after the other, until nobody has anything more to tell.
/// It shares the thread of those who own the listeners' sockets: between a
/// socket's last frame and the end of its listener nobody is told anything.
/// Telling something that fails costs those there this one thing: they look.
pub(crate) async fn run(rooms: &Rooms, queue: &mut Receiver<Telling>) {
    while let Some(telling) = queue.recv().await {
        let told = AssertUnwindSafe(tell_all(&telling)).catch_unwind();
        if told.await.is_err() {
            tracing::error!(table = %telling.table, "telling a crowd failed");
            rooms.note_failed();
            lose_all(&mut lock(&telling.listeners), telling.number);
        }
    }
}

async fn tell_all(telling: &Telling) {
    let told: Vec<_> = lock(&telling.listeners).clone();
    let mut frames = Frames::default();
    let mut is_somebody_gone = false;
    for some in told.chunks(IN_A_ROW) {
        for listener in some {
            match listener.upgrade() {
                Some(listener) => {
                    let frame = frames.of(telling.table, &telling.news, listener.language);
                    listener.tell(telling, frame);
                }
                None => is_somebody_gone = true,
            }
        }
        tokio::task::yield_now().await;
    }
    if is_somebody_gone {
        lock(&telling.listeners).retain(|listener| listener.strong_count() > 0);
    }
}

/// News as they go over the wire, in each language once.
#[derive(Default)]
struct Frames(Vec<(Language, Option<Bytes>)>);

impl Frames {
    fn of(&mut self, id: TableId, news: &News, language: Language) -> Option<&Bytes> {
        let known = |(of, _): &(Language, _)| std::ptr::fn_addr_eq(*of, language);
        let index = match self.0.iter().position(known) {
            Some(index) => index,
            None => {
                let words = language(id, news);
                self.0.push((language, words.map(|words| encode(&words))));
                self.0.len() - 1
            }
        };
        self.0[index].1.as_ref()
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

impl Listener {
    fn tell(&self, telling: &Telling, frame: Option<&Bytes>) {
        let news = &telling.news;
        let mut state = self.state();
        if telling.number <= state.deaf_until {
            return;
        }
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
        state.queue.push_back(news.clone());
        self.wake(state);
    }

    /// The version after that news, if it is what comes next here.
    fn version_after(&self, news: &News, version: u32) -> Option<u32> {
        let What::Changed(change) = news.what() else {
            return Some(version);
        };
        let after = change.after.version();
        let plays = self.who.is_some_and(|who| change.after.is_player(who));
        let is_next = Follower::at(version).hear(after, true) == Heard::Next;
        (is_next && !plays).then_some(after)
    }

    fn wake(&self, mut state: MutexGuard<'_, State>) {
        state.is_listening = false;
        drop(state);
        self.ready.notify_one();
    }

    /// Listens: the next thing that was not just written to the wire. May be
    /// interrupted at any time.
    pub(super) async fn recv(&self, version: u32) -> Result<Got, RecvError> {
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

#[cfg(test)]
mod tests;
