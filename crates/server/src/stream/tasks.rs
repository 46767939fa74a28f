//! What a client asked for over its socket, and was not answered yet.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::ws::Utf8Bytes;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, StreamExt};
use store::{IdMap, TableId};

/// Something to be done, and what is answered then.
pub(crate) type Task = Pin<Box<dyn Future<Output = Utf8Bytes> + Send>>;

/// The tasks of a socket: those for one table are done one after the other, in the
/// order in which they were asked for; those for several at the same time.
///
/// Most sockets only listen, and have none. Most who play ask for one thing at a time,
/// which needs no more than itself.
#[derive(Default)]
pub(super) struct Tasks {
    /// What is done, if it is the only one.
    only: Option<Running>,
    /// All of them, if there are several.
    several: Option<Box<Busy>>,
}

#[derive(Default)]
struct Busy {
    running: FuturesUnordered<Running>,
    /// What comes next at each table where something is done.
    waiting: IdMap<TableId, VecDeque<Task>>,
    count: usize,
}

impl Tasks {
    /// How many are not answered yet.
    pub(super) fn len(&self) -> usize {
        let several = self.several.as_ref().map_or(0, |busy| busy.count);
        several + usize::from(self.only.is_some())
    }

    /// One more, after all others at that table.
    pub(super) fn push(&mut self, table: TableId, task: Task) {
        let running = Running { table, task };
        if self.len() == 0 {
            self.only = Some(running);
            return;
        }
        let busy = self.several.get_or_insert_default();
        for running in self.only.take().into_iter().chain([running]) {
            busy.push(running);
        }
    }

    /// The next answer; never, if nothing is to be done. May be interrupted at any time.
    pub(super) async fn answer(&mut self) -> Utf8Bytes {
        if let Some(only) = &mut self.only {
            let (_, text) = only.await;
            self.only = None;
            return text;
        }
        let Some(busy) = &mut self.several else {
            return std::future::pending().await;
        };
        let text = busy.answer().await;
        if busy.count == 0 {
            self.several = None;
        }
        text
    }

    /// The next answer, or nothing once all was answered.
    pub(super) async fn last_answer(&mut self) -> Option<Utf8Bytes> {
        match self.len() {
            0 => None,
            _ => Some(self.answer().await),
        }
    }

    /// An answer that is there by now.
    pub(super) fn ready(&mut self) -> Option<Utf8Bytes> {
        match self.len() {
            0 => None,
            _ => self.answer().now_or_never(),
        }
    }
}

impl Busy {
    fn push(&mut self, running: Running) {
        self.count += 1;
        match self.waiting.entry(running.table) {
            Entry::Occupied(mut next) => next.get_mut().push_back(running.task),
            Entry::Vacant(place) => {
                place.insert(VecDeque::new());
                self.running.push(running);
            }
        }
    }

    async fn answer(&mut self) -> Utf8Bytes {
        let Some((table, text)) = self.running.next().await else {
            return std::future::pending().await;
        };
        self.count -= 1;
        match self.waiting.get_mut(&table).and_then(VecDeque::pop_front) {
            Some(task) => self.running.push(Running { table, task }),
            None => drop(self.waiting.remove(&table)),
        }
        text
    }
}

struct Running {
    table: TableId,
    task: Task,
}

impl Future for Running {
    type Output = (TableId, Utf8Bytes);

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let table = self.table;
        self.task.as_mut().poll(cx).map(|text| (table, text))
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    fn table(number: u64) -> TableId {
        TableId::from_random(number)
    }

    /// A task that is done when it is told so, and notes that it was begun.
    fn told(name: &'static str) -> (Task, oneshot::Sender<()>) {
        let (tell, told) = oneshot::channel::<()>();
        let task = async move {
            told.await.expect("it is told");
            Utf8Bytes::from_static(name)
        };
        (Box::pin(task), tell)
    }

    #[tokio::test]
    async fn what_is_asked_of_one_table_is_done_in_order_and_of_several_at_once() {
        let mut tasks = Tasks::default();
        assert_eq!(tasks.answer().now_or_never(), None);
        let (first, tell_first) = told("first");
        let (second, tell_second) = told("second");
        let (other, tell_other) = told("other");
        tasks.push(table(1), first);
        tasks.push(table(1), second);
        tasks.push(table(2), other);
        assert_eq!(tasks.len(), 3);
        tell_second.send(()).unwrap();
        assert_eq!(
            tasks.answer().now_or_never(),
            None,
            "the first comes before"
        );
        tell_other.send(()).unwrap();
        assert_eq!(tasks.answer().await.as_str(), "other");
        tell_first.send(()).unwrap();
        assert_eq!(tasks.answer().await.as_str(), "first");
        assert_eq!(tasks.answer().await.as_str(), "second");
        assert_eq!((tasks.len(), tasks.answer().now_or_never()), (0, None));
        let (again, tell) = told("again");
        tasks.push(table(1), again);
        tell.send(()).unwrap();
        assert_eq!(tasks.answer().await.as_str(), "again");
    }

    #[tokio::test]
    async fn one_that_was_alone_goes_on_beside_others() {
        let mut tasks = Tasks::default();
        let (alone, tell_alone) = told("alone");
        let (next, tell_next) = told("next");
        tasks.push(table(1), alone);
        assert_eq!((tasks.ready(), tasks.len()), (None, 1));
        tasks.push(table(1), next);
        tell_next.send(()).unwrap();
        assert_eq!((tasks.ready(), tasks.len()), (None, 2));
        // Whoever waits is woken, though it was begun before there was another.
        let answer = tokio::spawn(async move {
            let first = tasks.answer().await;
            (first, tasks.ready(), tasks.ready())
        });
        tokio::task::yield_now().await;
        tell_alone.send(()).unwrap();
        let (first, second, none) = answer.await.unwrap();
        assert_eq!((first.as_str(), none), ("alone", None));
        assert_eq!(second.as_deref(), Some("next"));
    }
}
