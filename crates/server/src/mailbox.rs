//! Answers on their way to the thread of the streams that wait for them.
//!
//! The store calls back on a thread of its own, for a whole transaction at a time. To wake a
//! task of a runtime of one thread from outside takes a system call each time, though that
//! thread may be at work anyway. So what comes is put into one box, and only who finds it
//! empty wakes somebody.

use std::cell::RefCell;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;
use tokio::task::yield_now;

use crate::lock::lock;

/// Something to be done on the thread whose box it is put into.
type Letter = Box<dyn FnOnce() + Send>;

/// Letters that are read in a row: fewer than an account's lane holds, since each may be
/// news for the same. Then those who wait for them may go on.
const IN_A_ROW: usize = 32;

/// A thread's box.
#[derive(Default)]
pub(crate) struct Mailbox {
    letters: Mutex<Vec<Letter>>,
    bell: Notify,
}

thread_local! {
    static MINE: RefCell<Option<Arc<Mailbox>>> = const { RefCell::new(None) };
}

impl Mailbox {
    /// That of this thread, if it has one.
    pub(crate) fn of_this_thread() -> Option<Arc<Mailbox>> {
        MINE.with_borrow(Clone::clone)
    }

    /// Has something done there.
    pub(crate) fn put(&self, letter: Letter) {
        let mut letters = lock(&self.letters);
        letters.push(letter);
        let is_first = letters.len() == 1;
        drop(letters);
        if is_first {
            self.bell.notify_one();
        }
    }

    /// Does what is put into the box, for ever: to be run on the only thread of a runtime,
    /// whose box it becomes.
    pub(crate) async fn serve(self: Arc<Mailbox>) {
        MINE.set(Some(Arc::clone(&self)));
        loop {
            self.bell.notified().await;
            let letters = std::mem::take(&mut *lock(&self.letters));
            for (letter, number) in letters.into_iter().zip(1..) {
                letter();
                if number % IN_A_ROW == 0 {
                    yield_now().await;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

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
        for _ in 0..200 {
            let done = Arc::clone(&done);
            mailbox.put(Box::new(move || *lock(&done) += 1));
        }
        let mut before = 0;
        while before < 200 {
            yield_now().await;
            let now = *lock(&done);
            assert!(now - before <= IN_A_ROW, "{} in a row", now - before);
            before = now;
        }
        serving.abort();
        MINE.set(None);
    }
}
