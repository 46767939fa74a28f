//! Tasks that are started again when they fail.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::sync::Mutex;

use crate::play::App;
use crate::play::tasks::Tasks;
use crate::rooms::crowd;
use crate::rooms::{Part, Thread};
use crate::tell;

/// How long a task that has failed is down: what makes it fail must not make
/// it do nothing else.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs a task until it ends by itself. Whenever it panics, `/ready` says so
/// until it is started again, a moment later.
pub(super) async fn keep_going<F: Future<Output = ()>>(
    tasks: Tasks,
    name: &'static str,
    mut task: impl FnMut() -> F,
) {
    while AssertUnwindSafe(task()).catch_unwind().await.is_err() {
        tasks.failed(name);
        tokio::time::sleep(PAUSE).await;
        tasks.goes_on(name);
    }
}

/// Starts those who tell what happened: everybody from one place, the crowds
/// from another, and those who read the lobby; before them those who carry it to the
/// threads of the players.
pub(super) fn start_telling(app: &App) {
    let tasks = || app.tasks.clone();
    let names = ["players' mailbox", "other players' mailbox"];
    for (part, name) in Part::all().into_iter().zip(names) {
        if let Some(mailbox) = app.rooms.mailbox(part) {
            let run = move || Arc::clone(&mailbox).serve();
            let serving = keep_going(tasks(), name, run);
            app.rooms.spawn(Thread::Players(part), serving);
        }
    }
    let teller = app.clone();
    let run = move || tell::run(teller.clone());
    app.rooms
        .spawn(Thread::Telling, keep_going(tasks(), "teller", run));
    let teller = app.clone();
    let run = move || tell::lobby::run(teller.clone());
    app.rooms
        .spawn(Thread::Telling, keep_going(tasks(), "lobby teller", run));
    let names = ["crowd teller", "other crowd teller"];
    let queues = app.rooms.take_crowds().into_iter().flatten();
    for ((part, name), crowds) in Part::all().into_iter().zip(names).zip(queues) {
        let (rooms, crowds) = (app.rooms.clone(), Arc::new(Mutex::new(crowds)));
        let run = move || {
            let (rooms, crowds) = (rooms.clone(), Arc::clone(&crowds));
            async move { crowd::run(&rooms, &mut *crowds.lock().await).await }
        };
        let telling = keep_going(tasks(), name, run);
        app.rooms.spawn(Thread::Watchers(part), telling);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::pin::pin;

    use super::*;

    /// Fails twice, and says each time what `/ready` says by then.
    #[tokio::test]
    async fn a_task_that_dies_shows_and_is_started_again() {
        let tasks = Tasks::default();
        let runs = Cell::new(0);
        let task = || async {
            runs.set(runs.get() + 1);
            assert!(tasks.down().is_empty(), "up again");
            if runs.get() < 3 {
                // Unlike a panic it is not printed.
                std::panic::resume_unwind(Box::new("dead"));
            }
        };
        let mut going = pin!(keep_going(tasks.clone(), "teller", task));
        assert!((&mut going).now_or_never().is_none());
        assert_eq!(tasks.down(), ["teller"]);
        going.await;
        assert_eq!((runs.get(), tasks.failures()), (3, 2));
        assert!(tasks.down().is_empty());
    }
}
