//! The rooms around the games: who is there, and what they are told.
//!
//! The live core says under a table's lock that it has changed; all that
//! happens there is a look whether anybody listens, and a push into a queue.
//! Everything else (encoding, clocks, presence, sockets) happens on runtimes
//! of their own, one for players' streams and one for the crowd's, so that no
//! number of watchers delays a move, and no crowd an opponent.

mod alarms;
pub mod crowd;
pub mod dispatch;
pub mod lag;
pub mod lanes;
mod later;
mod matches;
pub mod told;
pub mod wire;

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use chess::Millis;
use chess::game::{Event, Game};
use chess::skill::{self, Match};
use chess::table::{PlayerId, Table};
use chess::tables::{self, AnyTable, Hosted};
use live::Surroundings;
use live::room::Hub;
use store::TableId;
use tokio::runtime::{Builder, Handle};
use tokio::sync::{mpsc, oneshot};

use self::crowd::Crowd;
use self::lag::Lags;
use self::lanes::{Lane, Lanes};
use self::told::{News, Told};
use self::wire::Wire;
use crate::games::Games;
use crate::limits::places::Places;
use crate::room::{ChatView, Line};
use crate::settings::Settings;

/// Messages a subscriber may be behind.
const LANE: usize = 64;
/// News that may wait to be told.
const QUEUE: usize = 100_000;

/// Everyone who listens; cheap to clone.
#[derive(Clone)]
pub struct Rooms(Arc<Inner>);

struct Inner {
    hub: Hub<News>,
    crowd: Crowd,
    places: Places,
    lags: Lags,
    queue: mpsc::Sender<Item>,
    /// The other end, until the dispatcher takes it.
    waiting: Mutex<Option<mpsc::Receiver<Item>>>,
    runtimes: OnceLock<Runtimes>,
    lost: AtomicU64,
    resyncs: AtomicU64,
    stuck: AtomicU64,
    told: AtomicU64,
    lag_us: AtomicU64,
    lag_us_sum: AtomicU64,
}

struct Runtimes {
    players: Handle,
    watchers: Handle,
}

/// What the dispatcher is given to do.
#[derive(Debug)]
pub enum Item {
    /// A game changed, or is new.
    Changed(Box<Changed>),
    /// A match of skill chess changed.
    MatchChanged(Box<MatchChanged>),
    /// Somebody has come, and this is the game they came to.
    Came(TableId, Arc<Game>),
    /// Somebody has come to a match, or is back.
    CameToMatch(TableId, Arc<Match>),
    /// A stream was closed; that player's last, if one is named.
    Went(TableId, Option<PlayerId>),
    /// Somebody spoke.
    Said(Box<Said>),
}

/// A line of chat, durable.
#[derive(Debug)]
pub struct Said {
    /// At which game.
    pub id: TableId,
    /// What was said.
    pub line: Line,
    /// As it is shown.
    pub view: ChatView,
}

/// A change of a game.
#[derive(Debug)]
pub struct Changed {
    /// Which.
    pub id: TableId,
    /// The game before; none before its creation.
    pub before: Option<Arc<Game>>,
    /// The game after.
    pub after: Arc<Game>,
    /// What happened, unless it was its creation.
    pub event: Option<Event>,
    /// When it was applied.
    pub at: Instant,
}

/// A change of a match.
#[derive(Debug)]
pub struct MatchChanged {
    /// Which.
    pub id: TableId,
    /// The match after.
    pub after: Arc<Match>,
    /// What happened.
    pub event: Option<skill::Event>,
    /// When it was applied.
    pub at: Instant,
}

/// What there is to count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Streams that are open.
    pub subscribers: usize,
    /// News that did not fit into the queue.
    pub lost: u64,
    /// Subscribers brought forward to the newest state.
    pub resyncs: u64,
    /// Subscribers that were given up.
    pub stuck: u64,
    /// News that were told.
    pub told: u64,
    /// How long the last of them had waited to be told, in microseconds.
    pub lag_us: u64,
    /// All these times together.
    pub lag_us_sum: u64,
}

impl Rooms {
    /// Nobody is here yet.
    pub fn new(settings: &Settings) -> Rooms {
        let (queue, waiting) = mpsc::channel(QUEUE);
        Rooms(Arc::new(Inner {
            hub: Hub::new(LANE),
            crowd: Crowd::new(),
            places: Places::new(settings),
            lags: Lags::new(Millis(settings.lag_quota_ms)),
            queue,
            waiting: Mutex::new(Some(waiting)),
            runtimes: OnceLock::new(),
            lost: AtomicU64::new(0),
            resyncs: AtomicU64::new(0),
            stuck: AtomicU64::new(0),
            told: AtomicU64::new(0),
            lag_us: AtomicU64::new(0),
            lag_us_sum: AtomicU64::new(0),
        }))
    }

    /// How many streams each may have open.
    pub fn places(&self) -> &Places {
        &self.0.places
    }

    /// What the network takes from players.
    pub fn lags(&self) -> &Lags {
        &self.0.lags
    }

    /// Where to tell those at a game, if anybody is there.
    pub fn lanes(&self, id: TableId) -> Option<Lanes<'_>> {
        let shared = self.0.hub.lanes(id)?;
        Some(Lanes {
            rooms: self,
            id,
            shared,
        })
    }

    /// Those of them whose wires can be written to.
    pub(crate) fn crowd(&self) -> &Crowd {
        &self.0.crowd
    }

    /// Everyone who listens to what.
    pub fn hub(&self) -> &Hub<News> {
        &self.0.hub
    }

    /// Comes to a game, as one of its players or to watch.
    pub fn join(&self, games: &Games, id: TableId, player: Option<PlayerId>) -> Stay {
        Stay {
            lane: Lane::Shared(self.0.hub.join(id, player)),
            rooms: self.clone(),
            games: games.clone(),
            id,
            player,
            shown: None,
        }
    }

    /// Comes to watch a game, as whoever it is, by a wire that can be written to.
    pub(crate) fn sit(
        &self,
        games: &Games,
        id: TableId,
        who: Option<PlayerId>,
        wire: Arc<Wire>,
    ) -> Stay {
        // Counted with everybody else.
        let mut stay = self.join(games, id, None);
        stay.lane = Lane::Seat(self.0.crowd.join(id, who, wire));
        stay
    }

    /// Hands something to the dispatcher, who notices by the versions if it is lost.
    pub fn push(&self, item: Item) {
        if self.0.queue.try_send(item).is_err() {
            self.0.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The queue's other end: for the one dispatcher.
    pub(crate) fn take_queue(&self) -> Option<mpsc::Receiver<Item>> {
        let mut waiting = self
            .0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        waiting.take()
    }

    /// Runs a stream where streams of its kind run.
    pub fn spawn(&self, is_player: bool, stream: impl Future<Output = ()> + Send + 'static) {
        match self.0.runtimes.get() {
            Some(runtimes) if is_player => drop(runtimes.players.spawn(stream)),
            Some(runtimes) => drop(runtimes.watchers.spawn(stream)),
            // A router without a server around it, as in tests.
            None => drop(tokio::spawn(stream)),
        }
    }

    /// A subscriber had to be brought forward.
    pub fn note_resync(&self) {
        self.0.resyncs.fetch_add(1, Ordering::Relaxed);
    }

    /// A subscriber was given up.
    pub fn note_stuck(&self) {
        self.0.stuck.fetch_add(1, Ordering::Relaxed);
    }

    /// How long news had waited.
    pub(crate) fn note_lag(&self, at: Instant) {
        let lag = u64::try_from(at.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.0.lag_us.store(lag, Ordering::Relaxed);
        self.0.lag_us_sum.fetch_add(lag, Ordering::Relaxed);
        self.0.told.fetch_add(1, Ordering::Relaxed);
    }

    /// What there is to count.
    pub fn stats(&self) -> Stats {
        Stats {
            subscribers: self.0.hub.subscribers(),
            lost: self.0.lost.load(Ordering::Relaxed),
            resyncs: self.0.resyncs.load(Ordering::Relaxed),
            stuck: self.0.stuck.load(Ordering::Relaxed),
            told: self.0.told.load(Ordering::Relaxed),
            lag_us: self.0.lag_us.load(Ordering::Relaxed),
            lag_us_sum: self.0.lag_us_sum.load(Ordering::Relaxed),
        }
    }

    /// Tells everyone that the server is stopping.
    pub fn farewell(&self) {
        let farewell = Arc::new(Told::Farewell);
        self.0.hub.tell_all(&farewell);
        self.0.crowd.tell_all(&farewell);
    }
}

impl Surroundings<AnyTable> for Rooms {
    fn changed(
        &self,
        id: TableId,
        before: Option<&Arc<AnyTable>>,
        after: &Arc<AnyTable>,
        event: Option<&tables::Event>,
    ) {
        let at = Instant::now();
        match &**after {
            AnyTable::Chess(game) if self.concerns_somebody(id, game) => {
                self.push(Item::Changed(Box::new(Changed {
                    id,
                    before: before.and_then(|before| before.chess().cloned()),
                    after: Arc::clone(game),
                    event: event.cloned().and_then(Game::happened),
                    at,
                })));
            }
            AnyTable::Skill(played) if self.0.hub.is_open(id) => {
                self.push(Item::MatchChanged(Box::new(MatchChanged {
                    id,
                    after: Arc::clone(played),
                    event: event.cloned().and_then(Match::happened),
                    at,
                })));
            }
            AnyTable::Chess(_) | AnyTable::Skill(_) => {}
        }
    }

    fn is_here(&self, id: TableId, player: PlayerId) -> bool {
        self.0.hub.is_here(id, player)
    }
}

impl Rooms {
    fn concerns_somebody(&self, id: TableId, game: &Game) -> bool {
        let hub = &self.0.hub;
        let is_followed = |player: Option<PlayerId>| player.is_some_and(|p| hub.is_followed(p));
        // Only while it is new does anybody want to know what it follows.
        let finished = (game.version() <= 2).then(|| rematch_of(game)).flatten();
        hub.is_open(id)
            || game.players().into_iter().any(is_followed)
            || is_followed(game.opponent())
            || finished.is_some_and(|id| hub.is_open(id))
    }
}

/// The finished game that this one is the rematch of.
pub(crate) fn rematch_of(game: &Game) -> Option<TableId> {
    game.creation().rematch_of.and_then(TableId::from_number)
}

/// Somebody's stay at a game; over when dropped.
pub struct Stay {
    /// What they are told.
    pub lane: Lane,
    /// As whom they came, if as a player.
    pub player: Option<PlayerId>,
    /// As whom they are seen watching.
    shown: Option<PlayerId>,
    rooms: Rooms,
    games: Games,
    id: TableId,
}

impl Stay {
    /// Whoever watches agrees to be seen.
    pub(crate) fn show(&mut self, who: PlayerId) {
        if self.shown.replace(who).is_none() {
            self.rooms.0.hub.show(self.id, who);
        }
    }
}

impl Drop for Stay {
    fn drop(&mut self) {
        if let Some(who) = self.shown {
            self.rooms.0.hub.hide(self.id, who);
        }
        let was_last = self.rooms.0.hub.leave(self.id, self.player);
        let crowd = &self.rooms.0.crowd;
        crowd.close_unless(self.id, || self.rooms.0.hub.is_open(self.id));
        let gone = self.player.filter(|_| was_last);
        if let Some(player) = gone {
            self.games.left(self.id, player);
            self.rooms.0.lags.forget(self.id, player);
        }
        self.rooms.push(Item::Went(self.id, gone));
    }
}

/// The threads that streams run on. They end when this is dropped.
pub struct Threads(#[expect(dead_code, reason = "dropping them is what counts")] [Stop; 2]);

/// Ends a thread when it is dropped.
type Stop = oneshot::Sender<()>;

/// Tasks that run before a thread looks for timers that are due: a crowd is
/// told in one go.
const TASKS: u32 = 256;

impl Threads {
    /// Starts them: one for players, one for the crowd.
    ///
    /// # Errors
    /// Why a thread could not be started.
    pub fn start(rooms: &Rooms) -> std::io::Result<Threads> {
        let (players, stop_players) = start("players")?;
        let (watchers, stop_watchers) = start("watchers")?;
        drop(rooms.0.runtimes.set(Runtimes { players, watchers }));
        Ok(Threads([stop_players, stop_watchers]))
    }
}

/// A runtime in a thread of its own. One thread needs none of what a runtime
/// of several does to share work among them.
fn start(name: &str) -> std::io::Result<(Handle, Stop)> {
    let runtime = Builder::new_current_thread()
        .event_interval(TASKS)
        .enable_all()
        .build()?;
    let handle = runtime.handle().clone();
    let (stop, stopped) = oneshot::channel();
    let thread = thread::Builder::new().name(name.to_owned());
    thread.spawn(move || drop(runtime.block_on(stopped)))?;
    Ok((handle, stop))
}
