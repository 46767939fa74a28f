//! Who plays in a match.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use chess::Color;
use chess::rules::Move;

use crate::pace::{self, Clock};
use crate::pool::{Pool, Question, Urgency, Wish};
use crate::situation::Situation;

/// A place in a game that begins.
#[derive(Clone, Copy, Debug)]
pub struct Seat<'a> {
    /// Which game of the match.
    pub game: u64,
    /// The player's colour.
    pub color: Color,
    /// Where it begins.
    pub opening: &'a Situation,
    /// The clock, if the match has one.
    pub clock: Option<Clock>,
}

/// What a player is asked.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Which game of the match.
    pub game: u64,
    /// The position.
    pub situation: &'a Situation,
    /// The player's clock and the opponent's, if the match has clocks.
    pub clocks: Option<[Clock; 2]>,
    /// Chance.
    pub seed: u64,
}

/// What a player does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// It moves. Whether that is legal is checked by the match.
    Move(Move),
    /// The game has ended where the player plays it: it has resigned, or its clock fell there.
    Over {
        /// Who won.
        winner: Option<Color>,
        /// Why.
        reason: String,
    },
}

/// A move that is on its way; or why there is none, which loses the game.
pub type Reply<'a> = Pin<Box<dyn Future<Output = Result<Choice, String>> + Send + 'a>>;

/// Something to wait for; or why it cannot be.
pub type Ready<'a> = Pin<Box<dyn Future<Output = Result<(), String>> + Send + 'a>>;

/// Somebody who plays.
pub trait Player: Send + Sync {
    /// The name in the records.
    fn name(&self) -> String;

    /// A game begins. No clock runs yet.
    fn sit<'a>(&'a self, _seat: Seat<'a>) -> Ready<'a> {
        Box::pin(async { Ok(()) })
    }

    /// Its turn.
    fn play<'a>(&'a self, turn: Turn<'a>) -> Reply<'a>;

    /// A game is over, as it stands there.
    fn leave<'a>(&'a self, _game: u64, _at: &'a Situation) -> Ready<'a> {
        Box::pin(async { Ok(()) })
    }
}

/// A player that asks a pool: a level, or the built-in engine within limits.
pub struct Pooled {
    /// The name in the records.
    pub name: String,
    /// Who answers.
    pub pool: Arc<Pool>,
    /// How it plays.
    pub wish: Wish,
    /// How long it may calculate without a clock.
    pub time: Duration,
}

impl Player for Pooled {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn play<'a>(&'a self, turn: Turn<'a>) -> Reply<'a> {
        Box::pin(async move {
            let clock = turn.clocks.map(|[own, _]| own);
            let question = Question {
                game: turn.game,
                urgency: Urgency::Live,
                situation: turn.situation.clone(),
                wish: self.wish,
                time: pace::budget(clock, self.time),
                within: clock.map_or(Duration::MAX, |clock| clock.left),
                seed: turn.seed,
            };
            let answer = self.pool.ask(question).await;
            let answer = answer.map_err(|why| why.to_string())?;
            Ok(Choice::Move(answer.m))
        })
    }
}
