//! Which games of the bots want something.

use std::time::{Duration, Instant};

use chess::Millis;
use chess::game::Game;
use chess::table::State;
use store::{Cursor, ListQuery};
use tokio::sync::mpsc::Receiver;
use tokio::time::sleep_until;

use super::attend::{heard, look_after};
use super::{Bot, duty};
use crate::play::App;
use crate::problem::Problem;
use crate::rooms::residents::Nudge;

/// How often the store is asked for what news may have missed: rarely by a node that
/// makes all changes itself.
const ALONE: Duration = Duration::from_secs(30);
const AMONG_OTHERS: Duration = Duration::from_secs(3);
/// Two looks are at least so many times as far apart as one took.
const REST: u32 = 20;
/// After that time a game is looked after by whoever has a share in it: a bot does not
/// take that long, so whoever should have heard did not.
const OVERDUE: Millis = Millis::from_secs(20);
/// Games in one question.
const PAGE: u32 = 100;
/// News that are taken at a time.
const IN_A_ROW: usize = 256;

/// Looks after the bots' games for ever.
pub async fn run(app: App) {
    let mut news = app.rooms.residents().take_news();
    let every = match app.store.is_shared() {
        true => AMONG_OTHERS,
        false => ALONE,
    };
    let mut is_first = true;
    loop {
        let begun = Instant::now();
        let is_done = match round(&app, is_first).await {
            Ok(()) => true,
            Err(problem) => {
                tracing::warn!(?problem, "the bots' games could not be looked for");
                false
            }
        };
        is_first &= !is_done;
        let rest = match is_done {
            true => every.max(begun.elapsed() * REST),
            false => Duration::from_secs(1),
        };
        listen(&app, &mut news, Instant::now() + rest).await;
    }
}

/// Takes news until it is time for the next look.
async fn listen(app: &App, news: &mut Option<Receiver<Nudge>>, until: Instant) {
    let Some(news) = news else {
        // Started again after it failed: from now on the store is asked for everything.
        return sleep_until(until.into()).await;
    };
    let mut some = Vec::with_capacity(IN_A_ROW);
    loop {
        tokio::select! {
            count = news.recv_many(&mut some, IN_A_ROW) => {
                if count == 0 {
                    return;
                }
                for nudge in some.drain(..) {
                    heard(app, nudge);
                }
                if app.rooms.residents().has_lost() {
                    return;
                }
            }
            () = sleep_until(until.into()) => return,
        }
    }
}

/// One look at all their games that run or wait.
///
/// # Errors
/// The store cannot say.
pub(crate) async fn round(app: &App, is_first: bool) -> Result<(), Problem> {
    let live = app.games.live();
    if live.is_closing() || live.refuses_since().is_some() || !live.is_current() {
        return Ok(());
    }
    let mut running = 0;
    for bot in app.house.bots() {
        for state in [State::Active, State::Waiting, State::Paused] {
            let mut after = None;
            loop {
                let (found, next) = page(app, bot, state, after, is_first).await?;
                running += if state == State::Active { found } else { 0 };
                match next {
                    Some(next) => after = Some(next),
                    None => break,
                }
            }
        }
    }
    app.house.note_running(running);
    Ok(())
}

/// One page of them: how many are on it, and where the next begins, if there is one.
async fn page(
    app: &App,
    bot: &Bot,
    state: State,
    after: Option<Cursor>,
    is_first: bool,
) -> Result<(usize, Option<Cursor>), Problem> {
    let who = Some(bot.number());
    let query = ListQuery {
        kind: Some(Game::KIND),
        state: Some(state),
        player: who,
        viewer: who,
        is_addressed: (state == State::Waiting).then_some(true),
        after,
        limit: PAGE,
        ..ListQuery::default()
    };
    let found = app.games.list(query).await?;
    let many = found.len();
    let is_all = (many as u32) < PAGE;
    let next = found.last().map(|last| last.place).filter(|_| !is_all);
    let is_bot = |player| app.house.bot(player).is_some();
    for listed in found {
        let Some(game) = listed.game else { continue };
        let id = listed.place.table;
        let wants = duty::of(&game, is_bot).is_some() && !app.house.has_in_hand(id);
        if wants && is_ours(app, id.number(), &game, is_first) {
            look_after(app, id, true);
        }
    }
    Ok((many, next))
}

/// Whether a game that nobody here has in hand is this node's to look after: of several
/// nodes whichever made the last change does, unless it is gone or missed it.
fn is_ours(app: &App, share: u64, game: &Game, is_first: bool) -> bool {
    let live = app.games.live();
    if !app.store.is_shared() {
        return true;
    }
    let (last, lost) = (game.last_at(), live.node_lost_at());
    let is_orphan = last <= lost || app.now().since(last) >= OVERDUE;
    (is_first || is_orphan) && live.has_share(share)
}
