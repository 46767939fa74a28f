//! An account's own stream, and several boards on one socket.

use std::collections::VecDeque;

use axum::extract::ws::Utf8Bytes;
use chess::table::PlayerId;
use store::{IdMap, TableId};
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{mpsc, watch};

use super::subscriber::{Known, Subscriber};
use super::{feed, said};
use crate::auth::Caller;
use crate::play::App;
use crate::problem::Problem;
use crate::rooms::{News, What};
use crate::stream::{End, Out, Pace, Position, Reply, Source};

/// Messages of all boards that wait for the socket; each board's lane holds more.
const QUEUE: usize = 16;

/// What one socket carries: what concerns the account, and any number of boards.
pub(super) struct Own {
    app: App,
    caller: Option<Caller>,
    account: Option<Following>,
    boards: mpsc::Receiver<Out>,
    pending: VecDeque<Out>,
    /// What has been taken from the lane and is not told yet.
    news: Option<News>,
    /// How far the account was told of each game: news may come after a look at what
    /// is newer, or not at all.
    told: IdMap<TableId, Told>,
    /// Whether whom the account follows, and what it is to know, must be read again.
    must_look: bool,
    /// The last notice that was told.
    notice: u64,
    /// The last notification that was told, or that there was before.
    notification: u64,
    is_player: bool,
}

/// How far an account was told of a game.
#[derive(Clone, Copy)]
struct Told {
    version: u32,
    /// Of that version, too, all there is to say; not only how it stands.
    is_whole: bool,
}

/// Games of which it is known what was told: beyond it, some may be told twice.
const TOLD_MAX: usize = 1_000;

/// Notifications that are told at once: who is told so many has looked at none.
const TOLD_AT_ONCE: u32 = 100;

/// Follows an account, until dropped.
struct Following {
    app: App,
    player: PlayerId,
    lane: Receiver<News>,
    /// Changes when something of the account may have.
    changes: Option<watch::Receiver<()>>,
}

impl Following {
    fn new(app: &App, player: PlayerId) -> Following {
        app.rooms.hears_of_follows(player);
        Following {
            player,
            lane: app.rooms.follow(player),
            changes: app.rooms.places().changes(player),
            app: app.clone(),
        }
    }

    /// The next news, or nothing if the account has changed. May be interrupted at any
    /// time.
    async fn next(&mut self) -> Result<Option<News>, RecvError> {
        let changes = &mut self.changes;
        let changed = async {
            if let Some(changes) = changes
                && changes.changed().await.is_ok()
            {
                return;
            }
            std::future::pending().await
        };
        tokio::select! {
            told = self.lane.recv() => told.map(Some),
            () = changed => Ok(None),
        }
    }
}

impl Drop for Following {
    fn drop(&mut self) {
        self.app.rooms.hears_no_more(self.player);
        self.app.rooms.unfollow(self.player);
    }
}

impl Own {
    /// Opens the stream.
    ///
    /// # Errors
    /// 404 if one of the games is not for the caller.
    pub(super) async fn open(
        app: App,
        caller: Option<Caller>,
        games: Vec<TableId>,
    ) -> Result<Own, Problem> {
        let account = caller
            .as_ref()
            .map(|caller| Following::new(&app, caller.number()));
        let mut pending = VecDeque::new();
        let mut told = IdMap::default();
        if let Some(following) = &account {
            let waiting = feed::pending(&app, following.player).await?;
            for (id, version, text) in waiting {
                let is_whole = false;
                told.insert(id, Told { version, is_whole });
                pending.extend(text.map(out));
            }
        }
        let notification = match &account {
            Some(following) => app.store.last_streamed(following.player).await?,
            None => 0,
        };
        let mut subscribers = Vec::with_capacity(games.len());
        for id in games {
            subscribers.push(
                Subscriber::open(app.clone(), id, caller.clone(), Known::default(), None).await?,
            );
        }
        let is_player = account.is_some() || subscribers.iter().any(Subscriber::is_player);
        let (sender, boards) = mpsc::channel(QUEUE);
        for subscriber in subscribers {
            app.rooms
                .spawn(subscriber.thread(), forward(subscriber, sender.clone()));
        }
        let mut own = Own {
            app,
            caller,
            account,
            boards,
            pending,
            news: None,
            told,
            must_look: false,
            notice: 0,
            notification,
            is_player,
        };
        own.look_again().await;
        Ok(own)
    }
}

/// Carries one board's messages to the socket.
async fn forward(mut subscriber: Subscriber, socket: mpsc::Sender<Out>) {
    loop {
        let out = tokio::select! {
            out = subscriber.next() => out,
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

    fn listens(&self) -> bool {
        true
    }

    async fn hear(&self, text: &str, pace: &mut Pace, in_hand: usize) -> Result<Reply, End> {
        said::answer(self, text, pace, in_hand).await
    }

    async fn next(&mut self) -> Out {
        loop {
            if let Some(out) = self.pending.pop_front() {
                return out;
            }
            if let Some(text) = self.tell_move() {
                match text {
                    Some(text) => return out(text),
                    None => continue,
                }
            }
            // Being interrupted must lose nothing.
            if let Some(news) = self.news.clone() {
                let (told, outs) = Box::pin(self.tell(&news)).await;
                self.news = None;
                if let Some((id, version)) = told {
                    self.note_told(id, version);
                }
                self.pending.extend(outs);
                continue;
            }
            if self.must_look {
                Box::pin(self.look_again()).await;
                self.must_look = false;
                continue;
            }
            let account = &mut self.account;
            let news = async {
                match account {
                    Some(following) => following.next().await,
                    None => std::future::pending().await,
                }
            };
            let told = tokio::select! {
                told = news => told,
                Some(out) = self.boards.recv() => return out,
            };
            match told {
                Ok(Some(news)) => self.news = Some(news),
                Ok(None) => self.must_look = true,
                // What was missed is what now waits: a socket that comes
                // again is told all of it.
                Err(RecvError::Lagged(_)) => return Out::close(1013, "too slow"),
                Err(RecvError::Closed) => return Out::BYE,
            }
        }
    }
}

impl Own {
    /// Reads again what may have changed of the account.
    async fn look_again(&mut self) {
        for (id, text) in self.look().await {
            self.notice = id;
            self.pending.push_back(out(text));
        }
        for (id, text) in self.look_for_notifications().await {
            self.notification = id;
            self.pending.push_back(out(text));
        }
    }

    /// What the account chose to be told of, since the last.
    async fn look_for_notifications(&self) -> Vec<(u64, Utf8Bytes)> {
        let Some(following) = &self.account else {
            return Vec::new();
        };
        let store = &self.app.store;
        let told = store.streamed_notifications(following.player, self.notification, TOLD_AT_ONCE);
        let told = told.await.unwrap_or_default();
        told.iter()
            .map(|told| (told.id, feed::notification(told)))
            .collect()
    }

    /// Whom the account follows now; and what it is to know and was not told. If the store
    /// cannot say, at the next change.
    async fn look(&self) -> Vec<(u64, Utf8Bytes)> {
        let Some(player) = self.account.as_ref().map(|following| following.player) else {
            return Vec::new();
        };
        let store = &self.app.store;
        if let Ok(follows) = store.follows_of(player).await {
            let follows = follows.into_iter().map(|(followed, _)| followed);
            self.app.rooms.follows(player, follows);
        }
        let notices = store.notices_of(player, true).await.unwrap_or_default();
        let new = notices.iter().filter(|notice| notice.id > self.notice);
        new.map(|notice| (notice.id, feed::notice(notice)))
            .collect()
    }

    /// Most news are a move after which the game goes on, and need no look at anything: what
    /// they mean for the account, if they are. It is also how the game stands, if something
    /// before it was not told.
    fn tell_move(&mut self) -> Option<Option<Utf8Bytes>> {
        let player = self.account.as_ref()?.player;
        let What::Changed(change) = self.news.as_ref()?.what() else {
            return None;
        };
        let (id, version) = (change.id, change.after.version());
        if !self.is_new(id, version) {
            return None;
        }
        let text = feed::moved(change, player)?;
        self.news = None;
        self.note_told(id, version);
        Some(text)
    }

    /// The account knows all there is to say of that game up to there.
    fn note_told(&mut self, id: TableId, version: u32) {
        if self.told.len() >= TOLD_MAX {
            self.told.clear();
        }
        let is_whole = true;
        self.told.insert(id, Told { version, is_whole });
    }

    /// What news mean for the account, and how far it is told of that game with them.
    async fn tell(&self, news: &News) -> (Option<(TableId, u32)>, Vec<Out>) {
        let Some(player) = self.account.as_ref().map(|following| following.player) else {
            return (None, Vec::new());
        };
        let id = match news.what() {
            What::Changed(change) => {
                let version = change.after.version();
                if !self.is_new(change.id, version) {
                    return (None, Vec::new());
                }
                if self.is_next(change.id, version) {
                    let texts = feed::messages(&self.app, change, player).await;
                    return (
                        Some((change.id, version)),
                        texts.into_iter().map(out).collect(),
                    );
                }
                change.id
            }
            What::Look(id, version) => {
                let told = self.told.get(id).map(|told| told.version);
                if version.is_some() && told >= *version {
                    return (None, Vec::new());
                }
                *id
            }
            What::FollowedStarted(id, followed) => {
                let text = feed::followed_started(&self.app, *id, *followed).await;
                return (None, text.into_iter().map(out).collect());
            }
            What::Farewell => return (None, vec![Out::BYE]),
            _ => return (None, Vec::new()),
        };
        // Something was not told: how it stands is.
        let Ok((version, texts)) = feed::standing(&self.app, id, player).await else {
            return (None, vec![Out::close(1013, "try again later")]);
        };
        // Not what is older than they know; what they know they may be told again.
        let told = self.told.get(&id).map_or(0, |told| told.version);
        match version >= told {
            true => (Some((id, version)), texts.into_iter().map(out).collect()),
            false => (None, Vec::new()),
        }
    }
}

impl Own {
    /// Whether there is something to say of that version of a game.
    fn is_new(&self, id: TableId, version: u32) -> bool {
        let is_new = |told: &Told| match told.is_whole {
            true => told.version < version,
            false => told.version <= version,
        };
        self.told.get(&id).is_none_or(is_new)
    }

    /// Whether everything before it was told.
    fn is_next(&self, id: TableId, version: u32) -> bool {
        let told = self.told.get(&id).map_or(1, |told| told.version);
        version <= told + 1
    }
}

fn out(text: Utf8Bytes) -> Out {
    Out::Text(text, Position::default())
}
