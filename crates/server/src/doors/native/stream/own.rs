//! An account's own stream, and several boards on one socket.

use std::collections::VecDeque;
use std::pin::Pin;

use axum::extract::ws::Utf8Bytes;
use chess::table::PlayerId;
use live::room::{Inbox, Unheard};
use store::TableId;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::look::{Look, Looked};
use super::subscriber::{Known, Subscriber};
use super::told::Told;
use super::{feed, said};
use crate::auth::Caller;
use crate::play::App;
use crate::problem::Problem;
use crate::rooms::{News, What};
use crate::stream::seldom::Seldom;
use crate::stream::{End, Out, Pace, Position, Reply, Source};

/// Messages of all boards that wait for the socket; each board's lane holds more.
const QUEUE: usize = 16;

/// What one socket carries: what concerns the account, and any number of boards.
pub(super) struct Own {
    app: App,
    caller: Option<Caller>,
    account: Option<Following>,
    /// What the boards say, if there are any.
    boards: Option<mpsc::Receiver<Out>>,
    pending: VecDeque<Out>,
    /// What has been taken from the lane and is not told yet.
    news: Option<News>,
    told: Told,
    /// Whether whom the account follows, and what it is to know, must be read again.
    must_look: bool,
    /// Whether news of games were lost, so that these must be read again.
    has_missed: bool,
    /// Reads again.
    looking: Option<JoinHandle<Result<Looked, Problem>>>,
    /// The last notice that was told.
    notice: u64,
    /// The last notification that was told, or that there was before.
    notification: u64,
    is_player: bool,
}

/// Follows an account, until dropped.
struct Following {
    app: App,
    player: PlayerId,
    lane: Inbox<News>,
    /// Comes when something of the account may have changed.
    changes: Seldom<Change>,
}

/// A change of the account; what tells of the next is handed back.
type Change = Pin<Box<dyn Future<Output = watch::Receiver<()>> + Send + Sync>>;

fn change(mut changes: watch::Receiver<()>) -> Change {
    Box::pin(async move {
        match changes.changed().await {
            Ok(()) => changes,
            Err(_) => std::future::pending().await,
        }
    })
}

impl Following {
    fn new(app: &App, player: PlayerId) -> Following {
        app.rooms.hears_of_follows(player);
        let mut changes = Seldom::new();
        if let Some(watched) = app.rooms.places().changes(player) {
            changes.expect(change(watched));
        }
        Following {
            player,
            lane: app.rooms.follow(player),
            changes,
            app: app.clone(),
        }
    }

    /// The next news, or nothing if the account has changed. May be interrupted at any
    /// time.
    async fn next(&mut self) -> Result<Option<News>, Unheard> {
        tokio::select! {
            told = self.lane.recv() => told.map(Some),
            watched = self.changes.next() => {
                self.changes.expect(change(watched));
                Ok(None)
            }
        }
    }
}

impl Following {
    /// News were lost. What is still kept is older than what a look finds now.
    fn start_anew(&mut self) {
        self.lane.clear();
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
        let mut told = Told::nothing(app.settings.games_per_account);
        if let Some(following) = &account {
            let waiting = feed::pending(&app, following.player).await?;
            for (id, version, text) in waiting {
                told.stands(id, version);
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
        let boards = (!subscribers.is_empty()).then_some(boards);
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
            has_missed: false,
            looking: None,
            notice: 0,
            notification,
            is_player,
        };
        if let Some(look) = own.look(None) {
            let found = look.run().await?;
            own.take_in(found);
        }
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
                if self.pending.is_empty() {
                    // Hundreds of turns may have waited, and then next to none.
                    self.pending = VecDeque::new();
                }
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
                if let Some((id, version, is_over)) = told {
                    self.told.note(id, version, is_over);
                }
                self.pending.extend(outs);
                continue;
            }
            self.look_again();
            let account = &mut self.account;
            let news = async {
                match account {
                    Some(following) => following.next().await,
                    None => std::future::pending().await,
                }
            };
            let told = tokio::select! {
                told = news => told,
                out = board(&mut self.boards) => return out,
                found = found(&mut self.looking) => {
                    self.looking = None;
                    match found {
                        Some(found) => self.take_in(found),
                        None => return TRY_AGAIN,
                    }
                    continue;
                }
            };
            match told {
                Ok(Some(news)) => self.news = Some(news),
                Ok(None) => self.must_look = true,
                Err(Unheard::Missed) => {
                    self.miss();
                    // That the server stops may be among what was lost.
                    if self.app.rooms.is_closing() {
                        return Out::BYE;
                    }
                }
                Err(Unheard::Closed) => return Out::BYE,
            }
        }
    }
}

/// What was lost cannot be found now: a socket that comes again is told all that waits.
const TRY_AGAIN: Out = Out::Close(End(1013, "try again later"));

/// What a board says next; never anything, if there is none. May be interrupted at any time.
async fn board(boards: &mut Option<mpsc::Receiver<Out>>) -> Out {
    let next = match boards {
        Some(boards) => boards.recv().await,
        None => None,
    };
    match next {
        Some(out) => out,
        None => std::future::pending().await,
    }
}

/// What a look found; nothing if it failed, and never anything if there is none. May be
/// interrupted at any time.
async fn found(looking: &mut Option<JoinHandle<Result<Looked, Problem>>>) -> Option<Looked> {
    match looking {
        Some(looking) => looking.await.ok()?.ok(),
        None => std::future::pending().await,
    }
}

impl Own {
    /// News were lost, because there were too many at once or because the socket takes
    /// them too slowly.
    fn miss(&mut self) {
        if let Some(following) = &mut self.account {
            following.start_anew();
        }
        self.app.rooms.note_resync();
        self.has_missed = true;
    }

    /// Has read again what may have changed of the account, if something may have.
    fn look_again(&mut self) {
        if self.looking.is_some() || !(self.must_look || self.has_missed) {
            return;
        }
        let told = self.has_missed.then(|| self.told.clone());
        (self.must_look, self.has_missed) = (false, false);
        self.looking = self.look(told).map(|look| tokio::spawn(look.run()));
    }

    /// A look at what the account is to know; also at its games, if it was told so much of
    /// them and news were lost.
    fn look(&self, told: Option<Told>) -> Option<Look> {
        Some(Look {
            app: self.app.clone(),
            player: self.account.as_ref()?.player,
            notice: self.notice,
            notification: self.notification,
            told,
        })
    }

    /// Tells what a look found.
    fn take_in(&mut self, found: Looked) {
        for (id, text) in found.notices {
            self.notice = id;
            self.pending.push_back(out(text));
        }
        for (id, text) in found.notifications {
            self.notification = id;
            self.pending.push_back(out(text));
        }
        for (id, standing) in found.games {
            // News may have said more meanwhile.
            if self.told.version(id) < Some(standing.version) {
                self.told.note(id, standing.version, standing.is_over);
                self.pending.extend(standing.texts.into_iter().map(out));
            }
        }
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
        if !self.told.is_new(id, version) {
            return None;
        }
        let text = feed::moved(change, player)?;
        self.news = None;
        self.told.note(id, version, false);
        Some(text)
    }

    /// What news mean for the account, how far it is told of that game with them, and
    /// whether that is over.
    async fn tell(&self, news: &News) -> (Option<(TableId, u32, bool)>, Vec<Out>) {
        let Some(player) = self.account.as_ref().map(|following| following.player) else {
            return (None, Vec::new());
        };
        let id = match news.what() {
            What::Changed(change) => {
                let version = change.after.version();
                if !self.told.is_new(change.id, version) {
                    return (None, Vec::new());
                }
                if self.told.is_next(change.id, version) {
                    let is_over = change.after.ending().is_some();
                    let texts = feed::messages(&self.app, change, player).await;
                    return (
                        Some((change.id, version, is_over)),
                        texts.into_iter().map(out).collect(),
                    );
                }
                change.id
            }
            What::Look(id, version) => {
                if version.is_some() && self.told.version(*id) >= *version {
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
        let Ok(standing) = feed::standing(&self.app, id, player).await else {
            return (None, vec![TRY_AGAIN]);
        };
        // Not what is older than they know; what they know they may be told again.
        match Some(standing.version) >= self.told.version(id) {
            true => (
                Some((id, standing.version, standing.is_over)),
                standing.texts.into_iter().map(out).collect(),
            ),
            false => (None, Vec::new()),
        }
    }
}

fn out(text: Utf8Bytes) -> Out {
    Out::Text(text, Position::default())
}
