//! Those who watch: they come when they like, listen when they get to it, and
//! must in the end know what there is to know.

use std::collections::BTreeMap;
use std::sync::Arc;

use chess::game::Game;
use chess::table::{PlayerId, Table as _};
use live::room::{Alarms, Follower, Heard, Loss, Receiver, TryRecvError, Watched};
use store::TableId;

use crate::mail::{Letter, Ticket};
use crate::rng::Rng;
use crate::rules::{Checked, ensure};
use crate::run::World;
use crate::stage::{Happened, Told};

/// As many watch at the same time.
const WATCHERS_MAX: usize = 8;
/// Everybody knows everything after so many rounds in which nothing else happens.
const ROUNDS_MAX: usize = 200;

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
}

impl World {
    /// Somebody comes to watch, or to play, and looks.
    pub(crate) fn come(&mut self) {
        let known = self.book.tables.iter();
        let known: Vec<(TableId, Arc<Game>)> = known
            .filter_map(|(id, record)| Some((*id, record.known.clone()?)))
            .collect();
        if known.is_empty() || self.audience.watchers.len() >= WATCHERS_MAX {
            return;
        }
        let rng = &mut self.audience.rng;
        let (table, game) = known[rng.below(known.len() as u64) as usize].clone();
        // Whether the creator is there decides how long a game waits: what
        // the book knows of that comes from requests alone.
        let player = game.players()[1].filter(|_| rng.percent(30));
        let room = self.node.stage.rooms.join(table, player);
        self.say(|| format!("{player:?} comes to {table}"));
        let looking = self.ask_for(table);
        self.audience.watchers.push(Watcher {
            table,
            player,
            follower: Follower::default(),
            lane: room.subscribe(player.is_some()),
            looking: Some(looking),
        });
    }

    /// One of them goes.
    pub(crate) fn go(&mut self) {
        let Audience { watchers, rng, .. } = &mut self.audience;
        if !watchers.is_empty() {
            let index = rng.below(watchers.len() as u64) as usize;
            self.lose_watcher(index);
        }
    }

    fn lose_watcher(&mut self, index: usize) {
        let gone = self.audience.watchers.swap_remove(index);
        self.node.stage.rooms.leave(gone.table, gone.player);
    }

    fn ask_for(&mut self, table: TableId) -> Ticket {
        self.read(table, None);
        self.book.last_ticket()
    }

    /// Whoever tells does a little, and may fail at it; who listens, listens.
    pub(crate) fn tell(&mut self) -> Checked {
        let many = self.audience.rng.pick(&[0, 0, 0, 0, 1, 3, 100]);
        for _ in 0..many {
            let failures = self.audience.failures;
            let fails = self.audience.rng.percent(failures);
            let is_swapped = self.audience.rng.percent(failures);
            self.tell_next(fails, is_swapped, failures);
        }
        self.look_after_rooms();
        self.listen()?;
        self.deliver()
    }

    fn tell_next(&mut self, fails: bool, is_swapped: bool, failures: u64) {
        let stage = Arc::clone(&self.node.stage);
        let next = {
            let mut bus = stage.bus();
            if is_swapped && bus.len() > 1 {
                bus.swap(0, 1);
            }
            bus.pop_front()
        };
        let Some((id, what)) = next else { return };
        if fails {
            self.say(|| format!("telling of {id} fails"));
            return stage.rooms.lost(id, Loss::Failed);
        }
        let Some(room) = stage.room(id) else { return };
        let now = self.node.now();
        match what {
            Happened::Changed(before, after) => {
                let is_readable = !self.audience.rng.percent(failures);
                room.open(&*before, now);
                room.changed(&*after, Told::Changed(Arc::clone(&after), is_readable), now);
            }
            Happened::Came(game) => room.came(&*game, now),
        }
        if let Some(due) = room.next_due() {
            self.audience.alarms.set(id, due);
        }
    }

    /// Repairs what lost something, and tells what may be known by now.
    fn look_after_rooms(&mut self) {
        let stage = Arc::clone(&self.node.stage);
        for room in stage.rooms.take_marked(usize::MAX) {
            let ticket = self.ask_for(room.id());
            self.audience.repairs.insert(ticket, room.id());
        }
        let now = self.node.now();
        while let Some(id) = self.audience.alarms.next(now) {
            if let Some(room) = stage.room(id) {
                room.tell_due(now);
                if let Some(due) = room.next_due() {
                    self.audience.alarms.set(id, due);
                }
            }
        }
    }

    /// Everybody who is not just looking hears what is in their lane.
    fn listen(&mut self) -> Checked {
        for index in 0..self.audience.watchers.len() {
            while self.audience.watchers[index].looking.is_none() {
                let must_look = match self.audience.watchers[index].lane.try_recv() {
                    Ok(Told::Changed(game, is_readable)) => self.hear(index, &game, is_readable)?,
                    Ok(Told::Lost) | Err(TryRecvError::Lagged(_)) => true,
                    Err(TryRecvError::Empty | TryRecvError::Closed) => break,
                };
                if must_look {
                    let ticket = self.ask_for(self.audience.watchers[index].table);
                    self.audience.watchers[index].looking = Some(ticket);
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
    ) -> Result<bool, crate::rules::Violation> {
        let watcher = &mut self.audience.watchers[index];
        let (id, told, version) = (watcher.table, watcher.follower.version(), game.version());
        match watcher.follower.hear(version, is_readable) {
            Heard::Old => return Ok(false),
            Heard::Look => return Ok(true),
            Heard::Next => {}
        }
        watcher.follower = Follower::at(version);
        let now = self.node.now();
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
        let is_so = self.book.known(id).is_none_or(|known| {
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
    pub(crate) fn looked(&mut self, ticket: Ticket, letter: &Letter) -> Checked {
        let stage = Arc::clone(&self.node.stage);
        let now = self.node.now();
        if let Some(id) = self.audience.repairs.remove(&ticket) {
            match (letter, stage.room(id)) {
                (Letter::Table(game), Some(room)) => {
                    room.repair(&**game, now);
                    if let Some(due) = room.next_due() {
                        self.audience.alarms.set(id, due);
                    }
                }
                _ => stage.rooms.lost(id, Loss::Failed),
            }
        }
        let looks = |watcher: &Watcher| watcher.looking == Some(ticket);
        let Some(index) = self.audience.watchers.iter().position(looks) else {
            return Ok(());
        };
        let Letter::Table(game) = letter else {
            // The stream ends: try again later.
            self.lose_watcher(index);
            return Ok(());
        };
        let watcher = &mut self.audience.watchers[index];
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

    /// Once nothing else happens, everybody knows what there is to know.
    pub(crate) fn all_know_all(&mut self) -> Checked {
        self.audience.failures = 0;
        for _ in 0..ROUNDS_MAX {
            self.tell_next(false, false, 0);
            self.look_after_rooms();
            self.listen()?;
            self.let_disk_work()?;
            self.deliver()?;
        }
        let now = self.node.now();
        for watcher in &self.audience.watchers {
            let Some(game) = self.book.known(watcher.table) else {
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
}
