//! Chance as an argument: numbers that follow from a seed.

/// A stream of numbers (SplitMix64): the same seed, the same numbers, on every machine.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The stream of `seed`.
    pub fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The stream of a seed and of what it is for, so that two uses share nothing.
    pub fn of(seed: u64, purpose: u64) -> Chance {
        let mut mixed = Chance(seed ^ purpose.wrapping_mul(0xd1b5_4a32_d192_ed03));
        mixed.next();
        mixed
    }

    /// The next number.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// True so many times in a thousand.
    pub fn permille(&mut self, share: u32) -> bool {
        self.below(1000) < u64::from(share)
    }

    /// About normally distributed around 0 with deviation 1000, never beyond 3464.
    pub fn bell(&mut self) -> i32 {
        let sum: u64 = (0..12).map(|_| self.below(1001)).sum();
        (sum as i32 - 6000).clamp(-3464, 3464)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_decides_everything() {
        let draw = |seed| {
            let mut chance = Chance::new(seed);
            [chance.next(), chance.below(10), chance.bell() as u64]
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert_ne!(Chance::of(7, 1).next(), Chance::of(7, 2).next());
    }

    #[test]
    fn the_bell_is_centred_and_as_wide_as_it_says() {
        let mut chance = Chance::new(1);
        let drawn: Vec<i64> = (0..20_000).map(|_| i64::from(chance.bell())).collect();
        let mean = drawn.iter().sum::<i64>() / 20_000;
        let variance = drawn.iter().map(|x| x * x).sum::<i64>() / 20_000;
        assert!(mean.abs() < 30, "{mean}");
        assert!((950_000..1_050_000).contains(&variance), "{variance}");
        assert_eq!(Chance::new(3).below(0), 0);
    }
}
