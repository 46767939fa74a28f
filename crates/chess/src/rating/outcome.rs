//! What a game means for ratings, if anything.

use shakmaty::{ByColor, Color};

use super::Category;
use crate::clock::TimeControl;
use crate::game::{Ending, Game, Terms};
use crate::rules::Start;
use crate::table::PlayerId;

/// Who got the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// White won, by whatever means.
    WhiteWon,
    /// Nobody won.
    Drawn,
    /// Black won.
    BlackWon,
}

/// A finished game that counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Which ratings it counts for.
    pub category: Category,
    /// Whose.
    pub players: ByColor<PlayerId>,
    /// How.
    pub score: Score,
}

impl Score {
    /// The score of a game that ended so; `None` if it was aborted. An arbiter's
    /// decision and a forfeit count like any other end.
    pub fn of(ending: Ending) -> Option<Score> {
        match ending {
            Ending::Won {
                winner: Color::White,
                ..
            } => Some(Score::WhiteWon),
            Ending::Won {
                winner: Color::Black,
                ..
            } => Some(Score::BlackWon),
            Ending::Drawn { .. } => Some(Score::Drawn),
            Ending::Aborted { .. } => None,
        }
    }
}

impl Outcome {
    /// What a game means for ratings; `None` while it is going on, if it is
    /// casual, and if it was aborted.
    pub fn of(game: &Game) -> Option<Outcome> {
        let score = Score::of(game.ending()?)?;
        let terms = game.terms();
        let seats = game.seats();
        let players = ByColor {
            white: seats.white?,
            black: seats.black?,
        };
        terms.rated.then_some(Outcome {
            category: Category::of(terms),
            players,
            score,
        })
    }
}

/// What a change of a game means for ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The game is over, and counts.
    Rated(Outcome),
    /// It was over, and an operator changed the result.
    Corrected {
        /// What it counted as.
        was: Outcome,
        /// How it counts now; `None` if it no longer does.
        score: Option<Score>,
    },
}

impl Effect {
    /// What the change from one version of a game to a later one means; `None`
    /// for most changes: nothing.
    pub fn of(before: Option<&Game>, after: &Game) -> Option<Effect> {
        let now = Outcome::of(after);
        match before.and_then(Outcome::of) {
            None => now.map(Effect::Rated),
            Some(was) if now == Some(was) => None,
            Some(was) => Some(Effect::Corrected {
                was,
                score: now.map(|outcome| outcome.score),
            }),
        }
    }
}

/// Why a game with these terms and this start can only be casual: the field that
/// forbids it, and a sentence. Whether its players may play rated games is for
/// those to say who know them.
pub(crate) fn why_casual(terms: &Terms, start: &Start) -> Option<(&'static str, &'static str)> {
    if terms.control == TimeControl::Unlimited {
        return Some(("time_control", "a rated game needs a clock"));
    }
    if matches!(start, Start::Fen(_)) {
        return Some(("initial_fen", "initial_fen is for casual games only"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Command, Creation, MoveCommand, StartRatings};
    use crate::table::{Actor, Verdict};
    use crate::{Millis, Timestamp};

    const AT: Timestamp = Timestamp(1_700_000_000_000);

    fn player(number: u32) -> PlayerId {
        PlayerId::new(number).expect("not zero")
    }

    /// A blitz game between 1 (White) and 2 after these commands.
    fn after(rated: bool, commands: &[(Actor, Command)]) -> Game {
        let mut terms = Terms::casual(TimeControl::Fischer {
            initial: Millis::from_secs(300),
            increment: Millis::ZERO,
        });
        terms.rated = rated;
        terms.takebacks = !rated;
        let mut game = Game::create(AT, Creation::open(player(1), terms)).expect("fine terms");
        for (who, command) in commands {
            let Verdict::Change(event) = game.decide(AT, *who, command) else {
                panic!("{command:?} was refused");
            };
            game.evolve(AT, &event);
        }
        game
    }

    fn white(command: Command) -> (Actor, Command) {
        (Actor::Player(player(1)), command)
    }

    fn black(command: Command) -> (Actor, Command) {
        (Actor::Player(player(2)), command)
    }

    fn join() -> (Actor, Command) {
        black(Command::Join {
            toss: Color::Black,
            by_code: false,
            ratings: StartRatings::default(),
        })
    }

    fn moves() -> [(Actor, Command); 2] {
        let made = |text| Command::Move(MoveCommand::new(text));
        [white(made("e4")), black(made("e5"))]
    }

    #[test]
    fn a_finished_rated_game_counts_for_both_in_its_category() {
        let [e4, e5] = moves();
        let outcome = Outcome::of(&after(true, &[join(), e4, e5, white(Command::Resign)]));
        let expected = Outcome {
            category: Category::Blitz,
            players: ByColor {
                white: player(1),
                black: player(2),
            },
            score: Score::BlackWon,
        };
        assert_eq!(outcome, Some(expected));
    }

    #[test]
    fn a_casual_game_and_one_that_goes_on_mean_nothing() {
        let [e4, e5] = moves();
        assert_eq!(Outcome::of(&after(true, &[])), None);
        assert_eq!(
            Outcome::of(&after(true, &[join(), e4.clone(), e5.clone()])),
            None
        );
        let casual = after(false, &[join(), e4, e5, white(Command::Resign)]);
        assert_eq!(Outcome::of(&casual), None);
    }

    #[test]
    fn an_aborted_game_rates_nothing() {
        let aborted = after(true, &[join(), white(Command::Abort)]);
        assert_eq!(Outcome::of(&aborted), None);
        let cancelled = after(true, &[white(Command::Cancel)]);
        assert_eq!(Outcome::of(&cancelled), None);
    }

    #[test]
    fn an_arbiters_decision_counts() {
        let ending = Ending::all().find(|ending| ending.winner() == Some(Color::White));
        let decided = Command::Adjudicate(ending.expect("White can win"));
        let game = after(true, &[join(), (Actor::Operator, decided)]);
        assert_eq!(Outcome::of(&game).map(|o| o.score), Some(Score::WhiteWon));
    }

    #[test]
    fn only_the_change_that_ends_a_game_rates_it() {
        let [e4, e5] = moves();
        let start = [join(), e4, e5];
        let played = after(true, &start);
        let over = after(true, &[&start[..], &[white(Command::Resign)]].concat());
        assert_eq!(Effect::of(None, &played), None);
        assert_eq!(Effect::of(Some(&after(true, &[join()])), &played), None);
        let outcome = Outcome::of(&over).expect("it counts");
        assert_eq!(
            Effect::of(Some(&played), &over),
            Some(Effect::Rated(outcome))
        );
        assert_eq!(Effect::of(Some(&over), &over), None);
    }

    #[test]
    fn every_ending_counts_as_its_result_says() {
        for ending in Ending::all() {
            let score = match ending.score() {
                "1-0" => Some(Score::WhiteWon),
                "0-1" => Some(Score::BlackWon),
                "1/2-1/2" => Some(Score::Drawn),
                _ => None,
            };
            assert_eq!(Score::of(ending), score, "{ending:?}");
        }
    }
}
