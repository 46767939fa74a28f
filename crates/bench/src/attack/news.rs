//! Watchers of the honest games, and when they have each move.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::crowd::Crowd;
use crate::http;

/// How long news are waited for in the end.
const PATIENCE: Duration = Duration::from_secs(5);
const LOOK_UP: Duration = Duration::from_millis(5);

/// A half-move of a game, both by number.
pub(super) type Half = (usize, u32);

type Receipts = Arc<Mutex<HashMap<Half, Instant>>>;

/// One watcher for each game, in a thread of their own.
pub(super) struct Watchers {
    receipts: Receipts,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<usize, String>>,
}

impl Watchers {
    pub(super) fn come(
        from: Option<Ipv4Addr>,
        address: SocketAddr,
        games: &[String],
    ) -> Result<Watchers, String> {
        let paths = games.iter().map(|id| format!("/v1/games/{id}/stream"));
        let mut crowd = Crowd::calling_from(from, address, paths)?;
        let receipts = Receipts::default();
        let stop = Arc::new(AtomicBool::new(false));
        let (told, heard) = (Arc::clone(&stop), Arc::clone(&receipts));
        let thread = std::thread::spawn(move || {
            let listened = crowd.listen(&told, |game, message, at| {
                let is_move = http::text_of(message, "type") == Some("MOVE");
                if let Some(ply) = http::number_of(message, "ply").filter(|_| is_move) {
                    let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
                    heard.insert((game, ply as u32), at);
                }
                Vec::new()
            });
            listened.map_err(|error| error.to_string())?;
            Ok(crowd.closed)
        });
        Ok(Watchers {
            receipts,
            stop,
            thread,
        })
    }

    /// How long after its answer each move was there; `None`: it never came.
    pub(super) fn after(&self, answered: &[(Half, Instant)]) -> Vec<Option<Duration>> {
        let patience = Instant::now() + PATIENCE;
        loop {
            let receipts = self.receipts.lock().unwrap_or_else(PoisonError::into_inner);
            let is_all = answered.iter().all(|(half, _)| receipts.contains_key(half));
            if is_all || Instant::now() > patience {
                let times = answered.iter().map(|(half, answered)| {
                    let heard = receipts.get(half)?;
                    Some(heard.saturating_duration_since(*answered))
                });
                return times.collect();
            }
            drop(receipts);
            std::thread::sleep(LOOK_UP);
        }
    }

    /// Ends; says how many were sent away before.
    pub(super) fn leave(self) -> Result<usize, String> {
        self.stop.store(true, Ordering::Relaxed);
        let ended = self.thread.join();
        ended.map_err(|_| "the watchers panicked".to_owned())?
    }
}
