//! How long a move takes to reach the first, the middle and the last of many.

use std::collections::HashMap;
use std::time::Instant;

use crate::report::{Plot, Series};
use crate::stats::Times;

/// One socket has one move.
pub(crate) struct Receipt {
    pub(crate) ply: u32,
    pub(crate) at: Instant,
}

/// When each half-move was acknowledged.
pub(crate) type Acknowledged = Vec<(u32, Instant)>;

/// Over all moves: the time of the first, the median, the 99th percentile and
/// the last receipt, after the move's acknowledgement.
#[derive(Default)]
pub(crate) struct Spread {
    pub(crate) first: Times,
    pub(crate) middle: Times,
    pub(crate) late: Times,
    pub(crate) last: Times,
    /// Receipts that should have been.
    pub(crate) missing: usize,
    all: Times,
}

impl Spread {
    pub(crate) fn new(
        acknowledged: &[(u32, Instant)],
        receipts: &[Receipt],
        sockets: usize,
    ) -> Spread {
        let mut by_ply: HashMap<u32, Vec<Instant>> = HashMap::new();
        for receipt in receipts {
            by_ply.entry(receipt.ply).or_default().push(receipt.at);
        }
        let mut spread = Spread::default();
        for (ply, acknowledged) in acknowledged {
            let mut at = by_ply.remove(ply).unwrap_or_default();
            at.sort_unstable();
            spread.missing += sockets.saturating_sub(at.len());
            let after = |rank: usize| at[rank].saturating_duration_since(*acknowledged);
            if at.is_empty() {
                continue;
            }
            spread.first.push(after(0));
            spread.middle.push(after(at.len() / 2));
            spread.late.push(after(at.len() * 99 / 100));
            spread.last.push(after(at.len() - 1));
            (0..at.len()).for_each(|rank| spread.all.push(after(rank)));
        }
        spread
    }

    /// The times of all receipts.
    pub(crate) fn plot(spreads: &[(&str, &Spread)]) -> Plot {
        const PERCENTS: [f64; 9] = [0.0, 10.0, 25.0, 50.0, 75.0, 90.0, 99.0, 99.9, 100.0];
        let line = |(name, spread): &(&str, &Spread)| {
            let mut all = spread.all.clone();
            Series {
                name: (*name).into(),
                values: PERCENTS.map(|percent| all.ms(percent)).to_vec(),
            }
        };
        Plot {
            name: "watch-spread".into(),
            title: "When watchers have a move, after its acknowledgement".into(),
            x: "percent of watchers that have it".into(),
            y: "ms".into(),
            places: PERCENTS.map(|percent| percent.to_string()).to_vec(),
            series: spreads.iter().map(line).collect(),
            is_log: false,
        }
    }
}
