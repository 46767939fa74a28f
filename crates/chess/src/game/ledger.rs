//! Everything about a game but the board: phase, seats, clocks, offers.
//!
//! It evolves without knowing chess, so that walking through a history to
//! find the clocks of some earlier moment needs no board.

use shakmaty::{ByColor, Color};

use super::{Creation, Ending, Event, Offer, Terms};
use crate::clock::{Clock, ClockStart, Stage, TimeControl};
use crate::table::{PlayerId, State};
use crate::{Millis, Timestamp};

/// Where in its life a game is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Created, waiting for an opponent.
    Waiting,
    /// Being played.
    Active,
    /// The clocks stand still.
    Paused {
        /// Who stopped it.
        by: PausedBy,
        /// The player who already wants to go on.
        ready: Option<Color>,
        /// Since when.
        since: Timestamp,
    },
    /// Over.
    Over(Ending),
}

/// Who stopped the clocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PausedBy {
    /// Both players agreed.
    Agreement,
    /// An operator.
    Operator,
}

impl Phase {
    /// The state of the table.
    pub const fn state(self) -> State {
        match self {
            Phase::Waiting => State::Waiting,
            Phase::Active => State::Active,
            Phase::Paused { .. } => State::Paused,
            Phase::Over(_) => State::Completed,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Ledger {
    pub(super) terms: Terms,
    pub(super) creator: PlayerId,
    pub(super) opponent: Option<PlayerId>,
    pub(super) seats: ByColor<Option<PlayerId>>,
    rare: Option<Box<Rare>>,
    pub(super) phase: Phase,
    pub(super) clock: Clock,
    pub(super) last_at: Timestamp,
    pub(super) version: u32,
    pub(super) takeback_version: u32,
    pub(super) ply: u16,
    pub(super) first_turn: Color,
    pub(super) attempts: ByColor<u8>,
    offers: [Option<Color>; 3],
}

/// What nearly no game has.
#[derive(Clone, Debug, Default)]
struct Rare {
    invited: Vec<PlayerId>,
    /// Until when each side is on vacation.
    away: ByColor<Timestamp>,
    /// Guests whose place somebody else has by now.
    former: Vec<PlayerId>,
}

/// How long an adjourned game is kept.
const ADJOURNED_MAX: Millis = Millis::from_days(30);

impl Ledger {
    pub(super) fn new(at: Timestamp, creation: &Creation, first_turn: Color) -> Ledger {
        let mut seats = ByColor {
            white: None,
            black: None,
        };
        if let Some(color) = creation.color.decided() {
            *seats.get_mut(color) = Some(creation.creator);
        }
        Ledger {
            terms: creation.terms.clone(),
            creator: creation.creator,
            opponent: creation.opponent,
            seats,
            rare: (!creation.invited.is_empty()).then(|| {
                Box::new(Rare {
                    invited: creation.invited.clone(),
                    ..Rare::default()
                })
            }),
            phase: Phase::Waiting,
            clock: Clock::new(&creation.terms.control),
            last_at: at,
            version: 1,
            takeback_version: 0,
            ply: 0,
            first_turn,
            attempts: ByColor { white: 0, black: 0 },
            offers: [None; 3],
        }
    }

    pub(super) fn turn(&self) -> Color {
        if self.ply.is_multiple_of(2) {
            self.first_turn
        } else {
            !self.first_turn
        }
    }

    pub(super) fn moves_by(&self, color: Color) -> u32 {
        (u32::from(self.ply) + u32::from(color == self.first_turn)) / 2
    }

    pub(super) fn offer(&self, offer: Offer) -> Option<Color> {
        self.offers[offer as usize]
    }

    /// Whether the move to be made costs no time: a first move under
    /// [`ClockStart::SecondPly`].
    pub(super) fn is_free_turn(&self) -> bool {
        self.terms.clock_start == ClockStart::SecondPly
            && self.terms.control.is_real_time()
            && self.ply < 2
    }

    pub(super) fn clocks(&self, now: Timestamp) -> ByColor<Millis> {
        let control = &self.terms.control;
        if self.is_free_turn() {
            return self
                .clock
                .at_start_of_turn()
                .shown(control, self.turn(), Millis::ZERO);
        }
        self.clock
            .shown(control, self.turn(), now.since(self.runs_from()))
    }

    pub(super) fn invited(&self) -> &[PlayerId] {
        self.rare.as_ref().map_or(&[], |rare| &rare.invited)
    }

    /// Guests whose place somebody else has by now.
    pub(super) fn former(&self) -> &[PlayerId] {
        self.rare.as_ref().map_or(&[], |rare| &rare.former)
    }

    /// Until when a side is on vacation, or was.
    pub(super) fn away_until(&self, color: Color) -> Option<Timestamp> {
        let until = *self.rare.as_ref()?.away.get(color);
        (until > Timestamp(0)).then_some(until)
    }

    /// Since the last change the clock of the side to move runs from here on: it stands
    /// still while they are on vacation.
    pub(super) fn runs_from(&self) -> Timestamp {
        let away = self.away_until(self.turn());
        self.last_at.max(away.unwrap_or_default())
    }

    /// When the game ends by itself if nothing happens, once it has begun.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        match self.phase {
            Phase::Waiting | Phase::Over(_) => None,
            Phase::Paused { since, .. } => Some(since + ADJOURNED_MAX),
            Phase::Active if self.is_free_turn() => {
                let limit = self.terms.control.speed().first_move_limit()?;
                Some(self.last_at + (limit - self.clock.spent()))
            }
            Phase::Active => {
                let left = self.clock.until_flag(&self.terms.control, self.turn())?;
                Some(self.runs_from() + left)
            }
        }
    }

    /// Applies an event. `rewound` is the clock a takeback returns to.
    pub(super) fn apply(&mut self, at: Timestamp, event: &Event, rewound: Option<Clock>) {
        // Time never runs backwards, whatever the machine's clock did.
        let at = at.max(self.last_at);
        let lag = match event {
            Event::Moved { lag, .. } => *lag,
            _ => Millis::ZERO,
        };
        self.clock.pass(at.since(self.runs_from()) - lag);
        self.last_at = at;
        self.version += 1;
        match event {
            Event::Created(_) => unreachable!("a game is created once"),
            Event::Joined { player, color, .. } => self.start(*player, *color),
            Event::Invited(players) => {
                let rare = self.rare.get_or_insert_default();
                rare.invited.extend_from_slice(players);
            }
            Event::Moved {
                offers_draw,
                ending,
                ..
            } => self.complete_move(*offers_draw, *ending),
            Event::IllegalAttempt { ending, .. } => {
                let turn = self.turn();
                let attempts = self.attempts.get_mut(turn);
                *attempts = attempts.saturating_add(1);
                self.end(*ending);
            }
            Event::Ended { ending, .. } | Event::ResultChanged { ending } => {
                self.end(Some(*ending))
            }
            Event::Offered { offer, by } => self.offers[*offer as usize] = Some(*by),
            Event::OfferDeclined { offer, .. } => self.offers[*offer as usize] = None,
            Event::TakenBack { plies, given, .. } => {
                self.ply -= plies;
                self.clock = rewound.expect("a takeback is applied with the clock it returns to");
                for (color, gift) in given.zip_color() {
                    self.clock.add(color, gift);
                }
                self.clock.run(self.has_clock());
                self.offers = [None; 3];
                self.takeback_version = self.version;
            }
            Event::Paused { by } => self.pause(at, *by),
            Event::ResumeAsked { by } => {
                if let Phase::Paused { ready, .. } = &mut self.phase {
                    *ready = Some(*by);
                }
            }
            Event::Resumed { .. } => {
                self.phase = Phase::Active;
                self.clock.run(self.has_clock());
            }
            Event::TimeAdded { to, gift } => self.clock.add(*to, *gift),
            Event::TimeCredited { credit } => self.clock.credit(*credit),
            Event::ClockSet { left } => self.clock.set(*left),
            Event::VacationBegan { by, until } => self.stay_away(*by, *until),
            Event::VacationEnded { by } => self.stay_away(*by, Timestamp(0)),
            Event::Reseated { from, to } => self.reseat(*from, *to),
        }
    }

    fn stay_away(&mut self, color: Color, until: Timestamp) {
        *self.rare.get_or_insert_default().away.get_mut(color) = until;
    }

    /// Who was `from` everywhere in this game is `to`.
    fn reseat(&mut self, from: PlayerId, to: PlayerId) {
        if from == to {
            return;
        }
        let ByColor { white, black } = &mut self.seats;
        for place in [white, black, &mut self.opponent] {
            if *place == Some(from) {
                *place = Some(to);
            }
        }
        if self.creator == from {
            self.creator = to;
        }
        let rare = self.rare.get_or_insert_default();
        rare.former.push(from);
        for invited in &mut rare.invited {
            if *invited == from {
                *invited = to;
            }
        }
    }

    fn start(&mut self, player: PlayerId, color: Color) {
        *self.seats.get_mut(color) = Some(player);
        *self.seats.get_mut(!color) = Some(self.creator);
        self.phase = Phase::Active;
        self.clock.run(self.has_clock());
    }

    fn pause(&mut self, since: Timestamp, by: Option<Color>) {
        let by = if by.is_some() {
            PausedBy::Agreement
        } else {
            PausedBy::Operator
        };
        self.phase = Phase::Paused {
            by,
            ready: None,
            since,
        };
        self.clock.run(false);
        self.offers[Offer::Pause as usize] = None;
    }

    fn complete_move(&mut self, offers_draw: bool, ending: Option<Ending>) {
        let mover = self.turn();
        let free = self.is_free_turn();
        self.ply += 1;
        let moves = self.moves_by(mover);
        self.clock
            .complete_move(&self.terms.control, mover, moves, free);
        // A move answers the opponent's offers; a takeback was about another position.
        for offer in Offer::ALL {
            let standing = &mut self.offers[offer as usize];
            if offer == Offer::Takeback || *standing == Some(!mover) {
                *standing = None;
            }
        }
        if offers_draw {
            self.offers[Offer::Draw as usize] = Some(mover);
        }
        self.end(ending);
    }

    fn end(&mut self, ending: Option<Ending>) {
        if let Some(ending) = ending {
            self.phase = Phase::Over(ending);
            self.clock.run(false);
            self.offers = [None; 3];
        }
    }

    /// What it takes besides its own size.
    pub(super) fn heap_bytes(&self) -> usize {
        let rare = self.rare.as_ref().map_or(0, |rare| {
            let players = rare.invited.capacity() + rare.former.capacity();
            size_of::<Rare>() + players * size_of::<PlayerId>()
        });
        let stages = match &self.terms.control {
            TimeControl::Stages(stages) => {
                size_of::<Vec<Stage>>() + stages.capacity() * size_of::<Stage>()
            }
            _ => 0,
        };
        rare + stages
    }

    fn has_clock(&self) -> bool {
        self.terms.control != TimeControl::Unlimited
    }
}
