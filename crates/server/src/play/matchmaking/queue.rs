//! What somebody who wants to play can ask for.

use std::ops::RangeInclusive;
use std::time::Duration;

use chess::clock::TimeControl;
use chess::game::{Creation, Game};
use chess::pairing::{Pool, estimate};
use chess::rules::Variant;
use chess::table::{PlayerId, State};
use chess::{Color, Millis};
use store::{ListQuery, Queued, TableId, Ticket, TicketFate, Wish};
use tokio::time::{Instant, timeout_at};

use super::GONE_AFTER;
use crate::auth::Caller;
use crate::limits::rates::Rate;
use crate::play::asked::{Asked, TO_ANSWER};
use crate::play::create::{FOR_GUESTS, is_guest};
use crate::play::place::has_room_for_more;
use crate::play::terms::cannot_be_rated;
use crate::play::{App, ratings, standing};
use crate::problem::{Kind, Problem};

/// The longest that an answer about a ticket is waited for.
pub(crate) const WAIT_MAX: Duration = Duration::from_secs(30);
/// The answer leaves so long before any request would be cut off.
const MARGIN: Duration = Duration::from_secs(1);
/// How often it is looked whether another node has found somebody an opponent.
const LOOK: Duration = Duration::from_secs(1);
/// As many games as say which side somebody is to have next: with fewer, sides drift
/// further apart than two over many games.
const GAMES: u32 = 100;

/// What somebody wants to play.
pub(crate) struct Wanted {
    pub(crate) pool: Pool,
    /// The points an opponent must have.
    pub(crate) range: Option<RangeInclusive<u32>>,
    /// The side that they want.
    pub(crate) side: Option<Color>,
}

/// A ticket, and what can be said of it.
pub(crate) struct Waiting {
    pub(crate) ticket: Ticket,
    /// How long they will wait, if that can be known.
    pub(crate) estimate: Option<Millis>,
    /// The game that came of it, and how its owner sits there.
    pub(crate) game: Option<Seated>,
}

/// Somebody's place in a game.
pub(crate) struct Seated {
    pub(crate) id: TableId,
    pub(crate) color: Option<Color>,
    pub(crate) opponent: Option<PlayerId>,
}

/// A pool, and how it is there.
pub(crate) struct Crowded {
    pub(crate) pool: Pool,
    pub(crate) waiting: usize,
    pub(crate) typical: Option<Millis>,
}

/// Lets the caller wait for an opponent.
///
/// # Errors
/// `already_in_queue` and `active_game_exists` with which; `cannot_be_rated`,
/// `barred`, `rate_limited`.
pub(crate) async fn enter(asked: &Asked<'_>, wanted: Wanted) -> Result<Waiting, Problem> {
    asked.may(TO_ANSWER, Rate::Creation)?;
    let (app, caller) = (asked.app, asked.caller);
    let Wanted { pool, range, side } = wanted;
    if pool.rated && is_guest(&caller.person) {
        return Err(cannot_be_rated(FOR_GUESTS).with("field", "rated"));
    }
    let account = caller.number();
    // Whatever could not be played is refused now, and not once somebody is found.
    Game::create(asked.received, Creation::open(account, pool.terms()))?;
    if pool.rated {
        standing::check_rated(app, account).await?;
    }
    has_room_for_more(app, account).await?;
    let (sides, last_opponent) = last_games(app, account).await?;
    let wish = Wish {
        account,
        is_real_time: pool.control.is_real_time(),
        rating: ratings::of(app, account, pool.category()).await?,
        range,
        side,
        sides,
        last_opponent,
        since: asked.received,
        pool: pool.to_string(),
    };
    match app.store.queue(wish).await? {
        Queued::Entered(ticket) => {
            app.matchmaker.note(ticket.id, asked.received);
            app.matchmaker.wake.notify_one();
            described(app, ticket).await
        }
        Queued::AlreadyIn(id) => {
            let detail = "you wait for an opponent already; take that ticket back first";
            let problem = Problem::new(Kind::Conflict, "already_in_queue", detail);
            Err(problem.with("queue_entry_id", id.to_string()))
        }
        Queued::Plays(game) => {
            let detail = "you are playing; finish that game first";
            let problem = Problem::new(Kind::Conflict, "active_game_exists", detail);
            Err(problem.with("game_id", game.to_string()))
        }
    }
}

/// The caller's ticket; if it is still searching and they want to wait, what becomes
/// of it in that time.
///
/// # Errors
/// `not_found`: there is none, or it is somebody else's.
pub(crate) async fn look(
    app: &App,
    caller: &Caller,
    id: u64,
    wait: Duration,
) -> Result<Waiting, Problem> {
    let longest = Duration::from_secs(app.settings.request_seconds.into());
    let wait = wait.min(WAIT_MAX).min(longest.saturating_sub(MARGIN));
    let until = Instant::now() + wait;
    let mut rounds = app.matchmaker.rounds.subscribe();
    loop {
        rounds.mark_unchanged();
        let ticket = own(app, caller, id).await?;
        let is_searching = ticket.fate == TicketFate::Searching;
        if is_searching {
            app.matchmaker.note(id, app.now());
        }
        if !is_searching || Instant::now() >= until || app.games.live().is_closing() {
            return described(app, ticket).await;
        }
        // Another node may find an opponent, and this one not hear of it.
        let next = until.min(Instant::now() + LOOK);
        drop(timeout_at(next, rounds.changed()).await);
    }
}

/// Takes the caller's ticket back, unless something has become of it.
///
/// # Errors
/// `not_found`: there is none, or it is somebody else's.
pub(crate) async fn leave(asked: &Asked<'_>, id: u64) -> Result<Waiting, Problem> {
    asked.may(TO_ANSWER, Rate::Command)?;
    let (app, caller) = (asked.app, asked.caller);
    own(app, caller, id).await?;
    let cancelled = TicketFate::Cancelled(None);
    app.store
        .end_tickets(vec![id], cancelled, asked.received)
        .await?;
    app.matchmaker.tell();
    described(app, own(app, caller, id).await?).await
}

/// Ends a ticket whose owner waits no more, unless something has become of it.
///
/// # Errors
/// The store cannot be told.
pub(crate) async fn give_up(app: &App, id: u64) -> Result<(), Problem> {
    let cancelled = TicketFate::Cancelled(None);
    app.store
        .end_tickets(vec![id], cancelled, app.now())
        .await?;
    app.matchmaker.tell();
    Ok(())
}

/// The pools that many like, and all where somebody waits.
///
/// # Errors
/// The store cannot say.
pub(crate) async fn pools(app: &App) -> Result<Vec<Crowded>, Problem> {
    let tickets = app.store.searching_tickets().await?;
    let waiting = tickets.iter().map(|ticket| ticket.wish.pool.as_str());
    let mut pools: Vec<(Pool, usize)> = usual().map(|pool| (pool, 0)).collect();
    for pool in waiting.filter_map(|pool| pool.parse::<Pool>().ok()) {
        match pools.iter_mut().find(|(known, _)| *known == pool) {
            Some((_, count)) => *count += 1,
            None => pools.push((pool, 1)),
        }
    }
    let waits = app.matchmaker.waits.recent(app).await?;
    let now = app.now();
    let crowded = pools.into_iter().map(|(pool, waiting)| Crowded {
        typical: waits.typical(&pool.to_string(), now),
        pool,
        waiting,
    });
    Ok(crowded.collect())
}

/// What most people want to play.
fn usual() -> impl Iterator<Item = Pool> {
    const CLOCKS: [(u32, u32); 11] = [
        (60, 0),
        (120, 1),
        (180, 0),
        (180, 2),
        (300, 0),
        (300, 3),
        (600, 0),
        (600, 5),
        (900, 10),
        (1800, 0),
        (1800, 20),
    ];
    let clocks = CLOCKS
        .into_iter()
        .flat_map(|clock| [(clock, true), (clock, false)]);
    clocks.map(|((initial, increment), rated)| Pool {
        control: TimeControl::Fischer {
            initial: Millis::from_secs(initial),
            increment: Millis::from_secs(increment),
        },
        variant: Variant::Standard,
        rated,
    })
}

async fn own(app: &App, caller: &Caller, id: u64) -> Result<Ticket, Problem> {
    let ticket = app.store.ticket(id).await?;
    ticket
        .filter(|ticket| ticket.wish.account == caller.number())
        .ok_or_else(|| Problem::not_found("there is no such queue entry"))
}

async fn described(app: &App, ticket: Ticket) -> Result<Waiting, Problem> {
    let estimate = match ticket.fate {
        TicketFate::Searching => {
            let waits = app.matchmaker.waits.recent(app).await?;
            let points = ticket.wish.rating.points();
            estimate(waits.of(&ticket.wish.pool), points, app.now())
        }
        _ => None,
    };
    let game = match ticket.fate.table() {
        Some(id) => Some(seated(app, id, ticket.wish.account).await?),
        None => None,
    };
    Ok(Waiting {
        ticket,
        estimate,
        game,
    })
}

async fn seated(app: &App, id: TableId, player: PlayerId) -> Result<Seated, Problem> {
    let game = app.games.read(id, Some(player)).await?;
    let color = game.seat_of(player);
    Ok(Seated {
        id,
        color,
        opponent: color.and_then(|color| *game.seats().get(!color)),
    })
}

/// The sides somebody had in their last games, the oldest first, and whom they played last.
async fn last_games(
    app: &App,
    player: PlayerId,
) -> Result<(Vec<Color>, Option<PlayerId>), Problem> {
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(State::Completed),
        player: Some(player),
        viewer: Some(player),
        limit: GAMES,
        ..ListQuery::default()
    };
    let listed = app.games.list(query).await?;
    let played = listed.into_iter().filter_map(|listed| {
        let game = listed.game?;
        let color = game.seat_of(player)?;
        Some((color, *game.seats().get(!color)))
    });
    let played: Vec<_> = played.collect();
    let sides = played.iter().rev().map(|(color, _)| *color).collect();
    Ok((sides, played.first().and_then(|(_, opponent)| *opponent)))
}

/// Whether the owner of a ticket has not been seen for too long.
pub(super) fn is_gone(
    ticket: &Ticket,
    seen_here: Option<chess::Timestamp>,
    now: chess::Timestamp,
) -> bool {
    let seen = ticket.seen_at.max(seen_here.unwrap_or_default());
    now.since(seen) >= GONE_AFTER
}
