//! From settings to a server that knows everything it knew before.

use std::fmt;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chess::Millis;
use chess::tables::AnyTable;
use live::{Handles, Limits, Live};
use store::{Store, Telling, Upkeep};
use tokio::task::spawn_blocking;

use super::nodes::{self, hear_revocations, member};
use super::{process, time};
use crate::auth::Auth;
use crate::clock::Clock;
use crate::games::Games;
use crate::limits::connections::Connections;
use crate::limits::queue::Queue;
use crate::limits::rates::RateLimits;
use crate::outside::Outside;
use crate::pile;
use crate::play::events::{Events, watch};
use crate::play::figures::Figures;
use crate::play::matchmaking::Matchmaker;
use crate::play::notify::Notifier;
use crate::play::{App, Parts};
use crate::rooms::Rooms;
use crate::settings::Settings;

/// Why the server did not start: a sentence for its operator.
#[derive(Debug)]
pub enum StartError {
    /// A setting turned out to be wrong.
    Setting(String),
    /// Nobody can listen there.
    Listen(std::net::SocketAddr, std::io::Error),
    /// The certificate or its key cannot be used.
    Tls(std::io::Error),
    /// The store cannot be opened or read.
    Store(store::Error),
    /// A file beside the database cannot be written.
    File(PathBuf, std::io::Error),
    /// The games' time is too far ahead of the machine's clock.
    Clock(String),
    /// A thread could not be started.
    Thread(std::io::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Setting(why) => f.write_str(why),
            StartError::Clock(why) => write!(f, "clock: {why}"),
            StartError::Listen(address, error) => write!(f, "listen: {address}: {error}"),
            StartError::Tls(error) => write!(f, "tls_cert and tls_key: {error}"),
            StartError::Store(error) => write!(f, "store: {error}"),
            StartError::File(path, error) => write!(f, "{}: {error}", path.display()),
            StartError::Thread(error) => write!(f, "a thread could not be started: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

impl From<store::Error> for StartError {
    fn from(error: store::Error) -> StartError {
        StartError::Store(error)
    }
}

/// Long games gone through at a time, and how many may wait for it.
const REPLAYS: usize = 1;
const REPLAYS_WAITING: usize = 64;

const UNFINISHED_COPY: &str = "the store has an unfinished copy of another: start `arbiter copy` again, which goes on with it";

/// Opens the store and takes up what it knows; nobody listens yet. Takes a
/// second or so per half a million running games.
///
/// # Errors
/// [`StartError`].
pub async fn open(settings: Settings) -> Result<App, StartError> {
    let store = open_store(&settings).await?;
    let (clock, member) = match store.is_shared() {
        false => (alone(&store, &settings).await?, None),
        true => {
            let clock = Clock::following();
            let member = member(&store, &settings, &clock).await?;
            (clock, Some(member))
        }
    };
    let rooms = Rooms::new(&settings);
    let handles = Handles {
        store: store.clone(),
        now: clock.handle(),
        around: Arc::new(rooms.clone()),
        member: member.clone(),
    };
    let places = rooms.places().clone();
    let auth = Auth::new(store.clone(), clock.clone(), places, &settings);
    let auth = auth.map_err(StartError::Setting)?;
    let notifier = Notifier::new(&store, &settings).await;
    let notifier = notifier.map_err(StartError::Setting)?;
    hear_revocations(&rooms, &auth);
    // Before the first heartbeat: from then on the next must not be far.
    let bus = match &member {
        Some(_) => Some(nodes::bus(&settings, &store).await?),
        None => None,
    };
    let limits = limits(&settings);
    // From the first move on, if somebody wants to be told of them.
    limits
        .every_move
        .set(watch::wanted(&store, &settings).await?);
    let events = Events::new(Arc::clone(&limits.every_move), bus.clone());
    let live = Live::start(handles, limits).await?;
    if let Some((member, bus)) = member.zip(bus) {
        rooms.join_others(bus, member.node, live.clone());
    }
    Ok(App::new(Parts {
        games: Games::new(live.clone()),
        matches: Games::new(live),
        auth,
        rooms,
        rates: RateLimits::new(&settings),
        connections: Connections::new(&settings, process::open_files_max()),
        matchmaker: Matchmaker::new(&settings),
        notifier,
        outside: Outside::new(&settings),
        keys: Default::default(),
        house: Default::default(),
        analyst: Default::default(),
        gallery: Default::default(),
        replays: Queue::new(REPLAYS, REPLAYS_WAITING),
        readiness: Default::default(),
        components: Default::default(),
        purged: Default::default(),
        tasks: Default::default(),
        scores: Default::default(),
        unfinished: Default::default(),
        ratings: Default::default(),
        guide: Default::default(),
        move_counts: Default::default(),
        figures: Figures::new(nodes::name(&settings)),
        events,
        store,
        clock,
        settings,
    }))
}

/// The store, with its replica if there is one.
async fn open_store(settings: &Settings) -> Result<Store, StartError> {
    let (url, upkeep) = (settings.store.clone(), upkeep(settings));
    let replica = settings.replica.clone();
    let open = move || {
        let store = Store::open_for(&url, upkeep)?;
        match replica {
            Some(replica) => store.with_replica(&replica),
            None => Ok(store),
        }
    };
    let opened = spawn_blocking(open).await;
    let store = opened.unwrap_or_else(|panic| resume_unwind(panic.into_panic()))?;
    match store.is_unfinished_copy().await? {
        true => Err(StartError::Setting(UNFINISHED_COPY.into())),
        false => Ok(store),
    }
}

/// The time of the one server of a store, which goes on where it was.
async fn alone(store: &Store, settings: &Settings) -> Result<Clock, StartError> {
    let past = store.past().await?;
    let clock = Clock::start(past.alive_at);
    time::judge(&clock, settings.clock_ahead_seconds).map_err(StartError::Clock)?;
    time::tell_pause(&clock, past.alive_at);
    Ok(clock)
}

fn limits(settings: &Settings) -> Limits {
    Limits {
        queue_max: settings.queue_max,
        resident_max: settings.resident_max,
        idle: Millis::from_secs(settings.idle_seconds),
        rated_per_day: settings.rated_games_per_day,
        ..Limits::default()
    }
}

/// How a store sees to itself that a server opens.
pub fn upkeep(settings: &Settings) -> Upkeep {
    Upkeep {
        fold_every: Duration::from_secs(u64::from(settings.fold_seconds)),
        fold_after: settings.fold_after,
        to_row: Some(live::to_row::<AnyTable>()),
        telling: Some(Telling {
            begins: pile::hold,
            ends: pile::release,
        }),
    }
}
