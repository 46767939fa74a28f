//! The moves of a match, one by one.

use shakmaty::Color;

use super::id::Thing;
use super::{Act, Board, Equipped, Event, Match, Move, Piece, Square, Uuid};
use crate::Timestamp;

/// A move and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRecord {
    /// Of this record.
    pub id: Uuid,
    /// The piece that moved.
    pub piece_id: Uuid,
    /// Its name when it moved.
    pub piece_name: &'static str,
    /// Whose it is.
    pub piece_color: Color,
    /// From where.
    pub from: Square,
    /// To where.
    pub to: Square,
    /// The piece that was captured.
    pub captured_piece_id: Option<Uuid>,
    /// Its name.
    pub captured_piece_name: Option<&'static str>,
    /// What the piece became.
    pub promotion_piece_name: Option<&'static str>,
    /// The very skill that was used.
    pub equipped_skill_id: Option<Uuid>,
    /// What kind of skill that is.
    pub skill_id: Option<&'static str>,
    /// When the move was received.
    pub created_at: Timestamp,
    /// The version it made.
    pub version: u32,
}

/// A move in the position it was made in.
pub(super) struct Made {
    pub(super) before: Board,
    pub(super) m: Move,
    pub(super) at: Timestamp,
    pub(super) version: u32,
}

impl Match {
    /// The moves so far.
    pub fn moves(&self) -> Vec<MoveRecord> {
        let seed = self.creation().seed;
        (0..)
            .zip(self.made())
            .filter_map(|(ply, made)| made.record(seed.derived(Thing::Move, ply)))
            .collect()
    }

    /// The moves so far, each with the board before it.
    pub(super) fn made(&self) -> impl Iterator<Item = Made> {
        let mut board = self.start_board();
        (1..)
            .zip(self.entries())
            .filter_map(move |(version, entry)| {
                let Event::Acted {
                    act:
                        Act::Moved {
                            from,
                            to,
                            promotion,
                            skill,
                            ..
                        },
                    ..
                } = entry.event
                else {
                    return None;
                };
                let before = board;
                let m = before.recorded(from, to, promotion, skill)?;
                board.play(&m);
                Some(Made {
                    before,
                    m,
                    at: entry.at,
                    version,
                })
            })
    }
}

impl Made {
    pub(super) fn piece(&self) -> Option<&Piece> {
        self.before.at(self.m.from)
    }

    fn record(&self, id: Uuid) -> Option<MoveRecord> {
        let Made { before, m, .. } = self;
        let piece = self.piece()?;
        let captured = m.captured.and_then(|square| before.at(square));
        let used: Option<&Equipped> = m.skill.and_then(|slot| before.equipped(slot));
        Some(MoveRecord {
            id,
            piece_id: piece.id,
            piece_name: piece.behaviour.name(),
            piece_color: piece.color,
            from: m.from,
            to: m.to,
            captured_piece_id: captured.map(|piece| piece.id),
            captured_piece_name: captured.map(|piece| piece.behaviour.name()),
            promotion_piece_name: m.promotion.map(|becomes| becomes.name()),
            equipped_skill_id: used.map(|equipped| equipped.id),
            skill_id: used.map(|equipped| equipped.skill.id()),
            created_at: self.at,
            version: self.version,
        })
    }
}
