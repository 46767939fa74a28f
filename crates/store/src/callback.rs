//! Callbacks: how to wait for one, and how to call one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::oneshot;

use crate::{Done, Error, Telling};

/// So many are told before anybody begins with what they were told.
const IN_A_ROW: usize = 256;

/// A callback, and where to wait for it.
pub(crate) fn callback<T: Send + 'static>() -> (Done<T>, oneshot::Receiver<Result<T, Error>>) {
    let (tell, told) = oneshot::channel();
    let done = Box::new(move |result| {
        // Whoever asked may have gone away; then there is nobody to tell.
        drop(tell.send(result));
    });
    (done, told)
}

/// A callback went unheard, because a thread of the store is gone.
pub(crate) fn gone() -> Error {
    Error::Unavailable("a thread of the store has ended".into())
}

/// One submitter's mistake must not cost all others theirs.
pub(crate) fn tell(run: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(run)).is_err() {
        tracing::error!("a callback of the store panicked");
    }
}

/// Calls back in a row.
pub(crate) fn tell_all<E>(telling: Option<Telling>, ends: Vec<E>, one: impl Fn(E)) {
    let mut ends = ends.into_iter().peekable();
    while ends.peek().is_some() {
        if let Some(telling) = telling {
            (telling.begins)();
        }
        for end in ends.by_ref().take(IN_A_ROW) {
            tell(|| one(end));
        }
        if let Some(telling) = telling {
            (telling.ends)();
        }
    }
}
