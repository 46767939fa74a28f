//! The game itself: board and ledger, and how an event changes them.

use std::sync::OnceLock;

use shakmaty::{ByColor, Color};

use super::ledger::Ledger;
use super::line::walk;
use super::log::{Entries, Log};
use super::repetition::left_by;
use super::replay::Replay;
use super::{
    BadTerms, Command, Creation, Ending, Entry, Event, MoveReport, Offer, Phase, Played, Refusal,
    Terms,
};
use crate::clock::Clock;
use crate::history::Aside;
use crate::rating::Effect;
use crate::rules::Board;
use crate::table::{
    Actor, Beginning, Corrupt, MoveRow, Outage, PlayerId, State, Summary, Table, Verdict,
};
use crate::telling::Kinds;
use crate::{Millis, Timestamp};

/// After offering a draw a player waits this many half-moves before the next.
const DRAW_OFFER_PLIES: u16 = 20;

/// A game of chess, in its one compact form.
#[derive(Clone, Debug)]
pub struct Game {
    board: Board,
    pub(super) ledger: Ledger,
    pub(super) log: Log,
    /// The half-move from which each side may offer a draw again.
    pub(super) draw_offer_from: ByColor<u16>,
}

impl Game {
    /// The number of these rules in the store.
    pub const KIND: u8 = 1;

    /// Makes a new game, waiting for its opponent.
    ///
    /// # Errors
    /// [`BadTerms`] names what is wrong with the terms.
    pub fn create(at: Timestamp, creation: Creation) -> Result<Game, BadTerms> {
        let board = creation.check()?;
        Ok(Game::opened(at, creation, board))
    }

    pub(super) fn opened(at: Timestamp, creation: Creation, board: Board) -> Game {
        let ledger = Ledger::new(at, &creation, board.turn());
        let mut log = Log::default();
        let created = Event::Created(Box::new(creation));
        log.append(Timestamp(0), at, &created, Aside::Keep);
        Game {
            board,
            ledger,
            log,
            draw_offer_from: ByColor::default(),
        }
    }

    /// Applies a change that [`Game::decide`] decided, or that is recorded.
    pub fn evolve(&mut self, at: Timestamp, event: &Event) {
        let at = at.max(self.ledger.last_at);
        match event {
            Event::Moved { uci, .. } => {
                let m = self.board.recorded(*uci);
                let left = left_by(&self.board, m);
                self.board.play(m);
                let left = left
                    .as_ref()
                    .map_or(Aside::Set(&[]), |left| Aside::Add(left));
                self.record(at, event, None, left);
            }
            Event::TakenBack { plies, .. } => {
                let line = self.line();
                let kept = line.len() - usize::from(*plies);
                self.take_back(at, event, &line[..kept], line[kept].before);
            }
            _ => self.record(at, event, None, Aside::Keep),
        }
    }

    /// Takes moves back: `line` stands, and `rewound` is what the clock returns to.
    pub(super) fn take_back(
        &mut self,
        at: Timestamp,
        event: &Event,
        line: &[Played],
        rewound: Clock,
    ) {
        let left = self.set_up(line);
        self.record(at, event, Some(rewound), Aside::Set(&left));
    }

    fn record(
        &mut self,
        at: Timestamp,
        event: &Event,
        rewound: Option<Clock>,
        fingerprints: Aside<'_>,
    ) {
        self.log
            .append(self.ledger.last_at, at, event, fingerprints);
        self.ledger.apply(at, event, rewound);
        if let Some(by) = event.offers_draw(self.turn()) {
            let next = self.ledger.ply.saturating_add(DRAW_OFFER_PLIES);
            *self.draw_offer_from.get_mut(by) = next;
        }
    }

    /// Puts the board where `line` leads. Returns what repetition is judged by.
    fn set_up(&mut self, line: &[Played]) -> Vec<u8> {
        self.board = self.start_board();
        let mut fingerprints = Vec::new();
        for played in line {
            let m = played.in_position(&self.board);
            match left_by(&self.board, m) {
                Some(left) => fingerprints.extend(left),
                None => fingerprints.clear(),
            }
            self.board.play(m);
        }
        fingerprints
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The position the game began with.
    pub fn start_board(&self) -> Board {
        let creation = self.creation();
        Board::start(creation.terms.variant, &creation.start)
            .expect("the start could be set up when the game was made")
    }

    /// What the game was made from.
    pub fn creation(&self) -> Creation {
        match self.entries().next() {
            Some(Entry {
                event: Event::Created(creation),
                ..
            }) => *creation,
            _ => unreachable!("the history begins with the creation"),
        }
    }

    /// What the players agreed on.
    pub fn terms(&self) -> &Terms {
        &self.ledger.terms
    }

    /// Where in its life the game is.
    pub fn phase(&self) -> Phase {
        self.ledger.phase
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        match self.ledger.phase {
            Phase::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// Who made the game.
    pub fn creator(&self) -> PlayerId {
        self.ledger.creator
    }

    /// The only one who may join, if the game is meant for someone.
    pub fn opponent(&self) -> Option<PlayerId> {
        self.ledger.opponent
    }

    /// Who sits where.
    pub fn seats(&self) -> &ByColor<Option<PlayerId>> {
        &self.ledger.seats
    }

    /// The side a player plays, if seated.
    pub fn seat_of(&self, player: PlayerId) -> Option<Color> {
        Color::ALL
            .into_iter()
            .find(|c| *self.ledger.seats.get(*c) == Some(player))
    }

    /// The creator's side, unless it is still left to chance.
    pub(super) fn creators_seat(&self) -> Option<Color> {
        self.seat_of(self.ledger.creator)
    }

    /// Who may see a private game besides the players.
    pub fn invited(&self) -> &[PlayerId] {
        self.ledger.invited()
    }

    /// Guests who had a place here that somebody else has by now: the record still
    /// names them.
    pub fn former(&self) -> &[PlayerId] {
        self.ledger.former()
    }

    /// The half-moves played in the line that stands.
    pub fn ply(&self) -> u32 {
        u32::from(self.ledger.ply)
    }

    /// Whose move it is.
    pub fn turn(&self) -> Color {
        self.ledger.turn()
    }

    /// The number of changes so far; creation is 1.
    pub fn version(&self) -> u32 {
        self.ledger.version
    }

    /// When the game was made.
    pub fn created_at(&self) -> Timestamp {
        self.entries().next().map_or(Timestamp(0), |entry| entry.at)
    }

    /// When the last change happened.
    pub fn last_at(&self) -> Timestamp {
        self.ledger.last_at
    }

    /// How many illegal moves each side has tried, in a game that counts them.
    pub fn illegal_attempts(&self) -> &ByColor<u8> {
        &self.ledger.attempts
    }

    /// Who has made an offer of this kind that still stands.
    pub fn offer(&self, offer: Offer) -> Option<Color> {
        self.ledger.offer(offer)
    }

    /// What both clocks show; `None` without a clock.
    pub fn clocks(&self, now: Timestamp) -> Option<ByColor<Millis>> {
        self.ledger
            .terms
            .control
            .initial()
            .map(|_| self.ledger.clocks(now))
    }

    /// Whether a clock is running.
    pub fn is_clock_running(&self) -> bool {
        self.ledger.clock.is_running() && !self.ledger.is_free_turn()
    }

    /// The stage of a staged time control that `color` is in, from 0.
    pub fn stage(&self, color: Color) -> u8 {
        self.ledger.terms.control.stage(self.ledger.moves_by(color))
    }

    /// When the game ends by itself if nothing happens, once it has begun.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.ledger.deadline()
    }

    /// The whole history, from the creation on.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        self.log.entries()
    }

    /// Whether somebody plays here: made the game, joined it, or is meant to.
    pub fn is_player(&self, player: PlayerId) -> bool {
        self.players().contains(&Some(player))
    }

    /// How long spectators wait.
    pub fn spectator_delay(&self) -> Millis {
        Millis::from_secs(u32::from(self.terms().spectator_delay))
    }

    /// What has changed since an earlier state of this game.
    pub(super) fn entries_since<'a>(
        &'a self,
        earlier: &Game,
    ) -> impl Iterator<Item = Entry> + use<'a> {
        self.log.since(&earlier.log, earlier.last_at())
    }

    /// The last change.
    pub(super) fn last_event(&self) -> Option<Event> {
        self.log.last_event()
    }

    /// The moves that stand, with their clocks.
    pub fn line(&self) -> Vec<Played> {
        walk(&self.log, |_, _| {})
    }

    /// At which half-move something last happened; `wanted` sees each event
    /// and whose move it was after it.
    pub(super) fn last_ply_of(&self, wanted: impl Fn(&Event, Color) -> bool) -> Option<u32> {
        let mut found = None;
        walk(&self.log, |entry, ledger| {
            if wanted(&entry.event, ledger.turn()) {
                found = Some(u32::from(ledger.ply));
            }
        });
        found
    }

    /// Rebuilds the game by replaying its history.
    ///
    /// # Errors
    /// [`Corrupt`] if the bytes are not the history of a possible game.
    pub fn decode(bytes: &[u8]) -> Result<Game, Corrupt> {
        let corrupt = |version, why| Corrupt { version, why };
        let mut entries = Entries::new([bytes, &[]]);
        let mut replay = match entries.next() {
            Some(Entry {
                at,
                event: Event::Created(creation),
            }) => {
                let board = Board::start(creation.terms.variant, &creation.start)
                    .map_err(|_| corrupt(1, "an impossible start"))?;
                Replay::new(Game::opened(at, *creation, board))
            }
            _ => return Err(corrupt(1, "no creation")),
        };
        for entry in entries.by_ref() {
            let game = replay.game();
            game.may_follow(&entry.event)
                .map_err(|why| corrupt(game.version() + 1, why))?;
            replay.step(&entry);
        }
        let game = replay.into_game();
        if !entries.is_done() {
            return Err(corrupt(game.version() + 1, "an entry that cannot be read"));
        }
        // One history has one spelling, so that equal games are equal bytes.
        if !game.log.history().is(bytes) {
            return Err(corrupt(game.version(), "not written as we write it"));
        }
        Ok(game)
    }

    /// Whether `event` can follow: the check that keeps a damaged record
    /// from being replayed into nonsense.
    fn may_follow(&self, event: &Event) -> Result<(), &'static str> {
        let phase = self.ledger.phase;
        let playing = matches!(phase, Phase::Active);
        let paused = matches!(phase, Phase::Paused { .. });
        let (fits, why) = match event {
            Event::Created(_) => (false, "created twice"),
            Event::Joined { color, .. } => (
                phase == Phase::Waiting && self.creators_seat() != Some(*color),
                "joined out of turn",
            ),
            Event::Moved { uci, .. } => (
                playing && self.ledger.ply < u16::MAX && self.board.may_record(*uci),
                "an illegal move",
            ),
            Event::TakenBack { plies, .. } => (
                playing && (1..=self.ledger.ply).contains(plies),
                "more taken back than was played",
            ),
            Event::IllegalAttempt { .. }
            | Event::Paused { .. }
            | Event::TimeAdded { .. }
            | Event::TimeCredited { .. } => (playing, "not in a running game"),
            Event::VacationBegan { .. } | Event::VacationEnded { .. } => (
                (playing || paused) && self.terms().control.is_by_days(),
                "not in a game with days per move",
            ),
            Event::ResumeAsked { .. } | Event::Resumed { .. } => (paused, "not in a paused game"),
            Event::Offered { .. } | Event::OfferDeclined { .. } | Event::ClockSet { .. } => {
                (playing || paused, "not in a game that has begun")
            }
            Event::Invited(_) | Event::Ended { .. } => {
                (!matches!(phase, Phase::Over(_)), "after the end")
            }
            Event::ResultChanged { .. } => (
                matches!(phase, Phase::Over(_)) && self.ledger.seats.iter().all(Option::is_some),
                "not in a game that was played to its end",
            ),
            Event::Reseated { from, to } => (
                self.knows(*from) && (from == to || !self.is_player(*to)),
                "a place of somebody who has none",
            ),
        };
        if fits { Ok(()) } else { Err(why) }
    }
}

impl Table for Game {
    type Command = Command;
    type Event = Event;
    type Refusal = Refusal;
    type Report = OnceLock<MoveReport>;

    fn kind(&self) -> u8 {
        Game::KIND
    }

    fn decide(&self, now: Timestamp, who: Actor, command: &Command) -> Verdict<Event, Refusal> {
        Game::decide(self, now, who, command)
    }

    fn evolve(&mut self, at: Timestamp, event: &Event) {
        Game::evolve(self, at, event);
    }

    fn version(&self) -> u32 {
        Game::version(self)
    }

    fn next_deadline(&self, host_seen: Timestamp) -> Option<Timestamp> {
        Game::next_deadline(self, host_seen)
    }

    fn state(&self) -> State {
        self.phase().state()
    }

    fn is_listed_as(&self, before: &Game) -> bool {
        self.state() == before.state()
            && self.invited() == before.invited()
            && self.former().len() == before.former().len()
    }

    fn begins(&self, before: Option<&Game>) -> Option<Beginning> {
        super::telling::begins(before, self)
    }

    fn rates(&self, before: Option<&Game>) -> Option<Effect> {
        Effect::of(before, self)
    }

    fn tells(&self, before: Option<&Game>, every_move: bool) -> Kinds {
        super::telling::tells(before, self, every_move)
    }

    fn last_at(&self) -> Timestamp {
        Game::last_at(self)
    }

    fn players(&self) -> [Option<PlayerId>; 2] {
        let creator = self.creator();
        let joined = self
            .seats()
            .iter()
            .flatten()
            .find(|player| **player != creator);
        [Some(creator), joined.copied().or(self.opponent())]
    }

    fn tick(host_seen: Timestamp) -> Command {
        Command::Tick { host_seen }
    }

    fn credit(outages: Vec<Outage>) -> Command {
        Command::Credit(outages)
    }

    fn summary(&self) -> Summary {
        Game::summary(self)
    }

    fn score_sheet(&self) -> Vec<MoveRow> {
        Game::score_sheet(self)
    }

    fn encode(&self) -> Vec<u8> {
        self.log.history().bytes()
    }

    fn encoded_since(&self, earlier: &Game) -> Vec<u8> {
        let known = earlier.log.history().len();
        self.log.history().after(known).concat()
    }

    fn read_next(&self, added: &[u8]) -> Result<(Timestamp, Event), Corrupt> {
        let corrupt = |why| Corrupt {
            version: self.version() + 1,
            why,
        };
        let mut entries = Entries::following(added, self.last_at());
        let entry = entries.next().ok_or(corrupt("no change"))?;
        if !entries.is_done() {
            return Err(corrupt("more than one change"));
        }
        self.may_follow(&entry.event).map_err(corrupt)?;
        Ok((entry.at, entry.event))
    }

    fn restore(kind: u8, bytes: &[u8]) -> Option<Result<Game, Corrupt>> {
        (kind == Game::KIND).then(|| Game::decode(bytes))
    }
}
