//! Broken games: each error names its place and takes no other game with it.

use chess::Color;
use chess::clock::TimeControl;
use chess::pgn::{self, MoveNumber, Tags, Why};
use chess::rules::Variant;
use proptest::prelude::*;

use crate::random::{Chance, random_game};

/// The error of a broken game that stands between two good ones.
fn error(game: &str) -> String {
    let file = format!("[Event \"a\"]\n\n1. e4 *\n\n{game}\n\n[Event \"z\"]\n\n1. d4 *\n");
    let mut games = pgn::read(file.as_bytes());
    let first = games.next().expect("three games").expect("a good game");
    let broken = games
        .next()
        .expect("three games")
        .expect_err("a broken game");
    let last = games.next().expect("three games").expect("a good game");
    assert_eq!(
        (first.tag("Event"), last.tag("Event")),
        (Some("a"), Some("z"))
    );
    assert!(games.next().is_none());
    assert_eq!(broken.game, 2);
    broken.to_string()
}

#[test]
fn every_kind_of_damage_has_its_message() {
    let tags = "[White \"Foo\"]\n[Black \"Bar\"]\n";
    for (moves, expected) in [
        (
            "1. e4 e5 2. Nf6",
            "line 8, move 2.: Nf6 is not a legal move in this position",
        ),
        (
            "1. e4\ne5\n2. Zz9 Nc6",
            "line 10, move 2.: \"Zz9\" is not a move",
        ),
        (
            "1. e4 Zz9 2. Nf3",
            "line 8, move 1...: \"Zz9\" is not a move",
        ),
        (
            "1. e4 e5 2. -- Nc6",
            "line 8, move 2.: a null move cannot be part of a game",
        ),
        (
            "1. e4 {[%clk 0:01]\n e5",
            "line 8, move 1...: a comment is opened with { and never closed",
        ),
        (
            "1. e4 (1. d4\n(1. c4) e5 *",
            "line 8, move 1...: a variation is opened with ( and never closed",
        ),
        ("1. e4 e5) 2. Nf3", "line 8, move 2.: a ) closes nothing"),
        ("1. e4 } e5", "line 8, move 1...: a } closes nothing"),
        (
            "1. e4 1-0 e5",
            "line 8, move 1...: \"e5\" comes after the result",
        ),
        (
            "1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Ne3",
            "line 8, move 4.: Ne3 is not a legal move in this position",
        ),
        (
            "1. Nf3 Nf6 2. d3 d6 3. Nd2 *",
            "line 8, move 3.: Nd2 could be played by more than one piece: say which",
        ),
        (
            "1. e4 <reserved>",
            "line 8, move 1...: \"<reserved>\" is not a move",
        ),
        (
            "1. e4\n[%clk 0:01:00]\n1... e5",
            "line 9, move 1...: \"[%clk\" is not a move",
        ),
        (
            "1. e4 [Site \"x\"]",
            "line 8, move 1...: \"[Site\" is not a move",
        ),
    ] {
        let shown = error(&format!("{tags}\n{moves}"));
        assert_eq!(shown, format!("game 2 (Foo - Bar), {expected}"));
    }
}

#[test]
fn bad_tags_are_told_before_anything_else() {
    for (tag, expected) in [
        (
            "[Variant \"Bughouse\"]",
            "line 5: the variant \"Bughouse\" is not played here",
        ),
        (
            "[FEN \"k7/8/8/8/8/8/8/8 w - - 0 1\"]",
            "line 5: the FEN tag is no position to start from: a king is missing",
        ),
        (
            "[SetUp \"1\"]",
            "line 5: SetUp says that there is a FEN tag, but there is none",
        ),
        (
            "[FEN rnbqkbnr]",
            "line 6: the tag \"[FEN rnbqkbnr]\" cannot be read",
        ),
        (
            "[Site \"unclosed]",
            "line 6: the tag \"[Site \\\"unclosed]\" cannot be read",
        ),
    ] {
        let shown = error(&format!(
            "[White \"Foo\"]\n{tag}\n[Black \"Bar\"]\n\n1. e4 Zz9"
        ));
        assert_eq!(shown, format!("game 2 (Foo - Bar), {expected}"));
    }
}

#[test]
fn the_number_of_a_move_is_that_of_the_position() {
    let fen = "[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 40\"]";
    assert_eq!(
        error(&format!("{fen}\n\n40... e1=Q+ 41. Ka3 *")),
        "game 2, line 7, move 41.: Ka3 is not a legal move in this position"
    );
}

#[test]
fn an_unclosed_comment_ends_where_the_next_game_begins() {
    // No Event tag: an empty line and a tag will do. In a comment that is
    // closed such lines are just text.
    let file = "1. e4 {never closed\n\n[White \"Foo\"]\n\n1. d4 {closed} d5 *\n\n\
        [White \"Bar\"]\n\n1. c4 {with\n[%clk 0:01:00] and\n[brackets] } c5 *\n";
    let games: Vec<_> = pgn::read(file.as_bytes()).collect();
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].as_ref().unwrap_err().why, Why::UnclosedComment);
    assert_eq!(games[1].as_ref().unwrap().moves.len(), 2);
    assert_eq!(games[2].as_ref().unwrap().moves.len(), 2);
}

/// A random game without a clock, so that its text is easy to damage.
fn plain_game(seed: u64) -> chess::game::Game {
    (seed * 100..)
        .map(|seed| random_game(seed, Variant::Standard))
        .find(|game| game.terms().control == TimeControl::Unlimited && game.ply() > 2)
        .expect("some game has no clock")
}

#[test]
fn a_garbage_word_is_found_wherever_it_stands() {
    for seed in 0..40 {
        let mut chance = Chance(seed);
        let game = plain_game(seed);
        let pgn = pgn::write(&game, &Tags::default());
        let (tags, moves) = pgn.split_once("\n\n").expect("tags and moves");
        let ply = chance.below(game.ply() as usize);
        let garbage = ["Zz9", "e44", "Nf9", "O-O-O-O", "hello", "\u{fffd}", "--"][chance.below(7)];
        let mut damaged = String::new();
        let mut seen = 0;
        for word in moves.split_whitespace() {
            let is_move = !word.ends_with('.');
            if is_move && seen == ply {
                damaged.push_str(garbage);
                damaged.push('\n');
            }
            seen += usize::from(is_move);
            damaged.push_str(word);
            damaged.push('\n');
        }
        let file = format!("{pgn}{tags}\n\n{damaged}\n{pgn}");
        let games: Vec<_> = pgn::read(file.as_bytes()).collect();
        assert_eq!(games.len(), 3, "seed {seed}");
        assert!(games[0].is_ok() && games[2].is_ok(), "seed {seed}");
        let error = games[1].as_ref().expect_err("garbage");
        let before = game.start_board();
        let half = ply + usize::from(before.turn() == Color::Black);
        let place = MoveNumber {
            number: before.move_number() + half as u32 / 2,
            turn: if half.is_multiple_of(2) {
                Color::White
            } else {
                Color::Black
            },
        };
        assert_eq!((error.game, error.at), (2, Some(place)), "seed {seed}");
        let expected = match garbage {
            "--" => Why::NullMove,
            _ => Why::NotAMove(garbage.into()),
        };
        assert_eq!(error.why, expected, "seed {seed}");
    }
}

proptest! {
    #[test]
    fn no_bytes_break_the_reader(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        for game in pgn::read(&bytes[..]) {
            drop(game.map_err(|e| e.to_string()));
        }
    }

    #[test]
    fn no_text_of_chess_signs_breaks_the_reader(
        text in "([\\[\\](){};%$*!?\"\\\\.\n ]|1-0|e4|Nf3|O-O|12\\.|\\[Event \"|\\[FEN \"|\\[%clk 0:01:00\\]){0,200}"
    ) {
        for game in pgn::read(text.as_bytes()) {
            drop(game.map_err(|e| e.to_string()));
        }
    }

    /// A file that ends too early loses what is missing and nothing before it.
    #[test]
    fn a_file_may_end_anywhere(seed in 0..20u64, cut in 0.0..1.0f64) {
        let good = pgn::write(&random_game(seed, Variant::Atomic), &Tags::default());
        let cut = (good.len() as f64 * cut) as usize;
        let file = format!("{good}{}", &good[..cut]);
        let games: Vec<_> = pgn::read(file.as_bytes()).collect();
        prop_assert!(games[0].is_ok());
        prop_assert!(games.len() <= 2);
    }
}
