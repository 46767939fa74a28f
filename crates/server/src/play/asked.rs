//! A player's request: what every command starts from.

use std::sync::Arc;

use chess::Timestamp;
use chess::game::{Command, Game, Refusal};
use chess::table::State;
use live::Outcome;
use store::TableId;
use tokio::sync::oneshot;

use super::App;
use super::correspondence::conditional;
use super::keys::{self, FirstAnswer, Key, Keyed};
use super::look::Sight;
use super::sight::{is_delayed, may_see};
use crate::auth::{Caller, Scope};
use crate::limits::rates::Rate;
use crate::problem::Problem;

/// Taking up an offer to play, or declining it, needs one of these.
pub(super) const TO_ANSWER: &[Scope] = &[Scope::Play, Scope::Challenge];

/// Who asks, when all of it was here, and under which key.
pub(crate) struct Asked<'a> {
    pub(crate) app: &'a App,
    pub(crate) caller: &'a Caller,
    pub(crate) received: Timestamp,
    pub(crate) key: Option<Key>,
    /// Whether too many are refused. Not where a refusal would cost a client its game:
    /// there the door holds up whoever asks too often.
    pub(crate) is_limited: bool,
}

impl<'a> Asked<'a> {
    /// Just now, without a key.
    pub(crate) fn new(app: &'a App, caller: &'a Caller) -> Asked<'a> {
        Asked {
            app,
            caller,
            received: app.now(),
            key: None,
            is_limited: true,
        }
    }

    /// Insists that the token has one of the scopes, and counts the request.
    pub(super) fn may(&self, scopes: &[Scope], rate: Rate) -> Result<(), Problem> {
        self.caller.require_any(scopes)?;
        match self.is_limited {
            true => self.app.rates.check(rate, self.caller.number()),
            false => Ok(()),
        }
    }

    /// Looks at the request's key.
    pub(super) async fn keyed(&self) -> Result<Keyed, Problem> {
        keys::look_up(self.app, self.caller.number(), self.key.as_ref()).await
    }

    /// Carries out a player's command, once per key.
    pub(super) async fn play(&self, id: TableId, command: Command) -> Result<Sight, Problem> {
        self.may(&[Scope::Play], Rate::Command)?;
        self.carry_out(id, command).await
    }

    /// The same for one that was counted.
    pub(super) async fn carry_out(&self, id: TableId, command: Command) -> Result<Sight, Problem> {
        let keyed = self.keyed().await?;
        if let Keyed::Again(first) = keyed {
            return self.again(&first).await;
        }
        let game = settled(self.submit(id, command, &keyed).await?, self.caller)?;
        Ok(self.answer(id, &keyed, &game))
    }

    /// Brings a command to the table. If another node was first to do so for the same
    /// request, it was so already.
    pub(super) async fn submit(
        &self,
        id: TableId,
        command: Command,
        keyed: &Keyed,
    ) -> Result<Outcome<Game>, Problem> {
        let (who, remember) = (self.caller.actor(), keyed.remember());
        let games = &self.app.games;
        let submitted = games.submit(id, who, command, self.received, remember.into());
        let outcome = submitted.await;
        if let Ok(Outcome::Changed { after, .. }) = &outcome {
            conditional::after_change(self.app, id, after).await;
            return Ok(outcome?);
        }
        match keys::look_again(self.app, keyed).await? {
            Some(first) => Ok(Outcome::Already {
                version: first.version,
                table: self.then(&first).await?,
            }),
            None => Ok(outcome?),
        }
    }

    /// What to say instead of a problem, if another node has answered the request.
    pub(super) async fn unless_answered(
        &self,
        keyed: &Keyed,
        problem: Problem,
    ) -> Result<Sight, Problem> {
        match keys::look_again(self.app, keyed).await? {
            Some(first) => self.again(&first).await,
            None => Err(problem),
        }
    }

    /// The game after a command: under a key as of its last change, as the
    /// answer will be when it is asked for again.
    pub(super) fn answer(&self, id: TableId, keyed: &Keyed, game: &Arc<Game>) -> Sight {
        let sight = Sight::whole(self.app, id, game, Some(self.caller.number()));
        match keyed {
            Keyed::None => sight,
            _ => sight.of_its_time(),
        }
    }

    /// The first answer again: the game as it was then.
    pub(super) async fn again(&self, first: &FirstAnswer) -> Result<Sight, Problem> {
        let then = self.then(first).await?;
        let viewer = Some(self.caller.number());
        Ok(Sight::whole(self.app, first.table, &then, viewer).of_its_time())
    }

    /// The game as it was then. What is in memory may be behind what another node did.
    pub(super) async fn then(&self, first: &FirstAnswer) -> Result<Arc<Game>, Problem> {
        let viewer = Some(self.caller.number());
        let now = self.app.games.read(first.table, viewer).await?;
        let then = match now.as_of(first.version) {
            Some(then) => Some(then),
            None => stored(self.app, first.table).await?.as_of(first.version),
        };
        then.map(Arc::new).ok_or_else(Problem::unavailable)
    }
}

/// The game as the store has it.
async fn stored(app: &App, id: TableId) -> Result<Game, Problem> {
    let (tell, told) = oneshot::channel();
    app.store
        .load(id, Box::new(move |result| drop(tell.send(result))));
    let stored = told.await.map_err(|_| Problem::unavailable())??;
    let game = stored.and_then(|stored| Game::decode(&stored.history).ok());
    game.ok_or_else(Problem::unavailable)
}

/// The game after a command, or why there is none.
pub(super) fn settled(outcome: Outcome<Game>, caller: &Caller) -> Result<Arc<Game>, Problem> {
    match outcome {
        Outcome::Changed { after, .. } => Ok(after),
        Outcome::Already { table, .. } => Ok(table),
        Outcome::Refused { why, table } => Err(refused(why, &table, caller)),
    }
}

/// A refusal, as far as the caller may know. An outsider's must not tell that a
/// private game exists.
pub(super) fn refused(why: Refusal, game: &Game, caller: &Caller) -> Problem {
    if !may_see(game, Some(caller)) {
        return Problem::game_not_found();
    }
    let ends_with_it = matches!(why, Refusal::IllegalMove(_) | Refusal::ClockExpired);
    let problem = Problem::from(as_told_to(caller, game, why));
    match game.ending() {
        Some(ending) if ends_with_it => problem
            .with("game_state", game.phase().state().name())
            .with("result", ending.result())
            .with("reason", ending.reason()),
        _ => problem,
    }
}

/// A refusal does not tell a spectator that a game with a delay is over.
fn as_told_to(caller: &Caller, game: &Game, why: Refusal) -> Refusal {
    match why {
        Refusal::GameNotWaiting { .. } if is_delayed(game, Some(caller.number())) => {
            Refusal::GameNotWaiting {
                state: State::Active,
            }
        }
        why => why,
    }
}
