//! A recorded game, played again under our rules.

use super::{Date, ImportedGame, Score};
use crate::clock::TimeControl;
use crate::game::{
    AbortReason, Command, Creation, DrawReason, DrawRule, Ending, Event, Game, MoveCommand, Terms,
    WinReason,
};
use crate::rules::PackedUciMove;
use crate::table::{Actor, PlayerId, Verdict};
use crate::{ByColor, Color, Millis, Timestamp};

impl ImportedGame {
    /// Plays the game again between these two, with the clocks that the file
    /// notes after each move. Where a clock shows what no thinking could have
    /// led to (a gift, a takeback, another program's arithmetic) it is set. A
    /// file that does not note every clock becomes a game without clocks.
    ///
    /// A game without a result is over too, as one that was adjourned for good.
    ///
    /// # Errors
    /// A sentence: why this cannot be a game of ours.
    pub fn replayed(&self, players: ByColor<PlayerId>) -> Result<Game, String> {
        let clocks: Option<Vec<Millis>> = self.clocks.iter().copied().collect();
        let timed = self.control().zip(clocks).and_then(|(control, clocks)| {
            let mut again = Again::begin(self, players, control).ok()?;
            let moves = self.moves.iter().zip(clocks);
            moves
                .map(|(uci, clock)| again.timed(*uci, clock))
                .collect::<Option<()>>()?;
            Some(again)
        });
        let again = match timed {
            Some(again) => again,
            None => {
                let mut again = Again::begin(self, players, TimeControl::Unlimited)?;
                for (index, uci) in self.moves.iter().enumerate() {
                    let number = index / 2 + 1;
                    again
                        .untimed(*uci)
                        .map_err(|why| format!("move {number}: {why}"))?;
                }
                again
            }
        };
        again.end(self)
    }
}

/// A game on its way through a record.
struct Again {
    game: Game,
    at: Timestamp,
    players: ByColor<PlayerId>,
}

impl Again {
    fn begin(
        imported: &ImportedGame,
        players: ByColor<PlayerId>,
        control: TimeControl,
    ) -> Result<Again, String> {
        let terms = Terms {
            variant: imported.variant,
            draw_rule: DrawRule::Claim,
            ..Terms::casual(control)
        };
        let creation = Creation {
            opponent: Some(players.black),
            start: imported.start.clone(),
            ..Creation::open(players.white, terms)
        };
        let at = begun(imported);
        let mut game = Game::create(at, creation).map_err(|e| e.to_string())?;
        let (player, color) = (players.black, Color::Black);
        game.evolve(
            at,
            &Event::Joined {
                player,
                color,
                ratings: ByColor::default(),
            },
        );
        Ok(Again { game, at, players })
    }

    /// The change that a move at `at` would be.
    fn decide(&self, uci: PackedUciMove, at: Timestamp) -> Result<Event, String> {
        let mover = Actor::Player(*self.players.get(self.game.turn()));
        let command = Command::Move(MoveCommand::new(&uci.unpack().to_string()));
        match self.game.decide(at, mover, &command) {
            Verdict::Change(event) => Ok(event),
            Verdict::Refused(why) | Verdict::RefusedBut { why, .. } => Err(why.detail()),
            Verdict::Already(_) => Err("it is there twice".into()),
        }
    }

    fn untimed(&mut self, uci: PackedUciMove) -> Result<(), String> {
        let event = self.decide(uci, self.at)?;
        self.game.evolve(self.at, &event);
        Ok(())
    }

    /// Plays a move after which the mover's clock shows `wanted`; `None` if
    /// there is no way to that.
    fn timed(&mut self, uci: PackedUciMove, wanted: Millis) -> Option<()> {
        let (quick, shown) = self.tried(uci, self.at)?;
        if shown == wanted {
            self.game = quick;
            return Some(());
        }
        // Whatever was added is part of what a move at once would show.
        let free = match &self.game.terms().control {
            TimeControl::Delay { delay, .. } => *delay,
            _ => Millis::ZERO,
        };
        let later = self.at + (shown - wanted) + free;
        if shown > wanted
            && let Some((slow, shown)) = self.tried(uci, later)
            && shown == wanted
        {
            (self.game, self.at) = (slow, later);
            return Some(());
        }
        self.set_clock(shown, wanted)?;
        let (set, shown) = self.tried(uci, self.at)?;
        self.game = set;
        (shown == wanted).then_some(())
    }

    /// Sets the mover's clock so that a move at once shows `wanted` where it
    /// would have shown `shown`.
    fn set_clock(&mut self, shown: Millis, wanted: Millis) -> Option<()> {
        let mut left = self.game.clocks(self.at)?;
        let mine = left.get_mut(self.game.turn());
        *mine = Millis((mine.0 + wanted.0).checked_sub(shown.0)?);
        self.game.evolve(self.at, &Event::ClockSet { left });
        Some(())
    }

    /// The game after a move at `at`, and what the mover's clock shows then.
    fn tried(&self, uci: PackedUciMove, at: Timestamp) -> Option<(Game, Millis)> {
        let event = self.decide(uci, at).ok()?;
        let mut game = self.game.clone();
        game.evolve(at, &event);
        let shown = *game.clocks(at)?.get(self.game.turn());
        Some((game, shown))
    }

    fn end(mut self, imported: &ImportedGame) -> Result<Game, String> {
        if self.game.ending().is_none() {
            self.game.evolve(self.at, &told_end(imported));
        }
        let ours = self.game.ending().map_or("*", Ending::score);
        let theirs = imported
            .result
            .map_or("*".into(), |score| score.to_string());
        if ours == theirs {
            return Ok(self.game);
        }
        Err(format!(
            "by its moves it ends {ours}, but the file says {theirs}"
        ))
    }
}

/// How the game ended, by what the file says about it.
fn told_end(imported: &ImportedGame) -> Event {
    let termination = imported.termination().unwrap_or_default();
    let termination = termination.to_ascii_lowercase();
    let says = |word: &str| termination.contains(word);
    let ending = match imported.result {
        Some(Score::Decisive { winner }) => Ending::Won {
            winner,
            by: match () {
                () if says("time") => WinReason::Timeout,
                () if says("abandon") => WinReason::Abandoned,
                () if says("adjudicat") => WinReason::Adjudicated,
                () if says("infraction") => WinReason::IllegalMoves,
                () => WinReason::Resignation,
            },
        },
        Some(Score::Draw) => Ending::Drawn {
            by: match () {
                () if says("time") => DrawReason::TimeoutVsInsufficientMaterial,
                () if says("abandon") => DrawReason::Abandoned,
                () if says("adjudicat") => DrawReason::Adjudicated,
                () => DrawReason::Agreed,
            },
        },
        None => Ending::Aborted {
            by: match () {
                () if says("abandon") => AbortReason::Operator,
                () => AbortReason::Adjourned,
            },
        },
    };
    let by = match ending {
        Ending::Won {
            winner,
            by: WinReason::Resignation,
        } => Some(winner.other()),
        _ => None,
    };
    Event::Ended { ending, by }
}

/// When it began, as far as that is known; the year 1970 otherwise.
fn begun(imported: &ImportedGame) -> Timestamp {
    let day = || {
        let Date { year, month, day } = imported.date()?;
        let whole = Date {
            year,
            month: month.or(Some(1)),
            day: day.or(Some(1)),
        };
        whole.at("00:00:00")
    };
    imported.started_at().or_else(day).unwrap_or_default()
}
