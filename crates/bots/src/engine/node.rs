//! The positions that can be searched: standard chess by itself, for speed, and every variant behind one type.

use shakmaty::variant::{Variant as Rules, VariantPosition};
use shakmaty::{Chess, Position};

pub(crate) trait Node: Position + Clone {
    /// Which rules hold.
    fn rules(&self) -> Rules;

    /// The position if the side to move could pass; none if the other side would be in check.
    fn pass(&self) -> Option<Self>;
}

impl Node for Chess {
    fn rules(&self) -> Rules {
        Rules::Chess
    }

    fn pass(&self) -> Option<Self> {
        self.clone().swap_turn().ok()
    }
}

impl Node for VariantPosition {
    fn rules(&self) -> Rules {
        self.variant()
    }

    fn pass(&self) -> Option<Self> {
        self.clone().swap_turn().ok()
    }
}
