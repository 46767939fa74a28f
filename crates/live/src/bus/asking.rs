//! Questions that wait for answers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// What comes back; nothing if nobody listens.
type Answer = Option<Bytes>;

/// The questions of one bus that are open, by their numbers.
#[derive(Default)]
pub(super) struct Questions {
    next: AtomicU64,
    open: Mutex<HashMap<u64, mpsc::Sender<Answer>>>,
}

/// One open question.
pub(super) struct Asked {
    questions: Arc<Questions>,
    number: u64,
    expected: usize,
    answers: mpsc::Receiver<Answer>,
}

impl Questions {
    /// A new question, open until what is returned goes.
    pub(super) fn ask(self: &Arc<Questions>, expected: usize) -> Asked {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        // Nobody waits for more answers than were expected.
        let (answer, answers) = mpsc::channel(expected.max(1));
        self.lock().insert(number, answer);
        Asked {
            questions: Arc::clone(self),
            number,
            expected,
            answers,
        }
    }

    /// An answer has come, or word that there will be none. It may be late.
    pub(super) fn answer(&self, number: u64, answer: Answer) {
        if let Some(asked) = self.lock().get(&number) {
            // One too many is as good as one too late.
            drop(asked.try_send(answer));
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, mpsc::Sender<Answer>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asked {
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Nobody will answer.
    pub(super) fn is_in_vain(&self) {
        self.questions.answer(self.number, None);
    }

    /// Waits until all have answered, nobody can, or the time is over.
    pub(super) async fn answers(mut self, within: Duration) -> Vec<Bytes> {
        let mut answers = Vec::new();
        let collect = async {
            while answers.len() < self.expected {
                match self.answers.recv().await {
                    Some(Some(answer)) => answers.push(answer),
                    Some(None) | None => break,
                }
            }
        };
        // Those who have answered by then count.
        let is_complete = timeout(within, collect).await.is_ok();
        tracing::trace!(is_complete, answers = answers.len(), "asked the bus");
        answers
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.questions.lock().remove(&self.number);
    }
}
