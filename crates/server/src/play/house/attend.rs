//! Looking after one game, for as long as a bot has something to do in it.

use std::sync::Arc;
use std::time::Duration;

use chess::Color;
use chess::game::{DeclineReason, Ending, Game, Offer};
use chess::rules::Board;
use chess::table::PlayerId;
use futures_util::FutureExt;
use live::Failure;
use live::room::Audience;
use store::TableId;
use tokio::sync::Notify;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{sleep, sleep_until};

use super::duty::{self, Duty, is_between_bots};
use super::think::{self, Chosen};
use super::{Bot, House};
use crate::lock::lock;
use crate::play::moves::Order;
use crate::play::{App, Asked, commands, join, moves, offers, room};
use crate::problem::{Kind, Problem};
use crate::rooms::residents::Nudge;

/// While the store cannot say or take anything.
const PAUSE: Duration = Duration::from_millis(500);
/// A bot resigns when it has found itself lost so many moves in a row.
const LOST_MOVES: u32 = 5;
/// By so much a bot must be better to decline a draw, in hundredths of a pawn.
const BETTER: i32 = 30;

const HELLO: &str = "Hello! Have a good game.";
const FAREWELL: &str = "Good game, thank you!";

/// A game that is looked after.
pub(super) struct Hand {
    wake: Arc<Notify>,
    /// Whether something happened since it was last looked at.
    is_news: bool,
    task: Option<AbortHandle>,
}

impl Hand {
    /// Leaves the game as it stands.
    pub(super) fn drop_it(&self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Something happened in a game of a bot.
pub(super) fn heard(app: &App, nudge: Nudge) {
    if nudge.began || nudge.ended {
        drop(tokio::spawn(greet(app.clone(), nudge)));
    }
    // Where it happened it is looked after; here only if it is in hand already.
    look_after(app, nudge.table, !nudge.is_foreign);
}

/// Has a game looked after, unless nobody does yet and `is_new` is not wanted.
pub(super) fn look_after(app: &App, id: TableId, is_new: bool) {
    let mut hands = lock(&app.house.hands);
    if let Some(hand) = hands.get_mut(&id) {
        hand.is_news = true;
        hand.wake.notify_one();
    } else if is_new && !app.house.is_closed() {
        let wake = Arc::new(Notify::new());
        let hand = Hand {
            wake: Arc::clone(&wake),
            is_news: false,
            task: None,
        };
        let hand = hands.entry(id).or_insert(hand);
        let task = tokio::spawn(attend(app.clone(), id, wake));
        hand.task = Some(task.abort_handle());
    }
}

impl House {
    /// Whether a game is looked after.
    pub(super) fn has_in_hand(&self, id: TableId) -> bool {
        lock(&self.hands).contains_key(&id)
    }

    /// Takes note of what happened so far: it is looked at now.
    fn take_news(&self, id: TableId, wake: &Notify) {
        let mut hands = lock(&self.hands);
        if let Some(hand) = hands.get_mut(&id) {
            hand.is_news = false;
        }
        // Whether it had been woken does not matter any more.
        wake.notified().now_or_never().unwrap_or_default();
    }

    /// Lets go of a game, unless something happened.
    fn let_go(&self, id: TableId) -> bool {
        let mut hands = lock(&self.hands);
        if hands.get(&id).is_some_and(|hand| hand.is_news) {
            return false;
        }
        hands.remove(&id);
        true
    }
}

/// Lets go of a game even if looking after it panics: then it is found again later.
struct Held<'a>(&'a House, TableId);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        lock(&self.0.hands).remove(&self.1);
    }
}

/// Does what there is to do until there is nothing.
async fn attend(app: App, id: TableId, wake: Arc<Notify>) {
    let held = Held(&app.house, id);
    let mut plan = None;
    let mut refused_at = None;
    loop {
        app.house.take_news(id, &wake);
        let step = step(&app, id, &wake, &mut plan, &mut refused_at).await;
        if app.games.live().is_closing() {
            break;
        }
        match step {
            Step::Done => {}
            Step::Later => sleep(PAUSE).await,
            Step::Nothing if app.house.let_go(id) => {
                std::mem::forget(held);
                return;
            }
            Step::Nothing => {}
        }
    }
}

/// What became of a look at a game.
enum Step {
    /// Something was done, or happened: look again.
    Done,
    /// Nothing can be done now.
    Later,
    /// There is nothing to do.
    Nothing,
}

async fn step(
    app: &App,
    id: TableId,
    wake: &Notify,
    plan: &mut Option<Plan>,
    refused_at: &mut Option<u32>,
) -> Step {
    let game = match app.games.read(id, None).await {
        Ok(game) => game,
        Err(Failure::NotFound | Failure::Corrupt(_)) => return Step::Nothing,
        Err(_) => return Step::Later,
    };
    let is_bot = |player| app.house.bot(player).is_some();
    let Some((who, duty)) = duty::of(&game, is_bot) else {
        if game.ending().is_some() {
            app.house.note_lost(id, false);
        }
        return Step::Nothing;
    };
    // What was refused once is refused again until something changes.
    if *refused_at == Some(game.version()) {
        return Step::Nothing;
    }
    let Some(bot) = app.house.bot(who) else {
        return Step::Nothing;
    };
    match perform(app, id, &game, bot, duty, wake, plan).await {
        Ok(()) => Step::Done,
        Err(problem) if matches!(problem.kind, Kind::Unavailable | Kind::TooMuch) => Step::Later,
        Err(problem) => {
            tracing::debug!(table = %id, ?duty, ?problem, "a bot was refused");
            *refused_at = Some(game.version());
            Step::Done
        }
    }
}

async fn perform(
    app: &App,
    id: TableId,
    game: &Arc<Game>,
    bot: &Bot,
    duty: Duty,
    wake: &Notify,
    plan: &mut Option<Plan>,
) -> Result<(), Problem> {
    let asked = Asked::new(app, &bot.caller);
    match duty {
        Duty::Join => match join::by_id(&asked, id).await {
            // Whoever made it blocks the bot, or is barred: nobody should wait for it.
            Err(problem) if problem.kind == Kind::Forbidden => {
                commands::decline(&asked, id, Some(DeclineReason::Generic)).await
            }
            joined => joined,
        },
        Duty::DeclineRated => commands::decline(&asked, id, Some(DeclineReason::Casual)).await,
        Duty::GrantTakeback => offers::accept(&asked, id, Offer::Takeback).await,
        Duty::GrantPause => offers::accept(&asked, id, Offer::Pause).await,
        Duty::Resume => commands::resume(&asked, id).await,
        Duty::AnswerDraw(color) => match is_content(app, id, game, color).await? {
            true => offers::accept(&asked, id, Offer::Draw).await,
            false => offers::decline(&asked, id, Offer::Draw).await,
        },
        Duty::Move(_) => return play(app, id, game, bot, wake, plan).await,
    }
    .map(drop)
}

/// Whether a bot is content with a draw: it is not better.
async fn is_content(
    app: &App,
    id: TableId,
    game: &Arc<Game>,
    color: Color,
) -> Result<bool, Problem> {
    let engines = app.house.engines(&app.settings);
    let engines = engines.map_err(|_| Problem::unavailable())?;
    let value = think::judge(&engines, id, game, color).await;
    Ok(value.ok_or_else(Problem::unavailable)? < BETTER)
}

/// A move on its way: it outlives whatever happens that does not change the position.
struct Plan {
    ply: u32,
    board: Board,
    finding: JoinHandle<Option<Chosen>>,
    found: Option<Chosen>,
}

impl Plan {
    fn of(app: &App, id: TableId, game: &Arc<Game>, bot: &Bot) -> Result<Plan, Problem> {
        let engines = app.house.engines(&app.settings).map_err(|error| {
            tracing::error!(%error, "the engines' threads could not be started");
            Problem::unavailable()
        })?;
        let (app, own, level) = (app.clone(), Arc::clone(game), bot.level);
        Ok(Plan {
            ply: game.ply(),
            board: game.board().clone(),
            finding: tokio::spawn(think::choose(app, engines, id, own, level)),
            found: None,
        })
    }

    fn fits(&self, game: &Game) -> bool {
        self.ply == game.ply() && self.board.same_position(game.board())
    }
}

impl Drop for Plan {
    fn drop(&mut self) {
        self.finding.abort();
    }
}

/// Finds a move, takes its time and makes it; or stops when something happens.
async fn play(
    app: &App,
    id: TableId,
    game: &Arc<Game>,
    bot: &Bot,
    wake: &Notify,
    kept: &mut Option<Plan>,
) -> Result<(), Problem> {
    if kept.as_ref().is_none_or(|plan| !plan.fits(game)) {
        *kept = Some(Plan::of(app, id, game, bot)?);
    }
    let Some(plan) = kept else { return Ok(()) };
    if plan.found.is_none() {
        let found = tokio::select! {
            found = &mut plan.finding => found.ok().flatten(),
            () = wake.notified() => return Ok(()),
        };
        let Some(chosen) = found else {
            // The engines end, or failed: with nothing kept it is tried again.
            *kept = None;
            return Err(Problem::unavailable());
        };
        let lost = think::is_lost(&chosen.answer);
        if app.house.note_lost(id, lost) >= LOST_MOVES {
            *kept = None;
            let asked = Asked::new(app, &bot.caller);
            return commands::resign(&asked, id).await.map(drop);
        }
        plan.found = Some(chosen);
    }
    let Some(chosen) = &plan.found else {
        return Ok(());
    };
    tokio::select! {
        () = sleep_until(chosen.at.into()) => {}
        () = wake.notified() => return Ok(()),
    }
    let order = Order {
        text: &chosen.text,
        ply: Some(game.ply() + 1),
        version: Some(game.version()),
        offers_draw: false,
    };
    let made = moves::make(&Asked::new(app, &bot.caller), id, &order).await;
    if made.is_ok() {
        app.house.note_moved(chosen.took, chosen.hurried);
        *kept = None;
    }
    made.map(drop)
}

/// Says hello to a person, and thanks in the end. Whoever does not hear it misses nothing.
async fn greet(app: App, nudge: Nudge) {
    let id = nudge.table;
    let Ok(game) = app.games.read(id, None).await else {
        return;
    };
    let is_bot = |player: PlayerId| app.house.bot(player).is_some();
    let aborted = matches!(game.ending(), Some(Ending::Aborted { .. }));
    if is_between_bots(&game, is_bot) || aborted {
        return;
    }
    let seats = game.seats().iter().flatten();
    let bot = seats.filter_map(|player| app.house.bot(*player)).next();
    let text = if nudge.ended { FAREWELL } else { HELLO };
    if let Some(bot) = bot
        && let Err(problem) = room::say(&app, id, &bot.caller, text, Audience::Room).await
    {
        tracing::debug!(table = %id, ?problem, "a bot could not speak");
    }
}
