//! `<seek/>`: answered when somebody was found who wants the same.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use chess::pairing::Pool;
use chess::table::PlayerId;
use store::{TableId, TicketFate};
use tokio::time::Instant;

use crate::auth::Caller;
use crate::lock::lock;
use crate::play::matchmaking::queue::{self, Wanted};
use crate::play::{App, Asked};
use crate::problem::{Kind, Problem};

/// How long an answer is waited for: less than clients wait for one.
const PATIENCE: Duration = Duration::from_secs(25);
/// How often a ticket is tried to be had in place of an older one.
const TRIES: usize = 3;

/// The tickets of those who seek by this door.
#[derive(Default)]
pub(super) struct Seeks(Mutex<HashMap<PlayerId, u64>>);

/// Begins to seek: the ticket. What the caller sought before ends.
///
/// # Errors
/// `active_game_exists`, `cannot_be_rated`, `barred`, `rate_limited`, and whatever is wrong
/// with the clock.
pub(super) async fn begin(seeks: &Seeks, asked: &Asked<'_>, pool: Pool) -> Result<u64, Problem> {
    for _ in 0..TRIES {
        let wanted = Wanted {
            pool: pool.clone(),
            range: None,
            side: None,
        };
        match queue::enter(asked, wanted).await {
            Ok(waiting) => {
                lock(&seeks.0).insert(asked.caller.number(), waiting.ticket.id);
                return Ok(waiting.ticket.id);
            }
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

/// Waits for an opponent: the game.
///
/// # Errors
/// `no_opponent`.
pub(super) async fn wait(
    seeks: &Seeks,
    app: &App,
    caller: &Caller,
    ticket: u64,
) -> Result<TableId, Problem> {
    let until = Instant::now() + PATIENCE;
    let found = loop {
        let left = until.saturating_duration_since(Instant::now());
        let waiting = queue::look(app, caller, ticket, left).await?;
        if let Some(seated) = waiting.game {
            break Ok(seated.id);
        }
        if waiting.ticket.fate != TicketFate::Searching {
            break Err(no_opponent());
        }
        if left.is_zero() {
            let left = queue::leave(&Asked::new(app, caller), ticket).await?;
            break left.game.map(|seated| seated.id).ok_or_else(no_opponent);
        }
    };
    let mut seeks = lock(&seeks.0);
    if seeks.get(&caller.number()) == Some(&ticket) {
        seeks.remove(&caller.number());
    }
    found
}

/// Seeks no more. Whoever does not seek is not told off.
///
/// # Errors
/// Why that is not known.
pub(super) async fn cancel(seeks: &Seeks, asked: &Asked<'_>) -> Result<(), Problem> {
    let ticket = lock(&seeks.0).remove(&asked.caller.number());
    if let Some(ticket) = ticket {
        queue::leave(asked, ticket).await?;
    }
    Ok(())
}

fn no_opponent() -> Problem {
    let detail = "nobody came who wants the same: seek again";
    Problem::new(Kind::Conflict, "no_opponent", detail)
}
