//! Looking again and again at those who wait.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use chess::Timestamp;
use chess::pairing::{Pair, pair};
use futures_util::StreamExt;
use futures_util::stream::iter;
use rand::RngExt;
use store::{Ticket, TicketFate};
use tokio::time::{sleep, timeout};

use super::candidates::{self, Pooled};
use super::{opening, queue};
use crate::play::App;
use crate::problem::Problem;

/// How often everybody is looked at who waits: windows widen with time.
const EVERY: Duration = Duration::from_millis(500);
/// Two rounds are at least so far apart, however many come.
const PAUSE: Duration = Duration::from_millis(50);
/// And so many times as far as the round took.
const REST: u32 = 4;
/// A ticket's owner is noted as being there when that was so long ago.
const SEEN_EVERY_MS: u32 = 5_000;
/// Games that are made at the same time.
const AT_ONCE: usize = 64;
/// For how long it is remembered what became of a ticket.
const KEPT_MS: u64 = 3_600_000;
/// Tickets that are forgotten at a time.
const FORGOTTEN: u32 = 500;
/// Every so many rounds.
const FORGET_EVERY: u32 = 120;

/// Looks at them for ever.
pub async fn run(app: App) {
    for count in 0u32.. {
        drop(timeout(EVERY, app.matchmaker.wake.notified()).await);
        let begun = Instant::now();
        if let Err(problem) = round(&app).await {
            tracing::warn!(?problem, "those who wait could not be looked at");
            sleep(EVERY).await;
        }
        if count.is_multiple_of(FORGET_EVERY) {
            forget(&app).await;
        }
        // Many who come make rounds long: the store is for the games in between.
        sleep(PAUSE.max(begun.elapsed() * REST)).await;
    }
}

/// One look at all who wait.
///
/// # Errors
/// The store cannot say, or cannot be told.
pub(crate) async fn round(app: &App) -> Result<(), Problem> {
    let live = app.games.live();
    if live.is_closing() || live.refuses_since().is_some() || !live.is_current() {
        return Ok(());
    }
    let tickets = app.store.searching_tickets().await?;
    app.matchmaker
        .waiting
        .store(tickets.len(), Ordering::Relaxed);
    if tickets.is_empty() {
        return Ok(());
    }
    let now = app.now();
    see(app, &tickets, now).await?;
    let ours = |ticket: &Ticket| live.has_share(share(&ticket.wish.pool));
    let ours: Vec<Ticket> = tickets.into_iter().filter(ours).collect();
    let (gone, waiting): (Vec<Ticket>, Vec<Ticket>) = ours
        .into_iter()
        .partition(|ticket| queue::is_gone(ticket, seen_here(app, ticket, now), now));
    let mut has_ended = end(app, ids(&gone), TicketFate::Cancelled(None)).await?;
    for pooled in candidates::by_pool(app, &waiting).await? {
        has_ended |= play(app, pooled, now).await?;
    }
    if has_ended {
        app.matchmaker.tell();
    }
    Ok(())
}

/// One round of one pool. Whether something has become of anybody.
async fn play(app: &App, pooled: Pooled, now: Timestamp) -> Result<bool, Problem> {
    let (pool, seekers) = (pooled.pool, pooled.seekers);
    let (seekers, barred) = match pool.rated {
        true => candidates::without_barred(app, seekers).await?,
        false => (seekers, Vec::new()),
    };
    // Whoever was barred while they waited waits for nothing.
    let has_ended = end(app, barred, TicketFate::Cancelled(None)).await?;
    let blocks = candidates::blocks(app, &seekers).await?;
    let (policy, chance) = (app.matchmaker.policy, rand::rng().random());
    let paired = tokio::task::spawn_blocking(move || pair(&seekers, &blocks, &policy, now, chance));
    let round = paired.await.map_err(|_| Problem::unavailable())?;
    let timed_out = end(app, round.timed_out, TicketFate::TimedOut).await?;
    let open = |pair: Pair| {
        let pool = &pool;
        async move { opening::open(app, pool, &pair).await }
    };
    let opened: Vec<Result<bool, Problem>> = iter(round.pairs)
        .map(open)
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    let mut is_any = has_ended | timed_out;
    for opened in opened {
        match opened {
            Ok(is_made) => is_any |= is_made,
            // Those two wait until the next round.
            Err(problem) => tracing::warn!(?problem, "two who were paired got no game"),
        }
    }
    Ok(is_any)
}

/// Notes of everybody who is here that they are.
async fn see(app: &App, tickets: &[Ticket], now: Timestamp) -> Result<(), Problem> {
    let is_news = |ticket: &&Ticket| {
        now.since(ticket.seen_at).0 >= SEEN_EVERY_MS
            && seen_here(app, ticket, now).is_some_and(|at| at > ticket.seen_at)
    };
    let seen: Vec<u64> = tickets.iter().filter(is_news).map(|t| t.id).collect();
    if !seen.is_empty() {
        app.store.see_tickets(seen, now).await?;
    }
    Ok(())
}

/// When a ticket's owner was last at this node: now, if they have a stream open.
fn seen_here(app: &App, ticket: &Ticket, now: Timestamp) -> Option<Timestamp> {
    match app.rooms.feeds().is_followed(ticket.wish.account) {
        true => Some(now),
        false => app.matchmaker.asked_at(ticket.id),
    }
}

async fn end(app: &App, tickets: Vec<u64>, fate: TicketFate) -> Result<bool, Problem> {
    if tickets.is_empty() {
        return Ok(false);
    }
    let ended = app.store.end_tickets(tickets, fate, app.now()).await?;
    Ok(!ended.is_empty())
}

async fn forget(app: &App) {
    let before = Timestamp(app.now().0.saturating_sub(KEPT_MS));
    if let Err(error) = app.store.purge_tickets(before, FORGOTTEN).await {
        tracing::warn!(%error, "tickets that ended long ago could not be forgotten");
    }
}

fn ids(tickets: &[Ticket]) -> Vec<u64> {
    tickets.iter().map(|ticket| ticket.id).collect()
}

/// Which node's a pool is, among all.
fn share(pool: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    pool.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use chess::game::{Creation, Game};
    use chess::pairing::Pool;
    use chess::rating::Rating;
    use chess::table::PlayerId;
    use live::With;
    use store::{AccountKind, NewAccount, Queued, TableId, Wish};

    use super::*;
    use crate::operate::open;
    use crate::play::place::new_id;
    use crate::settings::Settings;

    const SECOND: u64 = 1_000;
    const POOL: &str = "fischer:300000+0 standard casual";

    /// A server, and two who have an account.
    async fn server() -> (App, [PlayerId; 2]) {
        let app = open(Settings {
            store: "memory:".into(),
            ..Settings::default()
        });
        let app = app.await.expect("it starts");
        let mut players = Vec::new();
        for name in ["ann", "bob"] {
            let blank: NewAccount = app.auth.blank(name.into(), AccountKind::Registered);
            let account = app.auth.create(blank).await.expect("the store works");
            players.push(account.expect("the name is free").number);
        }
        (app, [players[0], players[1]])
    }

    /// Somebody who has waited for so long and was last there so long ago.
    async fn waits(app: &App, account: PlayerId, since_ms: u64, seen_ms: u64) -> Ticket {
        let ago = |ms| Timestamp(app.now().0 - ms);
        let wish = Wish {
            account,
            pool: POOL.into(),
            is_real_time: true,
            rating: Rating::INITIAL,
            range: None,
            side: None,
            sides: Vec::new(),
            last_opponent: None,
            since: ago(since_ms),
        };
        let Queued::Entered(ticket) = app.store.queue(wish).await.expect("the store works") else {
            panic!("they do not wait yet");
        };
        let seen = app.store.see_tickets(vec![ticket.id], ago(seen_ms));
        seen.await.expect("the store works");
        ticket
    }

    async fn fate(app: &App, ticket: &Ticket) -> TicketFate {
        let ticket = app.store.ticket(ticket.id).await.expect("the store works");
        ticket.expect("it is remembered").fate
    }

    #[tokio::test]
    async fn who_is_gone_is_paired_with_nobody() {
        let (app, [ann, bob]) = server().await;
        let gone = waits(&app, ann, 40 * SECOND, 30 * SECOND).await;
        let here = waits(&app, bob, 40 * SECOND, 29 * SECOND).await;
        round(&app).await.unwrap();
        assert_eq!(fate(&app, &gone).await, TicketFate::Cancelled(None));
        assert_eq!(fate(&app, &here).await, TicketFate::Searching);
    }

    #[tokio::test]
    async fn who_has_a_stream_open_is_here() {
        let (app, [ann, _]) = server().await;
        let ticket = waits(&app, ann, 60 * SECOND, 60 * SECOND).await;
        let _lane = app.rooms.follow(ann);
        round(&app).await.unwrap();
        assert_eq!(fate(&app, &ticket).await, TicketFate::Searching);
        let ticket = app.store.ticket(ticket.id).await.unwrap().unwrap();
        assert!(
            app.now().since(ticket.seen_at).0 < 10_000,
            "other nodes know it"
        );
    }

    #[tokio::test]
    async fn who_asks_is_here() {
        let (app, [ann, _]) = server().await;
        let ticket = waits(&app, ann, 60 * SECOND, 60 * SECOND).await;
        app.matchmaker.note(ticket.id, app.now());
        round(&app).await.unwrap();
        assert_eq!(fate(&app, &ticket).await, TicketFate::Searching);
    }

    #[tokio::test]
    async fn nobody_waits_for_ever() {
        let (app, [ann, _]) = server().await;
        let ticket = waits(&app, ann, 600 * SECOND, 0).await;
        round(&app).await.unwrap();
        assert_eq!(fate(&app, &ticket).await, TicketFate::TimedOut);
    }

    /// A game of five minutes that waits since then for somebody, or for anybody.
    async fn offers(app: &App, by: PlayerId, to: Option<PlayerId>, since: Timestamp) -> TableId {
        let pool: Pool = POOL.parse().expect("a pool");
        let creation = Creation {
            opponent: to,
            ..Creation::open(by, pool.terms())
        };
        let game = Game::create(since, creation).expect("good terms");
        let id = new_id();
        let made = app.games.create(id, game, None, With::default()).await;
        made.expect("the store works");
        id
    }

    #[tokio::test]
    async fn challenges_do_not_crowd_out_what_waits_for_anybody() {
        let (app, [ann, bob]) = server().await;
        let now = app.now();
        let open = offers(&app, ann, None, Timestamp(now.0 - SECOND)).await;
        for _ in 0..200 {
            offers(&app, ann, Some(bob), now).await;
        }
        let ticket = waits(&app, bob, 0, 0).await;
        round(&app).await.unwrap();
        assert_eq!(fate(&app, &ticket).await, TicketFate::Matched(open));
    }

    #[tokio::test]
    async fn two_are_paired_in_one_round_and_once() {
        let (app, [ann, bob]) = server().await;
        let tickets = [waits(&app, ann, 0, 0).await, waits(&app, bob, 0, 0).await];
        round(&app).await.unwrap();
        let TicketFate::Matched(game) = fate(&app, &tickets[0]).await else {
            panic!("they were not paired");
        };
        assert_eq!(fate(&app, &tickets[1]).await, TicketFate::Matched(game));
        round(&app).await.unwrap();
        assert_eq!(app.store.count_unfinished(ann).await, Ok(1));
        let recent = app.store.paired_tickets(Timestamp(0)).await.unwrap();
        assert_eq!(recent.len(), 2);
    }
}
