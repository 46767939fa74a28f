//! Who must not meet.

use crate::table::PlayerId;

/// Pairs of players of whom one has blocked the other. Who blocked whom makes
/// no difference.
#[derive(Clone, Debug, Default)]
pub struct Blocks(Vec<(PlayerId, PlayerId)>);

impl Blocks {
    /// All these, in any order.
    pub fn new(blocked: impl IntoIterator<Item = (PlayerId, PlayerId)>) -> Blocks {
        let sorted = |(a, b): (PlayerId, PlayerId)| (a.min(b), a.max(b));
        let mut pairs: Vec<_> = blocked.into_iter().map(sorted).collect();
        pairs.sort_unstable();
        Blocks(pairs)
    }

    /// Whether the two must not meet.
    pub fn between(&self, a: PlayerId, b: PlayerId) -> bool {
        self.0.binary_search(&(a.min(b), a.max(b))).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_holds_in_both_directions() {
        let [a, b, c] = [1, 2, 3].map(|n| PlayerId::new(n).expect("not zero"));
        let blocks = Blocks::new([(c, a), (b, a)]);
        assert!(blocks.between(a, b) && blocks.between(b, a));
        assert!(blocks.between(a, c) && blocks.between(c, a));
        assert!(!blocks.between(b, c));
    }
}
