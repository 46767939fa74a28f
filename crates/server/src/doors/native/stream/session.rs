//! One subscriber's view of one game, whatever it is carried by.
//!
//! It joins the room first and reads the game then, so that nothing falls
//! between: what the lane says again is skipped by its version, what it has
//! lost is read from the game itself, which knows its whole history.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use chess::table::PlayerId;
use chess::{Millis, Timestamp};
use live::room::policy::ViewerFacts;
use live::room::{ChatId, Policies, Role};
use store::TableId;
use tokio::sync::broadcast::error::RecvError;

use super::{encode, here};
use crate::auth::Caller;
use crate::doors::native::games::answer::shown;
use crate::fanout::crowd::Heard;
use crate::fanout::told::Told;
use crate::fanout::wire::Wire;
use crate::fanout::{Item, Stay};
use crate::play::App;
use crate::play::names::Names;
use crate::play::names::people;
use crate::play::sight::as_seen_by;
use crate::problem::{Kind, Problem};
use crate::room::{self, ChatView, Guest};

/// How far behind a subscriber may be and still get every change.
const MISSED_MAX: u32 = 1_000;

/// A line that could be read for longer is no longer on its way to anybody.
const LANE_AGE_MAX: Millis = Millis::from_secs(60);

/// What goes out.
#[derive(Debug)]
pub(crate) enum Out {
    /// A message, and what its reader knows after it.
    Text(Utf8Bytes, Position),
    /// Nothing to say, but is anybody there?
    Ping,
    /// Nothing to say, but what was written past us is to be finished.
    Flush,
    /// The end, with the code and the reason that a WebSocket shows.
    Close(u16, &'static str),
}

/// How far a subscriber has come: `Last-Event-ID`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Position {
    /// The last version of which everything was told.
    version: u32,
    /// The newest line of chat.
    chat: Option<ChatId>,
}

impl Position {
    /// The reader knows everything up to that version.
    pub(crate) fn at(version: u32) -> Position {
        Position {
            version,
            chat: None,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~", self.version)?;
        self.chat.map_or(Ok(()), |chat| chat.fmt(f))
    }
}

/// What a subscriber already knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    /// The last version; `None`: nothing. `Some(None)` is no version at all.
    pub(crate) since: Option<Option<u32>>,
    /// The last line of chat.
    pub(crate) chat: Option<ChatId>,
}

/// A subscriber.
pub(crate) struct Session {
    app: App,
    id: TableId,
    caller: Option<Caller>,
    role: Role,
    /// The last version that was told.
    version: u32,
    /// The newest line that was told.
    chat: Option<ChatId>,
    /// Lines that were read from the store, and may come by the lane as well;
    /// since when they could be read.
    told_already: Vec<(ChatId, Timestamp)>,
    is_over: bool,
    stay: Stay,
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
    told_already: Vec<(ChatId, Timestamp)>,
    stay: Option<Stay>,
    out: Vec<Out>,
}

impl Session {
    /// Comes to a game.
    ///
    /// # Errors
    /// 404 if the caller may not see it.
    pub(crate) async fn open(
        app: App,
        id: TableId,
        caller: Option<Caller>,
        known: Known,
        wire: Option<Arc<Wire>>,
    ) -> Result<Session, Problem> {
        let guest = room::glance(&app, id, caller.as_ref()).await?;
        let role = guest.viewer.role;
        let stay = come(&app, id, caller.as_ref(), &guest, wire);
        let mut session = Session {
            app,
            id,
            caller,
            role,
            version: 0,
            chat: known.chat,
            told_already: Vec::new(),
            is_over: false,
            stay,
            pending: VecDeque::new(),
            work: None,
        };
        let looked = session.look(known.since, false).await?;
        session.take_in(looked);
        Ok(session)
    }

    /// Whether the subscriber plays here.
    pub(crate) fn is_player(&self) -> bool {
        self.role == Role::Player
    }

    pub(crate) fn app(&self) -> &App {
        &self.app
    }

    pub(crate) fn table(&self) -> TableId {
        self.id
    }

    pub(crate) fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    fn say(&mut self, text: Utf8Bytes) {
        let position = Position {
            version: self.version,
            chat: self.chat,
        };
        self.pending.push_back(Out::Text(text, position));
    }

    /// The next thing to go out. May be interrupted at any time.
    pub(crate) async fn next(&mut self) -> Out {
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
            let heard = self.stay.lane.recv(self.version).await;
            if let Some(version) = self.stay.lane.version() {
                self.version = version;
            }
            match heard {
                Ok(Heard::News(news)) => self.work = self.hear(&news),
                Ok(Heard::Begun) => return Out::Flush,
                Err(RecvError::Lagged(_)) => {
                    self.app.rooms.note_resync();
                    self.work = Some(Work::Resync);
                }
                Err(RecvError::Closed) => return Out::Close(1012, "the room is closed"),
            }
        }
    }

    /// Takes in news; gives back what takes longer.
    fn hear(&mut self, news: &Told) -> Option<Work> {
        match news {
            Told::Change { game, .. } if game.version() <= self.version => {}
            Told::Change { game, texts } => {
                let is_next = game.version() == self.version + 1;
                let needs_more = room::role_in(game, self.caller.as_ref()) != self.role
                    || (game.ending().is_some() && self.is_player());
                if !is_next || needs_more {
                    return Some(Work::CatchUp);
                }
                for (index, text) in texts.iter().enumerate() {
                    if index + 1 == texts.len() {
                        self.version = game.version();
                    }
                    self.say(text.clone());
                }
            }
            Told::Chat { line, text } => {
                let mut told = self.told_already.iter();
                let was_told = told.position(|(id, _)| *id == line.id);
                if let Some(index) = was_told {
                    self.told_already.swap_remove(index);
                } else if (Policies::default().hears)(&line.facts, &self.viewer(), self.is_over) {
                    self.chat = Some(line.id);
                    self.say(text.clone());
                }
            }
            Told::Notice(text) => self.say(text.clone()),
            Told::Removed(who) if self.viewer().who == Some(*who) => {
                let end = Out::Close(1008, "you were asked to leave");
                self.pending.push_back(end);
            }
            Told::Removed(_) => {}
            Told::Match(_) => {}
            Told::Lost => return Some(Work::CatchUp),
            Told::Ping => self.pending.push_back(Out::Ping),
            Told::Farewell => {
                self.pending
                    .push_back(Out::Close(1012, "the server restarts"));
            }
        }
        None
    }

    async fn perform(&mut self, work: Work) {
        let is_resync = work == Work::Resync;
        let since = (!is_resync).then_some(Some(self.version));
        match self.look(since, is_resync).await {
            Ok(looked) => self.take_in(looked),
            Err(error) if error.kind == Kind::Missing => {
                self.pending
                    .push_back(Out::Close(1008, "this game is not for you"));
            }
            Err(_) => self.pending.push_back(Out::Close(1013, "try again later")),
        }
    }

    fn take_in(&mut self, looked: Looked) {
        self.role = looked.role;
        self.version = looked.version;
        self.is_over = looked.is_over;
        self.chat = looked.chat;
        self.told_already = looked.told_already;
        if let Some(stay) = looked.stay {
            self.stay = stay;
        }
        self.pending.extend(looked.out);
    }

    /// Looks at the game itself: everything that happened since, or all of it.
    async fn look(&self, since: Option<Option<u32>>, is_behind: bool) -> Result<Looked, Problem> {
        let app = &self.app;
        let caller = self.caller.as_ref();
        let mut guest = room::glance(app, self.id, caller).await?;
        let mut stay = None;
        if seat(&guest) != self.stay.player {
            stay = Some(come(app, self.id, caller, &guest, None));
            guest = room::glance(app, self.id, caller).await?;
        }
        let Guest { game, viewer } = guest;
        app.rooms.push(Item::Came(self.id, Arc::clone(&game)));
        let now = app.now();
        let seen = as_seen_by(&game, viewer.who, now);
        let version = seen.version();
        let missed = since.map(|since| {
            let since = since.filter(|since| *since <= version)?;
            (version - since <= MISSED_MAX).then_some(since)
        });
        let (known, is_resync) = match missed {
            Some(Some(_)) => (self.chat, false),
            _ => (None, is_behind || missed.is_some()),
        };
        let lines = room::history(app, self.id, &game, &viewer, known, now).await?;
        let speakers = lines.iter().map(|line| line.facts.from);
        let names = Names::of(app, people(&seen).into_iter().chain(speakers)).await?;
        let views = lines
            .iter()
            .map(|line| ChatView::of(line, names.get(line.facts.from)));
        let here = here::view(app, self.id, &seen, viewer.who, &names).await?;
        let mut out = Vec::new();
        let mut chat = self.chat;
        if let Some(Some(since)) = missed {
            for (text, version) in encode::missed(self.id, &seen, since, &names) {
                out.push(Out::Text(text, Position { version, chat }));
            }
            for (line, view) in lines.iter().zip(views) {
                chat = Some(line.id);
                let text = encode::chat(self.id, &view);
                out.push(Out::Text(text, Position { version, chat }));
            }
            if self.version == 0 {
                let sync = encode::sync(self.id, &seen, viewer.role, &here, now);
                out.push(Out::Text(sync, Position { version, chat }));
            }
        } else {
            chat = lines.last().map(|line| line.id).or(chat);
            let views = views.collect();
            let game = shown(app, self.id, &seen, viewer.who).view().await?;
            let state = encode::State::new(game, viewer.role, here, views, is_resync);
            out.push(Out::Text(state.text(), Position { version, chat }));
        }
        // Those of earlier looks may still be on their way, too.
        let read = lines.iter().filter_map(|line| {
            let since = room::readable_from(&game, line, &viewer)?;
            Some((line.id, since))
        });
        let told_already = self.told_already.iter().copied().chain(read);
        let told_already = told_already.filter(|(_, since)| *since + LANE_AGE_MAX >= now);
        let told_already = told_already.collect();
        Ok(Looked {
            role: viewer.role,
            version,
            is_over: seen.ending().is_some(),
            chat,
            told_already,
            stay,
            out,
        })
    }

    fn viewer(&self) -> ViewerFacts {
        ViewerFacts {
            who: self.caller.as_ref().map(Caller::number),
            role: self.role,
        }
    }
}

/// Comes to a game: an observer as somebody who is seen, if they agree.
fn come(
    app: &App,
    id: TableId,
    caller: Option<&Caller>,
    guest: &Guest,
    wire: Option<Arc<Wire>>,
) -> Stay {
    let mut stay = match (seat(guest), wire) {
        (None, Some(wire)) => app.rooms.sit(&app.games, id, guest.viewer.who, wire),
        (player, _) => app.rooms.join(&app.games, id, player),
    };
    let observer = caller.filter(|_| stay.player.is_none());
    if let Some(caller) = observer.filter(|caller| caller.person.seen_watching) {
        stay.show(caller.number());
    }
    stay
}

/// As whom a guest joins, if as a player.
fn seat(guest: &Guest) -> Option<PlayerId> {
    guest
        .viewer
        .who
        .filter(|_| guest.viewer.role == Role::Player)
}
