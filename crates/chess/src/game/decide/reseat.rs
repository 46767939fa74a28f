//! A guest who has become an account.
//!
//! The record says so: whoever reads it from the beginning gives the place to the same
//! account, on every node and after every restart, and nobody else has to know of it.

use super::{Answer, refuse};
use crate::game::{Event, Game, Phase, Refusal};
use crate::table::{Actor, PlayerId, Verdict};

impl Game {
    /// Gives a place to somebody else, or notes that they go by another name.
    pub(super) fn reseat(&self, who: Actor, from: PlayerId, to: PlayerId) -> Answer {
        if who != Actor::Server {
            return refuse(Refusal::NotAllowed("only the server gives a place away"));
        }
        if !self.knows(from) {
            return self.already();
        }
        if from == to {
            // Whoever looks at a finished game reads the name that there is then.
            return match self.phase() {
                Phase::Over(_) => self.already(),
                _ => Verdict::Change(Event::Reseated { from, to }),
            };
        }
        if self.is_player(to) {
            return refuse(Refusal::OwnGame);
        }
        Verdict::Change(Event::Reseated { from, to })
    }

    /// Whether somebody plays here, or may watch by invitation.
    pub(in crate::game) fn knows(&self, player: PlayerId) -> bool {
        self.is_player(player) || self.invited().contains(&player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::TimeControl;
    use crate::game::{Command, Creation, MoveCommand, StartRatings, Terms};
    use crate::table::{State, Table};
    use crate::{Color, Millis, Timestamp};

    const BLITZ: TimeControl = TimeControl::Fischer {
        initial: Millis::from_secs(300),
        increment: Millis::ZERO,
    };

    fn player(number: u32) -> PlayerId {
        PlayerId::new(number).expect("not zero")
    }

    fn waiting() -> Game {
        let creation = Creation::open(player(1), Terms::casual(BLITZ));
        Game::create(Timestamp(0), creation).expect("fine terms")
    }

    fn after(game: &Game, at: u64, who: Actor, command: &Command) -> Game {
        let mut next = game.clone();
        match game.decide(Timestamp(at), who, command) {
            Verdict::Change(event) => next.evolve(Timestamp(at), &event),
            refused => panic!("{command:?}: {refused:?}"),
        }
        next
    }

    fn joined() -> Game {
        let join = Command::Join {
            toss: Color::Black,
            by_code: false,
            ratings: StartRatings::default(),
        };
        after(&waiting(), 1_000, Actor::Player(player(2)), &join)
    }

    fn reseat(from: u32, to: u32) -> Command {
        let (from, to) = (player(from), player(to));
        Command::Reseat { from, to }
    }

    #[test]
    fn whoever_gets_a_place_plays_on_and_whoever_had_it_does_not() {
        for (from, mover) in [(1, Some(9)), (2, Some(1))] {
            let game = after(&joined(), 2_000, Actor::Server, &reseat(from, 9));
            assert!(game.is_player(player(9)) && !game.is_player(player(from)));
            assert_eq!(game.former(), [player(from)]);
            let e4 = Command::Move(MoveCommand::new("e4"));
            let mover = Actor::Player(player(mover.expect("somebody")));
            let moved = after(&game, 3_000, mover, &e4);
            assert_eq!(moved.ply(), 1);
            let had = Actor::Player(player(from));
            let refused = moved.decide(Timestamp(4_000), had, &Command::Resign);
            assert_eq!(refused, Verdict::Refused(Refusal::NotAPlayer));
            // The time it took counts for whoever is to move.
            let clocks = moved.clocks(Timestamp(3_000)).expect("a clock");
            assert_eq!(clocks.white, Millis::from_secs(298));
            assert_eq!(
                Game::decode(&moved.encode()).unwrap().encode(),
                moved.encode()
            );
        }
    }

    #[test]
    fn a_game_that_waits_and_one_that_is_over_go_along() {
        let game = after(&waiting(), 10, Actor::Server, &reseat(1, 9));
        assert_eq!((game.creator(), game.state()), (player(9), State::Waiting));
        let over = after(&joined(), 5_000, Actor::Player(player(1)), &Command::Resign);
        let game = after(&over, 99_000, Actor::Server, &reseat(1, 9));
        assert_eq!(game.seats().white, Some(player(9)));
        assert_eq!(game.ending(), over.ending());
        assert_eq!(game.ended_at(), Some(Timestamp(5_000)));
        assert!(game.rates(Some(&over)).is_none());
        assert!(!game.is_listed_as(&over));
    }

    #[test]
    fn nobody_plays_against_themselves_and_only_the_server_may() {
        let game = joined();
        let shared = game.decide(Timestamp(2_000), Actor::Server, &reseat(1, 2));
        assert_eq!(shared, Verdict::Refused(Refusal::OwnGame));
        let stranger = game.decide(Timestamp(2_000), Actor::Server, &reseat(7, 9));
        assert_eq!(stranger, Verdict::Already(2));
        let own = game.decide(Timestamp(2_000), Actor::Player(player(1)), &reseat(1, 9));
        assert!(matches!(own, Verdict::Refused(Refusal::NotAllowed(_))));
    }

    #[test]
    fn another_name_is_a_change_while_the_game_lives() {
        let game = after(&joined(), 2_000, Actor::Server, &reseat(1, 1));
        assert_eq!((game.version(), game.former().len()), (3, 0));
        assert_eq!(game.seats(), joined().seats());
        let over = after(&game, 5_000, Actor::Player(player(1)), &Command::Resign);
        let again = over.decide(Timestamp(6_000), Actor::Server, &reseat(1, 1));
        assert_eq!(again, Verdict::Already(4));
    }
}
