//! A crowd that listens in a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::opponents::moved;
use crate::socket_io::{self, Meant};
use crate::spread::Receipt;

/// How long what is on its way may take, and how long sockets are left alone before their
/// memory is looked at.
pub(crate) const SETTLE: Duration = Duration::from_secs(2);
/// How long all of a crowd may take to be let in.
const JOIN: Duration = Duration::from_secs(60);
const LOOK: Duration = Duration::from_millis(50);

/// What the sockets of a crowd speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speech {
    /// Messages, and nothing before them.
    Plain,
    /// Socket.IO, whose server lets everybody in first.
    SocketIo,
}

/// A crowd that listens.
pub(crate) struct Listener {
    stop: Arc<AtomicBool>,
    counts: Arc<Counts>,
    thread: JoinHandle<Result<Heard, String>>,
}

#[derive(Default)]
struct Counts {
    messages: AtomicU64,
    /// Sockets that were let in.
    joined: AtomicUsize,
}

pub(crate) struct Heard {
    pub(crate) receipts: Vec<Receipt>,
    pub(crate) closed: usize,
    /// The length of a message that tells of a move.
    pub(crate) length: usize,
}

impl Listener {
    pub(crate) fn start(crowd: Crowd, speech: Speech) -> Listener {
        let stop = Arc::new(AtomicBool::new(false));
        let counts = Arc::new(Counts::default());
        let (told, counted) = (Arc::clone(&stop), Arc::clone(&counts));
        Listener {
            stop,
            counts,
            thread: std::thread::spawn(move || listen(crowd, speech, &told, &counted)),
        }
    }

    pub(crate) fn messages(&self) -> u64 {
        self.counts.messages.load(Ordering::Relaxed)
    }

    /// Waits until so many sockets were let in.
    pub(crate) fn wait_for(&self, sockets: usize) -> Result<(), String> {
        let begun = Instant::now();
        loop {
            let joined = self.counts.joined.load(Ordering::Relaxed);
            if joined >= sockets {
                return Ok(());
            }
            if begun.elapsed() > JOIN || self.thread.is_finished() {
                return Err(format!("{joined} of {sockets} sockets were let in"));
            }
            std::thread::sleep(LOOK);
        }
    }

    /// Lets what is on its way arrive, and ends.
    pub(crate) fn end(self) -> Result<Heard, String> {
        std::thread::sleep(SETTLE);
        self.stop.store(true, Ordering::Relaxed);
        self.thread
            .join()
            .map_err(|_| "the listener panicked".to_owned())?
    }
}

fn listen(
    mut crowd: Crowd,
    speech: Speech,
    stop: &AtomicBool,
    counts: &Counts,
) -> Result<Heard, String> {
    let mut receipts = Vec::new();
    let mut length = 0;
    let listened = crowd.listen(stop, |socket, message, at| {
        counts.messages.fetch_add(1, Ordering::Relaxed);
        if let Some(ply) = moved(message) {
            receipts.push(Receipt { ply, at });
            length = message.len();
            return Vec::new();
        }
        if speech == Speech::Plain {
            return Vec::new();
        }
        match socket_io::hear(message, "") {
            Meant::Reply(reply) => return vec![(socket, reply)],
            Meant::Joined => drop(counts.joined.fetch_add(1, Ordering::Relaxed)),
            Meant::Other => {}
        }
        Vec::new()
    });
    listened.map_err(|error| error.to_string())?;
    Ok(Heard {
        receipts,
        closed: crowd.closed,
        length,
    })
}
