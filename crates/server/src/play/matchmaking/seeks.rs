//! Seeks: waiting for an opponent by a ticket, for as long as somebody holds on. The ticket
//! ends with the seek, however that ends.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chess::Color;
use chess::pairing::Pool;
use chess::table::PlayerId;
use store::TicketFate;
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::queue::{self, Wanted};
use crate::auth::Caller;
use crate::lock::lock;
use crate::play::{App, Asked};
use crate::problem::{Kind, Problem};
use crate::rooms::Thread;

/// How often a ticket is tried to be had in place of an older one.
const TRIES: usize = 3;
/// When to ask a store again that could not say.
const ASK_AGAIN: Duration = Duration::from_secs(1);

/// What somebody wants to play.
pub(crate) struct Sought {
    pub(crate) pool: Pool,
    /// The points an opponent must have.
    pub(crate) range: Option<RangeInclusive<u32>>,
    /// The side that they want.
    pub(crate) side: Option<Color>,
}

/// Who seeks at this node: each once.
#[derive(Default)]
pub(super) struct Seeks {
    open: Mutex<HashMap<PlayerId, (u64, oneshot::Sender<()>)>>,
    next: AtomicU64,
}

/// Somebody seeks, until this is dropped.
pub(crate) struct Seek {
    app: App,
    caller: Caller,
    number: u64,
    /// Ends when they seek something else.
    replaced: oneshot::Receiver<()>,
    ticket: u64,
}

/// Begins to seek. What the caller sought before ends.
///
/// # Errors
/// `active_game_exists`, `cannot_be_rated`, `barred`, `rate_limited`, and whatever is
/// wrong with the terms.
pub(crate) async fn begin(asked: &Asked<'_>, sought: Sought) -> Result<Seek, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    let ticket = ticket(asked, &sought).await?;
    let seeks = &app.matchmaker.seeks;
    let number = seeks.next.fetch_add(1, Ordering::Relaxed);
    let (end, replaced) = oneshot::channel();
    // Whoever had this place hears that the sender is gone.
    lock(&seeks.open).insert(caller.number(), (number, end));
    Ok(Seek {
        app: app.clone(),
        caller: caller.clone(),
        number,
        replaced,
        ticket,
    })
}

async fn ticket(asked: &Asked<'_>, sought: &Sought) -> Result<u64, Problem> {
    for _ in 0..TRIES {
        let wanted = Wanted {
            pool: sought.pool.clone(),
            range: sought.range.clone(),
            side: sought.side,
        };
        match queue::enter(asked, wanted).await {
            Ok(waiting) => return Ok(waiting.ticket.id),
            Err(problem) if problem.code == "already_in_queue" => {
                let older = problem.context.get("queue_entry_id");
                let older = older.and_then(|id| id.as_str()?.parse().ok());
                queue::give_up(asked.app, older.unwrap_or(0)).await?;
            }
            Err(problem) => return Err(problem),
        }
    }
    Err(Problem::unavailable())
}

impl Seek {
    /// Waits until they are paired, or will not be: nobody came in time, they seek
    /// something else, the server stops. May be interrupted at any time.
    pub(crate) async fn over(&mut self) {
        let (app, caller) = (&self.app, &self.caller);
        tokio::select! {
            () = ticket_ends(app, caller, self.ticket) => {}
            // Nothing is ever sent: the sender is dropped.
            _ = &mut self.replaced => {}
        }
    }
}

async fn ticket_ends(app: &App, caller: &Caller, id: u64) {
    while !app.rooms.is_closing() {
        match queue::look(app, caller, id, queue::WAIT_MAX).await {
            Ok(waiting) if waiting.ticket.fate == TicketFate::Searching => {}
            Ok(_) => return,
            Err(problem) if problem.kind == Kind::Missing => return,
            Err(_) => sleep(ASK_AGAIN).await,
        }
    }
}

impl Drop for Seek {
    fn drop(&mut self) {
        let app = self.app.clone();
        let who = self.caller.number();
        {
            let mut open = lock(&app.matchmaker.seeks.open);
            if open
                .get(&who)
                .is_some_and(|(number, _)| *number == self.number)
            {
                open.remove(&who);
            }
        }
        let ticket = self.ticket;
        self.app.rooms.spawn(Thread::Telling, async move {
            let give_up = || queue::give_up(&app, ticket);
            insist(give_up, || app.rooms.is_closing()).await;
        });
    }
}

/// Tries until it is done, for whoever left would be paired; a server that stops leaves it
/// to the next round that misses them.
async fn insist<F>(mut attempt: impl FnMut() -> F, is_closing: impl Fn() -> bool)
where
    F: Future<Output = Result<(), Problem>>,
{
    while attempt().await.is_err() && !is_closing() {
        sleep(ASK_AGAIN).await;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[tokio::test]
    async fn s9_a_seek_is_given_up_however_often_the_store_cannot_be_told() {
        let tries = Cell::new(0);
        let attempt = |fails: u32| {
            let tries = &tries;
            move || {
                tries.set(tries.get() + 1);
                let is_done = tries.get() > fails;
                async move { is_done.then_some(()).ok_or_else(Problem::unavailable) }
            }
        };
        insist(attempt(2), || false).await;
        assert_eq!(tries.get(), 3);
        tries.set(0);
        insist(attempt(2), || true).await;
        assert_eq!(tries.get(), 1, "who stops does not wait");
    }
}
