//! The same changes in a short game and in a long one: they must cost the same.

use chess::clock::TimeControl;
use chess::game::{Command, Creation, Game, MoveCommand, StartRatings, Terms};
use chess::rules::Start;
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Color, Millis, Timestamp};

/// What a change may cost at 600 half-moves, measured by one at 40.
pub(crate) const RATIO_MAX: f64 = 1.15;

/// How long the short one is, and the long one.
const SHORT: usize = 40;
const LONG: usize = 600;
/// So many changes are counted: among them is one that costs more, because
/// what is recent in the history becomes old.
const COUNTED: usize = 128;

/// Knights that go round for ever. Together they are back after 48 half-moves.
const WHITE: [&str; 6] = ["b1c3", "g1f3", "c3b5", "b5a3", "f3g1", "a3b1"];
const BLACK: [&str; 8] = [
    "b8c6", "g8f6", "c6b4", "f6g4", "b4a6", "g4h6", "a6b8", "h6g8",
];
/// What Black plays every 80 half-moves, so that no game is drawn.
const PAWNS: [&str; 9] = [
    "d7d6", "d6d5", "e7e6", "e6e5", "g7g6", "g6g5", "b7b6", "d5d4", "e5e4",
];
const QUIET: usize = 80;

/// A game that has come that far, and the moves that it goes on with.
pub(crate) struct Course {
    pub(crate) game: Game,
    pub(crate) moves: Vec<(Timestamp, Actor, Command)>,
}

impl Course {
    /// A game of 40 half-moves. It began where the long one was 40 ago, so
    /// that they have everything in common but their length.
    pub(crate) fn short() -> Course {
        let mut long = joined(Start::Usual);
        play(&mut long, 0..LONG - SHORT);
        let start = Start::Fen(long.board().fen().into());
        Course::of(joined(start), LONG - SHORT)
    }

    pub(crate) fn long() -> Course {
        Course::of(joined(Start::Usual), 0)
    }

    fn of(mut game: Game, from: usize) -> Course {
        play(&mut game, from..LONG);
        let mut now = game.last_at();
        let moves = (LONG..LONG + COUNTED).map(|index| {
            now = now + Millis(3_870);
            (now, mover(index), command(index))
        });
        let moves = moves.collect();
        Course { game, moves }
    }
}

fn joined(start: Start) -> Game {
    let terms = Terms::casual(TimeControl::Fischer {
        initial: Millis::from_secs(300),
        increment: Millis::from_secs(5),
    });
    let creation = Creation {
        start,
        ..Creation::open(player(0), terms)
    };
    let now = Timestamp(1_790_000_000_000);
    let mut game = Game::create(now, creation).expect("fine terms");
    let join = Command::Join {
        toss: Color::White,
        by_code: false,
        ratings: StartRatings::default(),
    };
    change(&mut game, now, mover(1), &join);
    game
}

fn play(game: &mut Game, indices: std::ops::Range<usize>) {
    for index in indices {
        let now = game.last_at() + Millis(3_870);
        change(game, now, mover(index), &command(index));
    }
}

fn change(game: &mut Game, now: Timestamp, who: Actor, command: &Command) {
    match game.decide(now, who, command) {
        Verdict::Change(event) => game.evolve(now, &event),
        other => panic!("{command:?}: {other:?}"),
    }
    assert_eq!(game.ending(), None, "at {} half-moves", game.ply());
}

/// The move with that number, from 0.
fn command(index: usize) -> Command {
    let turn = index / 2;
    let pawns = (index + 1) / QUIET;
    let text = if index.is_multiple_of(2) {
        WHITE[turn % WHITE.len()]
    } else if (index + 1).is_multiple_of(QUIET) {
        PAWNS[pawns - 1]
    } else {
        BLACK[(turn - pawns) % BLACK.len()]
    };
    Command::Move(MoveCommand::new(text))
}

fn mover(index: usize) -> Actor {
    Actor::Player(player(index))
}

fn player(index: usize) -> PlayerId {
    PlayerId::new([123_456, 1_654_321][index % 2]).expect("not zero")
}
