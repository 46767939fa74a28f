//! What players and watchers ask for, at whichever node they reach.

use chess::game::{Command, Game};
use chess::table::{Actor, PlayerId, Table as _};
use chess::tables::{AnyTable, Hosted};
use chess::{Millis, Timestamp};
use live::{Failure, Live, Submission};
use store::TableId;

use super::Cluster;
use crate::book::{Asked, Attempt, Question, What};
use crate::clients::Request;
use crate::mail::{Letter, Ticket};
use crate::rng::Rng;
use crate::rules::Checked;
use crate::run::{remember, told};
use crate::terms::random_creation;

/// What a node confirmed counts for all that came in the same millisecond.
const SAME_MOMENT_US: u64 = 1_100;
/// How far those who only look may be behind.
const LOOK_BEHIND_US: u64 = 1_000_000;

impl Cluster {
    /// Somebody asks for something, or again for what they got no answer to.
    pub(super) fn ask(&mut self) {
        let open = self.open();
        if open.is_empty() {
            return;
        }
        let index = self.rng.pick(&open);
        if self.rng.percent(50)
            && let Some((id, who, command)) = self.again.pop()
        {
            self.say(|| format!("again at {index}: {id} {who:?} {command:?}"));
            return self.submit(index, id, who, command);
        }
        let now = self.now();
        let request = self.clients.request(&mut self.rng, &self.book, now);
        self.say(|| format!("at {index}: {request:?}"));
        match request {
            Request::Create(id) => self.create(index, id),
            Request::Submit(id, who, command) => self.submit(index, id, who, command),
            Request::Read(id, viewer) => drop(self.read(index, id, viewer)),
        }
    }

    pub(super) fn read_somewhere(&mut self, id: TableId, viewer: Option<PlayerId>) {
        let open = self.open();
        if !open.is_empty() {
            let index = self.rng.pick(&open);
            self.read(index, id, viewer);
        }
    }

    fn create(&mut self, index: usize, id: TableId) {
        let (live, now, inbox) = self.at(index);
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
        let ticket = self.write_down(index, id, What::Create(attempt), now, 0);
        let remember = key.map(|key| remember(creator, key, id, now));
        let reply = inbox.reply(ticket, Letter::table);
        live.create(id, game.into(), code, remember.into(), reply);
    }

    pub(super) fn submit(&mut self, index: usize, id: TableId, who: Actor, command: Command) {
        let (_, now, _) = self.at(index);
        // From the door to the table a command may take a moment.
        let delay = self.rng.pick(&[0, 0, 1, 30]);
        let received = (
            Timestamp(now.0 - delay),
            self.now_us() - delay * 1_000 - SAME_MOMENT_US,
        );
        // Only nodes say when somebody was seen: of nobody's opponent nothing is known.
        let opponent_seen = None;
        let (is_draw, command) = match command {
            Command::ClaimDraw { .. } => (Some(true), Command::ClaimDraw { opponent_seen }),
            Command::ClaimWin { .. } => (Some(false), Command::ClaimWin { opponent_seen }),
            command => (None, command),
        };
        if is_draw.is_some_and(|is_draw| self.ask_about_claim(index, id, who, received, is_draw)) {
            return;
        }
        self.hand_in(index, id, who, command, received);
    }

    /// A command reaches the table, received when the clock showed this, and the true
    /// time was that.
    pub(super) fn hand_in(
        &mut self,
        index: usize,
        id: TableId,
        who: Actor,
        command: Command,
        (received, received_us): (Timestamp, u64),
    ) {
        let (live, now, inbox) = self.at(index);
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
        let floor = self.watch.version_at(id, received_us);
        let ticket = self.write_down(index, id, What::Submit(question), now, floor);
        let submission = Submission {
            who,
            command: Game::asked(command),
            received,
            with: player
                .zip(key)
                .map(|(player, key)| remember(player, key, id, received))
                .into(),
        };
        live.submit(id, submission, inbox.reply(ticket, Letter::outcome));
    }

    pub(super) fn read(&mut self, index: usize, id: TableId, viewer: Option<PlayerId>) -> Ticket {
        let (live, now, inbox) = self.at(index);
        let players = self.book.known(id).map(|game| game.players());
        let is_own = viewer.is_some() && players.is_some_and(|players| players.contains(&viewer));
        let behind = if is_own { 0 } else { LOOK_BEHIND_US };
        let floor = self
            .watch
            .version_at(id, self.now_us() - behind - SAME_MOMENT_US);
        let ticket = self.write_down(index, id, What::Read { viewer }, now, floor);
        live.read(id, viewer, inbox.reply(ticket, Letter::view));
        ticket
    }

    /// Whoever repairs a room looks.
    pub(super) fn read_newest(&mut self, index: usize, id: TableId) -> Ticket {
        let (live, now, inbox) = self.at(index);
        let floor = self.watch.version_at(id, self.now_us() - SAME_MOMENT_US);
        let ticket = self.write_down(index, id, What::Read { viewer: None }, now, floor);
        live.read_newest(id, inbox.reply(ticket, Letter::view));
        ticket
    }

    /// What is needed to ask a node.
    fn at(&self, index: usize) -> (Live<AnyTable>, Timestamp, crate::mail::Inbox) {
        let node = self.seats[index].node.as_ref();
        let node = node.expect("only a node that is there is asked");
        let live = node.live().expect("only a node that is up is asked");
        (live.clone(), node.clock.now(), node.inbox.clone())
    }

    fn write_down(
        &mut self,
        index: usize,
        id: TableId,
        what: What,
        now: Timestamp,
        floor: u32,
    ) -> Ticket {
        let node = self.seats[index].node.as_ref();
        self.book.is_closing = node.is_some_and(|node| node.stops_since.is_some());
        if let (Some(shared), Some(node)) = (&mut self.book.shared, node) {
            shared.node = node.id.0;
            shared.floor = floor;
        }
        let ticket = self.book.ask(Some(id), what, now);
        self.book.is_closing = false;
        ticket
    }

    /// A key that may have been used before.
    fn random_key(&mut self) -> Option<String> {
        let key = |rng: &mut Rng| format!("key {}", rng.below(500));
        self.rng.percent(15).then(|| key(&mut self.rng))
    }

    /// Reads all letters and checks what they say.
    pub(super) fn deliver(&mut self) -> Checked {
        self.look_at_nodes();
        for index in 0..self.seats.len() {
            while let Some((ticket, letter)) = self.next_letter(index) {
                let said = told(&letter);
                self.say(|| format!("    {ticket} at {index}: {said}"));
                self.note(ticket, &said);
                let looked = self.audience(index, |audience, place| {
                    audience.looked(ticket, &letter, place)
                });
                looked.unwrap_or(Ok(()))?;
                if matches!(letter, Letter::Failed(Failure::Unavailable(_))) {
                    let asked = self.book.asked.get(&ticket).cloned();
                    asked.into_iter().for_each(|asked| self.try_again(asked));
                }
                let now = self.now();
                self.sight(index, ticket, &letter);
                let node = self.seats[index].node.as_ref();
                self.book.is_closing = node.is_some_and(|node| node.stops_since.is_some());
                let answered = self.book.answered(ticket, letter, &self.store, now);
                self.book.is_closing = false;
                answered?;
            }
        }
        Ok(())
    }

    /// Whoever is served at a node that all know of is there.
    fn sight(&mut self, index: usize, ticket: Ticket, letter: &Letter) {
        let (now_us, now) = (self.now_us(), self.now());
        let is_served = matches!(letter, Letter::Table(_) | Letter::Outcome(_));
        let node = self.seats[index].node.as_ref();
        let is_known = node.is_some_and(|node| node.is_known(now_us));
        let Some(asked) = self.book.asked.get(&ticket) else {
            return;
        };
        if let Some(id) = asked.table.filter(|_| is_served && is_known) {
            let (what, at) = (asked.what.clone(), asked.at);
            self.book.sighted_by(id, &what, at, now);
        }
    }

    fn next_letter(&self, index: usize) -> Option<(Ticket, Letter)> {
        self.seats[index].node.as_ref()?.inbox.take()
    }

    /// Somebody without an answer sends it again, most of the time.
    pub(super) fn try_again(&mut self, asked: Asked) {
        if let (Some(id), What::Submit(question)) = (asked.table, asked.what)
            && self.rng.percent(70)
        {
            self.again.push((id, question.who, question.command));
        }
    }
}

/// Everything is answered a while after it was asked.
pub(super) const ANSWERED_WITHIN: Millis = Millis::from_secs(30);
