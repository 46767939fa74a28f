//! What goes on without anyone asking: clocks, heartbeats, eviction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use chess::tables::AnyTable;
use live::Live;

use super::StartError;
use crate::play::App;
use crate::play::tasks::Tasks;

/// How often deadlines are looked at.
const TICK: Duration = Duration::from_millis(20);
/// How often the store is told that the server is up.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// The same where other nodes wait for it: three may be missed before anybody
/// takes this one for dead, or for cut off.
const SHARED_HEARTBEAT: Duration = Duration::from_millis(250);
/// How often idle games are looked for.
const EVICTION: Duration = Duration::from_secs(5);

/// The threads that keep the games going. They end when this is dropped.
pub struct Background {
    stops: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

/// What is done now and then: its name, how often, and what.
type Work = (&'static str, Duration, fn(&Live<AnyTable>));

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
        let heartbeat = match app.store.is_shared() {
            true => SHARED_HEARTBEAT,
            false => HEARTBEAT,
        };
        let retry = Duration::from_secs(u64::from(app.settings.fold_seconds));
        background.spawn(
            "clocks",
            app,
            vec![
                ("clocks", TICK, Live::tick),
                ("heartbeat", heartbeat, Live::heartbeat),
            ],
        )?;
        background.spawn(
            "upkeep",
            app,
            vec![
                ("retries", retry, look_again),
                ("eviction", EVICTION, evict),
            ],
        )?;
        Ok(background)
    }

    fn spawn(&mut self, name: &str, app: &App, work: Vec<Work>) -> Result<(), StartError> {
        let (stop, stopped) = channel();
        let (live, tasks) = (app.games.live().clone(), app.tasks.clone());
        let thread = Builder::new()
            .name(name.to_owned())
            .spawn(move || run(&live, &tasks, &work, &stopped))
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
fn run(live: &Live<AnyTable>, tasks: &Tasks, work: &[Work], stopped: &Receiver<()>) {
    let start = Instant::now();
    let mut due: Vec<Instant> = work.iter().map(|(_, every, _)| start + *every).collect();
    loop {
        let next = due.iter().min().copied().unwrap_or(start);
        let wait = next.saturating_duration_since(Instant::now());
        if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        for (due, (name, every, work)) in due.iter_mut().zip(work) {
            let now = Instant::now();
            if *due > now {
                continue;
            }
            // A game that makes this panic must not stop all the others' clocks.
            match catch_unwind(AssertUnwindSafe(|| work(live))) {
                Ok(()) => tasks.goes_on(name),
                Err(_) => tasks.failed(name),
            }
            *due = (*due + *every).max(now);
        }
    }
}

/// A table that could not be read may be by now.
fn look_again(live: &Live<AnyTable>) {
    live.note_alive();
    live.retry_set_aside();
}

fn evict(live: &Live<AnyTable>) {
    let evicted = live.evict();
    if evicted > 0 {
        tracing::debug!(evicted, "idle games left memory");
    }
}

/// Lets the store do what it would do in its own time, and waits until that is done.
///
/// # Errors
/// Why it failed.
pub async fn tidy(app: &App) -> Result<(), store::Error> {
    let (tell, told) = tokio::sync::oneshot::channel();
    app.store
        .tidy(Box::new(move |result| drop(tell.send(result))));
    let gone = || store::Error::Unavailable("the store is gone".into());
    told.await.unwrap_or_else(|_| Err(gone()))
}
