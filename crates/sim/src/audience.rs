//! Those who watch: they come when they like, listen when they get to it, and
//! must in the end know what there is to know.

use std::collections::BTreeMap;
use std::sync::Arc;

use chess::Timestamp;
use chess::game::Game;
use chess::table::{PlayerId, Table as _};
use live::room::{Alarms, Follower, Heard, Loss, Receiver, TryRecvError, Watched};
use store::TableId;

use crate::mail::{Letter, Ticket};
use crate::rng::Rng;
use crate::rules::{Checked, ensure};
use crate::run::World;
use crate::stage::{Happened, Stage, Told};

/// As many watch at the same time.
const WATCHERS_MAX: usize = 8;
/// Everybody knows everything after so many rounds in which nothing else happens.
const ROUNDS_MAX: usize = 200;

/// Where they watch: one node.
pub(crate) trait Venue {
    /// Its rooms.
    fn stage(&self) -> Arc<Stage>;
    /// Its time.
    fn now(&self) -> Timestamp;
    /// Somebody there asks for a table.
    fn look(&mut self, table: TableId, viewer: Option<PlayerId>) -> Ticket;
    /// Whoever repairs a room asks for its table as the store has it now.
    fn look_newest(&mut self, table: TableId) -> Ticket;
    /// A player's last stream there was closed.
    fn left(&mut self, table: TableId, player: PlayerId);
    /// Whether it is known when the one was there who made a table.
    fn knows_hosts(&self) -> bool;
    /// The newest state of a table that anybody was shown.
    fn known(&self, table: TableId) -> Option<Arc<Game>>;
    /// Prints a line of the trace.
    fn say(&self, what: &dyn Fn() -> String);
}

/// Those who watch, and the one who tells them.
pub(crate) struct Audience {
    rng: Rng,
    /// How often telling fails, in percent.
    failures: u64,
    watchers: Vec<Watcher>,
    /// When those who watch may know more.
    alarms: Alarms,
    /// Rooms being repaired, by the question for their table.
    repairs: BTreeMap<Ticket, TableId>,
}

struct Watcher {
    table: TableId,
    player: Option<PlayerId>,
    follower: Follower,
    lane: Receiver<Told>,
    /// The question for the table that has no answer yet.
    looking: Option<Ticket>,
}

/// Nobody: while those who watch act, the world is without them.
impl Default for Audience {
    fn default() -> Audience {
        Audience {
            rng: Rng::new(0),
            failures: 0,
            watchers: Vec::new(),
            alarms: Alarms::default(),
            repairs: BTreeMap::new(),
        }
    }
}

impl Audience {
    pub(crate) fn new(rng: &mut Rng) -> Audience {
        let mut rng = Rng::new(rng.next());
        Audience {
            failures: rng.pick(&[0, 2, 10]),
            rng,
            watchers: Vec::new(),
            alarms: Alarms::default(),
            repairs: BTreeMap::new(),
        }
    }

    /// The node has died, and everybody's stream with it.
    pub(crate) fn disperse(&mut self) {
        self.watchers.clear();
        self.repairs.clear();
        self.alarms = Alarms::default();
    }

    /// Somebody comes to watch, or to play, and looks.
    pub(crate) fn come(&mut self, venue: &mut dyn Venue, known: &[(TableId, Arc<Game>)]) {
        if known.is_empty() || self.watchers.len() >= WATCHERS_MAX {
            return;
        }
        let rng = &mut self.rng;
        let (table, game) = known[rng.below(known.len() as u64) as usize].clone();
        // Whether the creator is there decides how long a game waits: at one node
        // what the book knows of that comes from requests alone.
        let is_host = venue.knows_hosts() && rng.percent(50);
        let player = game.players()[usize::from(!is_host)].filter(|_| rng.percent(30));
        let room = venue.stage().rooms.join(table, player);
        venue.say(&|| format!("{player:?} comes to {table}"));
        let looking = venue.look(table, None);
        self.watchers.push(Watcher {
            table,
            player,
            follower: Follower::default(),
            lane: room.subscribe(player.is_some()),
            looking: Some(looking),
        });
    }

    /// One of them goes.
    pub(crate) fn go(&mut self, venue: &mut dyn Venue) {
        if !self.watchers.is_empty() {
            let index = self.rng.below(self.watchers.len() as u64) as usize;
            self.lose_watcher(index, venue);
        }
    }

    fn lose_watcher(&mut self, index: usize, venue: &mut dyn Venue) {
        let gone = self.watchers.swap_remove(index);
        let is_gone = venue.stage().rooms.leave(gone.table, gone.player);
        if let Some(player) = gone.player.filter(|_| is_gone) {
            venue.left(gone.table, player);
        }
    }

    /// Whoever tells does a little, and may fail at it; who listens, listens.
    pub(crate) fn tell(&mut self, venue: &mut dyn Venue) -> Checked {
        let many = self.rng.pick(&[0, 0, 0, 0, 1, 3, 100]);
        for _ in 0..many {
            let failures = self.failures;
            let fails = self.rng.percent(failures);
            let is_swapped = self.rng.percent(failures);
            self.tell_next(fails, is_swapped, venue);
        }
        self.look_after_rooms(venue);
        self.listen(venue)
    }

    /// Whoever tells fails no more.
    pub(crate) fn calm_down(&mut self) {
        self.failures = 0;
    }

    fn tell_next(&mut self, fails: bool, is_swapped: bool, venue: &dyn Venue) {
        let stage = venue.stage();
        let next = {
            let mut bus = stage.bus();
            if is_swapped && bus.len() > 1 {
                bus.swap(0, 1);
            }
            bus.pop_front()
        };
        let Some((id, what)) = next else { return };
        if fails {
            venue.say(&|| format!("telling of {id} fails"));
            return stage.rooms.lost(id, Loss::Failed);
        }
        let Some(room) = stage.room(id) else { return };
        let now = venue.now();
        match what {
            Happened::Changed(before, after) => {
                let is_readable = !self.rng.percent(self.failures);
                room.open(&*before, now);
                room.changed(&*after, Told::Changed(Arc::clone(&after), is_readable), now);
            }
            Happened::Came(game) => room.came(&*game, now),
        }
        if let Some(due) = room.next_due() {
            self.alarms.set(id, due);
        }
    }

    /// Repairs what lost something, and tells what may be known by now.
    fn look_after_rooms(&mut self, venue: &mut dyn Venue) {
        let stage = venue.stage();
        for room in stage.rooms.take_marked(usize::MAX) {
            let ticket = venue.look_newest(room.id());
            self.repairs.insert(ticket, room.id());
        }
        let now = venue.now();
        while let Some(id) = self.alarms.next(now) {
            if let Some(room) = stage.room(id) {
                room.tell_due(now);
                if let Some(due) = room.next_due() {
                    self.alarms.set(id, due);
                }
            }
        }
    }

    /// Everybody who is not just looking hears what is in their lane.
    fn listen(&mut self, venue: &mut dyn Venue) -> Checked {
        for index in 0..self.watchers.len() {
            while self.watchers[index].looking.is_none() {
                let must_look = match self.watchers[index].lane.try_recv() {
                    Ok(Told::Changed(game, is_readable)) => {
                        self.hear(index, &game, is_readable, venue)?
                    }
                    Ok(Told::Lost) | Err(TryRecvError::Lagged(_)) => true,
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break,
                };
                if must_look {
                    let ticket = venue.look(self.watchers[index].table, None);
                    self.watchers[index].looking = Some(ticket);
                }
            }
        }
        Ok(())
    }

    /// Whether they must look for themselves.
    fn hear(
        &mut self,
        index: usize,
        game: &Arc<Game>,
        is_readable: bool,
        venue: &dyn Venue,
    ) -> Result<bool, crate::rules::Violation> {
        let watcher = &mut self.watchers[index];
        let (id, told, version) = (watcher.table, watcher.follower.version(), game.version());
        match watcher.follower.hear(version, is_readable) {
            Heard::Old => return Ok(false),
            Heard::Look => return Ok(true),
            Heard::Next => {}
        }
        watcher.follower = Follower::at(version);
        let now = venue.now();
        let delay = game.spectator_delay();
        let may_know = watcher.player.is_some() || game.last_at() + delay <= now;
        ensure!(
            version == told + 1,
            ToldInOrder,
            id,
            "version {version} was told after {told}"
        );
        ensure!(may_know, ToldInTime, id, "version {version} was told early");
        // What is told late may be older or newer than what anyone was shown.
        let is_so = venue.known(id).is_none_or(|known| {
            let (known, told) = (known.encode(), game.encode());
            known.starts_with(&told) || told.starts_with(&known)
        });
        ensure!(
            is_so,
            AcknowledgedIsNeverLost,
            id,
            "version {version} was told, and is not so"
        );
        Ok(false)
    }

    /// An answer may be somebody's look, or what a room is repaired by.
    pub(crate) fn looked(
        &mut self,
        ticket: Ticket,
        letter: &Letter,
        venue: &mut dyn Venue,
    ) -> Checked {
        let stage = venue.stage();
        let now = venue.now();
        if let Some(id) = self.repairs.remove(&ticket) {
            match (letter, stage.room(id)) {
                (Letter::Table(game), Some(room)) => {
                    room.repair(&**game, now);
                    if let Some(due) = room.next_due() {
                        self.alarms.set(id, due);
                    }
                }
                _ => stage.rooms.lost(id, Loss::Failed),
            }
        }
        let looks = |watcher: &Watcher| watcher.looking == Some(ticket);
        let Some(index) = self.watchers.iter().position(looks) else {
            return Ok(());
        };
        let Letter::Table(game) = letter else {
            // The stream ends: try again later.
            self.lose_watcher(index, venue);
            return Ok(());
        };
        let watcher = &mut self.watchers[index];
        let version = match watcher.player {
            Some(_) => game.version(),
            None => game.version_seen(now),
        };
        let (id, told) = (watcher.table, watcher.follower.version());
        watcher.looking = None;
        watcher.follower = Follower::at(version.max(told));
        stage.publish(id, Happened::Came(Arc::clone(game)));
        ensure!(
            version >= told,
            ToldInOrder,
            id,
            "version {version} was shown after {told}"
        );
        Ok(())
    }

    /// Everybody knows what there is to know.
    pub(crate) fn all_know(&self, venue: &dyn Venue) -> Checked {
        let now = venue.now();
        for watcher in &self.watchers {
            let Some(game) = venue.known(watcher.table) else {
                continue;
            };
            let due = match watcher.player {
                Some(_) => game.version(),
                None => game.version_seen(now),
            };
            let told = watcher.follower.version();
            ensure!(
                told == due,
                AllKnowAll,
                watcher.table,
                "{:?} knows version {told} of {due}",
                watcher.player
            );
        }
        Ok(())
    }

    /// The players who are there, and at which tables.
    pub(crate) fn players(&self) -> impl Iterator<Item = (TableId, PlayerId)> {
        let watchers = self.watchers.iter();
        watchers.filter_map(|watcher| Some((watcher.table, watcher.player?)))
    }

    /// How far those have been told who need not look just now, and are told at once:
    /// players, and those who watch without a delay.
    pub(crate) fn told(&self) -> impl Iterator<Item = (TableId, bool, u32)> {
        self.watchers.iter().map(|watcher| {
            let version = watcher.follower.version();
            (watcher.table, watcher.player.is_some(), version)
        })
    }
}

impl Venue for World {
    fn stage(&self) -> Arc<Stage> {
        Arc::clone(&self.node.stage)
    }

    fn now(&self) -> Timestamp {
        self.node.now()
    }

    fn look(&mut self, table: TableId, viewer: Option<PlayerId>) -> Ticket {
        self.read(table, viewer);
        self.book.last_ticket()
    }

    /// There is nobody else who could have changed it.
    fn look_newest(&mut self, table: TableId) -> Ticket {
        self.look(table, None)
    }

    fn left(&mut self, _: TableId, _: PlayerId) {}

    fn knows_hosts(&self) -> bool {
        false
    }

    fn known(&self, table: TableId) -> Option<Arc<Game>> {
        self.book.known(table).cloned()
    }

    fn say(&self, what: &dyn Fn() -> String) {
        World::say(self, what);
    }
}

impl World {
    /// Lets the audience act: it is part of the world it acts in.
    fn audience<R>(&mut self, act: impl FnOnce(&mut Audience, &mut World) -> R) -> R {
        let mut audience = std::mem::take(&mut self.audience);
        let result = act(&mut audience, self);
        self.audience = audience;
        result
    }

    pub(crate) fn come(&mut self) {
        let known = self.book.all_known();
        self.audience(|audience, world| audience.come(world, &known));
    }

    pub(crate) fn go(&mut self) {
        self.audience(|audience, world| audience.go(world));
    }

    pub(crate) fn tell(&mut self) -> Checked {
        self.audience(|audience, world| audience.tell(world))?;
        self.deliver()
    }

    pub(crate) fn looked(&mut self, ticket: Ticket, letter: &Letter) -> Checked {
        self.audience(|audience, world| audience.looked(ticket, letter, world))
    }

    /// Once nothing else happens, everybody knows what there is to know.
    pub(crate) fn all_know_all(&mut self) -> Checked {
        self.audience.calm_down();
        for _ in 0..ROUNDS_MAX {
            self.audience(|audience, world| {
                audience.tell_next(false, false, world);
                audience.look_after_rooms(world);
                audience.listen(world)
            })?;
            self.let_disk_work()?;
            self.deliver()?;
        }
        self.audience(|audience, world| audience.all_know(world))
    }
}
