//! Everything there is in one simulation of a pool, and how time passes in it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use chess::clock::TimeControl;
use chess::pairing::{Blocks, Policy, Pool};
use chess::rules::Variant;
use chess::tables::AnyTable;
use chess::{Millis, Timestamp};
use live::{Limits, Live, Mutant};
use store::memory::Control;
use store::{NodeId, Store, TableId, Upkeep};

use super::book::Book;
use super::people::Person;
use super::play::Played;
use super::rounds::Rounds;
use super::weather::Habits;
use super::{PoolOptions, PoolReport};
use crate::cluster::BEGINNING_US;
use crate::cluster::bus::Outbox;
use crate::cluster::clock::Truth;
use crate::cluster::node::{BEAT_US, Node};
use crate::cluster::wire::{Carried, Wire};
use crate::mail::{Inbox, Letter};
use crate::node::at_once;
use crate::rng::Rng;
use crate::rules::{Checked, Violation, ensure};

/// So many nodes.
const NODES: u64 = 3;
/// How often a node forgets games that nobody has used.
const EVICT_US: u64 = 10_000_000;
/// However badly it goes, everybody has played by then.
const LONGEST_US: u64 = 36_000_000_000;
/// Where nothing goes well, they play no longer than this.
const HOSTILE_US: u64 = 240_000_000;
/// And once nothing goes wrong and nobody comes, all games and tickets have ended.
const ENDING_US: u64 = 1_500_000_000;

pub(super) struct World {
    pub(super) options: PoolOptions,
    pub(super) rng: Rng,
    truth: Truth,
    pub(super) control: Control,
    /// The store as it is, however badly nodes reach it.
    pub(super) store: Store,
    limits: Limits,
    outbox: Outbox,
    pub(super) seats: Vec<Seat>,
    pub(super) pool: Pool,
    pub(super) policy: Policy,
    pub(super) blocks: Blocks,
    pub(super) habits: Habits,
    pub(super) people: Vec<Person>,
    /// The games that go on, as those know who play them.
    pub(super) played: BTreeMap<TableId, Played>,
    asked: BTreeMap<u64, Asked>,
    agenda: BTreeMap<(u64, u64), Deed>,
    numbered: u64,
    pub(super) book: Book,
    /// Nobody comes any more, and nothing goes wrong.
    pub(super) is_closing: bool,
}

/// The place of a node: who is there, or when the next one is.
pub(super) struct Seat {
    pub(super) node: Option<Node>,
    pub(super) rises_at: u64,
    pub(super) rounds: Rounds,
}

/// Something that happens at its time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Deed {
    /// Somebody does something, unless they have done it meanwhile: by this number.
    Person(usize, u64),
    Game(TableId),
    Die(NodeId),
    Weather,
    Agree,
    /// A node's way to the store is good again.
    Clear(usize),
}

/// What a node was asked for.
struct Asked {
    node: NodeId,
    what: What,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// To make this game.
    Make(TableId),
    /// To change it.
    Play(TableId),
    /// To end it in another way at the same time.
    Rival(TableId),
}

impl World {
    pub(super) fn new(options: PoolOptions) -> World {
        let mut rng = Rng::new(options.seed ^ 0x0900_1000_0000_0000);
        let upkeep = Upkeep {
            fold_after: 1,
            to_row: Some(live::to_row::<AnyTable>()),
            ..Upkeep::default()
        };
        let (store, control) = Store::in_memory(upkeep);
        control.share();
        control.set_clock(BEGINNING_US);
        if Mutant::PairsWhoever.is_chosen() {
            control.pair_whoever();
        }
        if Mutant::ForgetsWhoPlays.is_chosen() {
            control.forget_who_plays();
        }
        if Mutant::RatesRefused.is_chosen() {
            control.rate_what_is_refused();
        }
        let habits = Habits::new(options, &mut rng);
        let people: Vec<Person> = (1..=options.players)
            .map(|number| Person::new(number, &mut rng))
            .collect();
        let pool = Pool {
            control: TimeControl::Fischer {
                initial: Millis::from_secs(300),
                increment: Millis::from_secs(3),
            },
            variant: Variant::Standard,
            rated: true,
        };
        let seats = (0..NODES).map(|n| Seat {
            node: None,
            rises_at: BEGINNING_US + n * 50_000,
            rounds: Rounds::default(),
        });
        let mut world = World {
            truth: Arc::new(AtomicU64::new(BEGINNING_US)),
            limits: Limits {
                resident_max: habits.resident_max,
                rated_per_day: habits.rated_per_day,
                ..Limits::default()
            },
            outbox: Outbox::default(),
            seats: seats.collect(),
            policy: habits.policy,
            blocks: Blocks::default(),
            played: BTreeMap::new(),
            asked: BTreeMap::new(),
            agenda: BTreeMap::new(),
            numbered: 0,
            book: Book::new(options.players),
            is_closing: false,
            options,
            rng,
            control,
            store,
            pool,
            habits,
            people,
        };
        world.set_out();
        world
    }

    /// Who has blocked whom, and when everybody comes.
    fn set_out(&mut self) {
        let count = u64::from(self.options.players);
        let mut blocked = Vec::new();
        for index in (0..self.people.len()).step_by(10) {
            let other = self.rng.below(count) as usize;
            blocked.push((self.people[index].id, self.people[other].id));
        }
        self.blocks = Blocks::new(blocked);
        for index in 0..self.people.len() {
            let ms = self.rng.below(self.habits.come_within_ms);
            self.wake(index, ms);
        }
        self.put(1_000_000, Deed::Weather);
        if self.habits.agree_every_ms > 0 {
            self.put(1_000_000, Deed::Agree);
        }
    }

    pub(super) fn run(&mut self) -> Result<PoolReport, Violation> {
        while !self.have_all_played() {
            // To look at everybody each time would take longer than all the rest.
            for _ in 0..100 {
                self.moment()?;
            }
            let is_in_time = self.now_us() - BEGINNING_US < LONGEST_US;
            let fewest = self.people.iter().min_by_key(|person| person.endings);
            ensure!(
                is_in_time,
                PolicyHolds,
                None,
                "somebody starves: {fewest:?}"
            );
        }
        self.be_calm();
        let calm_since = self.now_us();
        while !self.is_quiet() {
            self.moment()?;
            let is_in_time = self.now_us() - calm_since < ENDING_US;
            let open = self.played.len();
            ensure!(
                is_in_time,
                DueInTime,
                None,
                "{open} games go on, or somebody waits"
            );
        }
        self.finish()
    }

    /// Whether everybody has played as often as they want to. Among few, and where nothing
    /// goes well, somebody may find nobody: nobody waits for that.
    fn have_all_played(&self) -> bool {
        let games_min = self.options.games_min;
        let is_late = self.now_us() - BEGINNING_US > HOSTILE_US;
        (self.options.is_hostile && is_late)
            || self.people.iter().all(|person| person.endings >= games_min)
    }

    /// Whether everything has ended.
    fn is_quiet(&self) -> bool {
        self.played.is_empty() && self.asked.is_empty() && self.searching() == 0
    }

    /// How many wait.
    fn searching(&self) -> usize {
        at_once(self.store.searching_tickets()).len()
    }

    pub(super) fn now_us(&self) -> u64 {
        self.truth.load(Ordering::SeqCst)
    }

    pub(super) fn virtual_ms(&self) -> u64 {
        (self.now_us() - BEGINNING_US) / 1_000
    }

    /// Lets a moment pass, with all that happens in it.
    fn moment(&mut self) -> Checked {
        let mut nodes = self.seats.iter().filter_map(|seat| seat.node.as_ref());
        let is_busy = nodes.any(Node::is_busy);
        let longest = match is_busy {
            true => self.habits.moment_us,
            false => 40_000,
        };
        let until = self.now_us() + self.rng.within(1_000, longest);
        self.truth.store(until, Ordering::SeqCst);
        self.control.set_clock(until);
        self.rise();
        while let Some(due) = self.agenda.first_entry()
            && due.key().0 <= until
        {
            let deed = due.remove();
            self.happens(deed)?;
        }
        let first = self.rng.below(NODES) as usize;
        for place in 0..self.seats.len() {
            let index = (first + place) % self.seats.len();
            self.work_of_line(index)?;
            self.work_of_node(index)?;
            self.read_letters(index)?;
        }
        // No room is open, so nobody has to hear anything.
        drop(self.outbox.take());
        self.watch()
    }

    fn happens(&mut self, deed: Deed) -> Checked {
        match deed {
            Deed::Person(index, number) if self.people[index].number == number => {
                return self.act(index);
            }
            Deed::Person(..) => {}
            Deed::Game(table) => self.go_on(table),
            Deed::Weather => self.weather(),
            Deed::Agree => self.agree(),
            Deed::Clear(index) => self.clear(index),
            Deed::Die(node) => {
                let is_it = |seat: &Seat| seat.node.as_ref().is_some_and(|n| n.id == node);
                if let Some(index) = self.seats.iter().position(is_it) {
                    return self.die(index);
                }
            }
        }
        Ok(())
    }

    fn rise(&mut self) {
        let now_us = self.now_us();
        for index in 0..self.seats.len() {
            if self.seats[index].node.is_none() && now_us >= self.seats[index].rises_at {
                let limits = self.limits.clone();
                let rng = &mut self.rng;
                let node = Node::start(&self.control, &self.truth, &self.outbox, limits, rng);
                let id = node.id;
                self.seats[index].node = Some(node);
                self.seats[index].rounds = Rounds::default();
                self.say(|| format!("{index} starts as {id:?}"));
            }
        }
    }

    /// What a node asked for reaches the store, or does not, and answers get back.
    fn work_of_line(&mut self, index: usize) -> Checked {
        let now_us = self.now_us();
        let Some(node) = &mut self.seats[index].node else {
            return Ok(());
        };
        node.wire.note(now_us);
        let is_stalled = node.is_stalled(now_us);
        let mut place = 0;
        while let Some((wire, rng)) = self.wire(index)
            && let Some(carried) = wire.carry(place, now_us, rng)
        {
            match carried {
                Carried::There => self.look_at_store()?,
                Carried::Lost => {}
                Carried::OnItsWay => place += 1,
            }
        }
        place = 0;
        while !is_stalled
            && let Some((wire, rng)) = self.wire(index)
            && let Some(carried) = wire.answer(place, now_us, rng)
        {
            place += usize::from(carried == Carried::OnItsWay);
        }
        Ok(())
    }

    fn wire(&mut self, index: usize) -> Option<(&mut Wire, &mut Rng)> {
        let node = self.seats[index].node.as_mut()?;
        Some((&mut node.wire, &mut self.rng))
    }

    /// What a server does by itself.
    fn work_of_node(&mut self, index: usize) -> Checked {
        let now_us = self.now_us();
        let Some(node) = &mut self.seats[index].node else {
            return Ok(());
        };
        if node.is_stalled(now_us) {
            return Ok(());
        }
        if node.poll() {
            return self.die(index);
        }
        let Some(live) = node.live().cloned() else {
            return Ok(());
        };
        live.tick();
        if now_us >= node.next_beat {
            node.next_beat = now_us + BEAT_US;
            live.heartbeat();
        }
        if now_us >= node.next_look {
            node.next_look = now_us + EVICT_US;
            live.evict();
        }
        self.look_after(index, &live);
        Ok(())
    }

    fn read_letters(&mut self, index: usize) -> Checked {
        let Some(node) = &self.seats[index].node else {
            return Ok(());
        };
        let inbox = node.inbox.clone();
        while let Some((number, letter)) = inbox.take() {
            self.told(index, number, letter)?;
        }
        Ok(())
    }

    fn told(&mut self, index: usize, number: u64, letter: Letter) -> Checked {
        let Some(Asked { what, .. }) = self.asked.remove(&number) else {
            return Ok(());
        };
        if matches!(letter, Letter::Failed(_) | Letter::Dropped) {
            self.book.counts.unsure += 1;
        }
        match what {
            What::Make(table) => self.made(index, table, letter),
            What::Play(table) => self.answered(table, letter, true),
            What::Rival(table) => self.answered(table, letter, false),
        }
    }

    /// Notes what is asked of a node; the number of the answer, and where it will be.
    pub(super) fn ask(&mut self, index: usize, what: What) -> Option<(u64, Inbox, Live<AnyTable>)> {
        let node = self.seats[index].node.as_ref()?;
        let (inbox, live) = (node.inbox.clone(), node.live()?.clone());
        self.numbered += 1;
        let asked = Asked {
            node: node.id,
            what,
        };
        self.asked.insert(self.numbered, asked);
        Some((self.numbered, inbox, live))
    }

    /// A node dies. What it asked for may have reached the store, or never will.
    pub(super) fn die(&mut self, index: usize) -> Checked {
        let Some(node) = self.seats[index].node.take() else {
            return Ok(());
        };
        self.book.counts.deaths += 1;
        let opens = !self.seats[index].rounds.is_idle();
        self.book.counts.deaths_opening += u64::from(opens);
        self.say(|| format!("{index} dies"));
        node.wire.cut();
        self.seats[index].rounds = Rounds::default();
        let span = self.rng.pick(&self.habits.down_us);
        self.seats[index].rises_at = self.now_us() + self.rng.below(span);
        let theirs = self.asked.iter().filter(|(_, asked)| asked.node == node.id);
        let numbers: Vec<u64> = theirs.map(|(number, _)| *number).collect();
        for number in numbers {
            self.told(index, number, Letter::Dropped)?;
        }
        Ok(())
    }

    /// The end: nobody may hear of anything any more.
    pub(super) fn cut_all(&mut self) {
        for seat in &mut self.seats {
            if let Some(node) = seat.node.take() {
                node.wire.cut();
            }
        }
    }

    /// One of the nodes that can be asked something.
    pub(super) fn somewhere(&mut self) -> Option<usize> {
        let now_us = self.now_us();
        let is_open = |index: &usize| {
            let node = self.seats[*index].node.as_ref();
            node.is_some_and(|node| node.live().is_some() && !node.is_stalled(now_us))
        };
        let open: Vec<usize> = (0..self.seats.len()).filter(is_open).collect();
        (!open.is_empty()).then(|| self.rng.pick(&open))
    }

    /// A node's store, and its time.
    pub(super) fn at(&self, index: usize) -> Option<(Store, Timestamp)> {
        let node = self.seats[index].node.as_ref()?;
        Some((node.store.clone(), node.clock.now()))
    }

    pub(super) fn put(&mut self, after_us: u64, deed: Deed) {
        self.numbered += 1;
        self.agenda
            .insert((self.now_us() + after_us, self.numbered), deed);
    }

    /// Lets somebody do something after so many milliseconds, and nothing before.
    pub(super) fn wake(&mut self, index: usize, after_ms: u64) {
        let number = self.numbered + 1;
        self.people[index].number = number;
        self.put(after_ms * 1_000, Deed::Person(index, number));
    }

    /// Prints a line of the trace.
    pub(super) fn say(&self, what: impl FnOnce() -> String) {
        if self.options.trace {
            println!("{:>9} {}", self.virtual_ms(), what());
        }
    }
}
