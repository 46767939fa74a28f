//! What may be played: attacks, check, and the moves that leave none.

use shakmaty::Color;

use super::{Behaviour, Board, Ending, Equipped, Move, Piece, Square, behaviour};

impl Board {
    /// Whether a piece of that side threatens the square. Skills threaten nothing.
    pub fn is_attacked(&self, square: Square, by: Color) -> bool {
        self.pieces().any(|(from, piece)| {
            piece.color == by && piece.behaviour.attacks(self, from, by).contains(square)
        })
    }

    /// Whether a side's king is attacked.
    pub fn is_check(&self, color: Color) -> bool {
        self.pieces()
            .filter(|(_, piece)| piece.color == color && piece.behaviour.is_royal())
            .any(|(square, _)| self.is_attacked(square, !color))
    }

    /// All that the side to move may play, skills included.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut legal = Vec::new();
        self.each_legal(|m, piece| {
            let choices = piece.behaviour.promotions(m.to, piece.color);
            if choices.is_empty() {
                legal.push(m);
            }
            legal.extend(choices.iter().map(|id| Move {
                promotion: behaviour(id),
                ..m
            }));
            false
        });
        legal
    }

    /// Whether the side to move may play anything. A skill that could be used
    /// counts: nobody is mated or stalemated who still has one.
    pub fn has_legal_move(&self) -> bool {
        self.each_legal(|_, _| true)
    }

    /// Shows every legal move, promotions not yet chosen, until `enough`.
    fn each_legal(&self, mut enough: impl FnMut(Move, &Piece) -> bool) -> bool {
        let mut found = Vec::new();
        for (from, piece) in self.own_pieces() {
            piece.behaviour.moves(self, from, piece, &mut found);
            found.extend(self.skill_moves(from, piece));
            for m in found.drain(..) {
                if self.is_safe(&m) && enough(m, piece) {
                    return true;
                }
            }
        }
        false
    }

    fn own_pieces(&self) -> impl Iterator<Item = (Square, &Piece)> {
        self.pieces()
            .filter(|(_, piece)| piece.color == self.turn())
    }

    /// What a piece can do with its unused skills.
    fn skill_moves(&self, from: Square, piece: &Piece) -> impl Iterator<Item = Move> {
        self.all_equipped()
            .filter(|(_, equipped)| equipped.bearer == piece.id && !equipped.used)
            .flat_map(move |(slot, equipped)| {
                Square::all().filter_map(move |to| self.skill_move(from, to, slot, equipped))
            })
    }

    /// The capture with a skill, if the target is one and is within reach.
    pub(super) fn skill_move(
        &self,
        from: Square,
        to: Square,
        slot: u8,
        equipped: &Equipped,
    ) -> Option<Move> {
        let capture = self.onto(from, to).filter(|m| m.captured.is_some())?;
        equipped.skill.reaches(self, from, to).then_some(Move {
            skill: Some(slot),
            ..capture
        })
    }

    /// Going to a square and capturing what is there, unless it is an own
    /// piece or a king.
    pub fn onto(&self, from: Square, to: Square) -> Option<Move> {
        let captured = match self.at(to) {
            None => None,
            Some(target) if target.color == self.turn() || target.behaviour.is_royal() => {
                return None;
            }
            Some(_) => Some(to),
        };
        Some(Move {
            captured,
            ..Move::plain(from, to)
        })
    }

    /// The move of the piece on `from` to `to` by its own behaviour, its
    /// promotion not yet chosen.
    pub(super) fn plain_move(&self, from: Square, to: Square) -> Option<Move> {
        let piece = self.at(from)?;
        let mut found = Vec::new();
        piece.behaviour.moves(self, from, piece, &mut found);
        found.into_iter().find(|m| m.to == to)
    }

    /// Whether the mover's king is safe after it.
    pub(super) fn is_safe(&self, m: &Move) -> bool {
        let mut after = *self;
        after.play(m);
        !after.is_check(self.turn())
    }

    /// The end that a move brings about, if any.
    pub fn ending_after(&self, m: &Move) -> Option<Ending> {
        let mut after = *self;
        after.play(m);
        match (after.has_legal_move(), after.is_check(after.turn())) {
            (true, _) => None,
            (false, true) => Some(Ending::Checkmate {
                winner: self.turn(),
            }),
            (false, false) => Some(Ending::Stalemate),
        }
    }

    /// The legal move that a record tells of; `None` if there is none.
    pub(super) fn recorded(
        &self,
        from: Square,
        to: Square,
        promotion: Option<&'static dyn Behaviour>,
        skill: Option<u8>,
    ) -> Option<Move> {
        let piece = self.at(from).filter(|piece| piece.color == self.turn())?;
        let m = match skill {
            None => self.plain_move(from, to)?,
            Some(slot) => {
                let equipped = self
                    .equipped(slot)
                    .filter(|equipped| equipped.bearer == piece.id && !equipped.used)?;
                self.skill_move(from, to, slot, equipped)?
            }
        };
        let choices = piece.behaviour.promotions(to, piece.color);
        let chosen = match promotion {
            None => choices.is_empty(),
            Some(chosen) => choices.contains(&chosen.id()),
        };
        (chosen && self.is_safe(&m)).then_some(Move { promotion, ..m })
    }
}
