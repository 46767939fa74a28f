//! Time: how long a bot may calculate, and how long it seems to think.
//!
//! Both are functions of the clock. Neither ever risks the flag: with little time left a bot moves at once.

use std::time::Duration;

use crate::chance::Chance;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub left: Duration,
    /// What each move brings.
    pub increment: Duration,
}

/// What thinking depends on besides the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// How many half-moves were played.
    pub ply: usize,
    /// How many moves there are to choose from.
    pub choices: usize,
    /// Whether the move is a recapture, known theory or otherwise plain.
    pub plain: bool,
}

/// Below this a bot does not pretend to think.
const HURRY: Duration = Duration::from_secs(3);
/// Nobody wants to wait longer for a program.
const LONGEST: Duration = Duration::from_secs(12);
/// What the way of a move to the server and back may take.
const LAG: Duration = Duration::from_millis(150);

/// How long to calculate at most; without a clock, `most`.
pub fn budget(clock: Option<Clock>, most: Duration) -> Duration {
    let Some(clock) = clock else { return most };
    let spare = clock.left.saturating_sub(LAG);
    let share = spare / 30 + clock.increment.min(clock.left) * 6 / 10;
    // However large the increment is, it comes after the move.
    share.min(spare / 4).min(most)
}

/// How long the whole move should take, so that it looks natural: in the opening and for plain moves less, in a
/// position with many moves more, and never the same twice. What was calculated counts towards it.
pub fn thinking(clock: Option<Clock>, moment: Moment, seed: u64) -> Duration {
    let mut chance = Chance::of(seed, 0x7e1d ^ ((moment.ply as u64) << 16));
    if moment.choices <= 1 || moment.plain {
        return short(clock, &mut chance);
    }
    let usual = match clock {
        Some(clock) if clock.left < HURRY => return short(Some(clock), &mut chance),
        Some(clock) => clock.left / 50 + clock.increment.min(clock.left) / 2,
        None => Duration::from_secs(3),
    };
    // From a third of the usual time to twice of it, mostly below it.
    let (a, b) = (chance.below(1000), chance.below(1000));
    let permille = 330 + a * b * 1700 / 1_000_000;
    let phase = match moment.ply {
        0..=5 => 300,
        6..=15 => 700,
        16..=50 => 1000,
        _ => 800,
    };
    let choices = 600 + moment.choices.min(40) as u64 * 10;
    let scale = (permille * phase / 1000 * choices / 1000) as u32;
    let wanted = usual * scale / 1000;
    let most = clock.map_or(LONGEST, |clock| (clock.left / 12).min(LONGEST));
    wanted.min(most).max(short(clock, &mut chance))
}

/// As fast as a hand moves, or at once when time is short.
fn short(clock: Option<Clock>, chance: &mut Chance) -> Duration {
    let natural = Duration::from_millis(250 + chance.below(700));
    match clock {
        Some(clock) if clock.left < Duration::from_secs(1) => Duration::ZERO,
        Some(clock) => natural.min(clock.left / 25),
        None => natural,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIDDLE: Moment = Moment {
        ply: 30,
        choices: 35,
        plain: false,
    };

    fn clock(left: u64, increment: u64) -> Option<Clock> {
        Some(Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
        })
    }

    #[test]
    fn a_game_of_any_length_is_played_without_losing_on_time() {
        for (initial, increment) in [
            (0, 1000),
            (15_000, 0),
            (60_000, 0),
            (300_000, 3000),
            (1_000, 0),
        ] {
            let (mut left, mut seed) = (initial.max(increment), 1);
            for ply in 0..300 {
                seed += 1;
                let now = clock(left, increment);
                let moment = Moment {
                    ply: ply * 2,
                    ..MIDDLE
                };
                let spent = thinking(now, moment, seed).max(budget(now, Duration::from_secs(5)));
                let spent = spent.as_millis() as u64;
                assert!(spent < left, "{spent} of {left} at {ply}");
                left = left - spent + increment;
            }
        }
    }

    #[test]
    fn thinking_varies_and_follows_the_clock() {
        let times = |left| -> Vec<Duration> {
            (0..200)
                .map(|seed| thinking(clock(left, 0), MIDDLE, seed))
                .collect()
        };
        let (long, short) = (times(600_000), times(60_000));
        let mean = |times: &[Duration]| times.iter().sum::<Duration>() / times.len() as u32;
        assert!(mean(&long) > mean(&short) * 5);
        assert!(long.iter().max() > long.iter().min().map(|least| *least * 2).as_ref());
        assert_eq!(thinking(clock(600_000, 0), MIDDLE, 9), long[9]);
        assert!(long.iter().all(|time| *time <= LONGEST));
        assert!(times(900).iter().all(Duration::is_zero));
        let plain = Moment {
            plain: true,
            ..MIDDLE
        };
        assert!((0..100).all(|seed| thinking(None, plain, seed) < Duration::from_secs(1)));
    }

    #[test]
    fn a_budget_leaves_time_for_the_way() {
        let most = Duration::from_secs(5);
        assert_eq!(budget(None, most), most);
        assert_eq!(budget(clock(100, 0), most), Duration::ZERO);
        assert_eq!(budget(clock(3_600_000, 0), most), most);
        assert!(budget(clock(1_000, 60_000), most) <= Duration::from_millis(250));
    }
}
