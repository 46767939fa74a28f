//! What the network took is given back, if the server says so.

use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, MoveCommand, StartRatings, Terms};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Millis, Timestamp};

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).unwrap()
}

fn submit(game: &mut Game, at: u64, who: u32, command: Command) {
    let who = Actor::Player(player(who));
    match game.decide(Timestamp(at), who, &command) {
        Verdict::Change(event) => game.evolve(Timestamp(at), &event),
        other => panic!("{other:?}"),
    }
}

fn moves(text: &str, lag: u32) -> Command {
    Command::Move(MoveCommand {
        lag: Millis(lag),
        ..MoveCommand::new(text)
    })
}

fn game(control: TimeControl) -> Game {
    let creation = Creation::open(player(1), Terms::casual(control));
    let mut game = Game::create(Timestamp(0), creation).unwrap();
    submit(
        &mut game,
        0,
        2,
        Command::Join {
            toss: chess::Color::Black,
            by_code: false,
            ratings: StartRatings::default(),
        },
    );
    game
}

/// A minute each, nothing more.
fn minute() -> TimeControl {
    TimeControl::Fischer {
        initial: Millis::from_secs(60),
        increment: Millis::ZERO,
    }
}

fn white(game: &Game) -> Millis {
    game.clocks(game.last_at()).unwrap().white
}

#[test]
fn the_mover_s_clock_gets_the_lag_back_and_the_record_says_so() {
    let mut game = game(minute());
    submit(&mut game, 5_000, 1, moves("e4", 80));
    assert_eq!(white(&game), Millis(55_080));
    let replayed = Game::decode(&chess::table::Table::encode(&game)).unwrap();
    assert_eq!(white(&replayed), Millis(55_080));
    assert_eq!(game.line()[0].spent, Millis(4_920));
}

#[test]
fn no_more_comes_back_than_the_move_took() {
    let mut game = game(minute());
    submit(&mut game, 30, 1, moves("e4", 80));
    assert_eq!(white(&game), Millis(60_000));
}

#[test]
fn a_fallen_flag_stays_fallen() {
    let game = game(minute());
    let late = game.decide(
        Timestamp(60_000),
        Actor::Player(player(1)),
        &moves("e4", 80),
    );
    assert!(matches!(late, Verdict::RefusedBut { .. }), "{late:?}");
}
