//! Tells everyone who listens what happened, from one place per game.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use chess::game::{Entry, Game, Replay};
use chess::table::Table;
use chess::{Color, Millis, Timestamp};
use live::room::Role;
use live::room::policy::ViewerFacts;
use store::TableId;
use tokio::sync::mpsc::Receiver;
use tokio::time::MissedTickBehavior;

use super::alarms::Alarms;
use super::lanes::Lanes;
use super::later::Later;
use super::matches::Matches;
use super::told::{News, Told};
use super::{Changed, Item, Said};
use crate::doors::native::stream::here::{self, Audience};
use crate::doors::native::stream::presence::{self, Presence};
use crate::doors::native::stream::{encode, feed};
use crate::play::App;
use crate::play::names::Names;
use crate::play::names::people;
use crate::room::{readable_from, readable_later};

/// Clocks and presence are told once a second, a part of the rooms at a time:
/// news must not wait until the clocks of thousands of games are told.
const PARTS: u64 = 20;
const TICK: Duration = Duration::from_millis(1000 / PARTS);
/// How long after a change the clocks are told again.
const CLOCK_EVERY: Millis = Millis::from_secs(1);
/// Every so many a player's round trip is measured, where it matters.
const LAG_TICKS: u64 = 3;

/// Runs until the rooms are gone.
pub async fn run(app: App, mut queue: Receiver<Item>) {
    let mut dispatcher = Dispatcher {
        app,
        boards: HashMap::new(),
        matches: Matches::default(),
        dues: Alarms::default(),
        ticks: 0,
    };
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            item = queue.recv() => match item {
                Some(item) => dispatcher.handle(item).await,
                None => return,
            },
            _ = ticks.tick() => dispatcher.tick().await,
        }
    }
}

struct Dispatcher {
    app: App,
    boards: HashMap<TableId, Board>,
    matches: Matches,
    /// When spectators may know something next.
    dues: Alarms,
    ticks: u64,
}

/// A game that somebody is at.
struct Board {
    /// The newest that was told.
    game: Arc<Game>,
    /// Who is here, as the players were told and as everybody else was.
    presence: [Presence; 2],
    /// Who watches, told likewise.
    audience: [Audience; 2],
    /// What spectators are told later.
    later: Later,
    /// The game as spectators see it, if there is a delay.
    past: Option<Replay>,
}

impl Board {
    fn new(game: Arc<Game>) -> Board {
        Board {
            game,
            presence: Default::default(),
            audience: Default::default(),
            later: Later::default(),
            past: None,
        }
    }

    /// The game as spectators may see it now.
    fn seen(&mut self, now: Timestamp) -> &Game {
        let delay = self.game.spectator_delay();
        if now >= self.game.last_at() + delay {
            return &self.game;
        }
        let past = self.past.get_or_insert_with(|| self.game.replay());
        let then = now.0.saturating_sub(u64::from(delay.0));
        past.follow(&self.game, Timestamp(then));
        past.game()
    }

    /// Tells the players now and spectators when they may know: what happened
    /// at `at` concerns the moves.
    fn tell(&mut self, lanes: &Lanes<'_>, news: News, at: Timestamp) {
        lanes.tell_players(Arc::clone(&news));
        let delay = self.game.spectator_delay();
        if delay == Millis::ZERO {
            lanes.tell_watchers(news);
        } else {
            self.later.keep(at + delay, news);
        }
    }

    /// Tells spectators what they may know by now.
    fn tell_due(&mut self, lanes: &Lanes<'_>, now: Timestamp) {
        while let Some(news) = self.later.next(now) {
            lanes.tell_watchers(news);
        }
    }
}

impl Dispatcher {
    async fn handle(&mut self, item: Item) {
        match item {
            Item::Changed(changed) => {
                self.app.rooms.note_lag(changed.at);
                self.changed(*changed).await;
            }
            Item::Came(id, game) => {
                self.came(id, game).await;
                self.presence(id).await;
            }
            Item::MatchChanged(changed) => {
                self.app.rooms.note_lag(changed.at);
                self.matches.changed(&self.app, *changed).await;
            }
            Item::CameToMatch(id, played) => self.matches.came(&self.app, id, &played).await,
            Item::Went(id, who) => {
                self.presence(id).await;
                self.matches.went(&self.app, id, who).await;
            }
            Item::Said(said) => self.said(*said),
        }
    }

    /// Somebody has come to a game, which may have changed while nobody was there.
    async fn came(&mut self, id: TableId, game: Arc<Game>) {
        self.open(id, &game).await;
        let (Some(board), Some(lanes)) = (self.boards.get_mut(&id), self.app.rooms.lanes(id))
        else {
            return;
        };
        let told = board.game.version();
        if game.version() > told {
            board.later.keep_unheard(&game, told, self.app.now());
            lanes.tell(Arc::new(Told::Lost));
            board.game = game;
            self.remind(id);
        }
    }

    /// Takes up a game that nobody was at: spectators are told in time of what
    /// they may not know yet.
    async fn open(&mut self, id: TableId, game: &Arc<Game>) {
        if self.boards.contains_key(&id) {
            return;
        }
        let mut board = Board::new(Arc::clone(game));
        if game.spectator_delay() > Millis::ZERO {
            let now = self.app.now();
            board.later.keep_unheard(game, 0, now);
            // If the store cannot say, they read what was said at the next news.
            let lines = readable_later(&self.app, id, game, now).await;
            for due in lines.unwrap_or_default() {
                board.later.keep(due, Arc::new(Told::Lost));
            }
        }
        self.boards.insert(id, board);
        self.remind(id);
    }

    /// Sees to it that spectators are told in time: all at once now and then
    /// would keep everybody else's news waiting.
    fn remind(&mut self, id: TableId) {
        let board = self.boards.get(&id);
        match board.and_then(|board| board.later.next_due()) {
            Some(due) => self.dues.set(id, due),
            None => self.dues.forget(id),
        }
    }

    /// Puts a line where those are who may hear it. What observers say does
    /// not even touch the players' lane while the game lives.
    fn said(&mut self, said: Said) {
        let Said { id, line, view } = said;
        let (Some(board), Some(lanes)) = (self.boards.get_mut(&id), self.app.rooms.lanes(id))
        else {
            return;
        };
        let facts = line.facts;
        let observer = ViewerFacts {
            who: None,
            role: Role::Observer,
        };
        let readable_from = readable_from(&board.game, &line, &observer);
        let text = encode::chat(id, &view);
        let news = Arc::new(Told::Chat { line, text });
        let is_for_players = facts.role == Role::Player || facts.is_notice;
        if is_for_players || board.game.ending().is_some() {
            lanes.tell_players(Arc::clone(&news));
        }
        match readable_from {
            Some(at) if at > self.app.now() => {
                board.later.keep(at, news);
                self.remind(id);
            }
            Some(_) => lanes.tell_watchers(news),
            None => {}
        }
    }

    async fn changed(&mut self, changed: Changed) {
        let id = changed.id;
        let Ok(names) = Names::of(&self.app, people(&changed.after)).await else {
            // Nobody can be named: the streams read the game for themselves.
            if let Some(lanes) = self.app.rooms.lanes(id) {
                lanes.tell(Arc::new(Told::Lost));
            }
            return;
        };
        feed::tell(&self.app, &changed, &names).await;
        self.tell_rematch(&changed, &names);
        if !self.app.rooms.hub().is_open(id) {
            return;
        }
        let Changed {
            before: Some(before),
            after,
            event: Some(event),
            ..
        } = changed
        else {
            return;
        };
        self.open(id, &before).await;
        let (Some(board), Some(lanes)) = (self.boards.get_mut(&id), self.app.rooms.lanes(id))
        else {
            return;
        };
        if after.version() <= board.game.version() {
            return;
        }
        let is_next = after.version() == board.game.version() + 1;
        board.game = Arc::clone(&after);
        let at = after.last_at();
        let entry = Entry { at, event };
        let news = if is_next {
            Told::Change {
                texts: encode::change(id, before.board(), &entry, &after, &names),
                game: after,
            }
        } else {
            Told::Lost
        };
        board.tell(&lanes, Arc::new(news), at);
        let is_over = board.game.ending().is_some();
        self.remind(id);
        if is_over || matches!(entry.event, chess::game::Event::Joined { .. }) {
            self.presence(id).await;
        }
    }

    /// Those who are still at the finished game learn of the next one.
    fn tell_rematch(&mut self, changed: &Changed, names: &Names) {
        if changed.after.version() > 2 {
            return;
        }
        let Some(finished) = super::rematch_of(&changed.after) else {
            return;
        };
        if let Some(lanes) = self.app.rooms.lanes(finished)
            && let Some(board) = self.boards.get_mut(&finished)
        {
            let text = encode::rematch(finished, changed.id, &changed.after, names);
            board.tell(&lanes, Arc::new(Told::Notice(text)), self.app.now());
            self.remind(finished);
        }
    }

    /// Tells what has changed about who is here.
    async fn presence(&mut self, id: TableId) {
        let (Some(board), Some(lanes)) = (self.boards.get_mut(&id), self.app.rooms.lanes(id))
        else {
            return;
        };
        let now = self.app.now();
        // Whoever has joined is not here before spectators hear of it.
        board.tell_due(&lanes, now);
        let now = [
            presence::of(&self.app, id, &board.game),
            presence::seen_by(&self.app, id, board.seen(now), None),
        ];
        if now == board.presence {
            return;
        }
        let Ok(names) = Names::of(&self.app, people(&board.game)).await else {
            return;
        };
        let ways = [Lanes::tell_players, Lanes::tell_watchers];
        for (way, (now, before)) in ways.iter().zip(now.iter().zip(&board.presence)) {
            for color in Color::ALL {
                if let Some(player) = now.get(color)
                    && before.get(color) != Some(player)
                {
                    let text = encode::presence(id, color, player, &names);
                    way(&lanes, Arc::new(Told::Notice(text)));
                }
            }
        }
        board.presence = now;
    }

    /// Tells what has changed about who watches.
    async fn audience(&mut self, id: TableId) {
        let (Some(board), Some(lanes)) = (self.boards.get_mut(&id), self.app.rooms.lanes(id))
        else {
            return;
        };
        let Ok(observers) = here::observers(&self.app, id).await else {
            return;
        };
        let now = self.app.now();
        let now = [
            Audience::of(&self.app, id, &board.game, true, &observers),
            Audience::of(&self.app, id, board.seen(now), false, &observers),
        ];
        let ways = [Lanes::tell_players, Lanes::tell_watchers];
        for (way, (now, before)) in ways.iter().zip(now.iter().zip(&board.audience)) {
            if now.differs_from(before) {
                let text = encode::audience(id, now);
                way(&lanes, Arc::new(Told::Notice(text)));
            }
        }
        board.audience = now;
    }

    async fn tick(&mut self) {
        self.ticks += 1;
        let part = self.ticks % PARTS;
        if part == 0 {
            self.boards
                .retain(|id, _| self.app.rooms.hub().is_open(*id));
        }
        let now = self.app.now();
        while let Some(id) = self.dues.next(now) {
            if let (Some(board), Some(lanes)) = (self.boards.get_mut(&id), self.app.rooms.lanes(id))
            {
                board.tell_due(&lanes, now);
                self.remind(id);
            }
        }
        let ids = self.boards.keys().filter(|id| id.number() % PARTS == part);
        let ids: Vec<TableId> = ids.copied().collect();
        for id in ids {
            self.presence(id).await;
            self.tick_board(id);
            self.audience(id).await;
        }
        self.matches.tick(&self.app).await;
    }

    fn tick_board(&mut self, id: TableId) {
        let (Some(board), Some(lanes)) = (self.boards.get_mut(&id), self.app.rooms.lanes(id))
        else {
            return;
        };
        let now = self.app.now();
        let delay = board.game.spectator_delay();
        // A change tells the clocks itself: ten thousand who are just hearing
        // of a move need not hear of them again.
        let is_fresh = now.since(board.game.last_at()) < CLOCK_EVERY;
        if let Some(text) = clock(id, &board.game, now).filter(|_| !is_fresh) {
            let news = Arc::new(Told::Notice(text));
            lanes.tell_players(Arc::clone(&news));
            if delay == Millis::ZERO {
                lanes.tell_watchers(news);
            }
        }
        if delay > Millis::ZERO {
            let seen = board.seen(now);
            let then = Timestamp(now.0.saturating_sub(u64::from(delay.0)));
            if let Some(text) = clock(id, seen, then.max(seen.last_at())) {
                lanes.tell_watchers(Arc::new(Told::Notice(text)));
            }
        }
        // A round trip must be fresh to be worth something.
        if self.app.rooms.lags().are_compensated() && self.ticks.is_multiple_of(LAG_TICKS) {
            lanes.tell_players(Arc::new(Told::Ping));
        }
    }
}

/// What the clocks show, if one of them runs and counts in seconds.
fn clock(id: TableId, game: &Game, now: Timestamp) -> Option<Utf8Bytes> {
    let runs = game.state() == "ACTIVE" && game.is_clock_running();
    let counts = game.terms().control.is_real_time();
    (runs && counts).then(|| encode::clock(id, game, now))
}
