//! Which move to make, and when.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bots::pace::{self, Clock, Moment};
use bots::pool::{NoAnswer, Question, Urgency, Wish};
use bots::{Answer, By, Level, Limits, Score};
use chess::clock::TimeControl;
use chess::game::Game;
use chess::rules::Square;
use chess::{Color, Millis, Timestamp};
use store::TableId;
use tokio::time::{sleep, timeout};

use super::duty::is_between_bots;
use super::engines::Engines;
use crate::play::App;

/// A move is calculated for so long at most.
const MOST: Duration = Duration::from_secs(5);
/// Without a clock an answer may take so long, waiting included.
const PATIENCE: Duration = Duration::from_secs(60);
/// How much is looked at to say whether a position is good.
const JUDGED: Limits = Limits {
    nodes: 20_000,
    depth: 64,
};
/// While too many ask, asking is put off.
const LATER: Duration = Duration::from_millis(500);

/// A move that was found.
pub(super) struct Chosen {
    pub(super) answer: Answer,
    /// In UCI.
    pub(super) text: String,
    /// How long finding it took.
    pub(super) took: Duration,
    /// Whether it could not wait for its turn.
    pub(super) hurried: bool,
    /// When to make it, so that it looks natural.
    pub(super) at: Instant,
}

/// Finds a move for the side that is to move. `None`: there is none, or the engines end.
pub(super) async fn choose(
    app: App,
    engines: Arc<Engines>,
    id: TableId,
    game: Arc<Game>,
    level: Level,
) -> Option<Chosen> {
    let (begun, clock) = (Instant::now(), clock(&game, game.turn(), app.now()));
    let situation = engines.situation(&game).await?;
    let last = situation.moves().last().map(|m| m.to());
    let seed = seed(id, &game);
    let question = Question {
        game: id.number(),
        urgency: Urgency::Live,
        situation,
        wish: Wish::Level(level),
        time: pace::budget(clock, MOST),
        within: clock.map_or(PATIENCE, |clock| clock.left / 3),
        seed,
    };
    let (answer, hurried) = answered(&engines, question, level, clock).await?;
    let is_bot = |player| app.house.bot(player).is_some();
    let thinks = app.settings.bot_thinking && !is_between_bots(&game, is_bot);
    let at = match thinks {
        true => begun + pace::thinking(clock, moment(&game, &answer, last), seed),
        false => begun,
    };
    Some(Chosen {
        text: game.board().uci_text(answer.m),
        answer,
        took: begun.elapsed(),
        hurried,
        at,
    })
}

/// The answer, and whether it could not wait for its turn: with half of what is left on the
/// clock gone, any move is better than none.
async fn answered(
    engines: &Engines,
    question: Question,
    level: Level,
    clock: Option<Clock>,
) -> Option<(Answer, bool)> {
    let (situation, seed) = (question.situation.clone(), question.seed);
    let asking = async {
        loop {
            match engines.ask(question.clone()).await {
                Err(NoAnswer::Full) => sleep(LATER).await,
                answer => return answer.ok(),
            }
        }
    };
    let Some(clock) = clock else {
        return Some((asking.await?, false));
    };
    match timeout(clock.left / 2, asking).await {
        Ok(answer) => Some((answer?, false)),
        Err(_) => Some((engines.hurry(situation, level, seed).await?, true)),
    }
}

/// How good a position is for one side.
pub(super) async fn judge(
    engines: &Engines,
    id: TableId,
    game: &Arc<Game>,
    color: Color,
) -> Option<i32> {
    let situation = engines.situation(game).await?;
    let question = Question {
        game: id.number(),
        urgency: Urgency::Live,
        situation,
        wish: Wish::BuiltIn(JUDGED),
        time: MOST / 5,
        within: MOST,
        seed: seed(id, game),
    };
    let value = engines.ask(question).await.ok()?.score.value();
    Some(if game.turn() == color { value } else { -value })
}

/// The clock of one side, where it counts in seconds.
fn clock(game: &Game, color: Color, now: Timestamp) -> Option<Clock> {
    let control = &game.terms().control;
    if !control.is_real_time() {
        return None;
    }
    let increment = match control {
        TimeControl::Fischer { increment, .. } => *increment,
        TimeControl::Delay { delay, .. } => *delay,
        TimeControl::Stages(stages) => {
            let stage = stages.get(usize::from(game.stage(color)));
            stage.map_or(Millis::ZERO, |stage| stage.increment)
        }
        TimeControl::Unlimited | TimeControl::Correspondence { .. } => Millis::ZERO,
    };
    let left = *game.clocks(now)?.get(color);
    Some(Clock {
        left: duration(left),
        increment: duration(increment),
    })
}

fn duration(millis: Millis) -> Duration {
    Duration::from_millis(u64::from(millis.0))
}

fn moment(game: &Game, answer: &Answer, last: Option<Square>) -> Moment {
    let recaptures = answer.m.is_capture() && last == Some(answer.m.to());
    Moment {
        ply: game.ply() as usize,
        choices: game.board().legal_moves().len(),
        plain: recaptures || answer.by == By::Book,
    }
}

/// Chance that follows from the game and where it is: the same after a restart.
fn seed(id: TableId, game: &Game) -> u64 {
    id.number() ^ (u64::from(game.version()) << 48)
}

/// Whether a bot that found this is lost.
pub(super) fn is_lost(answer: &Answer) -> bool {
    /// A queen and a little, in hundredths of a pawn.
    const LOST: i32 = -1_000;
    answer.by != By::Book
        && matches!(
            answer.score,
            Score::Mate(..=-1) | Score::Centipawns(..=LOST)
        )
}
