//! An account's own stream, and several boards on one socket.

use std::collections::VecDeque;

use chess::table::PlayerId;
use store::TableId;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::mpsc;

use super::feed;
use super::session::{Known, Out, Position, Session};
use super::socket::Source;
use crate::auth::Caller;
use crate::fanout::told::{News, Told};
use crate::play::App;
use crate::problem::Problem;

/// Messages of all boards that wait for the socket; each board's lane holds more.
const QUEUE: usize = 16;

/// What one socket carries: what concerns the account, and any number of boards.
pub(crate) struct Own {
    app: App,
    caller: Option<Caller>,
    account: Option<Following>,
    boards: mpsc::Receiver<Out>,
    pending: VecDeque<Out>,
    is_player: bool,
}

/// Follows an account, until dropped.
struct Following {
    app: App,
    player: PlayerId,
    lane: Receiver<News>,
}

impl Drop for Following {
    fn drop(&mut self) {
        self.app.rooms.hub().unfollow(self.player);
    }
}

impl Own {
    /// Opens the stream.
    ///
    /// # Errors
    /// 404 if one of the games is not for the caller.
    pub(crate) async fn open(
        app: App,
        caller: Option<Caller>,
        games: Vec<TableId>,
    ) -> Result<Own, Problem> {
        let account = caller.as_ref().map(|caller| Following {
            player: caller.number(),
            lane: app.rooms.hub().follow(caller.number()),
            app: app.clone(),
        });
        let mut pending = VecDeque::new();
        if let Some(following) = &account {
            let texts = feed::pending(&app, following.player).await?;
            pending.extend(
                texts
                    .into_iter()
                    .map(|text| Out::Text(text, Position::default())),
            );
        }
        let mut sessions = Vec::with_capacity(games.len());
        for id in games {
            sessions.push(
                Session::open(app.clone(), id, caller.clone(), Known::default(), None).await?,
            );
        }
        let is_player = account.is_some() || sessions.iter().any(Session::is_player);
        let (sender, boards) = mpsc::channel(QUEUE);
        for session in sessions {
            app.rooms
                .spawn(session.is_player(), forward(session, sender.clone()));
        }
        Ok(Own {
            app,
            caller,
            account,
            boards,
            pending,
            is_player,
        })
    }
}

/// Carries one board's messages to the socket.
async fn forward(mut session: Session, socket: mpsc::Sender<Out>) {
    loop {
        let out = tokio::select! {
            out = session.next() => out,
            () = socket.closed() => return,
        };
        // The socket as a whole is asked whether it is still there.
        if !matches!(out, Out::Ping) && socket.send(out).await.is_err() {
            return;
        }
    }
}

impl Source for Own {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    fn table(&self) -> Option<TableId> {
        None
    }

    fn is_player(&self) -> bool {
        self.is_player
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            let account = &mut self.account;
            let news = async {
                match account {
                    Some(following) => following.lane.recv().await,
                    None => std::future::pending().await,
                }
            };
            let told = tokio::select! {
                told = news => told,
                Some(out) = self.boards.recv() => return out,
            };
            match told {
                Ok(news) => match &*news {
                    Told::Notice(text) => {
                        return Out::Text(text.clone(), Position::default());
                    }
                    Told::Farewell => return Out::Close(1012, "the server restarts"),
                    _ => {}
                },
                // What was missed is what now waits: a socket that comes
                // again is told all of it.
                Err(RecvError::Lagged(_)) => return Out::Close(1013, "too slow"),
                Err(RecvError::Closed) => return Out::Close(1012, "the server restarts"),
            }
        }
    }
}
