//! A recorded game, played again under our rules.

use chess::clock::TimeControl;
use chess::game::{
    Command, Creation, DrawReason, DrawRule, Ending, Event, Game, MoveCommand, Terms, WinReason,
};
use chess::pgn::{Date, ImportedGame, Score};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{ByColor, Color, Millis, Timestamp};

/// Plays the game again under our rules.
pub(super) fn replayed(
    imported: &ImportedGame,
    players: ByColor<PlayerId>,
) -> Result<Game, String> {
    let score = imported.result.ok_or("it is not finished")?;
    let times = thinking(imported);
    let control = if times.is_some() {
        imported.control()
    } else {
        None
    };
    let terms = Terms {
        variant: imported.variant,
        draw_rule: DrawRule::Claim,
        ..Terms::casual(control.unwrap_or(TimeControl::Unlimited))
    };
    let creation = Creation {
        opponent: Some(players.black),
        start: imported.start.clone(),
        ..Creation::open(players.white, terms)
    };
    let mut at = begun(imported);
    let mut game = Game::create(at, creation).map_err(|e| e.to_string())?;
    game.evolve(
        at,
        &Event::Joined {
            player: players.black,
            color: Color::Black,
        },
    );
    for (index, uci) in imported.moves.iter().enumerate() {
        at = at + times.as_ref().map_or(Millis::ZERO, |times| times[index]);
        let mover = Actor::Player(*players.get(game.turn()));
        let command = Command::Move(MoveCommand::new(&uci.unpack().to_string()));
        match game.decide(at, mover, &command) {
            Verdict::Change(event) => game.evolve(at, &event),
            Verdict::Refused(why) | Verdict::RefusedBut { why, .. } => {
                return Err(format!("move {}: {}", index / 2 + 1, why.detail()));
            }
            Verdict::Already(_) => return Err(format!("move {} is there twice", index / 2 + 1)),
        }
    }
    if game.ending().is_none() {
        game.evolve(at, &told_end(imported, score));
    }
    let ours = game.ending().map_or("*", Ending::score);
    if ours == score.to_string() {
        return Ok(game);
    }
    Err(format!(
        "by its moves it ends {ours}, but the file says {score}"
    ))
}

/// How the game ended, by what the file says about it.
fn told_end(imported: &ImportedGame, score: Score) -> Event {
    let termination = imported
        .termination()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let on_time = termination.contains("time");
    let left = termination.contains("abandon");
    let decided = termination.contains("adjudicat");
    let ending = match score {
        Score::Decisive { winner } => Ending::Won {
            winner,
            by: match () {
                () if on_time => WinReason::Timeout,
                () if left => WinReason::Abandoned,
                () if decided => WinReason::Adjudicated,
                () => WinReason::Resignation,
            },
        },
        Score::Draw => Ending::Drawn {
            by: match () {
                () if on_time => DrawReason::TimeoutVsInsufficientMaterial,
                () if decided => DrawReason::Adjudicated,
                () => DrawReason::Agreed,
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

/// How long each move took, if the file notes a clock that we can follow.
fn thinking(imported: &ImportedGame) -> Option<Vec<Millis>> {
    let Some(TimeControl::Fischer { increment, .. }) = imported.control() else {
        return None;
    };
    let start = imported.control()?.initial()?;
    let mut left = [start; 2];
    let mut times = Vec::with_capacity(imported.clocks.len());
    for (index, clock) in imported.clocks.iter().enumerate() {
        let (before, after) = (left[index % 2] + increment, (*clock)?);
        // A clock that ran out, or rose by more than the increment, is another kind of clock.
        if after > before || before - after >= left[index % 2] {
            return None;
        }
        times.push(before - after);
        left[index % 2] = after;
    }
    Some(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> ImportedGame {
        chess::pgn::read(text.as_bytes()).next().unwrap().unwrap()
    }

    fn players() -> ByColor<PlayerId> {
        ByColor {
            white: PlayerId::new(1).unwrap(),
            black: PlayerId::new(2).unwrap(),
        }
    }

    #[test]
    fn a_recorded_game_is_played_again() {
        let mate =
            read("[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n");
        let game = replayed(&mate, players()).unwrap();
        assert_eq!(
            (game.ply(), game.ending().unwrap().reason()),
            (7, "checkmate")
        );
        let resigned = read("[Date \"1999.05.??\"]\n\n1. e4 0-1\n");
        let game = replayed(&resigned, players()).unwrap();
        assert_eq!(game.ending().unwrap().reason(), "resignation");
        assert_eq!(
            crate::http::time::rfc3339(game.created_at()),
            "1999-05-01T00:00:00.000Z"
        );
        assert_eq!(
            replayed(&read("1. e4 *"), players()).unwrap_err(),
            "it is not finished"
        );
    }

    #[test]
    fn clocks_are_followed_where_they_make_sense() {
        let text = "[TimeControl \"60+1\"]\n[Termination \"Time forfeit\"]\n\n\
                    1. e4 { [%clk 0:01:00] } e5 { [%clk 0:00:55] } 2. d4 { [%clk 0:00:51] } 1-0\n";
        let game = replayed(&read(text), players()).unwrap();
        let clocks = game.clocks(game.last_at()).unwrap();
        assert_eq!((clocks.white.0, clocks.black.0), (51_000, 55_000));
        assert_eq!(game.ending().unwrap().reason(), "timeout");
        let odd = text.replace("0:00:51", "0:01:51");
        assert_eq!(
            replayed(&read(&odd), players())
                .unwrap()
                .clocks(Timestamp(0)),
            None
        );
    }
}
