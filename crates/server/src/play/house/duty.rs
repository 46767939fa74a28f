//! What there is to do in a game, if anything.

use chess::Color;
use chess::game::{Game, Offer, Phase};
use chess::table::PlayerId;

/// What a bot has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// Play the game that it was asked for.
    Join,
    /// Decline it: it would be rated.
    DeclineRated,
    /// Let the opponent take back.
    GrantTakeback,
    /// Let the opponent pause.
    GrantPause,
    /// Go on, since the opponent wants to.
    Resume,
    /// Say whether it is a draw.
    AnswerDraw(Color),
    /// Make a move.
    Move(Color),
}

/// The first thing to do, and for which of the bots.
pub(super) fn of(game: &Game, is_bot: impl Fn(PlayerId) -> bool) -> Option<(PlayerId, Duty)> {
    let seats = game.seats();
    let seated = |color: Color| seats.get(color).filter(|player| is_bot(*player));
    let sides = || Color::ALL.into_iter().filter_map(|c| Some((c, seated(c)?)));
    match game.phase() {
        Phase::Waiting => {
            let invited = game.opponent().filter(|player| is_bot(*player))?;
            let duty = match game.terms().rated {
                true => Duty::DeclineRated,
                false => Duty::Join,
            };
            Some((invited, duty))
        }
        Phase::Active => sides()
            .find_map(|(color, bot)| Some((bot, offered(game, color)?)))
            .or_else(|| Some((seated(game.turn())?, Duty::Move(game.turn())))),
        Phase::Paused { ready, .. } => {
            let wanted = |(color, bot): (Color, PlayerId)| match ready {
                Some(ready) if ready != color => Some((bot, Duty::Resume)),
                _ => Some((bot, offered(game, color)?)),
            };
            sides().find_map(wanted)
        }
        Phase::Over(_) => None,
    }
}

/// What the opponent of that side offers.
fn offered(game: &Game, color: Color) -> Option<Duty> {
    let by_opponent = |offer| game.offer(offer) == Some(!color);
    if by_opponent(Offer::Takeback) {
        Some(Duty::GrantTakeback)
    } else if by_opponent(Offer::Pause) {
        Some(Duty::GrantPause)
    } else if by_opponent(Offer::Draw) {
        Some(Duty::AnswerDraw(color))
    } else {
        None
    }
}

/// Whether bots have both sides.
pub(super) fn is_between_bots(game: &Game, is_bot: impl Fn(PlayerId) -> bool) -> bool {
    game.seats().iter().all(|seat| seat.is_some_and(&is_bot))
}

#[cfg(test)]
mod tests {
    use chess::clock::TimeControl;
    use chess::game::{Command, Creation, Ending, Event, MoveCommand, Terms, WinReason};
    use chess::table::{Actor, Verdict};
    use chess::{ByColor, Timestamp};

    use super::*;

    fn id(number: u32) -> PlayerId {
        PlayerId::new(number).expect("not zero")
    }

    /// 1 asks 7, the bot, for a game.
    fn asked(rated: bool) -> Game {
        let mut terms = Terms::casual(TimeControl::Unlimited);
        terms.rated = rated;
        let creation = Creation {
            opponent: Some(id(7)),
            ..Creation::open(id(1), terms)
        };
        match Game::create(Timestamp(0), creation.clone()) {
            Ok(game) => game,
            // Without a clock nothing is rated.
            Err(_) => {
                let control = TimeControl::Fischer {
                    initial: chess::Millis(60_000),
                    increment: chess::Millis(0),
                };
                let terms = Terms {
                    rated,
                    ..Terms::casual(control)
                };
                let terms = Terms {
                    takebacks: false,
                    ..terms
                };
                Game::create(Timestamp(0), Creation { terms, ..creation }).expect("a game")
            }
        }
    }

    fn begun() -> Game {
        let mut game = asked(false);
        let joined = Event::Joined {
            player: id(7),
            color: Color::Black,
            ratings: ByColor::default(),
        };
        game.evolve(Timestamp(0), &joined);
        game
    }

    fn after(mut game: Game, commands: &[(u32, Command)]) -> Game {
        for (who, command) in commands {
            match game.decide(Timestamp(0), Actor::Player(id(*who)), command) {
                Verdict::Change(event) => game.evolve(Timestamp(0), &event),
                other => panic!("{command:?}: {other:?}"),
            }
        }
        game
    }

    fn duty(game: &Game) -> Option<Duty> {
        let found = of(game, |player| player == id(7));
        assert!(found.is_none_or(|(bot, _)| bot == id(7)));
        found.map(|(_, duty)| duty)
    }

    fn moves(text: &str) -> Command {
        Command::Move(MoveCommand::new(text))
    }

    #[test]
    fn a_casual_game_is_played_and_a_rated_one_declined() {
        assert_eq!(duty(&asked(false)), Some(Duty::Join));
        assert_eq!(duty(&asked(true)), Some(Duty::DeclineRated));
    }

    #[test]
    fn it_moves_when_it_is_its_turn() {
        let game = begun();
        assert_eq!(duty(&game), None);
        let game = after(game, &[(1, moves("e4"))]);
        assert_eq!(duty(&game), Some(Duty::Move(Color::Black)));
        let game = after(game, &[(7, moves("e5"))]);
        assert_eq!(duty(&game), None);
    }

    #[test]
    fn offers_come_first_and_its_own_are_none() {
        let game = after(begun(), &[(1, moves("e4")), (7, moves("e5"))]);
        for (offer, expected) in [
            (Offer::Draw, Duty::AnswerDraw(Color::Black)),
            (Offer::Takeback, Duty::GrantTakeback),
            (Offer::Pause, Duty::GrantPause),
        ] {
            let offered = after(game.clone(), &[(1, Command::Offer(offer))]);
            assert_eq!(duty(&offered), Some(expected));
            let own = after(game.clone(), &[(7, Command::Offer(offer))]);
            assert_eq!(duty(&own), None);
        }
        let on_move = after(
            game,
            &[(1, moves("d4")), (1, Command::Offer(Offer::Takeback))],
        );
        assert_eq!(duty(&on_move), Some(Duty::GrantTakeback));
    }

    #[test]
    fn it_goes_on_when_the_opponent_wants_to() {
        let pause = [
            (1, moves("e4")),
            (1, Command::Offer(Offer::Pause)),
            (7, Command::Accept(Offer::Pause)),
        ];
        let game = after(begun(), &pause);
        assert_eq!(duty(&game), None);
        let game = after(game, &[(1, Command::Resume)]);
        assert_eq!(duty(&game), Some(Duty::Resume));
        let game = after(game, &[(7, Command::Resume)]);
        assert_eq!(duty(&game), Some(Duty::Move(Color::Black)));
    }

    #[test]
    fn nothing_is_left_to_do_when_it_is_over() {
        let mut game = after(begun(), &[(1, moves("e4"))]);
        let ending = Ending::Won {
            winner: Color::Black,
            by: WinReason::Resignation,
        };
        let by = Some(Color::White);
        game.evolve(Timestamp(1), &Event::Ended { ending, by });
        assert_eq!(duty(&game), None);
    }
}
