//! One run: a seed, and everything that follows from it.

use std::fmt;

use chess::game::{Command, Game};
use chess::table::{Actor, PlayerId, Table};
use chess::{Millis, Timestamp};
use live::Submission;
use store::{Remembered, TableId};

use crate::audience::Audience;
use crate::book::{Attempt, Book, Counts, Question, What};
use crate::clients::{Clients, Request};
use crate::cluster::run_cluster;
use crate::mail::{Letter, Ticket};
use crate::node::{Node, Sizes, random_limits, random_upkeep};
use crate::rng::Rng;
use crate::rules::{Checked, Violation};
use crate::sabotage::Sabotage;
use crate::terms::random_creation;
use crate::turns::Interleaving;
use crate::weather::{Disk, Habits};

/// What to run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Decides everything.
    pub seed: u64,
    /// How long.
    pub steps: u64,
    /// Whether every step is printed.
    pub trace: bool,
    /// A deliberate fault, to see that it is noticed.
    pub sabotage: Option<Sabotage>,
    /// Whether several nodes share the store, or one has it for itself.
    pub is_cluster: bool,
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Report {
    /// What it was made of.
    pub counts: Counts,
    /// How much virtual time passed, in milliseconds.
    pub virtual_ms: u64,
    /// Everything that was told, in one number: the same seed gives the same.
    pub digest: u64,
}

/// A run that broke an invariant.
#[derive(Clone, Debug)]
pub struct Broken {
    /// What was run.
    pub options: Options,
    /// In which step it broke.
    pub step: u64,
    /// What.
    pub violation: Violation,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Options {
            seed,
            steps,
            is_cluster,
            ..
        } = self.options;
        let cluster = if is_cluster { "--cluster " } else { "" };
        let Broken {
            step, violation, ..
        } = self;
        write!(
            f,
            "seed {seed}, step {step}: {violation}\n\
             replay: cargo run -p sim -- {cluster}--seed {seed} --steps {steps} --trace"
        )
    }
}

/// Runs a seed to its end.
///
/// # Errors
/// [`Broken`] says which invariant broke, and when.
pub fn run(options: Options) -> Result<Report, Box<Broken>> {
    if options.is_cluster {
        return run_cluster(options);
    }
    let mut world = World::new(options);
    let begun = world.node.now();
    let mut result = Ok(());
    for _ in 0..options.steps {
        result = world.step();
        if result.is_err() {
            break;
        }
    }
    match result.and_then(|()| world.finish()) {
        Ok(()) => Ok(Report {
            counts: world.book.counts,
            virtual_ms: world.node.now().0 - begun.0,
            digest: world.digest,
        }),
        Err(violation) => Err(Box::new(Broken {
            options,
            step: world.book.step,
            violation,
        })),
    }
}

/// Everything there is in one simulation.
pub(crate) struct World {
    pub(crate) options: Options,
    pub(crate) rng: Rng,
    pub(crate) node: Node,
    pub(crate) book: Book,
    pub(crate) clients: Clients,
    pub(crate) audience: Audience,
    pub(crate) habits: Habits,
    pub(crate) disk: Disk,
    pub(crate) interleaving: Interleaving,
    pub(crate) next_tick: Timestamp,
    /// When the node last looked at its clocks, or started.
    pub(crate) ticked_at: Timestamp,
    digest: u64,
}

/// What can happen in one step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    Ask,
    Wait,
    WorkOfDisk,
    Chore,
    Weather,
    Jump,
    Crash,
    Stop,
    Come,
    Go,
}

impl World {
    fn new(options: Options) -> World {
        let mut rng = Rng::new(options.seed);
        let interleaving = Interleaving::new(&mut rng);
        let node = Node::new(
            random_limits(&mut rng),
            random_upkeep(&mut rng),
            Sizes::random(&mut rng),
            &interleaving,
        );
        let book = Book {
            queue_max: node.limits.queue_max,
            keeps_tables: node.limits.resident_max >= 1_000
                && node.limits.idle >= Millis::from_secs(600),
            disturbed: node.now(),
            started: node.now(),
            ..Book::default()
        };
        World {
            next_tick: node.now(),
            ticked_at: node.now(),
            clients: Clients::new(rng.pick(&[1, 2, 4, 10])),
            habits: Habits::random(&mut rng),
            audience: Audience::new(&mut rng),
            disk: Disk::Good,
            interleaving,
            digest: 0xcbf2_9ce4_8422_2325,
            options,
            rng,
            node,
            book,
        }
    }

    fn step(&mut self) -> Checked {
        self.book.step += 1;
        let deed = self.rng.weighted(&self.habits.deeds);
        match deed {
            Deed::Ask => self.ask(),
            Deed::Wait => self.wait()?,
            Deed::WorkOfDisk => self.work_of_disk(),
            Deed::Chore => self.chore(),
            Deed::Weather => self.change_weather(),
            Deed::Jump => self.jump(),
            Deed::Crash => self.crash()?,
            Deed::Stop => self.stop()?,
            Deed::Come => self.come(),
            Deed::Go => self.go(),
        }
        if self.rng.percent(40) {
            self.let_disk_work()?;
        }
        self.deliver()?;
        self.tell()?;
        self.book.check_queues()
    }

    /// Somebody asks for something.
    pub(crate) fn ask(&mut self) {
        self.look_at_gate();
        let now = self.node.now();
        let request = self.clients.request(&mut self.rng, &self.book, now);
        self.say(|| format!("{request:?}"));
        match request {
            Request::Create(id) => self.create(id),
            Request::Submit(id, who, command) => self.submit(id, who, command),
            Request::Read(id, viewer) => self.read(id, viewer),
        }
    }

    fn create(&mut self, id: TableId) {
        let now = self.node.now();
        let game = loop {
            if let Ok(game) = Game::create(now, random_creation(&mut self.rng)) {
                break game;
            }
        };
        let codes = ["AAAA", "BBBB", "CCCC"];
        let code = self.rng.percent(30).then(|| self.rng.pick(&codes));
        let creator = game.creator();
        let key = self.random_key();
        let attempt = Attempt {
            creator,
            history: game.encode(),
            code: code.map(str::to_owned),
            key: key.clone(),
        };
        let ticket = self.book.ask(Some(id), What::Create(attempt), now);
        let remember = key.map(|key| remember(creator, key, id, now));
        self.node.create(id, game, code, remember, ticket);
    }

    pub(crate) fn submit(&mut self, id: TableId, who: Actor, command: Command) {
        let now = self.node.now();
        // From the door to the table a command may take a moment.
        let delay = self.rng.pick(&[0, 0, 1, 30]);
        let received = Timestamp(now.0 - delay).max(self.book.started);
        let player = match who {
            Actor::Player(player) => Some(player),
            Actor::Server | Actor::Operator => None,
        };
        let key = player.and_then(|_| self.random_key());
        let question = Question {
            who,
            command: command.clone(),
            received,
            key: key.clone(),
        };
        let ticket = self.book.ask(Some(id), What::Submit(question), now);
        let submission = Submission {
            who,
            command,
            received,
            with: player
                .zip(key)
                .map(|(player, key)| remember(player, key, id, received))
                .into(),
        };
        self.node.submit(id, submission, ticket);
    }

    pub(crate) fn read(&mut self, id: TableId, viewer: Option<PlayerId>) {
        let what = What::Read { viewer };
        let ticket = self.book.ask(Some(id), what, self.node.now());
        self.node.read(id, viewer, ticket);
    }

    pub(crate) fn fold(&mut self) {
        let ticket = self.book.ask(None, What::Fold, self.node.now());
        let rows = self.rng.pick(&[1, 1, 2, 500]);
        self.node.keep_up(rows, ticket);
    }

    /// A key that may have been used before.
    fn random_key(&mut self) -> Option<String> {
        let key = |rng: &mut Rng| format!("key {}", rng.below(500));
        self.rng.percent(15).then(|| key(&mut self.rng))
    }

    /// Notes whether the node says that its store fails.
    fn look_at_gate(&mut self) {
        if self.node.live.refuses_since().is_some() {
            self.book.refusing_step = self.book.step;
        }
    }

    /// Reads all letters and checks what they say.
    pub(crate) fn deliver(&mut self) -> Checked {
        let now = self.node.now();
        for _ in 0..self.interleaving.take_faults() {
            self.book.fault(now);
        }
        self.book.note_outages(self.node.control.outages());
        self.look_at_gate();
        while let Some((ticket, letter)) = self.node.inbox.take() {
            self.say(|| format!("    {ticket}: {}", told(&letter)));
            self.note(ticket, &letter);
            self.looked(ticket, &letter)?;
            let Some(letter) = self.tampered(ticket, letter, now) else {
                continue;
            };
            self.book.answered(ticket, letter, &self.node.store, now)?;
        }
        Ok(())
    }

    fn tampered(&mut self, ticket: Ticket, letter: Letter, now: Timestamp) -> Option<Letter> {
        if self.options.sabotage == Some(Sabotage::DoubleGrant)
            && let (Letter::Outcome(live::Outcome::Changed { after, .. }), Some(asked)) =
                (&letter, self.book.asked.get(&ticket))
            && let Some(id) = asked.table
        {
            let record = self.book.tables.entry(id).or_default();
            record.granted.insert(after.version());
        }
        match self.options.sabotage {
            Some(sabotage) => sabotage.tamper(letter, now),
            None => Some(letter),
        }
    }

    /// Adds what somebody was told to the digest (FNV-1a).
    fn note(&mut self, ticket: Ticket, letter: &Letter) {
        let told = told(letter);
        let now = self.node.now().0;
        let bytes = ticket.to_le_bytes().into_iter().chain(now.to_le_bytes());
        for byte in bytes.chain(told.bytes()) {
            self.digest = (self.digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Prints a line of the trace.
    pub(crate) fn say(&self, what: impl FnOnce() -> String) {
        if self.options.trace {
            let (step, now) = (self.book.step, self.node.now().0);
            println!("{step:>6} {now} {}", what());
        }
    }
}

pub(crate) fn remember(
    account: PlayerId,
    key: String,
    table: TableId,
    at: Timestamp,
) -> Remembered {
    Remembered {
        account,
        key,
        request: [0; 32],
        table,
        version: 0,
        at,
    }
}

/// A letter in one line.
pub(crate) fn told(letter: &Letter) -> String {
    match letter {
        Letter::Outcome(live::Outcome::Changed { after, event, .. }) => {
            format!("version {}: {event:?}", after.version())
        }
        Letter::Outcome(live::Outcome::Already { version, table }) => {
            format!("so already at version {version} of {}", table.version())
        }
        Letter::Outcome(live::Outcome::Refused { why, table }) => {
            format!("refused at version {}: {why:?}", table.version())
        }
        Letter::Table(game) => format!("{} at version {}", game.state(), game.version()),
        Letter::Stale(game) => format!("{} as of version {}", game.state(), game.version()),
        Letter::Folded => "folded".into(),
        Letter::Failed(failure) => format!("failed: {failure}"),
        Letter::Dropped => "dropped".into(),
    }
}
