//! What goes on without anyone asking: clocks, heartbeats, folding, eviction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use chess::tables::AnyTable;
use live::Live;

use super::StartError;
use crate::play::App;

/// How often deadlines are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How often the store is told that the server is up.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How often idle games are looked for.
const EVICTION: Duration = Duration::from_secs(5);

/// The threads that keep the games going. They end when this is dropped.
pub struct Background {
    stops: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

type Work = Box<dyn FnMut(&Live<AnyTable>) + Send>;

impl Background {
    /// Starts them: one for the clocks, which waits for nothing, and one for the rest.
    ///
    /// # Errors
    /// [`StartError::Thread`].
    pub fn start(app: &App) -> Result<Background, StartError> {
        let mut background = Background {
            stops: Vec::new(),
            threads: Vec::new(),
        };
        let fold = Duration::from_secs(u64::from(app.settings.fold_seconds));
        background.spawn(
            "clocks",
            app,
            vec![
                (TICK, Box::new(Live::tick)),
                (HEARTBEAT, Box::new(Live::heartbeat)),
            ],
        )?;
        background.spawn(
            "upkeep",
            app,
            vec![(fold, Box::new(fold_all)), (EVICTION, Box::new(evict))],
        )?;
        Ok(background)
    }

    fn spawn(
        &mut self,
        name: &str,
        app: &App,
        work: Vec<(Duration, Work)>,
    ) -> Result<(), StartError> {
        let (stop, stopped) = channel();
        let live = app.games.live().clone();
        let thread = Builder::new()
            .name(name.to_owned())
            .spawn(move || run(&live, work, &stopped))
            .map_err(StartError::Thread)?;
        self.stops.push(stop);
        self.threads.push(thread);
        Ok(())
    }

    /// Ends them and waits until they have ended. Blocks for a moment.
    pub fn stop(mut self) {
        self.stops.clear();
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a background thread had panicked");
            }
        }
    }
}

/// Does each piece of work whenever its time has come, until told to stop.
fn run(live: &Live<AnyTable>, work: Vec<(Duration, Work)>, stopped: &Receiver<()>) {
    let start = Instant::now();
    let mut work: Vec<_> = work
        .into_iter()
        .map(|(every, work)| (start + every, every, work))
        .collect();
    loop {
        let next = work.iter().map(|(due, ..)| *due).min().unwrap_or(start);
        let wait = next.saturating_duration_since(Instant::now());
        if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        for (due, every, work) in &mut work {
            let now = Instant::now();
            if *due > now {
                continue;
            }
            // A game that makes this panic must not stop all the others' clocks.
            if catch_unwind(AssertUnwindSafe(|| work(live))).is_err() {
                tracing::error!("background work panicked");
            }
            *due = (*due + *every).max(now);
        }
    }
}

fn fold_all(live: &Live<AnyTable>) {
    // What cannot be folded is logged by the live core, and stays in the journal.
    live.fold(Box::new(|_| {}));
}

fn evict(live: &Live<AnyTable>) {
    let evicted = live.evict();
    if evicted > 0 {
        tracing::debug!(evicted, "idle games left memory");
    }
}

/// Folds everything, and waits until that is done or has failed.
///
/// # Errors
/// Why it failed.
pub async fn fold_now(app: &App) -> Result<(), live::Failure> {
    // A run that is under way does not know of what has changed since it began.
    while app.games.live().is_folding() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (tell, told) = tokio::sync::oneshot::channel();
    app.games
        .live()
        .fold(Box::new(move |result| drop(tell.send(result))));
    told.await
        .unwrap_or_else(|_| Err(live::Failure::Unavailable("the store is gone".into())))
}
