//! What many put down for one task that takes a lot of it at once.
//!
//! To wake a task of another thread takes a system call, and a thread that is woken by the
//! first of a hundred things does that one by itself. So only who finds nothing there wakes
//! somebody, and whoever has many things to put down in a row rings when all are there.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::sync::Notify;

use crate::lock::lock;

/// Places that are kept when nothing is there: after a flood the rest is given back.
const KEPT: usize = 1_024;

/// What waits.
pub(crate) struct Pile<T> {
    waiting: Mutex<VecDeque<T>>,
    max: usize,
    bell: Arc<Notify>,
}

impl<T> Pile<T> {
    /// For so many at most.
    pub(crate) fn new(max: usize) -> Pile<T> {
        Pile {
            waiting: Mutex::default(),
            max,
            bell: Arc::default(),
        }
    }

    /// Puts something down; hands it back, if there is no room for it.
    pub(crate) fn put(&self, thing: T) -> Result<(), T> {
        let mut waiting = lock(&self.waiting);
        if waiting.len() >= self.max {
            return Err(thing);
        }
        waiting.push_back(thing);
        let is_first = waiting.len() == 1;
        drop(waiting);
        if is_first {
            ring(&self.bell);
        }
        Ok(())
    }

    /// Takes what has waited longest, so many at most, and adds it to the list; waits until
    /// there is something. For one task. May be interrupted at any time.
    pub(crate) async fn take(&self, some: &mut Vec<T>, most: usize) {
        while !self.take_now(some, most) {
            self.bell.notified().await;
        }
    }

    /// Whether there was something.
    fn take_now(&self, some: &mut Vec<T>, most: usize) -> bool {
        let mut waiting = lock(&self.waiting);
        let many = waiting.len().min(most);
        some.extend(waiting.drain(..many));
        if waiting.is_empty() {
            waiting.shrink_to(KEPT);
        }
        many > 0
    }
}

thread_local! {
    /// What is to be rung on this thread, while it holds its bells.
    static HELD: RefCell<Option<Vec<Arc<Notify>>>> = const { RefCell::new(None) };
}

/// Nobody is woken by what this thread puts down, until [`release`].
pub(crate) fn hold() {
    HELD.with_borrow_mut(|held| {
        held.get_or_insert_default();
    });
}

/// Wakes those who have something by now.
pub(crate) fn release() {
    let held = HELD.take();
    held.iter().flatten().for_each(|bell| bell.notify_one());
}

fn ring(bell: &Arc<Notify>) {
    let is_held = HELD.with_borrow_mut(|held| match held {
        Some(held) => {
            held.push(Arc::clone(bell));
            true
        }
        None => false,
    });
    if !is_held {
        bell.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn now(pile: &Pile<u32>) -> Option<Vec<u32>> {
        let mut some = Vec::new();
        pile.take(&mut some, 2).now_or_never().map(|()| some)
    }

    #[test]
    fn what_was_put_down_is_taken_in_order_and_no_more_of_it_than_fits() {
        let pile = Pile::new(3);
        assert_eq!(now(&pile), None);
        let put = [6, 7, 8, 9].map(|n| pile.put(n));
        assert_eq!(put, [Ok(()), Ok(()), Ok(()), Err(9)]);
        assert_eq!(now(&pile), Some(vec![6, 7]));
        assert_eq!((pile.put(1), now(&pile)), (Ok(()), Some(vec![8, 1])));
        assert_eq!(now(&pile), None);
    }

    #[tokio::test]
    async fn whoever_holds_the_bells_wakes_nobody_before_all_is_there() {
        let pile = Arc::new(Pile::new(9));
        let taker = Arc::clone(&pile);
        let mut taken = tokio::spawn(async move {
            let mut all = Vec::new();
            taker.take(&mut all, 9).await;
            all
        });
        tokio::task::yield_now().await;
        hold();
        for n in 1..=3 {
            pile.put(n).unwrap();
            tokio::task::yield_now().await;
            assert!((&mut taken).now_or_never().is_none());
        }
        release();
        assert_eq!(taken.await.unwrap(), [1, 2, 3]);
        pile.put(4).unwrap();
        assert_eq!(now(&pile), Some(vec![4]));
    }
}
