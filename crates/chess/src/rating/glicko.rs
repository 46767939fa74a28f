//! What a game does to two ratings: Glicko-2, with one game as one rating period
//! (Glickman, "Example of the Glicko-2 system").

use shakmaty::ByColor;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};

use super::{Rating, Score};

/// How fast volatility may change: Lichess's choice among the 0.3 to 1.2 that
/// the paper recommends. The tolerance is the paper's.
const CONFIG: Glicko2Config = Glicko2Config {
    tau: 0.75,
    convergence_tolerance: 0.000_001,
};

/// What became of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Before the game, as it was when the game ended.
    pub before: Rating,
    /// After it.
    pub after: Rating,
}

impl Change {
    /// By how many points, as everybody sees them.
    pub fn points(&self) -> i32 {
        self.after.points() as i32 - self.before.points() as i32
    }
}

/// Rates one game of two players.
pub fn rate(before: &ByColor<Rating>, score: Score) -> ByColor<Change> {
    let outcome = match score {
        Score::WhiteWon => Outcomes::WIN,
        Score::Drawn => Outcomes::DRAW,
        Score::BlackWon => Outcomes::LOSS,
    };
    let (white, black) = glicko2(
        &to_theirs(before.white),
        &to_theirs(before.black),
        &outcome,
        &CONFIG,
    );
    ByColor {
        white: Change {
            before: before.white,
            after: to_ours(white),
        },
        black: Change {
            before: before.black,
            after: to_ours(black),
        },
    }
}

/// A rating after an operator changed the result of an earlier game: `was` is
/// what became of it then, `is` what should have (the same before and after if
/// the game no longer counts). The points move by the difference. How sure they
/// are stays, since games played in the meantime have made up for that.
pub fn corrected(now: Rating, was: &Change, is: &Change) -> Rating {
    let after = |change: &Change| i64::from(change.after.stored().points_milli);
    now.moved(after(is) - after(was))
}

fn to_theirs(rating: Rating) -> Glicko2Rating {
    let (rating, deviation, volatility) = rating.exact();
    Glicko2Rating {
        rating,
        deviation,
        volatility,
    }
}

fn to_ours(rated: Glicko2Rating) -> Rating {
    Rating::new(rated.rating, rated.deviation, rated.volatility)
}

#[cfg(test)]
mod tests;
