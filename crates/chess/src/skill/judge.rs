//! From what a player asks for to a move, or the reason why not.

use super::{Behaviour, Board, Move, MoveOrder, Piece, Position, Refusal, Square, Uuid, behaviour};

impl Board {
    /// The legal move of the side to move that `order` asks for.
    ///
    /// # Errors
    /// The first [`Refusal`] that applies. That one's own king would be in
    /// check comes before the choice of a promotion: it holds for every choice.
    pub fn judge(&self, order: &MoveOrder) -> Result<Move, Refusal> {
        let on_board = |position: Position| position.square().ok_or(Refusal::InvalidPosition);
        let (from, to) = (on_board(order.from)?, on_board(order.to)?);
        let piece = self.at(from).ok_or(Refusal::PieceNotFound)?;
        if piece.color != self.turn() {
            return Err(Refusal::WrongSeat);
        }
        let m = match order.equipped_skill {
            None => self.plain(piece, from, to)?,
            Some(id) => self.skilled(piece, from, to, id)?,
        };
        if !self.is_safe(&m) {
            return Err(Refusal::SelfCheck);
        }
        let promotion = promotion(piece, to, order.promotion.as_deref())?;
        Ok(Move { promotion, ..m })
    }

    fn plain(&self, piece: &Piece, from: Square, to: Square) -> Result<Move, Refusal> {
        if let Some(m) = self.plain_move(from, to) {
            return Ok(m);
        }
        self.not_onto_ally(piece, from, to, Refusal::IllegalMove)?;
        match self.without_between(from, to) {
            Some(clear) if clear.plain_move(from, to).is_some() => Err(Refusal::BlockedPath),
            _ => Err(Refusal::IllegalMove),
        }
    }

    fn skilled(&self, piece: &Piece, from: Square, to: Square, id: Uuid) -> Result<Move, Refusal> {
        let (slot, equipped) = self
            .all_equipped()
            .find(|(_, equipped)| equipped.id == id && equipped.bearer == piece.id)
            .ok_or(Refusal::SkillNotEquipped)?;
        if equipped.used {
            return Err(Refusal::SkillAlreadyUsed);
        }
        self.not_onto_ally(piece, from, to, Refusal::InvalidSkillMove)?;
        if let Some(m) = self.skill_move(from, to, slot, equipped) {
            return Ok(m);
        }
        let reaches = |clear: Board| clear.skill_move(from, to, slot, equipped);
        match self.without_between(from, to).and_then(reaches) {
            Some(_) => Err(Refusal::BlockedPath),
            None => Err(Refusal::InvalidSkillMove),
        }
    }

    fn not_onto_ally(
        &self,
        piece: &Piece,
        from: Square,
        to: Square,
        to_itself: Refusal,
    ) -> Result<(), Refusal> {
        match self.at(to) {
            _ if from == to => Err(to_itself),
            Some(target) if target.color == piece.color => Err(Refusal::OccupiedByAlly),
            _ => Ok(()),
        }
    }

    /// The board with nothing between two squares: what is possible there and
    /// not here is blocked. `None`: nothing stands between them.
    fn without_between(&self, from: Square, to: Square) -> Option<Board> {
        let mut clear = *self;
        for square in from.between(to)?.iter() {
            clear.set(square, None);
        }
        (clear != *self).then_some(clear)
    }
}

fn promotion(
    piece: &Piece,
    to: Square,
    name: Option<&str>,
) -> Result<Option<&'static dyn Behaviour>, Refusal> {
    let mut choices = piece
        .behaviour
        .promotions(to, piece.color)
        .iter()
        .filter_map(|id| behaviour(id))
        .peekable();
    match name {
        None if choices.peek().is_none() => Ok(None),
        None => Err(Refusal::PromotionRequired),
        Some(name) => choices
            .find(|choice| choice.name() == name)
            .map(Some)
            .ok_or(Refusal::InvalidPromotion),
    }
}
