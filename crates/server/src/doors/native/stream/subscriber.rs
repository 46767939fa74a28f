//! One subscriber's view of one game, whatever it is carried by.
//!
//! It joins the room first and reads the game then, so that nothing falls
//! between: what the lane says again is skipped by its version, what it has
//! lost is read from the game itself, which knows its whole history.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use chess::game::{Event, Game, RoomTerms};
use chess::tables::AnyTable;
use live::room::policy::{Policies, ViewerFacts};
use live::room::{ChatId, Follower, Heard, Role};
use store::TableId;
use tokio::sync::broadcast::error::RecvError;

use super::words::{self, RoomMessage, State};
use super::{here, said};
use crate::auth::Caller;
use crate::doors::native::chat_view::ChatView;
use crate::doors::native::games::answer::shown;
use crate::play::App;
use crate::play::names::{Names, people};
use crate::play::ratings;
use crate::play::room::{self, LastRead, Occupant};
use crate::play::sight::as_seen_by;
use crate::problem::{Kind, Problem};
use crate::rooms::bus::Happened;
use crate::rooms::crowd::{Got, Language};
use crate::rooms::here::Audience;
use crate::rooms::news::GameChange;
use crate::rooms::wire::Wire;
use crate::rooms::{Line, News, Speech, Visit, What};
use crate::stream::{End, Out, Pace, Position, Reply, Source};

/// How far behind a subscriber may be and still get every change.
const MISSED_MAX: u32 = 1_000;

/// What a subscriber already knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Known {
    /// The last version; `None`: nothing. `Some(None)` is no version at all.
    pub(super) since: Option<Option<u32>>,
    /// The last line of chat.
    pub(super) chat: Option<ChatId>,
}

/// A subscriber.
pub(super) struct Subscriber {
    app: App,
    id: TableId,
    caller: Option<Caller>,
    role: Role,
    /// The last version that was told.
    version: u32,
    /// The newest line that was told.
    chat: Option<ChatId>,
    /// Lines that were read from the store, and may come by the lane as well.
    told_already: Vec<ChatId>,
    /// The newest line that they were told before they began to play.
    observed: Option<ChatId>,
    is_over: bool,
    /// What the game agreed on for its room.
    terms: RoomTerms,
    visit: Visit,
    pending: VecDeque<Out>,
    /// What has been taken from the lane and is not done yet: being
    /// interrupted must lose nothing.
    work: Option<Work>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    /// Tell what happened since.
    CatchUp,
    /// Begin again from the newest state.
    Resync,
}

/// What came of looking at the game itself.
struct Looked {
    role: Role,
    version: u32,
    is_over: bool,
    chat: Option<ChatId>,
    told_already: Vec<ChatId>,
    visit: Option<Visit>,
    out: Vec<Out>,
}

impl Subscriber {
    /// Comes to a game.
    ///
    /// # Errors
    /// 404 if the caller may not see it.
    pub(super) async fn open(
        app: App,
        id: TableId,
        caller: Option<Caller>,
        known: Known,
        wire: Option<Arc<Wire>>,
    ) -> Result<Subscriber, Problem> {
        let occupant = room::glance(&app, id, caller.as_ref()).await?;
        let role = occupant.viewer.role;
        let direct = wire.map(|wire| (wire, words::words_for_all as Language));
        let visit = room::come(&app, id, caller.as_ref(), &occupant, direct);
        let mut subscriber = Subscriber {
            app,
            id,
            caller,
            role,
            version: 0,
            chat: known.chat,
            told_already: Vec::new(),
            observed: None,
            is_over: false,
            terms: occupant.game.terms().room,
            visit,
            pending: VecDeque::new(),
            work: None,
        };
        let looked = subscriber.look(known.since, false).await?;
        subscriber.take_in(looked);
        Ok(subscriber)
    }

    fn say(&mut self, text: Utf8Bytes) {
        let position = Position {
            version: self.version,
            chat: self.chat,
        };
        self.pending.push_back(Out::Text(text, position));
    }

    /// Says what everybody is told.
    fn repeat(&mut self, news: &News) {
        let words = words::words(self.id, news);
        for text in words.iter().flat_map(|words| words.iter()) {
            self.say(text.clone());
        }
    }

    /// Takes in news; gives back what takes longer.
    fn take(&mut self, news: &News) -> Option<Work> {
        match news.what() {
            What::Changed(change) => return self.take_change(change, news),
            What::Said(speech) => self.take_line(speech, news),
            What::Rematch(_)
            | What::Clock(..)
            | What::Here(..)
            | What::Audience(_)
            | What::Analysis { .. } => {
                self.repeat(news);
            }
            What::Removed(_)
            | What::Match(_)
            | What::Open(_)
            | What::Look(..)
            | What::FollowedStarted(..) => {}
            What::Lost => return Some(Work::CatchUp),
            What::Ping => self.pending.push_back(Out::Ping),
            What::Farewell => self.pending.push_back(Out::BYE),
        }
        None
    }

    fn take_change(&mut self, change: &GameChange, news: &News) -> Option<Work> {
        let game = &change.after;
        let words = words::words(self.id, news);
        let needs_more = room::role_in(game, self.caller.as_ref()) != self.role
            || (game.ending().is_some() && self.role == Role::Player);
        match Follower::at(self.version).hear(game.version(), words.is_some()) {
            Heard::Old => None,
            // Who plays is another, or is called otherwise: all of it is told anew.
            _ if is_reseated(change) => Some(Work::Resync),
            Heard::Next if !needs_more => {
                let words = words.unwrap_or_default();
                for (index, text) in words.iter().enumerate() {
                    if index + 1 == words.len() {
                        self.version = game.version();
                    }
                    self.say(text.clone());
                }
                None
            }
            Heard::Next | Heard::Look => Some(Work::CatchUp),
        }
    }

    fn take_line(&mut self, speech: &Speech, news: &News) {
        let (line, viewer) = (&speech.line, self.viewer());
        let mut told = self.told_already.iter();
        let was_told = told.position(|id| *id == line.id);
        if let Some(index) = was_told {
            self.told_already.swap_remove(index);
        } else if !speech.is_kept_from(viewer.who)
            && (Policies::of(self.terms).hears)(&line.facts, &viewer, self.is_over)
        {
            self.chat = Some(line.id);
            self.repeat(news);
        }
    }

    async fn perform(&mut self, work: Work) {
        let is_resync = work == Work::Resync;
        let since = (!is_resync).then_some(Some(self.version));
        match self.look(since, is_resync).await {
            Ok(looked) => self.take_in(looked),
            Err(error) if error.kind == Kind::Missing => {
                self.pending
                    .push_back(Out::close(1008, "this game is not for you"));
            }
            Err(_) => self.pending.push_back(Out::close(1013, "try again later")),
        }
    }

    fn take_in(&mut self, looked: Looked) {
        if self.role != Role::Player && looked.role == Role::Player {
            self.observed = self.chat;
        }
        self.role = looked.role;
        self.version = looked.version;
        self.is_over = looked.is_over;
        self.chat = looked.chat;
        self.told_already = looked.told_already;
        let has_come_again = looked.visit.is_some();
        if let Some(visit) = looked.visit {
            self.visit = visit;
        }
        self.pending.extend(looked.out);
        if has_come_again && self.version > 0 {
            self.recount();
        }
    }

    /// Says how many watch: they were one of them, and may have been told so.
    fn recount(&mut self) {
        let (all, others) = (self.app.rooms.all(), &self.app.rooms);
        let audience = Audience {
            spectators: all.watchers(self.id) + others.watchers_elsewhere(self.id).0,
            observers: None,
        };
        self.repeat(&News::of(What::Audience(audience)));
    }

    /// The game, not as it was before that version, which they may have seen at
    /// another node, or before what they were told here.
    async fn glance(&self, since: Option<u32>) -> Result<Occupant, Problem> {
        let (app, caller) = (&self.app, self.caller.as_ref());
        let occupant = room::glance(app, self.id, caller).await?;
        let known = since.unwrap_or(0).max(self.version);
        if known <= occupant.game.version() {
            return Ok(occupant);
        }
        let game = app.games.newest(self.id).await?;
        room::admit(app, self.id, caller, game).await
    }

    /// The game, and a visit of another kind if they have become one of its players.
    async fn take_place(&self, since: Option<u32>) -> Result<(Occupant, Option<Visit>), Problem> {
        let occupant = self.glance(since).await?;
        if occupant.seat() == self.visit.player {
            return Ok((occupant, None));
        }
        let caller = self.caller.as_ref();
        let visit = room::come(&self.app, self.id, caller, &occupant, None);
        Ok((self.glance(since).await?, Some(visit)))
    }

    /// Looks at the game itself: everything that happened since, or all of it.
    async fn look(&self, since: Option<Option<u32>>, is_behind: bool) -> Result<Looked, Problem> {
        let app = &self.app;
        let (Occupant { game, viewer }, visit) = self.take_place(since.flatten()).await?;
        let found = AnyTable::Chess(Arc::clone(&game));
        app.rooms.publish(self.id, Happened::Came(found));
        let now = app.now();
        let seen = as_seen_by(&game, viewer.who, now);
        let version = seen.version();
        let missed = since.map(|since| since.and_then(|since| tellable(since, version)));
        let missed = missed.map(|missed| missed.filter(|since| !has_reseated(&seen, *since)));
        let (known, is_resync) = match missed {
            Some(Some(_)) => (self.chat, false),
            _ => (None, is_behind || missed.is_some()),
        };
        let last = known.map(|line| LastRead {
            line,
            has_seen_end: Some(self.has_seen_end(&game, since.flatten())),
            observed: self.observed,
        });
        let history = room::history(app, self.id, &game, &viewer, last, now).await?;
        let told_already = history.still_coming(&game, &viewer, now);
        let lines = history.new;
        let speakers = lines.iter().map(|line| line.facts.from);
        let names = Names::of(app, people(&seen).into_iter().chain(speakers)).await?;
        let views = lines
            .iter()
            .map(|line| ChatView::of(line, names.get(line.facts.from)));
        let here = here::view(app, self.id, &seen, viewer.who, &names).await?;
        let mut out = Vec::new();
        let mut chat = self.chat;
        let last_of = |chat, line: &Line| last_told(viewer.role, chat, line.id);
        if let Some(Some(since)) = missed {
            let rated = ratings::of_game(app, self.id, &seen).await?;
            let missed = words::missed(self.id, &seen, since, &names, rated.as_ref());
            for (text, version) in missed {
                out.push(Out::Text(text, Position { version, chat }));
            }
            for (line, view) in lines.iter().zip(views) {
                chat = last_of(chat, line);
                let text = words::chat(self.id, view);
                out.push(Out::Text(text, Position { version, chat }));
            }
            if self.version == 0 {
                let sync = words::sync(self.id, &seen, viewer.role, here, now);
                out.push(Out::Text(sync, Position { version, chat }));
            }
        } else {
            chat = lines.iter().fold(None, last_of).or(chat);
            let state = State {
                role: viewer.role.name(),
                presence: here,
                chat: views.collect(),
                resync: is_resync,
                game: shown(app, self.id, &seen, viewer.who).view().await?,
            };
            let text = words::of(self.id, &RoomMessage::State(Box::new(state)));
            out.push(Out::Text(text, Position { version, chat }));
        }
        Ok(Looked {
            role: viewer.role,
            version,
            is_over: seen.ending().is_some(),
            chat,
            told_already,
            visit,
            out,
        })
    }

    /// Whether they knew, when they were told up to that version, that the game is over.
    fn has_seen_end(&self, game: &Game, since: Option<u32>) -> bool {
        let told = |version| {
            game.as_of(version)
                .is_some_and(|then| then.ending().is_some())
        };
        match self.version {
            0 => game.ending().is_some() && since.is_some_and(told),
            _ => self.is_over,
        }
    }

    fn viewer(&self) -> ViewerFacts {
        ViewerFacts {
            who: self.caller.as_ref().map(Caller::number),
            role: self.role,
        }
    }
}

/// The line to go on after, once that one is told too.
fn last_told(role: Role, before: Option<ChatId>, line: ChatId) -> Option<ChatId> {
    match role {
        // What was kept from them until the end is older than what they know.
        Role::Player => before.max(Some(line)),
        Role::Observer | Role::Moderator => Some(line),
    }
}

fn is_reseated(change: &GameChange) -> bool {
    matches!(change.event, Some(Event::Reseated { .. }))
}

/// Whether somebody has become somebody else since that version.
fn has_reseated(game: &Game, since: u32) -> bool {
    let mut missed = game.entries().skip(since as usize);
    since < game.version() && missed.any(|entry| matches!(entry.event, Event::Reseated { .. }))
}

/// The version after which everything can be told one by one, if it can.
fn tellable(since: u32, version: u32) -> Option<u32> {
    let missed = version.checked_sub(since)?;
    (missed <= MISSED_MAX).then_some(since)
}

impl Source for Subscriber {
    fn app(&self) -> &App {
        &self.app
    }

    fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    fn table(&self) -> Option<TableId> {
        Some(self.id)
    }

    fn is_player(&self) -> bool {
        self.role == Role::Player
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
                    // Most of the time nothing waits, and then it costs nothing.
                    self.pending = VecDeque::new();
                }
                return out;
            }
            if let Some(work) = self.work {
                // What is rare is kept out of the ten thousand idle tasks.
                Box::pin(self.perform(work)).await;
                self.work = None;
                continue;
            }
            let got = self.visit.recv(self.version).await;
            if let Some(version) = self.visit.version() {
                self.version = version;
            }
            match got {
                Ok(Got::News(news)) => self.work = self.take(&news),
                Ok(Got::Begun) => return Out::Flush,
                Ok(Got::Removed) => return Out::close(1008, "you were asked to leave"),
                Err(RecvError::Lagged(_)) => {
                    self.app.rooms.note_resync();
                    self.work = Some(Work::Resync);
                }
                Err(RecvError::Closed) => return Out::close(1012, "the room is closed"),
            }
        }
    }
}
