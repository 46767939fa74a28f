//! Work of which only so much is done at once, so much waits, and the rest is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;

/// As many processors as work that anybody may ask for can take: half of
/// them, so that it never takes them all from the games.
pub(crate) fn spare_processors() -> usize {
    let processors = available_parallelism().map_or(1, usize::from);
    (processors / 2).max(1)
}

/// Those at work and those who wait for it.
pub(crate) struct Queue {
    places: Arc<Semaphore>,
    waiting: AtomicUsize,
    waiting_max: usize,
}

/// The right to work now. It goes along with the work, which goes on even if
/// nobody waits for it any more.
pub(crate) struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Queue {
    /// So many at work, and so many who wait.
    pub(crate) fn new(at_work: usize, waiting_max: usize) -> Queue {
        Queue {
            places: Arc::new(Semaphore::new(at_work)),
            waiting: AtomicUsize::new(0),
            waiting_max,
        }
    }

    /// Waits for a turn.
    ///
    /// # Errors
    /// `unavailable` if too many wait already, or the queue is closed.
    pub(crate) async fn turn(&self) -> Result<Turn, Problem> {
        if let Ok(permit) = Arc::clone(&self.places).try_acquire_owned() {
            return Ok(Turn { _permit: permit });
        }
        let _waiting = Waiting::count(self).ok_or_else(Problem::unavailable)?;
        let permit = Arc::clone(&self.places).acquire_owned().await;
        let permit = permit.map_err(|_| Problem::unavailable())?;
        Ok(Turn { _permit: permit })
    }

    /// Gives nobody a turn from now on: who waits for one is refused.
    pub(crate) fn close(&self) {
        self.places.close();
    }
}

/// Counts itself among those who wait, for as long as it lives.
struct Waiting<'a>(&'a Queue);

impl Waiting<'_> {
    fn count(queue: &Queue) -> Option<Waiting<'_>> {
        let counted = Waiting(queue);
        let before = queue.waiting.fetch_add(1, Ordering::Relaxed);
        (before < queue.waiting_max).then_some(counted)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn so_many_work_so_many_wait_and_the_rest_is_refused() {
        let queue = Queue::new(1, 2);
        let at_work = queue.turn().now_or_never().expect("at once").ok();
        assert!(at_work.is_some());
        let mut first = Box::pin(queue.turn());
        let mut second = Box::pin(queue.turn());
        assert!(first.as_mut().now_or_never().is_none());
        assert!(second.as_mut().now_or_never().is_none());
        let refused = queue.turn().now_or_never().expect("at once").err();
        assert_eq!(refused.map(|e| e.status().as_u16()), Some(503));
        drop(second);
        let mut third = Box::pin(queue.turn());
        assert!(third.as_mut().now_or_never().is_none(), "there is room");
        drop(at_work);
        let next = first.as_mut().now_or_never();
        assert!(next.expect("its turn has come").is_ok());
        queue.close();
        assert!(third.now_or_never().expect("at once").is_err());
    }
}
