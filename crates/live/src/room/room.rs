//! One room: where its news go, what was told and what is told later, and who
//! may not speak.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use store::{Ban, BanKind, TableId};
use tokio::sync::broadcast::{Receiver, Sender};

use super::later::Later;
use super::order::inside;
use super::rooms::tell;
use super::watched::Watched;
use crate::mutant::Mutant;

/// A room is taken up a moment after somebody came and looked: what spectators may know
/// since so short a time, they may not have seen. Whoever tells is never so far behind.
const LOOKED_BEFORE: Millis = Millis::from_secs(60);

/// What subscribers are told.
pub trait News: Clone + Send {
    /// Something was lost: look at the table itself.
    fn lost() -> Self;
    /// Whether it is that.
    fn is_lost(&self) -> bool;
}

/// What a room is made of, besides the room.
pub trait Furnished: 'static {
    /// What those in it are told.
    type News: News;
    /// Those who are told in a way of their own.
    type Crowd: Crowd<Self::News>;
    /// What whoever tells remembers of it as long as somebody is there.
    type Notes: Default + Send;
}

/// Watchers who have no lane. Progress under the room's lock: must not wait.
pub trait Crowd<N>: Send + Sync {
    /// Tells all of them.
    fn tell(&self, news: &N);
}

/// There is none.
impl<N> Crowd<N> for () {
    fn tell(&self, _: &N) {}
}

/// A room. Two lanes, so that players are told first and a crowd never fills
/// their queue; a lane is a ring that all of its subscribers share: whoever
/// falls behind by more than it holds is told so, and nobody waits for them.
pub struct Room<K: Furnished> {
    id: TableId,
    /// Messages a lane holds.
    lane: usize,
    /// Made for the first who listens: a room that is kept for what was said there
    /// has none.
    lanes: Mutex<Option<Lanes<K::News>>>,
    crowd: K::Crowd,
    told: Mutex<Option<Progress<K::News>>>,
    notes: Mutex<K::Notes>,
    chat: Mutex<Option<Chat>>,
    is_marked: AtomicBool,
}

struct Lanes<N> {
    players: Sender<N>,
    watchers: Sender<N>,
}

/// What was told, and what is told later.
struct Progress<N> {
    version: u32,
    later: Later<N>,
}

/// What is spoken in a room.
#[derive(Default)]
pub struct Chat {
    /// Who may not speak, or not be here.
    pub bans: Vec<Ban>,
}

impl Chat {
    /// What was decided about somebody.
    pub fn ban_of(&self, who: PlayerId) -> Option<Ban> {
        self.bans.iter().find(|ban| ban.account == who).copied()
    }

    /// Whether somebody must not be here.
    pub fn is_removed(&self, who: PlayerId) -> bool {
        self.ban_of(who)
            .is_some_and(|ban| ban.kind == BanKind::Removed)
    }

    /// Takes note of what the store has.
    pub fn set_ban(&mut self, who: PlayerId, ban: Option<Ban>) {
        self.bans.retain(|ban| ban.account != who);
        self.bans.extend(ban);
    }
}

impl<N: News> Progress<N> {
    /// Of changes that nobody heard of spectators learn by looking for
    /// themselves, when the time of each comes.
    fn keep_unheard<T: Watched>(&mut self, table: &T, now: Timestamp) {
        if !Mutant::ForgetsDelayed.is_chosen() {
            for due in table.still_to_tell(self.version, now) {
                self.later.keep(due, N::lost());
            }
        }
        self.version = table.version();
    }

    /// The same if the table is newer than what was told. Whether it is.
    fn keep_up<T: Watched>(&mut self, table: &T, now: Timestamp) -> bool {
        let is_behind = self.version < table.version();
        if is_behind {
            self.keep_unheard(table, now);
        }
        is_behind
    }
}

impl<K: Furnished> Room<K> {
    pub(super) fn new(id: TableId, lane: usize, crowd: K::Crowd) -> Room<K> {
        Room {
            id,
            lane,
            lanes: Mutex::new(None),
            crowd,
            told: Mutex::new(None),
            notes: Mutex::default(),
            chat: Mutex::new(None),
            is_marked: AtomicBool::new(false),
        }
    }

    /// Whose room it is.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Listens, as a player or as somebody else.
    pub fn subscribe(&self, is_player: bool) -> Receiver<K::News> {
        let mut lanes = inside(&self.lanes);
        let lanes = lanes.get_or_insert_with(|| Lanes {
            players: Sender::new(self.lane),
            watchers: Sender::new(self.lane),
        });
        match is_player {
            true => lanes.players.subscribe(),
            false => lanes.watchers.subscribe(),
        }
    }

    /// Those who have no lane.
    pub fn crowd(&self) -> &K::Crowd {
        &self.crowd
    }

    /// What whoever tells remembers.
    pub fn notes<R>(&self, with: impl FnOnce(&mut K::Notes) -> R) -> R {
        with(&mut inside(&self.notes))
    }

    /// What is spoken here; `None` until somebody has read it from the store.
    pub fn chat<R>(&self, with: impl FnOnce(&mut Chat) -> R) -> Option<R> {
        inside(&self.chat).as_mut().map(with)
    }

    /// Takes in what was read from the store. Somebody else may have been
    /// quicker; then theirs has seen more.
    pub fn take_in_chat(&self, chat: Chat) {
        inside(&self.chat).get_or_insert(chat);
    }

    /// Tells the players.
    pub fn tell_players(&self, news: K::News) {
        if let Some(lanes) = &*inside(&self.lanes) {
            tell(&lanes.players, news);
        }
    }

    /// Tells everybody else.
    pub fn tell_watchers(&self, news: K::News) {
        self.crowd.tell(&news);
        if let Some(lanes) = &*inside(&self.lanes) {
            tell(&lanes.watchers, news);
        }
    }

    /// Tells everyone, the players first.
    pub fn tell(&self, news: K::News) {
        self.tell_players(news.clone());
        self.tell_watchers(news);
    }

    /// Takes up a table that nobody was at. Whether it was so. Whoever made that
    /// necessary looked before it: what may be known only since then they look for again.
    pub fn open<T: Watched>(&self, table: &T, now: Timestamp) -> bool {
        let mut told = inside(&self.told);
        if told.is_some() {
            return false;
        }
        let later = Later::default();
        let told = told.insert(Progress { version: 0, later });
        let looked = Timestamp(now.0.saturating_sub(LOOKED_BEFORE.0.into()));
        told.keep_unheard(table, looked);
        true
    }

    /// Whether somebody has taken up the table.
    pub fn is_taken_up(&self) -> bool {
        inside(&self.told).is_some()
    }

    /// Whether a table of that version has changes that nobody here was told of.
    pub fn is_behind(&self, version: u32) -> bool {
        let told = inside(&self.told);
        told.as_ref().is_some_and(|told| told.version < version)
    }

    /// Tells of a change: the players now, and spectators when they may know.
    /// `false` if it is known already, or nobody has taken up the table.
    pub fn changed<T: Watched>(&self, after: &T, news: K::News, now: Timestamp) -> bool {
        let mut told = inside(&self.told);
        let Some(told) = told.as_mut().filter(|told| told.version < after.version()) else {
            return false;
        };
        let is_next = after.version() == told.version + 1
            || Mutant::AnyOrder.is_chosen()
            || (after.version() == told.version + 2 && Mutant::SinceOffByOne.is_chosen());
        if is_next {
            told.version = after.version();
            self.tell_from(told, after, news, after.last_at());
        } else {
            // Some came out of order or not at all.
            told.keep_unheard(after, now);
            self.tell(News::lost());
        }
        true
    }

    /// Tells something that happened at `at` and concerns the moves.
    pub fn happened<T: Watched>(&self, table: &T, news: K::News, at: Timestamp) {
        if let Some(told) = inside(&self.told).as_mut() {
            self.tell_from(told, table, news, at);
        }
    }

    fn tell_from<T: Watched>(
        &self,
        told: &mut Progress<K::News>,
        table: &T,
        news: K::News,
        at: Timestamp,
    ) {
        self.tell_players(news.clone());
        match table.delay() {
            Millis::ZERO => self.tell_watchers(news),
            delay => told.later.keep(at + delay, news),
        }
    }

    /// Somebody looked at the table, which may have changed while nobody told:
    /// then all look for themselves.
    pub fn came<T: Watched>(&self, table: &T, now: Timestamp) {
        self.open(table, now);
        let mut told = inside(&self.told);
        if told.as_mut().is_some_and(|told| told.keep_up(table, now)) {
            self.tell(News::lost());
        }
    }

    /// Something was lost here: brings everybody forward.
    pub fn repair<T: Watched>(&self, table: &T, now: Timestamp) {
        self.open(table, now);
        if let Some(told) = inside(&self.told).as_mut() {
            told.keep_up(table, now);
        }
        self.tell(News::lost());
    }

    /// Keeps something for those who watch.
    pub fn tell_watchers_at(&self, at: Timestamp, news: K::News) {
        if let Some(told) = inside(&self.told).as_mut() {
            told.later.keep(at, news);
        }
    }

    /// Tells those who watch what they may know by now.
    pub fn tell_due(&self, now: Timestamp) {
        if let Some(told) = inside(&self.told).as_mut() {
            while let Some(news) = told.later.next(now) {
                self.tell_watchers(news);
            }
        }
    }

    /// When they may know more.
    pub fn next_due(&self) -> Option<Timestamp> {
        inside(&self.told).as_ref()?.later.next_due()
    }

    /// Everybody has gone: what was told counts for nothing.
    pub(super) fn close(&self) {
        *inside(&self.told) = None;
        *inside(&self.notes) = K::Notes::default();
        *inside(&self.lanes) = None;
        // Whoever comes back looks for themselves, and the next loss counts again.
        self.unmark();
    }

    /// Whether it was not marked before.
    pub(super) fn mark(&self) -> bool {
        !self.is_marked.swap(true, Ordering::Relaxed)
    }

    pub(super) fn unmark(&self) {
        self.is_marked.store(false, Ordering::Relaxed);
    }
}
