//! Tells everyone who listens what happened, from one place.
//!
//! Whatever goes wrong with one piece of news costs that piece: it is logged
//! and counted, and the room is repaired like every room that lost something.

mod games;
mod here;
pub mod lobby;
mod matches;
mod repair;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use chess::Timestamp;
use chess::tables::AnyTable;
use futures_util::FutureExt;
use live::room::{Alarms, Loss};
use store::TableId;
use tokio::time::MissedTickBehavior;

use crate::play::{App, signals};
use crate::rooms::bus::{Happened, Happening};
use crate::rooms::{News, Room, What};

/// Clocks and presence are told once a second, a part of the rooms at a time:
/// news must not wait until the clocks of thousands of games are told.
const PARTS: usize = 20;
const TICK: Duration = Duration::from_millis(1000 / PARTS as u64);
/// What is told in a row, as much as one transaction brings about; then those who are told
/// on this thread may take it from their lanes.
const IN_A_ROW: usize = 256;
/// The same of what is no change of a table, which has one at a time: of a room's talk fewer
/// than a lane holds.
const TALK_IN_A_ROW: usize = 32;
/// The rooms that are read again in one tick.
const REPAIRS: usize = 64;

/// Tells, for ever. If it was stopped in the middle, what it had in hand is lost: every
/// room is looked after at the next tick.
pub async fn run(app: App) {
    let bus = app.rooms.bus();
    for room in app.rooms.all().open() {
        app.rooms.all().lost(room.id(), Loss::Failed);
    }
    let mut teller = Teller::new(app);
    let mut some = Vec::with_capacity(IN_A_ROW);
    let mut ticks = tokio::time::interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = bus.take(&mut some, IN_A_ROW) => {
                let is_all = some.len() < IN_A_ROW;
                let mut talk = 0;
                for happening in some.drain(..) {
                    talk += usize::from(!matches!(happening.what, Happened::Changed(_)));
                    teller.take(happening).await;
                    if talk == TALK_IN_A_ROW {
                        talk = 0;
                        tokio::task::yield_now().await;
                    }
                }
                if !is_all {
                    tokio::task::yield_now().await;
                }
            }
            _ = ticks.tick() => teller.tick().await,
        }
    }
}

struct Teller {
    app: App,
    /// When spectators may know something next.
    delayed: Alarms,
    /// When a guest of a match is gone just because time passes.
    leaving: Alarms,
    /// When rooms are looked after again whose tables could not be read.
    repairs: Alarms,
    ticks: usize,
}

impl Teller {
    fn new(app: App) -> Teller {
        Teller {
            app,
            delayed: Alarms::default(),
            leaving: Alarms::default(),
            repairs: Alarms::default(),
            ticks: 0,
        }
    }

    async fn take(&mut self, happening: Happening) {
        let id = happening.table;
        let rooms = self.app.rooms.clone();
        if AssertUnwindSafe(self.handle(&happening))
            .catch_unwind()
            .await
            .is_err()
        {
            tracing::error!(table = %id, "telling what happened there failed");
            rooms.note_failed();
            rooms.all().lost(id, Loss::Failed);
            rooms.tell_lost(&happening);
        }
    }

    async fn handle(&mut self, happening: &Happening) {
        let id = happening.table;
        match &happening.what {
            Happened::Changed(changed) => {
                self.app.rooms.note_lag(changed.at);
                match &changed.after {
                    AnyTable::Chess(game) => self.game_changed(happening, changed, game).await,
                    AnyTable::Skill(played) => self.match_changed(id, changed, played).await,
                }
            }
            Happened::Came(table) => self.came(id, table).await,
            Happened::Went(who) => {
                if let Some(player) = who {
                    signals::note_disconnect(&self.app, id, *player);
                }
                if let Some(room) = self.app.rooms.all().get(id) {
                    self.tell_presence(&room).await;
                    self.went_from_match(&room, *who).await;
                }
            }
            Happened::Said(said, after) => {
                if self.app.rooms.comes_next(id, said.line.id.number(), *after) {
                    self.said(id, said);
                }
            }
            Happened::Overheard(heard, after) => self.overheard(id, heard, *after).await,
            Happened::Reread(found) => self.repair(id, found).await,
            Happened::Removed(who) => {
                if let Some(room) = self.app.rooms.all().get(id) {
                    room.tell(News::of(What::Removed(*who)));
                }
            }
        }
    }

    async fn came(&mut self, id: TableId, table: &AnyTable) {
        let Some(room) = self.app.rooms.all().get(id) else {
            return;
        };
        match table {
            AnyTable::Chess(game) => {
                self.open(&room, game).await;
                room.came(&**game, self.app.now());
                room.notes(|notes| notes.take_in(game));
                self.remind(&room);
                self.tell_presence(&room).await;
            }
            AnyTable::Skill(played) => self.came_to_match(&room, played).await,
        }
    }

    async fn tick(&mut self) {
        self.ticks += 1;
        let now = self.app.now();
        while let Some(id) = self.repairs.next(now) {
            self.app.rooms.all().lost(id, Loss::Failed);
        }
        for room in self.app.rooms.all().take_marked(REPAIRS) {
            repair::reread(&self.app, room.id());
        }
        while let Some(id) = self.delayed.next(now) {
            if let Some(room) = self.app.rooms.all().get(id) {
                room.tell_due(now);
                self.remind(&room);
            }
        }
        for room in self.app.rooms.all().part(self.ticks % PARTS, PARTS) {
            self.guarded(room, Duty::Second).await;
        }
        while let Some(id) = self.leaving.next(now) {
            if let Some(room) = self.app.rooms.all().get(id) {
                self.guarded(room, Duty::Leaving).await;
            }
        }
    }

    /// Does what is to be done in a room; if that fails, again in a while.
    async fn guarded(&mut self, room: Arc<Room>, duty: Duty) {
        let done = AssertUnwindSafe(self.perform(&room, duty)).catch_unwind();
        if done.await.is_err() {
            tracing::error!(table = %room.id(), ?duty, "failed in a room");
            self.app.rooms.note_failed();
            self.app.rooms.all().lost(room.id(), Loss::Failed);
        }
    }

    async fn perform(&mut self, room: &Arc<Room>, duty: Duty) {
        match duty {
            Duty::Second => self.tell_second(room).await,
            Duty::Leaving => self.tell_guests_here(room).await,
        }
    }

    /// Sees to it that spectators are told in time: all at once now and then
    /// would keep everybody else's news waiting.
    fn remind(&mut self, room: &Room) {
        match room.next_due() {
            Some(due) => self.delayed.set(room.id(), due),
            None => self.delayed.forget(room.id()),
        }
    }

    fn now(&self) -> Timestamp {
        self.app.now()
    }
}

/// What is done in a room without anything happening there.
#[derive(Clone, Copy, Debug)]
enum Duty {
    Second,
    Leaving,
}
