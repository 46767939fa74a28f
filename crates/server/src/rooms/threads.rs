//! The threads that streams run on: one for players' and one for the crowd's,
//! so that no number of watchers delays a move, and no crowd an opponent.

use std::sync::Arc;
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::Rooms;
use crate::mailbox::Mailbox;

/// The threads. They end when this is dropped.
pub struct Threads(#[expect(dead_code, reason = "dropping them is what counts")] [Stop; 2]);

/// Ends a thread when it is dropped.
type Stop = oneshot::Sender<()>;

pub(super) struct Runtimes {
    pub(super) players: Handle,
    pub(super) watchers: Handle,
}

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
        drop(players.spawn(Arc::new(Mailbox::default()).serve()));
        rooms.run_on(Runtimes { players, watchers });
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
