//! What the result of a match says about strength.

/// Games won, drawn and lost by the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Won.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost.
    pub losses: u32,
}

/// A difference in Elo with its error bars (95 %). An end that no result can exclude is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// The likeliest.
    pub elo: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Two-sided 95 %.
const DEVIATIONS: f64 = 1.959_964;

impl Tally {
    /// Counts a game by its points for the first player: 1, ½ or 0.
    pub fn count(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// How many games.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// The share of the points, from 0 to 1; a half if nothing was played.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.draws) / 2.0) / f64::from(games),
        }
    }

    /// The variance of the points of one game. Half a win and half a loss are added, so that a few games that all
    /// ended alike do not look certain.
    fn variance(&self) -> f64 {
        let (wins, draws) = (f64::from(self.wins) + 0.5, f64::from(self.draws));
        let losses = f64::from(self.losses) + 0.5;
        let games = wins + draws + losses;
        let mean = (wins + draws / 2.0) / games;
        (wins * (1.0 - mean).powi(2) + draws * (0.5 - mean).powi(2) + losses * mean.powi(2)) / games
    }

    /// The share of the points with its error bars.
    pub fn score_range(&self) -> (f64, f64) {
        if self.games() == 0 {
            return (0.0, 1.0);
        }
        let error = DEVIATIONS * (self.variance() / f64::from(self.games())).sqrt();
        (
            (self.score() - error).max(0.0),
            (self.score() + error).min(1.0),
        )
    }

    /// How much stronger the first player is.
    pub fn difference(&self) -> Difference {
        let (low, high) = self.score_range();
        Difference {
            elo: elo(self.score()),
            low: elo(low),
            high: elo(high),
        }
    }

    /// How likely it is that the first player is the stronger one.
    pub fn likelihood_of_superiority(&self) -> f64 {
        let decided = f64::from(self.wins + self.losses);
        if decided == 0.0 {
            return 0.5;
        }
        let ahead = f64::from(self.wins) - f64::from(self.losses);
        normal(ahead / decided.sqrt())
    }
}

/// The difference in Elo at which that share of the points is expected.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The share of the points that is expected at a difference in Elo.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The normal distribution (Abramowitz and Stegun 26.2.17; exact to seven places).
fn normal(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let poly = t
        * (0.319_381_530
            + t * (-0.356_563_782
                + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    let upper = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * poly;
    if x >= 0.0 { 1.0 - upper } else { upper }
}

/// A sequential probability ratio test: is the first player stronger by `elo1`, or only by `elo0`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference that is not worth accepting.
    pub elo0: f64,
    /// The difference that is hoped for.
    pub elo1: f64,
    /// How often a difference of `elo0` may pass.
    pub alpha: f64,
    /// How often a difference of `elo1` may fail.
    pub beta: f64,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// `elo1` it is.
    Accepted,
    /// `elo0` it is.
    Rejected,
    /// More games are needed.
    Open,
}

impl Sprt {
    /// The logarithm of how much likelier the result is at `elo1` than at `elo0`, in the usual approximation by a
    /// normal distribution.
    pub fn ratio(&self, tally: &Tally) -> f64 {
        if tally.games() == 0 {
            return 0.0;
        }
        let (s0, s1) = (expected(self.elo0), expected(self.elo1));
        let games = f64::from(tally.games());
        games * (s1 - s0) * (2.0 * tally.score() - s0 - s1) / (2.0 * tally.variance())
    }

    /// Below the first it is rejected, above the second accepted.
    pub fn bounds(&self) -> (f64, f64) {
        (
            (self.beta / (1.0 - self.alpha)).ln(),
            ((1.0 - self.beta) / self.alpha).ln(),
        )
    }

    /// What the result says.
    pub fn verdict(&self, tally: &Tally) -> Verdict {
        let (ratio, (low, high)) = (self.ratio(tally), self.bounds());
        if ratio >= high {
            Verdict::Accepted
        } else if ratio <= low {
            Verdict::Rejected
        } else {
            Verdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u32, draws: u32, losses: u32) -> Tally {
        Tally {
            wins,
            draws,
            losses,
        }
    }

    #[test]
    fn elo_and_score_are_each_others_inverse() {
        for difference in [-300.0, -10.0, 0.0, 55.0, 400.0] {
            assert!((elo(expected(difference)) - difference).abs() < 1e-9);
        }
        assert!((expected(400.0) - 10.0 / 11.0).abs() < 1e-12);
        assert_eq!(elo(1.0), f64::INFINITY);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn error_bars_shrink_with_games_and_draws() {
        let width = |t: Tally| t.difference().high - t.difference().low;
        let few = tally(50, 20, 30);
        let many = tally(5000, 2000, 3000);
        let draws = tally(20, 80, 0);
        assert!((few.difference().elo - 70.4).abs() < 0.1);
        assert!(width(many) * 8.0 < width(few));
        assert!(width(draws) < width(few));
        assert!((width(few) / 2.0 - 65.0).abs() < 5.0, "{}", width(few));
    }

    #[test]
    fn a_clean_sweep_is_not_certainty() {
        let sweep = tally(10, 0, 0).difference();
        assert_eq!(sweep.high, f64::INFINITY);
        assert!(sweep.low > 100.0 && sweep.low < 500.0, "{}", sweep.low);
        let nothing = tally(0, 0, 0).difference();
        assert_eq!((nothing.elo, nothing.low), (0.0, f64::NEG_INFINITY));
    }

    #[test]
    fn superiority_is_a_matter_of_decided_games() {
        assert_eq!(tally(0, 100, 0).likelihood_of_superiority(), 0.5);
        let clear = tally(60, 0, 40).likelihood_of_superiority();
        assert!((clear - 0.9772).abs() < 1e-3, "{clear}");
    }

    #[test]
    fn a_test_ends_with_the_truth_and_waits_before() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
        };
        let (low, high) = sprt.bounds();
        assert!((high - 2.944).abs() < 1e-3 && (low + high).abs() < 1e-9);
        assert_eq!(sprt.verdict(&tally(0, 0, 0)), Verdict::Open);
        assert_eq!(sprt.verdict(&tally(30, 20, 28)), Verdict::Open);
        assert_eq!(sprt.verdict(&tally(3000, 4000, 2700)), Verdict::Accepted);
        assert_eq!(sprt.verdict(&tally(2700, 4000, 2900)), Verdict::Rejected);
    }
}
