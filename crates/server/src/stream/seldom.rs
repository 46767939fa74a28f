//! What happens seldom to a stream that wakes often.
//!
//! A task that wakes looks at everything it waits for. For what comes once in minutes that
//! is too dear: here it is only looked at when it has called by itself.

use std::future::pending;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;

/// Things that are waited for.
pub(crate) struct Seldom<F: Future>(FuturesUnordered<F>);

impl<F: Future> Seldom<F> {
    /// Waits for nothing yet.
    pub(crate) fn new() -> Seldom<F> {
        Seldom(FuturesUnordered::new())
    }

    /// Waits for this, too, once.
    pub(crate) fn expect(&mut self, what: F) {
        self.0.push(what);
    }

    /// The next that comes; never, if nothing is waited for. May be interrupted at any time.
    pub(crate) async fn next(&mut self) -> F::Output {
        match self.0.next().await {
            Some(came) => came,
            None => pending().await,
        }
    }
}
