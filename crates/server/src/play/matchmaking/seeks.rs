//! Seeks: waiting for an opponent for as long as somebody holds on.
//!
//! Who takes whichever side has a ticket; who wants a certain one has an open game, since
//! tickets know of no sides. Either ends with the seek, however that ends.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chess::Color;
use chess::game::{ColorChoice, Game};
use chess::pairing::Pool;
use chess::rules::Start;
use chess::table::PlayerId;
use store::{TableId, TicketFate};
use tokio::sync::oneshot;
use tokio::time::sleep;

use super::queue::{self, Wanted};
use crate::auth::Caller;
use crate::lock::lock;
use crate::play::lobby::{self, Filter, Viewer};
use crate::play::look::look;
use crate::play::terms::{NewGame, Players};
use crate::play::{App, Asked, commands, create, join, ratings, room};
use crate::problem::{Kind, Problem};
use crate::rooms::{Thread, Visit};

/// How often a ticket is tried to be had in place of an older one.
const TRIES: usize = 3;
/// Open games that are looked at.
const OPEN_MAX: u32 = 200;
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
    by: By,
}

/// What they wait by.
enum By {
    Ticket(u64),
    Game(Box<Visit>),
    /// Nothing: somebody was there already.
    Paired,
}

/// Begins to seek. What the caller sought before ends.
///
/// # Errors
/// `active_game_exists`, `cannot_be_rated`, `barred`, `rate_limited`, and whatever is
/// wrong with the terms.
pub(crate) async fn begin(asked: &Asked<'_>, sought: Sought) -> Result<Seek, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    let by = match sought.side {
        None => By::Ticket(ticket(asked, &sought).await?),
        Some(side) => open_game(asked, &sought, side).await?,
    };
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
        by,
    })
}

async fn ticket(asked: &Asked<'_>, sought: &Sought) -> Result<u64, Problem> {
    for _ in 0..TRIES {
        let wanted = Wanted {
            pool: sought.pool.clone(),
            range: sought.range.clone(),
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

/// Takes the other side of a game that waits, or makes one.
async fn open_game(asked: &Asked<'_>, sought: &Sought, side: Color) -> Result<By, Problem> {
    let (app, caller) = (asked.app, asked.caller);
    for id in suitable(asked, sought, side).await? {
        match join::by_id(asked, id).await {
            Ok(_) => return Ok(By::Paired),
            // Somebody was quicker, or may not meet them.
            Err(problem) if problem.kind == Kind::Unavailable => return Err(problem),
            Err(_) => {}
        }
    }
    let color = match side {
        Color::White => ColorChoice::White,
        Color::Black => ColorChoice::Black,
    };
    let new = NewGame {
        players: Players::Own {
            color,
            opponent: None,
        },
        start: None,
        terms: sought.pool.terms(),
        invited: Vec::new(),
    };
    let made = create::make(asked, new).await?;
    let visit = room::visit(app, made.id, Some(caller)).await?;
    Ok(By::Game(Box::new(visit)))
}

/// Games that wait for somebody who takes that side, the oldest first.
async fn suitable(
    asked: &Asked<'_>,
    sought: &Sought,
    side: Color,
) -> Result<Vec<TableId>, Problem> {
    let app = asked.app;
    let viewer = Viewer::of(app, Some(asked.caller)).await?;
    let filter = Filter {
        variant: Some(sought.pool.variant),
        speed: Some(sought.pool.control.speed()),
        rated: Some(sought.pool.rated),
    };
    let page = lobby::page(app, &viewer, &filter, None, OPEN_MAX).await?;
    let is_wanted = |game: &Game| {
        let creation = game.creation();
        let is_usual = matches!(creation.start, Start::Usual | Start::Chess960(_));
        is_usual
            && creation.color.decided() == Some(!side)
            && Pool::of(game.terms()).as_ref() == Some(&sought.pool)
    };
    let mut found = Vec::new();
    for sight in page.games.into_iter().rev() {
        if is_wanted(&sight.game) && is_in_range(app, sought, sight.game.creator()).await? {
            found.push(sight.id);
        }
    }
    Ok(found)
}

async fn is_in_range(app: &App, sought: &Sought, creator: PlayerId) -> Result<bool, Problem> {
    let Some(range) = &sought.range else {
        return Ok(true);
    };
    let rating = ratings::of(app, creator, sought.pool.category()).await?;
    Ok(range.contains(&rating.points()))
}

impl Seek {
    /// Waits until they are paired, or will not be: nobody came in time, they seek
    /// something else, the server stops. May be interrupted at any time.
    pub(crate) async fn over(&mut self) {
        let (app, caller) = (&self.app, &self.caller);
        let waited = async {
            match &mut self.by {
                By::Ticket(id) => ticket_ends(app, caller, *id).await,
                By::Game(visit) => game_begins(app, caller, visit).await,
                By::Paired => {}
            }
        };
        tokio::select! {
            () = waited => {}
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

async fn game_begins(app: &App, caller: &Caller, visit: &mut Visit) {
    loop {
        match look(app, visit.table(), Some(caller)).await {
            Ok(sight) if is_waiting(&sight.game) => {}
            Ok(_) => return,
            Err(problem) if problem.kind == Kind::Missing => return,
            Err(_) => sleep(ASK_AGAIN).await,
        }
        if !visit.is_stirred().await {
            return;
        }
    }
}

fn is_waiting(game: &Game) -> bool {
    game.started_at().is_none() && game.ending().is_none()
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
        let caller = self.caller.clone();
        let (ticket, game) = match &self.by {
            By::Ticket(id) => (Some(*id), None),
            By::Game(visit) => (None, Some(visit.table())),
            By::Paired => return,
        };
        self.app.rooms.spawn(Thread::Telling, async move {
            if let Some(id) = ticket {
                // If the store cannot be told, it is found out that they are gone.
                drop(queue::give_up(&app, id).await);
            }
            if let Some(id) = game {
                let asked = Asked {
                    is_limited: false,
                    ..Asked::new(&app, &caller)
                };
                drop(commands::cancel(&asked, id).await);
            }
        });
    }
}
