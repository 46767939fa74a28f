//! Percentiles of what was measured.

use std::time::Duration;

/// Where a curve is looked at.
pub(crate) const PERCENTS: [f64; 11] = [
    1.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 99.5, 99.9, 99.99, 100.0,
];

/// Times in microseconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Times {
    us: Vec<u32>,
    is_sorted: bool,
}

impl Times {
    pub(crate) fn push(&mut self, time: Duration) {
        self.push_us(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    pub(crate) fn push_us(&mut self, us: u32) {
        self.us.push(us);
        self.is_sorted = false;
    }

    /// So many at a time, in the order in which they were measured.
    pub(crate) fn parts(&self, many: usize) -> impl Iterator<Item = Times> + use<> {
        let parts = self.us.chunks(many.max(1)).map(|us| Times {
            us: us.to_vec(),
            is_sorted: false,
        });
        parts.collect::<Vec<_>>().into_iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.us.len()
    }

    /// The time, in milliseconds, that so many percent did not exceed.
    pub(crate) fn ms(&mut self, percent: f64) -> f64 {
        if !self.is_sorted {
            self.us.sort_unstable();
            self.is_sorted = true;
        }
        let rank = (self.us.len() as f64 * percent / 100.0).ceil() as usize;
        let us = self.us.get(rank.saturating_sub(1)).or(self.us.last());
        us.map_or(f64::NAN, |us| f64::from(*us) / 1000.0)
    }

    pub(crate) fn mean_ms(&self) -> f64 {
        let sum: u64 = self.us.iter().map(|us| u64::from(*us)).sum();
        sum as f64 / self.us.len() as f64 / 1000.0
    }

    /// The whole curve, for a plot: the time in milliseconds at each of [`PERCENTS`].
    pub(crate) fn curve(&mut self) -> Vec<f64> {
        PERCENTS.map(|percent| self.ms(percent)).to_vec()
    }
}

/// The middle one.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occurred() {
        let mut times = Times::default();
        for us in (1..=1000).rev() {
            times.push_us(us);
        }
        assert_eq!(times.ms(50.0), 0.5);
        assert_eq!(times.ms(99.9), 0.999);
        assert_eq!(times.ms(100.0), 1.0);
        assert!(Times::default().ms(50.0).is_nan());
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
    }
}
