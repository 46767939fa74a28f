//! The threads that streams run on: one for players' and two for the crowd's,
//! so that no number of watchers delays a move, and no crowd an opponent. Two tell a
//! large crowd in three quarters of the time that one takes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

use super::Rooms;
use crate::mailbox::Mailbox;

/// The threads. They end when this is dropped.
pub struct Threads(#[expect(dead_code, reason = "dropping them is what counts")] Vec<Stop>);

/// Ends a thread when it is dropped.
type Stop = oneshot::Sender<()>;

/// Where a stream runs.
#[derive(Clone, Copy, Debug)]
pub enum Thread {
    /// Where players' run.
    Players,
    /// Where that part of those who watch is told.
    Watchers(Part),
}

impl Thread {
    /// For a player's stream, or for that of somebody who watches.
    pub(crate) fn of(is_player: bool) -> Thread {
        if is_player {
            Thread::Players
        } else {
            Thread::Watchers(Part::next())
        }
    }
}

/// One of the parts that those who watch are split into, each with a thread of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part(usize);

impl Part {
    /// How many there are.
    pub(super) const COUNT: usize = 2;

    /// All of them.
    pub(crate) fn all() -> [Part; Part::COUNT] {
        std::array::from_fn(Part)
    }

    /// For whoever comes next: half of them each, also of every second or every third who
    /// comes.
    pub(super) fn next() -> Part {
        static COME: AtomicU64 = AtomicU64::new(0);
        /// 2^64 over the golden ratio.
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        let at = COME.fetch_add(STEP, Ordering::Relaxed);
        Part(usize::from(at >= 1 << 63))
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}

pub(super) struct Runtimes {
    players: Handle,
    watchers: [Handle; Part::COUNT],
}

impl Runtimes {
    pub(super) fn get(&self, thread: Thread) -> &Handle {
        match thread {
            Thread::Players => &self.players,
            Thread::Watchers(part) => &self.watchers[part.index()],
        }
    }
}

/// Tasks that run before a thread looks for timers that are due: a crowd is
/// told in one go.
const TASKS: u32 = 256;

impl Threads {
    /// Starts them.
    ///
    /// # Errors
    /// Why a thread could not be started.
    pub fn start(rooms: &Rooms) -> std::io::Result<Threads> {
        let (players, stop_players) = start("players")?;
        let (some, stop_some) = start("watchers")?;
        let (others, stop_others) = start("watchers")?;
        drop(players.spawn(Arc::new(Mailbox::default()).serve()));
        let watchers = [some, others];
        rooms.run_on(Runtimes { players, watchers });
        Ok(Threads(vec![stop_players, stop_some, stop_others]))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parts_get_their_share_whatever_comes_between() {
        for stride in 1..=5 {
            let all: Vec<_> = (0..1_000 * stride).map(|_| Part::next()).collect();
            let first = all.iter().step_by(stride).filter(|part| part.0 == 0);
            let first = first.count();
            assert!(
                (400..=600).contains(&first),
                "{first} of 1,000, every {stride}"
            );
        }
    }
}
