//! Lending the engines to those who look at finished games, behind all who play.

use std::sync::Arc;
use std::time::Duration;

use bots::pool::{NoAnswer, Question, Urgency, Wish};
use bots::{Answer, Limits, Situation};
use chess::game::Game;
use store::TableId;
use tokio::time::sleep;

use super::House;
use crate::problem::Problem;
use crate::settings::Settings;

/// A position is looked at for so long at most, once it is its turn.
const MOST: Duration = Duration::from_secs(5);
/// A game of more half-moves takes no longer than one of so many: others wait behind it.
const PLIES_FULL: u32 = 300;
/// While too many ask, asking is put off.
const LATER: Duration = Duration::from_secs(1);

impl House {
    /// The moves of a game, from its start.
    ///
    /// # Errors
    /// `unavailable`: the engines end, or do not start.
    pub(in crate::play) async fn situation(
        &self,
        settings: &Settings,
        game: &Arc<Game>,
    ) -> Result<Situation, Problem> {
        let engines = self.engines(settings).map_err(|_| Problem::unavailable())?;
        let situation = engines.situation(game).await;
        situation.ok_or_else(Problem::unavailable)
    }

    /// The best move in a position of a game of so many half-moves, when nobody who plays
    /// waits for an engine; none if the game is over there.
    ///
    /// # Errors
    /// `unavailable`: the engines end, or do not start.
    pub(in crate::play) async fn evaluate(
        &self,
        settings: &Settings,
        id: TableId,
        situation: &Situation,
        plies: u32,
    ) -> Result<Option<Answer>, Problem> {
        let (nodes, time) = share(settings.analysis_nodes, plies);
        loop {
            let engines = self.engines(settings).map_err(|_| Problem::unavailable())?;
            let question = Question {
                game: id.number(),
                urgency: Urgency::Background,
                situation: situation.clone(),
                wish: Wish::Best(Limits::nodes(nodes)),
                time,
                within: Duration::MAX,
                seed: id.number(),
            };
            match engines.ask(question).await {
                Ok(answer) => return Ok(Some(answer)),
                Err(NoAnswer::Over) => return Ok(None),
                Err(NoAnswer::Full) => sleep(LATER).await,
                Err(NoAnswer::Closed) => return Err(Problem::unavailable()),
            }
        }
    }
}

/// What each position of a game of so many half-moves may take.
fn share(nodes: u64, plies: u32) -> (u64, Duration) {
    let plies = plies.max(PLIES_FULL);
    let share = nodes.saturating_mul(u64::from(PLIES_FULL)) / u64::from(plies);
    (share.max(1), MOST * PLIES_FULL / plies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_game_takes_no_longer_than_a_usual_one() {
        assert_eq!(share(100_000, 0), (100_000, MOST));
        assert_eq!(share(100_000, 300), (100_000, MOST));
        let (nodes, time) = share(100_000, 6_000);
        assert_eq!((nodes, time), (5_000, Duration::from_millis(250)));
        assert_eq!(share(100, u32::MAX).0, 1);
    }
}
