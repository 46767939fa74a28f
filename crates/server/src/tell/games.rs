//! What happens in games of chess.

use std::sync::Arc;

use chess::game::{Event, Game};
use chess::table::{State, Table};
use chess::tables::Hosted;
use chess::{Millis, Timestamp};
use live::room::policy::ViewerFacts;
use live::room::{Loss, Role};
use store::TableId;

use super::Teller;
use crate::auth::Names;
use crate::play::App;
use crate::play::names::people;
use crate::play::ratings;
use crate::play::rematch::standing_at;
use crate::play::room::{readable_from, readable_later};
use crate::rooms::bus::{Changed, Happening};
use crate::rooms::news::GameChange;
use crate::rooms::{BlockedBy, Line, News, Room, Speech, What, rematch_of};

/// How long after a change the clocks are told again.
const CLOCK_EVERY: Millis = Millis::from_secs(1);
/// Every so many seconds a player's round trip is measured, where it matters.
const LAG_SECONDS: usize = 3;

/// The rematch of a finished game, if there is one: nothing of it is in that game, so
/// nobody finds it by looking there.
pub(super) async fn rematch_at(app: &App, finished: TableId) -> Option<GameChange> {
    let (id, game) = standing_at(app, finished).await?;
    let names = Names::of(app, people(&game)).await.ok()?;
    Some(GameChange {
        id,
        before: None,
        after: game,
        event: None,
        report: Arc::default(),
        names: Arc::new(names),
        rated: None,
    })
}

impl Teller {
    pub(super) async fn game_changed(
        &mut self,
        happening: &Happening,
        changed: &Changed,
        after: &Arc<Game>,
    ) {
        let id = happening.table;
        let event = changed.event.clone().and_then(Game::happened);
        if let Some(Event::Reseated { from, to }) = event {
            // Another node may have changed who they are a moment ago.
            self.app.auth.forget_person(from);
            self.app.auth.forget_person(to);
        }
        let named = Names::of(&self.app, people(after)).await;
        let rated = ratings::of_game(&self.app, id, after).await;
        let (Ok(names), Ok(rated)) = (named, rated) else {
            // Nobody can be named: everybody reads the game for themselves.
            self.app.rooms.all().lost(id, Loss::Failed);
            return self.app.rooms.tell_lost(happening);
        };
        let before = changed.before.as_ref().and_then(|before| before.chess());
        let change = GameChange {
            id,
            before: before.cloned(),
            after: Arc::clone(after),
            event,
            report: Arc::clone(&changed.report),
            names: Arc::new(names),
            rated,
        };
        self.tell_rematch(&change);
        // Of their own move, after which the game goes on, nobody needs to be told: of several
        // thousand a second each would wake its mover's stream to say nothing.
        let is_turn = |player| after.seat_of(player) == Some(after.turn());
        let goes_on = matches!(change.event, Some(Event::Moved { .. })) && after.ending().is_none();
        let news = News::of(What::Changed(change));
        for player in after.players().into_iter().flatten() {
            if !goes_on || is_turn(player) {
                self.app.rooms.tell_account(player, &news);
            }
        }
        let (Some(room), Some(before)) = (self.app.rooms.all().get(id), before) else {
            return;
        };
        self.open(&room, before).await;
        if !room.changed(&**after, news, self.now()) {
            return;
        }
        room.notes(|notes| notes.take_in(after));
        self.remind(&room);
        if after.ending().is_some() || before.started_at() != after.started_at() {
            self.tell_presence(&room).await;
        }
    }

    /// Takes up a game that nobody was at: spectators are told in time of what
    /// they may not know yet.
    pub(super) async fn open(&mut self, room: &Arc<Room>, game: &Arc<Game>) {
        let now = self.now();
        if !room.open(&**game, now) {
            return;
        }
        room.notes(|notes| notes.take_in(game));
        self.expect_lines(room, game).await;
        self.remind(room);
    }

    /// Has spectators look again when they may read what was said and is not for
    /// them yet.
    pub(super) async fn expect_lines(&mut self, room: &Room, game: &Game) {
        if game.spectator_delay() > Millis::ZERO {
            // If the store cannot say, they read what was said at the next news.
            let lines = readable_later(&self.app, room.id(), game, self.now()).await;
            for due in lines.unwrap_or_default() {
                room.tell_watchers_at(due, News::of(What::Lost));
            }
        }
    }

    /// Those who are still at the finished game learn of the next one.
    fn tell_rematch(&mut self, change: &GameChange) {
        let room = rematch_of(&change.after).and_then(|id| self.app.rooms.all().get(id));
        if let Some(room) = room {
            self.tell_rematch_in(&room, change.clone());
        }
    }

    pub(super) fn tell_rematch_in(&mut self, room: &Room, next: GameChange) {
        if let Some(finished) = room.notes(|notes| notes.game.clone()) {
            let (id, version) = (next.id, next.after.version());
            room.notes(|notes| notes.afar.hears_of_rematch(id, version));
            let news = News::of(What::Rematch(next));
            room.happened(&*finished, news, self.now());
            self.remind(room);
        }
    }

    /// Puts a line where those are who may hear it. What observers say does
    /// not even touch the players' lane while the game lives.
    pub(super) fn said(&mut self, id: TableId, speech: &Speech) {
        let line = &speech.line;
        let Some(room) = self.app.rooms.all().get(id) else {
            return;
        };
        let Some(game) = room.notes(|notes| notes.game.clone()) else {
            return;
        };
        let observer = ViewerFacts {
            who: None,
            role: Role::Observer,
        };
        let news = News::of(What::Said(speech.clone()));
        let is_for_players = line.facts.role == Role::Player || line.facts.is_notice;
        if is_for_players || game.ending().is_some() {
            room.tell_players(news.clone());
        }
        match readable_from(&game, line, &observer) {
            // What is not kept back is told now: the clock of the node where it was
            // said may be a little ahead of ours, and lines stay in order.
            Some(at) if at > line.at && at > self.now() => {
                room.tell_watchers_at(at, news);
                self.remind(&room);
            }
            Some(_) => room.tell_watchers(news),
            None => {}
        }
    }

    /// Somebody spoke at another node.
    pub(super) async fn overheard(
        &mut self,
        id: TableId,
        (line, blocked_by): &(Line, BlockedBy),
        after: u64,
    ) {
        if !self.app.rooms.comes_next(id, line.id.number(), after) {
            return;
        }
        let from = line.facts.from;
        match self
            .app
            .auth
            .people(&[from])
            .await
            .map(|mut p| p.remove(&from))
        {
            Ok(Some(speaker)) => {
                let speech = Speech {
                    line: line.clone(),
                    speaker,
                    blocked_by: Arc::clone(blocked_by),
                };
                self.said(id, &speech);
            }
            // Nobody can be named: everybody reads it for themselves.
            _ => self.app.rooms.all().lost(id, Loss::Failed),
        }
    }

    /// Another second has passed.
    pub(super) async fn tell_second(&mut self, room: &Arc<Room>) {
        let Some(game) = room.notes(|notes| notes.game.clone()) else {
            return;
        };
        self.tell_presence(room).await;
        self.tell_clocks(room, &game);
        self.tell_audience(room).await;
        // A round trip must be fresh to be worth something.
        let is_turn = (self.ticks / super::PARTS).is_multiple_of(LAG_SECONDS);
        if self.app.rooms.lags().are_compensated() && is_turn {
            room.tell_players(News::of(What::Ping));
        }
    }

    fn tell_clocks(&self, room: &Room, game: &Game) {
        let now = self.now();
        let delay = game.spectator_delay();
        // A change tells the clocks itself: ten thousand who are just hearing
        // of a move need not hear of them again.
        let is_fresh = now.since(game.last_at()) < CLOCK_EVERY;
        if let Some(news) = clock(game, now).filter(|_| !is_fresh) {
            room.tell_players(news.clone());
            if delay == Millis::ZERO {
                room.tell_watchers(news);
            }
        }
        if delay > Millis::ZERO {
            let then = Timestamp(now.0.saturating_sub(u64::from(delay.0)));
            let seen = room.notes(|notes| notes.seen(now));
            if let Some(news) = seen.and_then(|seen| clock(&seen, then.max(seen.last_at()))) {
                room.tell_watchers(news);
            }
        }
    }
}

/// What the clocks show, if one of them runs and counts in seconds.
fn clock(game: &Game, now: Timestamp) -> Option<News> {
    let runs = game.state() == State::Active && game.is_clock_running();
    let counts = game.terms().control.is_real_time();
    (runs && counts).then(|| News::of(What::Clock(game.clocks(now), now)))
}
