//! The match itself, and how an event changes it.

use shakmaty::{ByColor, Color};

use super::draw::DrawOffers;
use super::log::{Entries, MOVE_BYTES, append};
use super::{Act, Board, Creation, Draft, Ending, Entry, Event, Phase, Status, Uuid};
use crate::Timestamp;
use crate::history::{Aside, History};
use crate::table::PlayerId;

/// A match of skill chess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    creation: Creation,
    joined: Option<PlayerId>,
    phase: Phase,
    draft: ByColor<Draft>,
    board: Board,
    draw_offers: DrawOffers,
    ply: u32,
    version: u32,
    created_at: Timestamp,
    started_at: Option<Timestamp>,
    last_at: Timestamp,
    history: History,
}

impl Match {
    /// The number of these rules in the store.
    pub const KIND: u8 = 2;

    /// Makes a new match, waiting for its opponent.
    pub fn create(at: Timestamp, creation: Creation) -> Match {
        let mut created = Match {
            creation,
            joined: None,
            phase: Phase::Waiting,
            draft: ByColor::default(),
            board: Board::start(creation.seed),
            draw_offers: DrawOffers::default(),
            ply: 0,
            version: 0,
            created_at: at,
            started_at: None,
            last_at: Timestamp(0),
            history: History::default(),
        };
        created.record(at, &Event::Created(creation));
        created
    }

    /// Applies a change that [`Match::decide`] decided, or that is recorded.
    pub fn evolve(&mut self, at: Timestamp, event: &Event) {
        let at = at.max(self.last_at);
        self.record(at, event);
        match event {
            Event::Created(_) => unreachable!("a match is created once"),
            Event::Joined { player } => {
                self.joined = Some(*player);
                self.started_at = Some(at);
                self.phase = Phase::Drafting;
            }
            Event::Acted { by, act, .. } => self.apply(*by, act),
            Event::Ended(ending) => self.phase = Phase::Over(*ending),
        }
    }

    fn record(&mut self, at: Timestamp, event: &Event) {
        self.history.append(Aside::Keep, MOVE_BYTES, |out| {
            append(out, self.last_at, at, event);
        });
        self.last_at = at;
        self.version += 1;
    }

    fn apply(&mut self, by: Color, act: &Act) {
        match act {
            Act::Selected { skill, square } => self.draft.get_mut(by).select(*skill, *square),
            Act::Locked => {
                self.draft.get_mut(by).lock();
                if self.draft.iter().all(Draft::is_locked) {
                    self.board = self.start_board();
                    self.phase = Phase::Active;
                }
            }
            Act::Moved {
                from,
                to,
                promotion,
                skill,
                ending,
            } => {
                let m = self.board.recorded(*from, *to, *promotion, *skill);
                self.board.play(&m.expect("a decided move is legal"));
                self.ply += 1;
                self.draw_offers.moved(by);
                if let Some(ending) = ending {
                    self.phase = Phase::Over(*ending);
                }
            }
            Act::Resigned => self.phase = Phase::Over(Ending::Resignation { winner: !by }),
            Act::Closed => self.phase = Phase::Over(Ending::Aborted),
            Act::OfferedDraw => self.draw_offers.offered(by, self.ply),
            Act::AgreedToDraw => self.phase = Phase::Over(Ending::Agreement),
            Act::DeclinedDraw => self.draw_offers.declined(),
        }
    }

    /// The position before the first move, with the skills of the draft.
    pub(super) fn start_board(&self) -> Board {
        let seed = self.creation.seed;
        let mut board = Board::start(seed);
        for selection in self.draft.iter().flat_map(Draft::selections) {
            board.equip(seed, selection.square, selection.skill);
        }
        board
    }

    /// What the match was made from.
    pub fn creation(&self) -> Creation {
        self.creation
    }

    /// Where in its life the match is.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// How the match ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        match self.phase {
            Phase::Over(ending) => Some(ending),
            _ => None,
        }
    }

    /// Who sits where: the host plays White, the joiner Black.
    pub fn seats(&self) -> ByColor<Option<PlayerId>> {
        ByColor {
            white: Some(self.creation.host),
            black: self.joined,
        }
    }

    /// The side a player plays, if seated.
    pub fn seat_of(&self, player: PlayerId) -> Option<Color> {
        let seats = self.seats();
        Color::ALL
            .into_iter()
            .find(|color| *seats.get(*color) == Some(player))
    }

    /// A player's part of the draft.
    pub fn draft(&self, color: Color) -> &Draft {
        self.draft.get(color)
    }

    /// The current position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Who offers a draw that waits for its answer.
    pub fn draw_offer(&self) -> Option<Color> {
        let standing = self.draw_offers.standing();
        standing.filter(|_| self.phase == Phase::Active)
    }

    pub(super) fn draw_offers(&self) -> &DrawOffers {
        &self.draw_offers
    }

    /// What is on the board, as clients show it.
    pub fn status(&self) -> Status {
        let turn = self.board.turn();
        let ending = self.ending();
        let over = matches!(ending, Some(Ending::Checkmate { .. } | Ending::Stalemate));
        Status {
            kind: ending.filter(|_| over).map_or("active", Ending::kind),
            turn: (!over).then_some(turn),
            in_check: (!over).then(|| self.board.is_check(turn)),
            winner: ending.and_then(Ending::winner),
        }
    }

    /// The half-moves played.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The number of changes so far, which clients call the revision; creation is 1.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// When the match was made.
    pub fn created_at(&self) -> Timestamp {
        self.created_at
    }

    /// When the opponent joined.
    pub fn started_at(&self) -> Option<Timestamp> {
        self.started_at
    }

    /// When the last change happened.
    pub fn last_at(&self) -> Timestamp {
        self.last_at
    }

    /// When the match ended.
    pub fn finished_at(&self) -> Option<Timestamp> {
        self.ending().map(|_| self.last_at)
    }

    /// The whole history, from the creation on.
    pub fn entries(&self) -> impl Iterator<Item = Entry> {
        Entries::new(self.history.parts())
    }

    /// The version that a player's action made, if it was accepted.
    pub fn version_of(&self, player: Color, wanted: Uuid) -> Option<u32> {
        (1..)
            .zip(self.entries())
            .find(|(_, entry)| {
                matches!(entry.event, Event::Acted { by, action, .. } if by == player && action == wanted)
            })
            .map(|(version, _)| version)
    }

    /// The match as it was at an earlier version.
    pub fn as_of(&self, version: u32) -> Option<Match> {
        if version == 0 || version > self.version {
            return None;
        }
        let mut earlier = Match::create(self.created_at, self.creation);
        for entry in self.entries().take(version as usize).skip(1) {
            earlier.evolve(entry.at, &entry.event);
        }
        Some(earlier)
    }

    pub(super) fn history(&self) -> &History {
        &self.history
    }
}
