//! The running games as handlers want them: the live core, awaited.

use std::sync::Arc;

use chess::Timestamp;
use chess::game::{Command, Game};
use chess::table::{Actor, PlayerId};
use live::{Failure, Live, Outcome, Seen, Submission};
use store::{Remembered, TableId};
use tokio::sync::oneshot;

/// The running games.
#[derive(Clone)]
pub struct Games {
    live: Live<Game>,
}

impl Games {
    /// Wraps the live core.
    pub fn new(live: Live<Game>) -> Games {
        Games { live }
    }

    /// The live core itself: for timers, folding, metrics.
    pub fn live(&self) -> &Live<Game> {
        &self.live
    }

    /// Submits a command received at `received`.
    ///
    /// # Errors
    /// [`Failure`]: no such game, too busy, or the store cannot say.
    pub async fn submit(
        &self,
        id: TableId,
        who: Actor,
        command: Command,
        received: Timestamp,
        remember: Option<Remembered>,
    ) -> Result<Outcome<Game>, Failure> {
        let (reply, answer) = oneshot::channel();
        let submission = Submission {
            who,
            command,
            received,
            remember,
        };
        self.live.submit(
            id,
            submission,
            Box::new(move |result| drop(reply.send(result))),
        );
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Makes a game durable and takes it in.
    ///
    /// # Errors
    /// [`Failure::Taken`] if the id is: choose another. Else as [`Games::submit`].
    pub async fn create(
        &self,
        id: TableId,
        game: Game,
        join_code: Option<&str>,
        remember: Option<Remembered>,
    ) -> Result<Arc<Game>, Failure> {
        let (reply, answer) = oneshot::channel();
        let reply = Box::new(move |result| drop(reply.send(result)));
        self.live.create(id, game, join_code, remember, reply);
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// Reads a game; a player reading their own has been seen.
    ///
    /// # Errors
    /// As [`Games::submit`].
    pub async fn read(&self, id: TableId, viewer: Option<PlayerId>) -> Result<Arc<Game>, Failure> {
        let (reply, answer) = oneshot::channel();
        self.live
            .read(id, viewer, Box::new(move |result| drop(reply.send(result))));
        answer.await.unwrap_or_else(|_| Err(lost()))
    }

    /// The code by which a friend joins a waiting game.
    pub fn join_code(&self, id: TableId) -> Option<String> {
        self.live.join_code(id)
    }

    /// What is known of a player's presence at a game.
    pub fn seen(&self, id: TableId, player: PlayerId) -> Option<Seen> {
        self.live.seen(id, player)
    }

    /// A player's last stream of a game was closed now.
    pub fn left(&self, id: TableId, player: PlayerId) {
        self.live.left(id, player);
    }
}

fn lost() -> Failure {
    Failure::Unavailable("the server is stopping".into())
}
