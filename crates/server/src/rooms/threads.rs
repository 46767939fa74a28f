//! The threads that streams run on: two for players' and two for the crowd's,
//! so that no number of watchers delays a move, and no crowd an opponent. Two tell a
//! large crowd in three quarters of the time that one takes, and one alone that serves
//! thousands of players is busy long before the machine is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use chess::table::PlayerId;
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
    /// Where those run who tell what happened, and whatever else must not wait for a crowd.
    Telling,
    /// Where streams of that part of the players run.
    Players(Part),
    /// Where that part of those who watch is told.
    Watchers(Part),
}

/// One of the parts that players, and those who watch, are split into, each with a thread of
/// its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part(usize);

impl Part {
    /// How many there are.
    pub(super) const COUNT: usize = 2;

    /// All of them.
    pub(crate) fn all() -> [Part; Part::COUNT] {
        std::array::from_fn(Part)
    }

    /// For whoever comes next.
    pub(crate) fn next() -> Part {
        static COME: AtomicU64 = AtomicU64::new(0);
        Part::nth(COME.fetch_add(1, Ordering::Relaxed))
    }

    /// For all streams of an account: what concerns it is told there.
    pub(crate) fn of(player: PlayerId) -> Part {
        Part::nth(player.0.get().into())
    }

    /// Half of them each, also of every second or every third.
    fn nth(number: u64) -> Part {
        /// 2^64 over the golden ratio.
        const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
        Part(usize::from(number.wrapping_mul(STEP) >= 1 << 63))
    }

    pub(super) fn index(self) -> usize {
        self.0
    }
}

pub(super) struct Runtimes {
    players: [Handle; Part::COUNT],
    mailboxes: [Arc<Mailbox>; Part::COUNT],
    watchers: [Handle; Part::COUNT],
}

impl Runtimes {
    pub(super) fn get(&self, thread: Thread) -> &Handle {
        match thread {
            Thread::Telling => &self.players[0],
            Thread::Players(part) => &self.players[part.index()],
            Thread::Watchers(part) => &self.watchers[part.index()],
        }
    }

    /// What is left for that part of the players' threads.
    pub(super) fn mailbox(&self, part: Part) -> Arc<Mailbox> {
        Arc::clone(&self.mailboxes[part.index()])
    }

    /// Does something where that part of the players is served: here, if that is here.
    pub(super) fn run_there(&self, part: Part, what: impl FnOnce() + Send + 'static) {
        let there = &self.mailboxes[part.index()];
        match Mailbox::of_this_thread() {
            Some(here) if Arc::ptr_eq(&here, there) => what(),
            _ => there.put(Box::new(what)),
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
        let mut stops = Vec::new();
        let mut start = |name| {
            let (handle, stop) = start(name)?;
            stops.push(stop);
            Ok::<_, std::io::Error>(handle)
        };
        let players = [start("players")?, start("players")?];
        let watchers = [start("watchers")?, start("watchers")?];
        let mailboxes = [(); Part::COUNT].map(|()| Arc::default());
        rooms.run_on(Runtimes {
            players,
            mailboxes,
            watchers,
        });
        Ok(Threads(stops))
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
        for stride in 1..=5_u64 {
            let all = (0..1_000 * stride)
                .step_by(usize::try_from(stride).unwrap())
                .map(Part::nth);
            let first = all.filter(|part| part.0 == 0).count();
            assert!(
                (400..=600).contains(&first),
                "{first} of 1,000, every {stride}"
            );
        }
    }
}
