//! Answers on their way to the thread of the streams that wait for them.
//!
//! The store calls back on a thread of its own, for a whole transaction at a time. To wake a
//! task of a runtime of one thread from outside takes a system call each time, though that
//! thread may be at work anyway. So what comes is put on one pile, and those who wait are
//! woken by the thread that they are on.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tokio::task::yield_now;

use crate::guard;
use crate::pile::Pile;

/// Something to be done on the thread whose box it is put into.
type Letter = Box<dyn FnOnce() + Send>;

/// Letters that are read in a row, as many as one transaction brings about: fewer than an
/// account's lane holds, since each may be news for the same. Then those who wait for them
/// may go on.
const IN_A_ROW: usize = 256;

/// Letters that wait. Of a thread that is so far behind nothing more is expected: what
/// comes then is done by whoever brings it, at the price of waking somebody each time.
const WAITING_MAX: usize = 16_384;

/// A thread's box.
pub(crate) struct Mailbox(Pile<Letter>);

impl Default for Mailbox {
    fn default() -> Mailbox {
        Mailbox(Pile::new(WAITING_MAX))
    }
}

thread_local! {
    static MINE: RefCell<Option<Arc<Mailbox>>> = const { RefCell::new(None) };
}

impl Mailbox {
    /// That of this thread, if it has one.
    pub(crate) fn of_this_thread() -> Option<Arc<Mailbox>> {
        MINE.with_borrow(Clone::clone)
    }

    /// Has something done there; here, if the box is full, so that nothing is lost.
    pub(crate) fn put(&self, letter: Letter) {
        if let Err(letter) = self.0.put(letter) {
            read(letter);
        }
    }

    /// Does what is put into the box, for ever: to be run on the only thread of a runtime,
    /// whose box it becomes.
    pub(crate) async fn serve(self: Arc<Mailbox>) {
        MINE.set(Some(Arc::clone(&self)));
        let mut letters = Vec::new();
        loop {
            self.0.take(&mut letters, IN_A_ROW).await;
            let is_all = letters.len() < IN_A_ROW;
            letters.drain(..).for_each(read);
            if !is_all {
                yield_now().await;
            }
        }
    }
}

/// Does what a letter says. A mistake costs that letter, not those behind it: whoever
/// waits for an answer in it is told that there is none.
fn read(letter: Letter) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(letter)) {
        let panic = guard::said(&*panic);
        tracing::error!(panic, "what was left for a thread of streams failed");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use tokio::sync::oneshot;

    use super::*;
    use crate::lock::lock;

    #[tokio::test]
    async fn what_other_threads_put_in_is_done_here_in_order() {
        assert!(Mailbox::of_this_thread().is_none());
        let serving = tokio::spawn(Arc::new(Mailbox::default()).serve());
        tokio::task::yield_now().await;
        let mailbox = Mailbox::of_this_thread().expect("it is served here");
        let here = std::thread::current().id();
        for _ in 0..3 {
            let (done, told) = oneshot::channel();
            let (mailbox, order) = (Arc::clone(&mailbox), Arc::new(Mutex::new(Vec::new())));
            let put = move || {
                for number in 0..100 {
                    let order = Arc::clone(&order);
                    mailbox.put(Box::new(move || lock(&order).push(number)));
                }
                mailbox.put(Box::new(move || {
                    let order = std::mem::take(&mut *lock(&order));
                    drop(done.send((order, std::thread::current().id())));
                }));
            };
            std::thread::spawn(put).join().expect("it was put in");
            let (order, thread) = told.await.expect("it was done");
            assert_eq!((order, thread), ((0..100).collect(), here));
        }
        serving.abort();
        MINE.set(None);
    }

    #[tokio::test]
    async fn others_go_on_while_much_is_in_the_box() {
        let serving = tokio::spawn(Arc::new(Mailbox::default()).serve());
        yield_now().await;
        let mailbox = Mailbox::of_this_thread().expect("it is served here");
        let done = Arc::new(Mutex::new(0));
        for _ in 0..1_000 {
            let done = Arc::clone(&done);
            mailbox.put(Box::new(move || *lock(&done) += 1));
        }
        let mut before = 0;
        while before < 1_000 {
            yield_now().await;
            let now = *lock(&done);
            assert!(now - before <= IN_A_ROW, "{} in a row", now - before);
            before = now;
        }
        serving.abort();
        MINE.set(None);
    }

    #[tokio::test]
    async fn a_letter_that_fails_costs_no_other() {
        let serving = tokio::spawn(Arc::new(Mailbox::default()).serve());
        yield_now().await;
        let mailbox = Mailbox::of_this_thread().expect("it is served here");
        // Unlike a panic it is not printed.
        mailbox.put(Box::new(|| std::panic::resume_unwind(Box::new("dead"))));
        for _ in 0..2 {
            let (done, told) = oneshot::channel();
            mailbox.put(Box::new(move || done.send(()).expect("somebody waits")));
            told.await.expect("it was done");
        }
        serving.abort();
        MINE.set(None);
    }

    #[test]
    fn what_does_not_fit_into_the_box_is_done_at_once() {
        let mailbox = Mailbox::default();
        let done = Arc::new(Mutex::new(0));
        for _ in 0..WAITING_MAX + 3 {
            let done = Arc::clone(&done);
            mailbox.put(Box::new(move || *lock(&done) += 1));
        }
        assert_eq!(*lock(&done), 3);
    }
}
