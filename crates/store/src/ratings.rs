//! Ratings as they are kept: a row for each player and category, and a row for
//! each player of every game that counted.
//!
//! What a game does to them is worked out here, once for every backend; they
//! only read and write the rows.

use chess::rating::{Category, Change, Effect, Outcome, Rating, Score, Standing, corrected, rate};
use chess::table::PlayerId;
use chess::{ByColor, Color, Millis, Timestamp};

use crate::TableId;

/// What a change of a table means for ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// What it means by the rules.
    pub effect: Effect,
    /// How many rated games against the same opponent within a day count; those
    /// beyond change nothing. Zero: all.
    pub per_day: u32,
    /// How much later than the players spectators know of it.
    pub delay: Millis,
}

/// How long a game counts among those against the same opponent.
pub(crate) const SAME_OPPONENT: Millis = Millis::from_days(1);

/// How many games back the progress of a rating is told.
pub const PROGRESS_GAMES: u32 = 12;

/// The title by which programs are known: they have a leaderboard of their own.
pub(crate) const BOT: &str = "BOT";

/// A player's rating in one category, and what it is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerRating {
    /// Whose.
    pub account: PlayerId,
    /// In what.
    pub category: Category,
    /// The rating.
    pub standing: Standing,
    /// Of the rated games, those won.
    pub wins: u32,
    /// Those drawn.
    pub draws: u32,
    /// Those lost.
    pub losses: u32,
    /// From when on everybody may know of all of them.
    pub known_at: Timestamp,
}

/// A rating with how it came there lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingProfile {
    /// The rating.
    pub rating: PlayerRating,
    /// By how many points the last twelve rated games moved it.
    pub progress: i32,
}

/// A game that counted, with what it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// Which.
    pub table: TableId,
    /// For which ratings.
    pub category: Category,
    /// When it ended.
    pub at: Timestamp,
    /// How.
    pub score: Score,
    /// Whose ratings.
    pub players: ByColor<PlayerId>,
    /// What became of them.
    pub changes: ByColor<Change>,
    /// When spectators know that it is over.
    pub known_at: Timestamp,
}

/// One game in the history of a rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingStep {
    /// When it ended.
    pub at: Timestamp,
    /// Which it was.
    pub table: TableId,
    /// Against whom.
    pub opponent: PlayerId,
    /// With which colour.
    pub color: Color,
    /// How it ended.
    pub score: Score,
    /// What became of the rating.
    pub change: Change,
    /// When spectators know that it is over.
    pub known_at: Timestamp,
}

/// Which part of a leaderboard to list, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeaderboardQuery {
    /// Of which ratings.
    pub category: Category,
    /// Programs, or everybody else.
    pub bots: bool,
    /// Only those whose rating is not provisional at this time.
    pub now: Timestamp,
    /// Begin after this place.
    pub after: Option<Place>,
    /// At most so many.
    pub limit: u32,
}

/// A place on a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Thousandths of a point.
    pub points_milli: u32,
    /// Of those with as many, in the order of their numbers.
    pub account: PlayerId,
}

impl PlayerRating {
    /// Of somebody without a rated game in that category.
    pub fn new(account: PlayerId, category: Category) -> PlayerRating {
        PlayerRating {
            account,
            category,
            standing: Standing::NEW,
            wins: 0,
            draws: 0,
            losses: 0,
            known_at: Timestamp(0),
        }
    }

    /// The rating as it is known to whoever does not know of some games: all of
    /// them from the first on, newest first. `None` if there are no others.
    #[must_use]
    pub fn without(mut self, unknown: &[RatingStep]) -> Option<PlayerRating> {
        for step in unknown {
            self.standing.games = self.standing.games.saturating_sub(1);
            let counted = self.tally(step.score, step.color);
            *counted = counted.saturating_sub(1);
        }
        if let Some(first) = unknown.last() {
            self.standing.rating = first.change.before;
            self.standing.rated_at = Some(first.at);
        }
        (self.standing.games > 0).then_some(self)
    }

    /// Its place on the leaderboard.
    pub fn place(&self) -> Place {
        Place {
            points_milli: self.standing.rating.stored().points_milli,
            account: self.account,
        }
    }

    fn tally(&mut self, score: Score, color: Color) -> &mut u32 {
        match half_points(score, color) {
            2 => &mut self.wins,
            1 => &mut self.draws,
            _ => &mut self.losses,
        }
    }
}

/// What a change does to the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    /// The ratings as they are now; of those whose row there was.
    pub(crate) ratings: ByColor<Option<PlayerRating>>,
    /// The game as it is to be kept; `None`: it is to be forgotten.
    pub(crate) game: Option<RatedGame>,
}

/// What is known before a change that rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The ratings, of those who have one.
    pub(crate) ratings: ByColor<Option<PlayerRating>>,
    /// What was kept of this very game.
    pub(crate) game: Option<RatedGame>,
    /// Rated games of the two against each other within a day.
    pub(crate) lately: u32,
}

impl Rates {
    /// Whose ratings change, and for what.
    pub(crate) fn outcome(&self) -> Outcome {
        match self.effect {
            Effect::Rated(outcome) => outcome,
            Effect::Corrected { was, .. } => was,
        }
    }

    /// What becomes of the rows; `None`: nothing. A game that was rated is not
    /// rated again, whoever asks for it.
    pub(crate) fn settle(&self, table: TableId, at: Timestamp, known: &Known) -> Option<Settled> {
        let known = &known.played();
        match self.effect {
            Effect::Rated(outcome) => {
                let is_beyond = self.per_day > 0 && known.lately >= self.per_day;
                let game = Game {
                    table,
                    at,
                    known_at: at + self.delay,
                };
                (known.game.is_none() && !is_beyond).then(|| first(game, outcome, known))
            }
            Effect::Corrected { score, .. } => known.game.map(|game| again(game, score, known)),
        }
    }
}

impl Known {
    /// A row may be there only to be locked, or have lost its only game: who has
    /// played none is a newcomer.
    fn played(&self) -> Known {
        let has_played = |rating: &PlayerRating| rating.standing.games > 0;
        Known {
            ratings: self.ratings.map(|rating| rating.filter(has_played)),
            ..*self
        }
    }
}

/// A game that is over.
struct Game {
    table: TableId,
    at: Timestamp,
    known_at: Timestamp,
}

/// A game is rated.
fn first(game: Game, outcome: Outcome, known: &Known) -> Settled {
    let Game {
        table,
        at,
        known_at,
    } = game;
    let Outcome {
        category,
        players,
        score,
    } = outcome;
    let rows = players
        .zip(known.ratings)
        .map(|(account, rating)| rating.unwrap_or_else(|| PlayerRating::new(account, category)));
    let before = rows.map(|row| row.standing.at(at));
    let changes = rate(&before, score);
    let rated = |color: Color| {
        let mut row = *rows.get(color);
        row.standing = row.standing.after(at, changes.get(color).after);
        row.known_at = row.known_at.max(known_at);
        *row.tally(score, color) += 1;
        Some(row)
    };
    Settled {
        ratings: ByColor {
            white: rated(Color::White),
            black: rated(Color::Black),
        },
        game: Some(RatedGame {
            table,
            category,
            at,
            score,
            players,
            changes,
            known_at,
        }),
    }
}

/// A game that was rated turns out to have ended otherwise.
fn again(game: RatedGame, score: Option<Score>, known: &Known) -> Settled {
    let was = game.changes;
    let is = match score {
        Some(score) => rate(&was.map(|change| change.before), score),
        None => was.map(|change| Change {
            after: change.before,
            ..change
        }),
    };
    let corrected = |color: Color| {
        let mut row = (*known.ratings.get(color))?;
        let standing = &mut row.standing;
        standing.rating = corrected(standing.rating, was.get(color), is.get(color));
        let counted = row.tally(game.score, color);
        *counted = counted.saturating_sub(1);
        match score {
            Some(score) => *row.tally(score, color) += 1,
            None => row.standing.games = row.standing.games.saturating_sub(1),
        }
        Some(row)
    };
    Settled {
        ratings: ByColor {
            white: corrected(Color::White),
            black: corrected(Color::Black),
        },
        game: score.map(|score| RatedGame {
            score,
            changes: is,
            ..game
        }),
    }
}

impl RatedGame {
    /// The game as one of its players sees it.
    pub fn step(&self, color: Color) -> RatingStep {
        RatingStep {
            at: self.at,
            table: self.table,
            opponent: *self.players.get(!color),
            color,
            score: self.score,
            change: *self.changes.get(color),
            known_at: self.known_at,
        }
    }

    /// The game that two rows of the history are of.
    pub(crate) fn of(
        category: Category,
        white: Option<RatingStep>,
        black: Option<RatingStep>,
    ) -> Option<RatedGame> {
        let (white, black) = (white?, black?);
        Some(RatedGame {
            table: white.table,
            category,
            at: white.at,
            score: white.score,
            players: ByColor {
                white: black.opponent,
                black: white.opponent,
            },
            changes: ByColor {
                white: white.change,
                black: black.change,
            },
            known_at: white.known_at,
        })
    }
}

/// What a player has of a game, as it is stored: 2 if it was won, 1 if drawn.
pub(crate) fn half_points(score: Score, color: Color) -> u8 {
    match (score, color) {
        (Score::Drawn, _) => 1,
        (Score::WhiteWon, Color::White) | (Score::BlackWon, Color::Black) => 2,
        (Score::WhiteWon, Color::Black) | (Score::BlackWon, Color::White) => 0,
    }
}

/// The inverse of [`half_points`].
pub(crate) fn score_of(half_points: u8, color: Color) -> Option<Score> {
    let all = [Score::WhiteWon, Score::Drawn, Score::BlackWon];
    all.into_iter()
        .find(|score| self::half_points(*score, color) == half_points)
}

/// A colour as it is stored.
pub(crate) fn color_name(color: Color) -> &'static str {
    color.fold_wb("w", "b")
}

/// The inverse of [`color_name`].
pub(crate) fn color_named(name: &str) -> Option<Color> {
    match name {
        "w" => Some(Color::White),
        "b" => Some(Color::Black),
        _ => None,
    }
}

/// By how much a rating moved since it had so many thousandths of a point.
pub(crate) fn progress(rating: Rating, since_milli: u32) -> i32 {
    let whole = |milli: u32| ((milli + 500) / 1000) as i32;
    whole(rating.stored().points_milli) - whole(since_milli)
}
