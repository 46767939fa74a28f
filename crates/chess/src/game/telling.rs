//! What a change of a game means for others: who is told, and who need not wait any more.

use super::Game;
use crate::clock::TimeControl;
use crate::table::{Beginning, State};
use crate::telling::{Kind, Kinds};

/// Every game that is made ends once, also one that nobody ever joined: whoever was
/// told that it waits learns that it does not any more. A result that an operator
/// changes is told as an end again.
pub(super) fn tells(before: Option<&Game>, after: &Game, every_move: bool) -> Kinds {
    let mut kinds = Kinds::NONE;
    let was = before.map(|before| before.phase().state());
    let is = after.phase().state();
    if before.is_none() {
        kinds = kinds.with(Kind::GameCreated);
    }
    if is == State::Active && matches!(was, None | Some(State::Waiting)) {
        kinds = kinds.with(Kind::GameStarted);
    }
    let takes_days = matches!(after.terms().control, TimeControl::Correspondence { .. });
    if (every_move || takes_days) && before.is_some_and(|before| after.ply() > before.ply()) {
        kinds = kinds.with(Kind::MovePlayed);
    }
    if after.ending() != before.and_then(Game::ending) {
        kinds = kinds.with(Kind::GameEnded);
    }
    kinds
}

/// Also when a game goes on that was paused: whoever waited meanwhile plays again.
pub(super) fn begins(before: Option<&Game>, after: &Game) -> Option<Beginning> {
    let was_played = before.is_some_and(|before| before.phase().state() == State::Active);
    if was_played || after.phase().state() != State::Active {
        return None;
    }
    let (Some(white), Some(black)) = (after.seats().white, after.seats().black) else {
        return None;
    };
    Some(Beginning {
        players: [white, black],
        is_real_time: after.terms().control.is_real_time(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Command, Creation, MoveCommand, StartRatings, Terms};
    use crate::table::{Actor, PlayerId, Verdict};
    use crate::{Color, Millis, Timestamp};

    fn player(number: u32) -> PlayerId {
        PlayerId::new(number).expect("not zero")
    }

    fn game(control: TimeControl) -> Game {
        let creation = Creation::open(player(1), Terms::casual(control));
        Game::create(Timestamp(0), creation).expect("fine terms")
    }

    const BLITZ: TimeControl = TimeControl::Fischer {
        initial: Millis::from_secs(300),
        increment: Millis::ZERO,
    };

    /// What is told of that command, and the game after it.
    fn told(game: &Game, who: Actor, command: &Command, every_move: bool) -> (Kinds, Game) {
        let Verdict::Change(event) = game.decide(Timestamp(0), who, command) else {
            panic!("{command:?} was refused");
        };
        let mut after = game.clone();
        after.evolve(Timestamp(0), &event);
        (tells(Some(game), &after, every_move), after)
    }

    fn joined(game: &Game) -> (Kinds, Game) {
        let join = Command::Join {
            toss: Color::Black,
            by_code: false,
            ratings: StartRatings::default(),
        };
        told(game, Actor::Player(player(2)), &join, false)
    }

    fn only(kind: Kind) -> Kinds {
        Kinds::NONE.with(kind)
    }

    #[test]
    fn a_game_is_made_begins_and_ends() {
        let waiting = game(BLITZ);
        assert_eq!(tells(None, &waiting, true), only(Kind::GameCreated));
        let (kinds, begun) = joined(&waiting);
        assert_eq!(kinds, only(Kind::GameStarted));
        let (kinds, over) = told(&begun, Actor::Player(player(1)), &Command::Resign, true);
        assert_eq!(kinds, only(Kind::GameEnded));
        assert_eq!(tells(Some(&over), &over, true), Kinds::NONE);
    }

    #[test]
    fn a_game_that_never_began_ends_too() {
        let white = Actor::Player(player(1));
        let (kinds, over) = told(&game(BLITZ), white, &Command::Cancel, false);
        assert_eq!(kinds, only(Kind::GameEnded));
        assert!(over.ending().is_some());
    }

    #[test]
    fn moves_are_told_if_somebody_wants_them_and_of_slow_games_always() {
        let e4 = Command::Move(MoveCommand::new("e2e4"));
        let white = Actor::Player(player(1));
        let slow = TimeControl::Correspondence { days: 3 };
        let cases = [
            (BLITZ, false, false),
            (BLITZ, true, true),
            (slow, false, true),
        ];
        for (control, every_move, is_told) in cases {
            let (_, begun) = joined(&game(control.clone()));
            let (kinds, _) = told(&begun, white, &e4, every_move);
            assert_eq!(kinds.has(Kind::MovePlayed), is_told, "{control:?}");
        }
    }
}
