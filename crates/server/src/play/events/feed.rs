//! Events for those who pull them.

use std::time::Duration;

use store::{EventKind, EventKinds, EventPlace, OutboxPage, OutboxQuery};
use tokio::time::{Instant, timeout_at};

use crate::auth::{Caller, Scope};
use crate::play::App;
use crate::problem::Problem;

/// The longest that an answer is waited for.
pub(crate) const WAIT_MAX: Duration = Duration::from_secs(30);
/// The answer leaves so long before any request would be cut off.
const MARGIN: Duration = Duration::from_secs(1);
/// So many events are looked at for one answer, whether they are the caller's or not.
const LOOKED_AT: u32 = 2_000;

/// What is asked for.
pub(crate) struct Wanted {
    /// Those after this place.
    pub(crate) since: EventPlace,
    /// Of these kinds; nothing: of all that the caller may see.
    pub(crate) kinds: Option<EventKinds>,
    /// At most so many.
    pub(crate) limit: usize,
    /// How long to wait for the first.
    pub(crate) wait: Duration,
}

/// The next events of the caller's own games; of all, for a service or an administrator.
/// If there are none, the first that comes in that time.
///
/// # Errors
/// `missing_scope`: reports are for administrators.
pub(crate) async fn page(
    app: &App,
    caller: &Caller,
    wanted: Wanted,
) -> Result<OutboxPage, Problem> {
    caller.require(Scope::Read)?;
    let is_admin = caller.scopes.contains(Scope::Admin);
    let sees_all = is_admin || caller.scopes.contains(Scope::Service);
    let mut kinds = wanted.kinds.unwrap_or(EventKinds::ALL);
    if kinds.has(EventKind::PlayerReported) && !is_admin {
        if wanted.kinds.is_some() {
            return Err(Problem::missing_scope(Scope::Admin.name()));
        }
        kinds = kinds.without(EventKind::PlayerReported);
    }
    let mut query = OutboxQuery {
        after: wanted.since,
        kinds,
        player: (!sees_all).then(|| caller.number()),
        limit: LOOKED_AT,
    };
    let longest = Duration::from_secs(app.settings.request_seconds.into());
    let wait = wanted
        .wait
        .min(WAIT_MAX)
        .min(longest.saturating_sub(MARGIN));
    let until = Instant::now() + wait;
    let mut news = app.events.news();
    loop {
        news.mark_unchanged();
        let page = shortened(app.store.outbox(query).await?, wanted.limit);
        let is_late = Instant::now() >= until || app.games.live().is_closing();
        if !page.events.is_empty() || page.is_full || is_late {
            return Ok(page);
        }
        query.after = page.next;
        drop(timeout_at(until, news.changed()).await);
    }
}

/// No more than that: the rest is read with the next page.
fn shortened(mut page: OutboxPage, limit: usize) -> OutboxPage {
    if page.events.len() > limit {
        page.events.truncate(limit);
        page.is_full = true;
        page.next = page.events.last().map_or(page.next, |event| event.place);
    }
    page
}
