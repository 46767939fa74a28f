//! What is counted. Everything is made ready before a work begins.

use std::hint::black_box;

use chess::game::{Event, Game, MoveReport};
use chess::pgn;
use chess::table::{Table, Verdict};
use shakmaty::packed::PackedUciMove;

use crate::lengths::Course;
use crate::sample::{Sample, Sent};

/// All of them: each is a function below.
pub(crate) const NAMES: [&str; 10] = [
    "decide_every_move",
    "play_whole_games",
    "report_every_move",
    "decode_histories",
    "summarise_games",
    "list_legal_moves",
    "write_fens",
    "write_pgn",
    CHANGES[0],
    CHANGES[1],
];

/// The same changes in a short game and in a long one.
pub(crate) const CHANGES: [&str; 2] = ["change_at_40_plies", "change_at_600_plies"];

pub(crate) fn run(name: &str) {
    let samples = Sample::all();
    let ready: Vec<Ready> = samples.iter().flat_map(Ready::all).collect();
    match name {
        "decide_every_move" => decide_every_move(&ready),
        "play_whole_games" => play_whole_games(&samples),
        "report_every_move" => report_every_move(&ready),
        "decode_histories" => {
            decode_histories(&samples.iter().map(|s| last(s).encode()).collect::<Vec<_>>())
        }
        "summarise_games" => summarise_games(&samples.iter().map(last).collect::<Vec<_>>()),
        "list_legal_moves" => list_legal_moves(&ready),
        "write_fens" => write_fens(&ready),
        "write_pgn" => write_pgn(&samples.iter().map(last).collect::<Vec<_>>()),
        "change_at_40_plies" => change_at_40_plies(Course::short()),
        "change_at_600_plies" => change_at_600_plies(Course::long()),
        other => panic!("there is no work {other}"),
    }
}

/// A move that is about to be made, and the game before and after it.
struct Ready<'a> {
    game: Game,
    sent: &'a Sent,
    uci: PackedUciMove,
    after: Game,
}

impl Ready<'_> {
    fn all(sample: &Sample) -> Vec<Ready<'_>> {
        let mut game = sample.joined();
        let ready = sample.moves.iter().map(|sent| {
            let before = game.clone();
            let Event::Moved { uci, .. } = evolve(&mut game, sent) else {
                panic!("{} was no move", sent.text);
            };
            let after = game.clone();
            Ready {
                game: before,
                sent,
                uci,
                after,
            }
        });
        ready.collect()
    }
}

fn decided(game: &Game, sent: &Sent) -> Event {
    match game.decide(sent.at, sent.by, &sent.command) {
        Verdict::Change(event) => event,
        _ => panic!("{} was refused", sent.text),
    }
}

fn evolve(game: &mut Game, sent: &Sent) -> Event {
    let event = decided(game, sent);
    game.evolve(sent.at, &event);
    event
}

fn last(sample: &Sample) -> Game {
    let mut game = sample.joined();
    for sent in &sample.moves {
        evolve(&mut game, sent);
    }
    game
}

#[inline(never)]
fn decide_every_move(ready: &[Ready<'_>]) {
    for ready in ready {
        black_box(decided(&ready.game, ready.sent));
    }
}

/// As the server does it: each change is made on a copy.
#[inline(never)]
fn play_whole_games(samples: &[Sample]) {
    for sample in samples {
        let mut game = sample.joined();
        for sent in &sample.moves {
            let mut after = game.clone();
            evolve(&mut after, sent);
            game = after;
        }
        black_box(game);
    }
}

#[inline(never)]
fn report_every_move(ready: &[Ready<'_>]) {
    for ready in ready {
        let board = ready.game.board();
        black_box(MoveReport::new(
            board,
            board.recorded(ready.uci),
            &ready.after,
        ));
    }
}

#[inline(never)]
fn decode_histories(histories: &[Vec<u8>]) {
    for history in histories {
        black_box(Game::decode(black_box(history)).expect("it was encoded"));
    }
}

#[inline(never)]
fn summarise_games(games: &[Game]) {
    for game in games {
        black_box((game.summary(), game.score_sheet()));
    }
}

#[inline(never)]
fn list_legal_moves(ready: &[Ready<'_>]) {
    for ready in ready {
        black_box(ready.game.board().legal_moves());
    }
}

#[inline(never)]
fn write_fens(ready: &[Ready<'_>]) {
    for ready in ready {
        black_box(ready.game.board().fen());
    }
}

#[inline(never)]
fn write_pgn(games: &[Game]) {
    for game in games {
        black_box(pgn::write(game, &pgn::Tags::default()));
    }
}

#[inline(never)]
fn change_at_40_plies(course: Course) {
    black_box(changed(course, 40));
}

#[inline(never)]
fn change_at_600_plies(course: Course) {
    black_box(changed(course, 600));
}

/// As the server does it: each change is made on a copy, and what it adds to
/// the history is written.
fn changed(course: Course, plies: u32) -> usize {
    let Course { mut game, moves } = course;
    assert_eq!(game.ply(), plies);
    let mut written = 0;
    for (now, who, command) in moves {
        let Verdict::Change(event) = game.decide(now, who, &command) else {
            panic!("{command:?} was refused");
        };
        let mut after = game.clone();
        after.evolve(now, &event);
        written += black_box(after.encoded_since(&game)).len();
        game = after;
    }
    written
}
