//! Finding the nearest who would play somebody, among many.

use super::seeker::Accepts;

/// Seekers in the order of their points, and whom each accepts, as a tree: what
/// nobody below a node accepts need not be looked for there. So the nearest is
/// found among ten thousand in a few steps, however many in between would refuse.
///
/// Only ranges that do not include their owner's points can make it look in
/// vain: somebody below a node reaches far enough down, somebody else far enough
/// up, and nobody does both.
pub(super) struct Nearest {
    points: Vec<u32>,
    /// The root is 1, the children of `n` are `2n` and `2n + 1`, and the leaves are
    /// the last `size`.
    tree: Vec<Accepts>,
    size: usize,
}

impl Nearest {
    /// Of these, in the order of their points.
    pub(super) fn new(members: impl ExactSizeIterator<Item = (u32, Accepts)>) -> Nearest {
        let size = members.len().next_power_of_two();
        let mut tree = vec![Accepts::NOBODY; 2 * size];
        let mut points = Vec::with_capacity(members.len());
        for (place, (own, accepts)) in members.enumerate() {
            points.push(own);
            tree[size + place] = accepts;
        }
        for node in (1..size).rev() {
            tree[node] = tree[2 * node].or(tree[2 * node + 1]);
        }
        Nearest { points, tree, size }
    }

    /// Takes one out.
    pub(super) fn remove(&mut self, place: usize) {
        let mut node = self.size + place;
        self.tree[node] = Accepts::NOBODY;
        while node > 1 {
            node /= 2;
            self.tree[node] = self.tree[2 * node].or(self.tree[2 * node + 1]);
        }
    }

    /// The points of the one at this place.
    pub(super) fn points(&self, place: usize) -> u32 {
        self.points[place]
    }

    /// The first place whose points are not below these.
    pub(super) fn place_of(&self, points: u32) -> usize {
        self.points.partition_point(|own| *own < points)
    }

    /// The first at or after `from` who accepts somebody with these points.
    pub(super) fn first_from(&self, from: usize, points: u32) -> Option<usize> {
        if from >= self.size {
            return None;
        }
        let mut node = self.size + from;
        loop {
            if self.tree[node].includes(points) {
                if node >= self.size {
                    return Some(node - self.size);
                }
                node *= 2;
                continue;
            }
            // On to the next subtree: up while this is a right child, then across.
            node = (node + 1) >> (node + 1).trailing_zeros();
            if node == 1 {
                return None;
            }
        }
    }

    /// The last before `until` who accepts somebody with these points.
    pub(super) fn last_before(&self, until: usize, points: u32) -> Option<usize> {
        let mut node = self.size + until.min(self.size).checked_sub(1)?;
        loop {
            if self.tree[node].includes(points) {
                if node >= self.size {
                    return Some(node - self.size);
                }
                node = 2 * node + 1;
                continue;
            }
            // Up while this is a left child, then across; the root has no side.
            node >>= node.trailing_zeros();
            if node == 1 {
                return None;
            }
            node -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(15), failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn it_finds_whom_one_would_find_by_looking_at_everybody(
            mut members in vec((0..60_u32, 0..60_u32, 0..60_u32), 0..40),
            gone in vec(any::<prop::sample::Index>(), 0..20),
            (from, points) in (0..50_usize, 0..60_u32),
        ) {
            members.sort_unstable();
            let accepts = |&(own, least, most)| (own, Accepts { least, most });
            let mut nearest = Nearest::new(members.iter().map(accepts));
            let mut present = vec![true; members.len()];
            for index in gone.iter().filter(|_| !members.is_empty()) {
                let place = index.index(members.len());
                nearest.remove(place);
                present[place] = false;
            }
            let suits = |place: &usize| {
                present[*place] && accepts(&members[*place]).1.includes(points)
            };
            let until = from.min(members.len());
            prop_assert_eq!(nearest.first_from(from, points), (until..members.len()).find(suits));
            prop_assert_eq!(nearest.last_before(from, points), (0..until).rfind(suits));
        }
    }
}
