//! The running games as handlers want them: the live core, awaited, and
//! spoken to in the words of one set of rules.

use std::marker::PhantomData;
use std::sync::Arc;

use chess::Timestamp;
use chess::game::Game;
use chess::table::{Actor, PlayerId, State};
use chess::tables::{AnyTable, Hosted};
use live::{Failure, Live, Outcome, Reply, Seen, Submission, View, With};
use store::{Cursor, ListQuery, TableId};
use tokio::sync::oneshot;

use crate::mailbox::Mailbox;

/// The running games of one set of rules. A table of any other is one that
/// does not exist here.
pub struct Games<T = Game> {
    live: Live<AnyTable>,
    rules: PhantomData<fn() -> T>,
}

/// A game of a list.
pub struct Listed<T = Game> {
    /// Where in the list.
    pub place: Cursor,
    /// The game; `None` if it cannot be shown.
    pub game: Option<Arc<T>>,
    /// The code by which a friend joins, as long as it leads here.
    pub join_code: Option<String>,
}

impl<T> Clone for Games<T> {
    fn clone(&self) -> Games<T> {
        Games::new(self.live.clone())
    }
}

impl<T> Games<T> {
    /// Wraps the live core.
    pub fn new(live: Live<AnyTable>) -> Games<T> {
        Games {
            live,
            rules: PhantomData,
        }
    }

    /// The live core itself: for timers, folding, metrics.
    pub fn live(&self) -> &Live<AnyTable> {
        &self.live
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

impl<T: Hosted> Games<T> {
    /// Submits a command received at `received`.
    ///
    /// # Errors
    /// [`Failure`]: no such game, too busy, or the store cannot say.
    pub async fn submit(
        &self,
        id: TableId,
        who: Actor,
        command: T::Command,
        received: Timestamp,
        with: With,
    ) -> Result<Outcome<T>, Failure> {
        let (reply, answer) = oneshot::channel();
        let submission = Submission {
            who,
            command: T::asked(command),
            received,
            with,
        };
        let tell = move |result| drop(reply.send(result));
        let tell: Reply<Outcome<AnyTable>> = match Mailbox::of_this_thread() {
            Some(mailbox) => Box::new(move |result| mailbox.put(Box::new(move || tell(result)))),
            None => Box::new(tell),
        };
        self.live.submit(id, submission, tell);
        answer.await.unwrap_or_else(|_| Err(lost()))?.of()
    }

    /// Makes a game durable and takes it in.
    ///
    /// # Errors
    /// [`Failure::Taken`] if the id is: choose another. Else as [`Games::submit`].
    pub async fn create(
        &self,
        id: TableId,
        game: T,
        join_code: Option<&str>,
        with: With,
    ) -> Result<Arc<T>, Failure> {
        let (reply, answer) = oneshot::channel();
        let reply = Box::new(move |result| drop(reply.send(result)));
        self.live.create(id, game.into(), join_code, with, reply);
        of(&*answer.await.unwrap_or_else(|_| Err(lost()))?)
    }

    /// A page of a list, newest first: from what is stored and what is in
    /// memory, without bringing anything in. What is damaged has a place and no
    /// game: it must not take the list with it.
    ///
    /// # Errors
    /// The store cannot say.
    pub async fn list(&self, query: ListQuery) -> Result<Vec<Listed<T>>, store::Error> {
        let found = self.live.list(query).await?;
        let listed = found.into_iter().map(|found| Listed {
            place: found.place,
            game: found.table.and_then(|table| T::of(&table).cloned()),
            join_code: found.join_code,
        });
        Ok(listed.collect())
    }

    /// Reads a game; a player reading their own has been seen.
    ///
    /// # Errors
    /// As [`Games::submit`].
    pub async fn read(&self, id: TableId, viewer: Option<PlayerId>) -> Result<Arc<T>, Failure> {
        self.view(id, viewer).await.map(|view| view.table)
    }

    /// The same, and whether the store could not say that nothing is newer.
    ///
    /// # Errors
    /// As [`Games::submit`].
    pub async fn view(&self, id: TableId, viewer: Option<PlayerId>) -> Result<View<T>, Failure> {
        let (reply, answer) = oneshot::channel();
        self.live
            .read(id, viewer, Box::new(move |result| drop(reply.send(result))));
        seen(answer).await
    }

    /// Looks at a game for somebody who has seen that version of it and is not told of
    /// the next: a replica may answer who does not play there, and whoever it is while
    /// the store cannot.
    ///
    /// # Errors
    /// As [`Games::submit`].
    pub async fn glance(
        &self,
        id: TableId,
        viewer: Option<PlayerId>,
        seen: u32,
    ) -> Result<View<T>, Failure> {
        let glanced = self.live.glance(id, seen).await;
        if let Some(table) = glanced.and_then(|table| T::of(&table).cloned())
            && !may_be_own(&*table, viewer)
        {
            let is_stale = !self.live.is_current() || self.live.refuses_since().is_some();
            return Ok(View { table, is_stale });
        }
        let view = self.view(id, viewer).await;
        let at_least = match &view {
            Ok(view) if view.is_stale => seen.max(view.table.version() + 1),
            Err(Failure::Unavailable(_)) => seen,
            _ => return view,
        };
        let known = self.live.last_known(id, at_least).await;
        match known.and_then(|table| T::of(&table).cloned()) {
            Some(table) => {
                let is_stale = true;
                Ok(View { table, is_stale })
            }
            None => view,
        }
    }

    /// Reads a game as the store has it now, whichever node changed it; nobody has
    /// been seen by it.
    ///
    /// # Errors
    /// As [`Games::submit`]; also if the store cannot say that nothing is newer.
    pub async fn newest(&self, id: TableId) -> Result<Arc<T>, Failure> {
        let (reply, answer) = oneshot::channel();
        self.live
            .read_newest(id, Box::new(move |result| drop(reply.send(result))));
        let View { table, is_stale } = seen(answer).await?;
        match is_stale {
            false => Ok(table),
            true => Err(Failure::Unavailable("the store cannot be asked".into())),
        }
    }
}

async fn seen<T: Hosted>(
    answer: oneshot::Receiver<Result<View<AnyTable>, Failure>>,
) -> Result<View<T>, Failure> {
    let view = answer.await.unwrap_or_else(|_| Err(lost()))?;
    Ok(View {
        table: of(&view.table)?,
        is_stale: view.is_stale,
    })
}

/// Whether somebody may play there: who looks at one that waits may have joined it by now.
fn may_be_own(table: &impl Hosted, viewer: Option<PlayerId>) -> bool {
    let plays = |viewer| table.state() == State::Waiting || table.players().contains(&Some(viewer));
    viewer.is_some_and(plays)
}

fn of<T: Hosted>(table: &AnyTable) -> Result<Arc<T>, Failure> {
    T::of(table).cloned().ok_or(Failure::NotFound)
}

fn lost() -> Failure {
    Failure::Unavailable("the server is stopping".into())
}
