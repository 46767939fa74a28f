//! The rooms around the games, and what those in them are told.
//!
//! What a room is stands in `live::room`. Here it gets what it needs in a
//! server: news in every door's words, wires that a crowd is told by, threads
//! that streams run on, and a bus. The live core says under a table's lock that
//! it has changed; all that happens there is a look whether anybody listens,
//! and a push into a queue.

mod analysis;
pub(crate) mod beginnings;
pub mod bus;
pub mod crowd;
mod followers;
pub(crate) mod gatherings;
pub mod here;
pub mod lags;
pub mod lane;
pub mod line;
pub mod lobby;
pub mod news;
pub mod others;
pub mod residents;
pub mod slow;
pub(crate) mod solo;
mod stats;
mod threads;
mod visit;
pub mod wire;

use std::future::Future;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use chess::game::Game;
use chess::table::{PlayerId, Table};
use chess::tables::AnyTable;
use chess::{Millis, Timestamp};
use live::Surroundings;
use live::bus::Subscription;
use live::room::{self, Feeds, Furnished, Loss};
use store::{Beat, Pulse, TableId};
use tokio::sync::mpsc::Receiver;

use self::beginnings::Beginnings;
use self::bus::{Bus, Changed, Happened, Happening};
use self::crowd::{Crowds, Telling};
use self::followers::Followers;
use self::lags::Lags;
use self::stats::{Counters, count};
use self::threads::Runtimes;
use crate::limits::places::{Place, Places};
use crate::mailbox::Mailbox;
use crate::problem::Problem;
use crate::settings::Settings;

pub(crate) use beginnings::Begun;
pub(crate) use gatherings::Gathering;
pub use line::{BlockedBy, Line, Speech};
pub use news::{News, What};
pub use stats::Stats;
pub(crate) use threads::Part;
pub use threads::{Thread, Threads};
pub use visit::Visit;

/// Messages a subscriber of a room may be behind, and whoever follows an account.
const LANE: usize = 64;
const ACCOUNT_LANE: usize = 512;

/// What a room of this server is made of.
pub struct Furniture;

impl Furnished for Furniture {
    type News = News;
    type Crowd = crowd::Crowd;
    type Notes = here::Notes;
}

/// A room of this server.
pub type Room = room::Room<Furniture>;

/// Everyone who listens; cheap to clone.
#[derive(Clone)]
pub struct Rooms(Arc<Inner>);

struct Inner {
    rooms: room::Rooms<Furniture>,
    feeds: Feeds<News>,
    lobby: lobby::Lobby,
    residents: residents::Residents,
    followers: Followers,
    beginnings: Beginnings,
    gatherings: gatherings::Gatherings,
    crowds: Crowds,
    places: Places,
    lags: Lags,
    slow: slow::Slow,
    solos: solo::Solos,
    bus: Bus,
    others: others::Slot,
    on_pulse: OnceLock<others::OnPulse>,
    /// Listen to what other nodes ask, and say of players.
    ear: OnceLock<Subscription>,
    people: OnceLock<[Subscription; 4]>,
    solo_ears: OnceLock<[Subscription; 2]>,
    is_closing: AtomicBool,
    runtimes: OnceLock<Runtimes>,
    counters: Counters,
}

impl Rooms {
    /// Nobody is here yet.
    pub fn new(settings: &Settings) -> Rooms {
        let crowds = Crowds::default();
        Rooms(Arc::new(Inner {
            rooms: room::Rooms::new(LANE, crowds.maker()),
            feeds: Feeds::new(ACCOUNT_LANE),
            lobby: lobby::Lobby::default(),
            residents: residents::Residents::default(),
            followers: Followers::default(),
            beginnings: Beginnings::default(),
            gatherings: gatherings::Gatherings::default(),
            crowds,
            places: Places::new(settings),
            lags: Lags::new(Millis(settings.lag_quota_ms)),
            slow: slow::Slow::default(),
            solos: solo::Solos::default(),
            bus: Bus::default(),
            others: others::Slot::new(),
            on_pulse: OnceLock::new(),
            ear: OnceLock::new(),
            people: OnceLock::new(),
            solo_ears: OnceLock::new(),
            is_closing: AtomicBool::new(false),
            runtimes: OnceLock::new(),
            counters: Counters::default(),
        }))
    }

    /// How many streams each may have open.
    pub fn places(&self) -> &Places {
        &self.0.places
    }

    /// A place for one more stream of somebody, at that address.
    ///
    /// # Errors
    /// `too_many_streams`.
    pub fn place(&self, who: Option<PlayerId>, from: IpAddr) -> Result<Place, Problem> {
        self.0.places.take(who, Some(from))
    }

    /// A place for a player's stream of a game that they play.
    ///
    /// # Errors
    /// `too_many_streams` at that address.
    pub fn place_at_game(&self, who: PlayerId, from: IpAddr) -> Result<Place, Problem> {
        self.0.places.take_of_game(who, from)
    }

    /// What the network takes from players.
    pub fn lags(&self) -> &Lags {
        &self.0.lags
    }

    /// All rooms, and who is in them.
    pub fn all(&self) -> &room::Rooms<Furniture> {
        &self.0.rooms
    }

    /// The server's own bots.
    pub fn residents(&self) -> &residents::Residents {
        &self.0.residents
    }

    /// Those who follow their account.
    pub fn feeds(&self) -> &Feeds<News> {
        &self.0.feeds
    }

    /// Has it told. If there is no room for it, the table's room is repaired
    /// soon, and whom it concerns look for themselves.
    pub fn publish(&self, table: TableId, what: Happened) {
        let happening = Happening { table, what };
        if let Err(lost) = self.0.bus.publish(happening) {
            count(&self.0.counters.lost);
            if self.is_missed(&lost) {
                self.0.rooms.lost(table, Loss::Full);
            }
            self.tell_lost(&lost);
        }
    }

    /// Whether those in the room miss something by not being told. That
    /// somebody came is news only to a room nobody was in: whoever looks because
    /// something was lost must not lose something by it. Who is there is told
    /// once a second at any rate.
    fn is_missed(&self, lost: &Happening) -> bool {
        match &lost.what {
            // Who was removed is not let in when they look.
            Happened::Changed(_)
            | Happened::Said(..)
            | Happened::Overheard(..)
            | Happened::Reread(_)
            | Happened::Removed(_) => true,
            Happened::Came(_) => {
                let room = self.0.rooms.get(lost.table);
                room.is_some_and(|room| !room.is_taken_up())
            }
            Happened::Went(_) => false,
        }
    }

    /// Nobody was told of a change: those at the game it is the rematch of, and
    /// those who follow an account that it concerns, must look for themselves.
    pub(crate) fn tell_lost(&self, lost: &Happening) {
        let Happened::Changed(changed) = &lost.what else {
            return;
        };
        if let Some(finished) = changed.after.chess().and_then(|game| rematch_of(game)) {
            self.0.rooms.lost(finished, Loss::Full);
        }
        for player in changed.after.players().into_iter().flatten() {
            let look = News::of(What::Look(lost.table, None));
            self.0.feeds.tell(player, look);
        }
    }

    /// What is to be told: for the one who tells.
    pub(crate) fn bus(&self) -> Bus {
        self.0.bus.clone()
    }

    /// The crowds' queues: for those who tell them, each their part.
    pub(crate) fn take_crowds(&self) -> Option<[Receiver<Telling>; Part::COUNT]> {
        self.0.crowds.take_queues()
    }

    /// The box of that part of the players' threads: for the task that serves it.
    pub(crate) fn mailbox(&self, part: Part) -> Option<Arc<Mailbox>> {
        let runtimes = self.0.runtimes.get();
        runtimes.map(|runtimes| runtimes.mailbox(part))
    }

    fn run_on(&self, runtimes: Runtimes) {
        drop(self.0.runtimes.set(runtimes));
    }

    /// Runs a stream where streams of its kind run.
    pub fn spawn(&self, thread: Thread, stream: impl Future<Output = ()> + Send + 'static) {
        match self.0.runtimes.get() {
            Some(runtimes) => drop(runtimes.get(thread).spawn(stream)),
            // A router without a server around it, as in tests.
            None => drop(tokio::spawn(stream)),
        }
    }

    /// Tells those who follow that account, on the thread where their streams are: to wake
    /// each from another takes a system call.
    pub(crate) fn tell_account(&self, player: PlayerId, news: &News) {
        if !self.0.feeds.is_followed(player) {
            return;
        }
        let (rooms, news) = (self.clone(), news.clone());
        let tell = move || rooms.0.feeds.tell(player, news);
        match self.0.runtimes.get() {
            Some(runtimes) => runtimes.run_there(Part::of(player), tell),
            None => tell(),
        }
    }

    /// A subscriber had to be brought forward.
    pub fn note_resync(&self) {
        count(&self.0.counters.resyncs);
    }

    /// A subscriber was given up.
    pub fn note_stuck(&self) {
        count(&self.0.counters.stuck);
    }

    /// Telling something failed.
    pub(crate) fn note_failed(&self) {
        count(&self.0.counters.failed);
    }

    /// How long news had waited.
    pub(crate) fn note_lag(&self, at: Instant) {
        self.0.counters.note_lag(at);
    }

    /// What there is to count.
    pub fn stats(&self) -> Stats {
        let streams = self.0.rooms.streams() + self.0.feeds.streams() + self.0.lobby.readers();
        self.0.counters.stats(streams)
    }

    /// Tells everyone that the server is stopping.
    pub fn farewell(&self) {
        self.0.is_closing.store(true, Ordering::Release);
        let farewell = News::of(What::Farewell);
        for room in self.0.rooms.open() {
            room.tell(farewell.clone());
        }
        self.0.feeds.tell_all(&farewell);
        self.0.lobby.farewell();
        self.0.beginnings.close();
        self.0.gatherings.close();
    }

    /// Whether streams end because the server stops.
    pub fn is_closing(&self) -> bool {
        self.0.is_closing.load(Ordering::Acquire)
    }

    fn concerns_somebody(&self, id: TableId, table: &AnyTable) -> bool {
        let is_followed = |player: Option<PlayerId>| {
            let feeds = &self.0.feeds;
            player.is_some_and(|player| feeds.is_followed(player))
        };
        let rooms = &self.0.rooms;
        rooms.is_open(id)
            || table.chess().is_some_and(|game| {
                game.players().into_iter().any(is_followed)
                    || rematch_of(game).is_some_and(|id| rooms.is_open(id))
            })
    }
}

impl Surroundings<AnyTable> for Rooms {
    fn changed(&self, id: TableId, change: &live::Changed<AnyTable>) {
        self.tell_others_of_change(id, change);
        self.lobby_changed(id, change);
        if let Some(game) = change.after.chess() {
            let before = change.before.as_ref().and_then(|before| before.chess());
            let before = before.map(|before| &**before);
            if !change.is_foreign {
                self.tell_if_begun(id, before, game);
                self.slow_changed(id, before, game);
            }
            let residents = &self.0.residents;
            residents.changed(id, before, game, change.is_foreign);
        }
        if self.concerns_somebody(id, &change.after) {
            self.tells_feeds(id, &change.after);
            let before = change.before.as_ref();
            let changed = Changed {
                before: before.map(|before| (**before).clone()),
                after: (*change.after).clone(),
                event: change.event.clone(),
                report: Arc::clone(&change.report),
                at: Instant::now(),
            };
            self.publish(id, Happened::Changed(Box::new(changed)));
        }
    }

    fn came_in(&self, id: TableId, table: &AnyTable) {
        self.0.rooms.found(id, table.version());
        self.slow_came_in(id, table);
    }

    fn is_here(&self, id: TableId, player: PlayerId) -> bool {
        self.0.residents.has(player) || self.0.rooms.is_here(id, player)
    }

    fn heard_of(&self, id: TableId, version: u32) {
        self.0.rooms.found(id, version);
    }

    fn pulse(&self, beat: &Beat, pulse: &Pulse, asked: Timestamp) {
        self.heard_pulse(beat, pulse, asked);
    }

    fn ask_around(&self, id: TableId, player: PlayerId, answer: Answer) {
        let rooms = self.clone();
        self.spawn(Thread::Telling, async move {
            answer(rooms.seen_by_others(id, player).await);
        });
    }
}

/// Where the answer to a question to all nodes goes.
type Answer = Box<dyn FnOnce(Option<Timestamp>) + Send>;

/// The finished game that this one is the rematch of: only while it is new
/// does anybody want to know.
pub(crate) fn rematch_of(game: &Game) -> Option<TableId> {
    let is_new = game.version() <= 2;
    let finished = is_new.then(|| game.creation().rematch_of).flatten();
    finished.and_then(TableId::from_number)
}
