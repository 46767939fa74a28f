//! All who listen on one connection, in one task.

use std::future::Future;

use futures_util::future::{AbortHandle, Abortable, BoxFuture};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::task::{self, coop::unconstrained};

/// Somebody's listening, from subscribing to the end.
type Listening = Abortable<BoxFuture<'static, ()>>;

/// The way to the task that drives them.
pub(super) struct Listeners {
    more: UnboundedSender<Listening>,
    task: task::AbortHandle,
}

/// One listener's place; listening ends with it.
pub(in super::super) struct Place {
    listening: AbortHandle,
}

impl Listeners {
    pub(super) fn start(handle: &Handle) -> Listeners {
        let (more, coming) = mpsc::unbounded_channel();
        let task = handle.spawn(run(coming)).abort_handle();
        Listeners { more, task }
    }

    /// Has somebody listen. The first step, which subscribes, is made here if there is
    /// room in the client's queue, so that what is published next comes after it.
    pub(super) fn add(&self, mut listening: BoxFuture<'static, ()>) -> Place {
        let (handle, registration) = AbortHandle::new_pair();
        if now(&mut listening).is_none() {
            // Nobody takes it when the connection is closed.
            drop(self.more.send(Abortable::new(listening, registration)));
        }
        Place { listening: handle }
    }

    /// Nobody hears anything more.
    pub(super) fn end(&self) {
        self.task.abort();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Drives all who listen until the bus is gone.
async fn run(mut coming: UnboundedReceiver<Listening>) {
    let mut all = FuturesUnordered::new();
    loop {
        tokio::select! {
            next = coming.recv() => match next {
                Some(listening) => all.push(listening),
                None => return,
            },
            Some(_) = all.next() => {}
        }
    }
}

/// Does what can be done without waiting. The caller may be a task that has used up
/// its turn, which must not look like a full queue.
pub(super) fn now<T>(doing: impl Future<Output = T>) -> Option<T> {
    unconstrained(doing).now_or_never()
}
