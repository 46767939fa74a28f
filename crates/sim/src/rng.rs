//! The one source of chance: the seed decides everything.

/// xoshiro256**, seeded by splitmix64 (Blackman and Vigna, public domain).
#[derive(Clone, Debug)]
pub(crate) struct Rng([u64; 4]);

impl Rng {
    pub(crate) fn new(seed: u64) -> Rng {
        let mut x = seed;
        Rng(std::array::from_fn(|_| {
            x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        }))
    }

    pub(crate) fn next(&mut self) -> u64 {
        let Rng(s) = self;
        let result = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A number below `bound`, which is not zero.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from `low` to `high`, both possible.
    pub(crate) fn within(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True so many times out of a hundred.
    pub(crate) fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    /// One of them.
    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize].clone()
    }

    /// One of them, each as often as its weight says.
    pub(crate) fn weighted<T: Clone>(&mut self, choices: &[(u64, T)]) -> T {
        let total: u64 = choices.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for (weight, choice) in choices {
            if at < *weight {
                return choice.clone();
            }
            at -= weight;
        }
        unreachable!("a number below the sum of the weights falls to one of them")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_always_says_the_same() {
        let mut rng = Rng::new(7);
        let first: Vec<u64> = (0..3).map(|_| rng.next()).collect();
        let mut again = Rng::new(7);
        assert_eq!(first, [again.next(), again.next(), again.next()]);
        assert_ne!(first[0], Rng::new(8).next());
    }

    #[test]
    fn every_choice_comes_up_and_none_beyond() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 5];
        for _ in 0..1_000 {
            seen[rng.below(5) as usize] += 1;
        }
        assert!(seen.iter().all(|n| *n > 100));
        for _ in 0..100 {
            assert_eq!(rng.weighted(&[(0, 'a'), (3, 'b')]), 'b');
            assert!((2..=4).contains(&rng.within(2, 4)));
        }
    }
}
