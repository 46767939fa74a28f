//! Offering a draw without being a nuisance, as in a game of chess (FIDE 9.1).

use shakmaty::{ByColor, Color};

use super::Refusal;

/// After offering a draw a player waits this many half-moves before the next.
const OFFER_PLIES: u32 = 20;

/// Who offers a draw, and from when on each may do so again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct DrawOffers {
    standing: Option<Color>,
    /// The half-move from which each side may offer again.
    from: ByColor<u32>,
}

impl DrawOffers {
    /// Who has made the offer that stands.
    pub(super) fn standing(&self) -> Option<Color> {
        self.standing
    }

    pub(super) fn may_offer(&self, by: Color, ply: u32) -> Result<(), Refusal> {
        let both_have_moved = ply >= 2;
        if both_have_moved && ply >= *self.from.get(by) {
            Ok(())
        } else {
            Err(Refusal::DrawOfferTooSoon)
        }
    }

    pub(super) fn offered(&mut self, by: Color, ply: u32) {
        self.standing = Some(by);
        *self.from.get_mut(by) = ply + OFFER_PLIES;
    }

    /// A move answers the opponent's offer; one's own goes on to stand.
    pub(super) fn moved(&mut self, by: Color) {
        self.standing = self.standing.filter(|offerer| *offerer == by);
    }

    pub(super) fn declined(&mut self) {
        self.standing = None;
    }
}
