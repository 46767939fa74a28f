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
    #[expect(clippy::box_collection, reason = "thin, for nearly no game invites")]
    pub(super) invited: Option<Box<Vec<PlayerId>>>,
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
            invited: (!creation.invited.is_empty()).then(|| Box::new(creation.invited.clone())),
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
            .shown(control, self.turn(), now.since(self.last_at))
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
                Some(self.last_at + left)
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
        self.clock.pass(at.since(self.last_at) - lag);
        self.last_at = at;
        self.version += 1;
        match event {
            Event::Created(_) => unreachable!("a game is created once"),
            Event::Joined { player, color } => self.start(*player, *color),
            Event::Invited(players) => {
                let invited = self.invited.get_or_insert_default();
                invited.extend_from_slice(players);
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
            Event::Ended { ending, .. } => self.end(Some(*ending)),
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
            Event::Paused { by } => {
                let by = if by.is_some() {
                    PausedBy::Agreement
                } else {
                    PausedBy::Operator
                };
                self.phase = Phase::Paused {
                    by,
                    ready: None,
                    since: at,
                };
                self.clock.run(false);
                self.offers[Offer::Pause as usize] = None;
            }
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
        }
    }

    fn start(&mut self, player: PlayerId, color: Color) {
        *self.seats.get_mut(color) = Some(player);
        *self.seats.get_mut(!color) = Some(self.creator);
        self.phase = Phase::Active;
        self.clock.run(self.has_clock());
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
        let invited = self.invited.as_ref().map_or(0, |names| {
            size_of::<Vec<PlayerId>>() + names.capacity() * size_of::<PlayerId>()
        });
        let stages = match &self.terms.control {
            TimeControl::Stages(stages) => {
                size_of::<Vec<Stage>>() + stages.capacity() * size_of::<Stage>()
            }
            _ => 0,
        };
        invited + stages
    }

    fn has_clock(&self) -> bool {
        self.terms.control != TimeControl::Unlimited
    }
}
