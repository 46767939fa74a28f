//! When two sit down to play: what ends their waiting for somebody else.

use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, MoveCommand, Offer, StartRatings, Terms};
use chess::table::{Actor, Beginning, PlayerId, Table, Verdict};
use chess::{Color, Millis, Timestamp};

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not zero")
}

fn blitz() -> TimeControl {
    TimeControl::Fischer {
        initial: Millis::from_secs(300),
        increment: Millis::ZERO,
    }
}

fn waiting(control: TimeControl) -> Game {
    let creation = Creation::open(player(1), Terms::casual(control));
    Game::create(Timestamp(1_000), creation).expect("fine terms")
}

fn join() -> Command {
    Command::Join {
        toss: Color::Black,
        by_code: false,
        ratings: StartRatings::default(),
    }
}

/// The game after a command, and whether it begins with it.
fn after(game: &Game, who: u32, command: Command) -> (Game, Option<Beginning>) {
    let (now, who) = (Timestamp(2_000), Actor::Player(player(who)));
    let Verdict::Change(event) = game.decide(now, who, &command) else {
        panic!("{command:?} was refused");
    };
    let mut after = game.clone();
    after.evolve(now, &event);
    let begins = after.begins(Some(game));
    (after, begins)
}

#[test]
fn a_game_begins_when_somebody_joins_and_with_no_move() {
    let waiting = waiting(blitz());
    assert_eq!(waiting.begins(None), None);
    let (joined, begins) = after(&waiting, 2, join());
    let both = Beginning {
        players: [player(1), player(2)],
        is_real_time: true,
    };
    assert_eq!(begins, Some(both));
    assert_eq!(
        joined.begins(None),
        Some(both),
        "one that is new and has begun"
    );
    let (moved, begins) = after(&joined, 1, Command::Move(MoveCommand::new("e4")));
    assert_eq!(begins, None);
    let (_, begins) = after(&moved, 2, Command::Resign);
    assert_eq!(begins, None);
}

#[test]
fn one_with_days_per_move_keeps_nobody() {
    let days = TimeControl::Correspondence { days: 3 };
    let (_, begins) = after(&waiting(days), 2, join());
    assert_eq!(begins.map(|begins| begins.is_real_time), Some(false));
}

#[test]
fn one_that_was_paused_begins_again_when_it_goes_on() {
    let (joined, _) = after(&waiting(blitz()), 2, join());
    let (offered, _) = after(&joined, 1, Command::Offer(Offer::Pause));
    let (paused, begins) = after(&offered, 2, Command::Accept(Offer::Pause));
    assert_eq!(begins, None);
    let (asked, begins) = after(&paused, 1, Command::Resume);
    assert_eq!(begins, None, "the other has not agreed yet");
    let (_, begins) = after(&asked, 2, Command::Resume);
    assert_eq!(begins.map(|begins| begins.is_real_time), Some(true));
}
