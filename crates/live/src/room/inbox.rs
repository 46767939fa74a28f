//! What waits for one stream that follows an account.
//!
//! A stream looks into it whenever it wakes, for whatever reason: that must cost next to
//! nothing. So there is one reader, who leaves one waker, and no list of those who wait.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, Weak};
use std::task::{Context, Poll, Waker};

use crate::live::lock;

/// The reader's end. `N` is what is told.
pub struct Inbox<N>(Arc<Shared<N>>);

/// The end of those who tell.
pub(super) struct Slot<N>(Weak<Shared<N>>);

type Shared<N> = Mutex<State<N>>;

struct State<N> {
    news: VecDeque<N>,
    /// How many may wait.
    max: usize,
    /// Whether there were more than that.
    has_missed: bool,
    is_closed: bool,
    reader: Option<Waker>,
}

/// Why there is nothing to hear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unheard {
    /// There was too much of it: what waited is lost.
    Missed,
    /// Nobody will tell anything any more.
    Closed,
}

/// An empty one for so many, and where it is filled.
pub(super) fn inbox<N>(max: usize) -> (Inbox<N>, Slot<N>) {
    let shared = Arc::new(Mutex::new(State {
        news: VecDeque::new(),
        max,
        has_missed: false,
        is_closed: false,
        reader: None,
    }));
    let slot = Slot(Arc::downgrade(&shared));
    (Inbox(shared), slot)
}

impl<N> Inbox<N> {
    /// The next of it. May be interrupted at any time.
    ///
    /// # Errors
    /// [`Unheard::Missed`] once after something was lost, and then what came later;
    /// [`Unheard::Closed`] when there will be no more.
    pub async fn recv(&mut self) -> Result<N, Unheard> {
        poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &Context<'_>) -> Poll<Result<N, Unheard>> {
        let mut state = lock(&self.0);
        if std::mem::take(&mut state.has_missed) {
            return Poll::Ready(Err(Unheard::Missed));
        }
        if let Some(news) = state.news.pop_front() {
            return Poll::Ready(Ok(news));
        }
        if state.is_closed {
            return Poll::Ready(Err(Unheard::Closed));
        }
        match &mut state.reader {
            Some(reader) => reader.clone_from(cx.waker()),
            None => state.reader = Some(cx.waker().clone()),
        }
        Poll::Pending
    }

    /// Passes over what waits.
    pub fn clear(&mut self) {
        let mut state = lock(&self.0);
        state.news.clear();
        state.has_missed = false;
    }
}

impl<N> Slot<N> {
    /// Whether somebody may still read it.
    pub(super) fn is_open(&self) -> bool {
        self.0.strong_count() > 0
    }

    /// Puts something in; if there is no room, everything is lost.
    pub(super) fn put(&self, news: N) {
        self.change(|state| match state.news.len() < state.max {
            true => state.news.push_back(news),
            false => {
                state.news.clear();
                state.has_missed = true;
            }
        });
    }

    /// Tells the reader that this was all.
    pub(super) fn close(&self) {
        self.change(|state| state.is_closed = true);
    }

    fn change(&self, change: impl FnOnce(&mut State<N>)) {
        let Some(shared) = self.0.upgrade() else {
            return;
        };
        let reader = {
            let mut state = lock(&shared);
            change(&mut state);
            state.reader.take()
        };
        if let Some(reader) = reader {
            reader.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn now<N>(inbox: &mut Inbox<N>) -> Option<Result<N, Unheard>> {
        inbox.recv().now_or_never()
    }

    #[test]
    fn what_is_put_in_comes_out_in_order() {
        let (mut inbox, slot) = inbox(3);
        assert_eq!(now(&mut inbox), None);
        (1..=3).for_each(|n| slot.put(n));
        for n in 1..=3 {
            assert_eq!(now(&mut inbox), Some(Ok(n)));
        }
        slot.put(4);
        slot.close();
        assert_eq!(now(&mut inbox), Some(Ok(4)));
        assert_eq!(now(&mut inbox), Some(Err(Unheard::Closed)));
        drop(inbox);
        assert!(!slot.is_open());
        slot.put(5);
    }

    #[test]
    fn who_is_too_slow_hears_so_once_and_then_what_came_later() {
        let (mut inbox, slot) = inbox(2);
        (1..=4).for_each(|n| slot.put(n));
        assert_eq!(now(&mut inbox), Some(Err(Unheard::Missed)));
        assert_eq!(now(&mut inbox), Some(Ok(4)));
        assert_eq!(now(&mut inbox), None);
        (1..=3).for_each(|n| slot.put(n));
        inbox.clear();
        assert_eq!(now(&mut inbox), None);
    }

    #[tokio::test]
    async fn who_waits_is_woken_also_after_a_look_by_somebody_else() {
        let (mut inbox, slot) = inbox(2);
        assert_eq!(now(&mut inbox), None);
        let waiting = tokio::spawn(async move { inbox.recv().await });
        tokio::task::yield_now().await;
        slot.put(7);
        assert_eq!(waiting.await.unwrap(), Ok(7));
    }
}
