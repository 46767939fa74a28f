//! The exact text of a few games.

use chess::clock::{ClockStart, DelayKind, Stage, TimeControl};
use chess::game::{Command, Game, MoveCommand, Terms};
use chess::pgn::{self, Eval, Player, Tags};
use chess::rules::{Start, Variant};
use chess::table::Actor;
use chess::{ByColor, Millis, Timestamp};

use crate::random::{begin, player, submit};

/// 31 January 2026, 18:05:09.
const BEGIN: Timestamp = Timestamp(1_769_882_709_000);

fn fischer(initial: u32, increment: u32) -> TimeControl {
    TimeControl::Fischer {
        initial: Millis::from_secs(initial),
        increment: Millis::from_secs(increment),
    }
}

/// Plays moves, each a number of milliseconds after the one before it.
fn play(game: &mut Game, moves: &[(u32, &str)]) -> Timestamp {
    let mut now = BEGIN;
    for (took, text) in moves {
        now = now + Millis(*took);
        let mover = game.seats().get(game.turn()).expect("both are seated");
        let command = Command::Move(MoveCommand::new(text));
        let before = game.ply();
        submit(game, now, Actor::Player(mover), &command);
        assert_eq!(game.ply(), before + 1, "{text} was not played");
    }
    now
}

#[test]
fn a_short_game_with_clocks() {
    let mut terms = Terms::casual(fischer(300, 2));
    terms.clock_start = ClockStart::Join;
    let mut game = begin(BEGIN, terms, Start::Usual);
    let moves = [
        (1500, "e4"),
        (2000, "e5"),
        (750, "Bc4"),
        (12_000, "Nc6"),
        (100, "Qh5"),
        (3001, "Nf6"),
        (400, "Qxf7"),
    ];
    play(&mut game, &moves);
    let tags = Tags {
        event: "casual blitz game",
        site: "https://chess.example/games/Ab3",
        players: ByColor {
            white: Player {
                name: "alice",
                title: Some("WGM"),
                rating: Some(1812),
                rating_diff: Some(7),
            },
            black: Player {
                name: "bob \"the\" \\ rook",
                rating: Some(1790),
                rating_diff: Some(-7),
                ..Player::default()
            },
        },
        game_id: Some("Ab3"),
        ..Tags::default()
    };
    let expected = r#"[Event "casual blitz game"]
[Site "https://chess.example/games/Ab3"]
[Date "2026.01.31"]
[Round "-"]
[White "alice"]
[Black "bob \"the\" \\ rook"]
[Result "1-0"]
[GameId "Ab3"]
[UTCDate "2026.01.31"]
[UTCTime "18:05:09"]
[WhiteElo "1812"]
[BlackElo "1790"]
[WhiteRatingDiff "+7"]
[BlackRatingDiff "-7"]
[WhiteTitle "WGM"]
[TimeControl "300+2"]
[Termination "Normal"]

1. e4 { [%clk 0:05:00.500] } 1... e5 { [%clk 0:05:00] }
2. Bc4 { [%clk 0:05:01.750] } 2... Nc6 { [%clk 0:04:50] }
3. Qh5 { [%clk 0:05:03.650] } 3... Nf6 { [%clk 0:04:48.999] }
4. Qxf7# { [%clk 0:05:05.250] } 1-0

"#;
    assert_eq!(pgn::write(&game, &tags), expected);
    // The same with evaluations, as far as there are any.
    let evals = [
        Some(Eval::Centipawns(17)),
        Some(Eval::Centipawns(-105)),
        None,
        Some(Eval::Mate(3)),
        Some(Eval::Mate(-2)),
        Some(Eval::Centipawns(-5)),
    ];
    let tags = Tags {
        evals: &evals,
        ..tags
    };
    let expected = "1. e4 { [%eval 0.17] [%clk 0:05:00.500] }
1... e5 { [%eval -1.05] [%clk 0:05:00] } 2. Bc4 { [%clk 0:05:01.750] }
2... Nc6 { [%eval #3] [%clk 0:04:50] }
3. Qh5 { [%eval #-2] [%clk 0:05:03.650] }
3... Nf6 { [%eval -0.05] [%clk 0:04:48.999] } 4. Qxf7# { [%clk 0:05:05.250] }
1-0

";
    let written = pgn::write(&game, &tags);
    assert!(written.ends_with(expected), "{written}");
    assert!(pgn::read(written.as_bytes()).all(|game| game.is_ok()));
    // Nobody has to be told how long they took.
    let tags = Tags {
        evals: &[],
        without_clocks: true,
        ..tags
    };
    let written = pgn::write(&game, &tags);
    let expected = "\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n";
    assert!(written.ends_with(expected), "{written}");
}

#[test]
fn without_a_clock_numbers_are_not_repeated_and_black_may_begin() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let terms = Terms::casual(TimeControl::Unlimited);
    let mut game = begin(BEGIN, terms, Start::Fen(fen.into()));
    let now = play(&mut game, &[(0, "Nf6"), (0, "O-O"), (0, "Nxe4")]);
    let black = Actor::Player(player(2));
    submit(&mut game, now, black, &Command::Resign);
    let expected = r#"[Event "?"]
[Site "?"]
[Date "2026.01.31"]
[Round "-"]
[White "?"]
[Black "?"]
[Result "1-0"]
[UTCDate "2026.01.31"]
[UTCTime "18:05:09"]
[TimeControl "-"]
[Termination "Normal"]
[FEN "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"]
[SetUp "1"]

3... Nf6 4. O-O Nxe4 1-0

"#;
    assert_eq!(pgn::write(&game, &Tags::default()), expected);
}

/// The lines of tags that begin with these names.
fn tag_lines(game: &Game, names: &[&str]) -> Vec<String> {
    pgn::write(game, &Tags::default())
        .lines()
        .filter(|line| names.iter().any(|n| line.starts_with(&format!("[{n} "))))
        .map(str::to_owned)
        .collect()
}

#[test]
fn variants_are_named_and_960_starts_are_always_spelled_out() {
    let names = ["Variant", "FEN", "SetUp"];
    let made = |variant, start| {
        let mut terms = Terms::casual(fischer(60, 0));
        terms.variant = variant;
        tag_lines(&begin(BEGIN, terms, start), &names)
    };
    assert!(made(Variant::Standard, Start::Usual).is_empty());
    assert_eq!(
        made(Variant::ThreeCheck, Start::Usual),
        ["[Variant \"Three-check\"]"]
    );
    for start in [Start::Usual, Start::Chess960(518)] {
        assert_eq!(
            made(Variant::Chess960, start),
            [
                "[Variant \"Chess960\"]",
                "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]",
                "[SetUp \"1\"]"
            ]
        );
    }
}

#[test]
fn every_time_control_has_its_tag() {
    let secs = Millis::from_secs;
    let stage = |moves, initial, increment| Stage {
        moves,
        initial: secs(initial),
        increment: secs(increment),
    };
    let delay = |kind| TimeControl::Delay {
        initial: secs(300),
        delay: secs(5),
        kind,
    };
    for (control, expected) in [
        (TimeControl::Unlimited, "-"),
        (TimeControl::Correspondence { days: 3 }, "1/259200"),
        (fischer(180, 0), "180+0"),
        (delay(DelayKind::Us), "300+5d"),
        (delay(DelayKind::Bronstein), "300+5b"),
        (
            TimeControl::Stages(Box::new(vec![stage(40, 5400, 30), stage(0, 1800, 30)])),
            "40/5400+30:1800+30",
        ),
    ] {
        let game = begin(BEGIN, Terms::casual(control), Start::Usual);
        assert_eq!(
            tag_lines(&game, &["TimeControl"]),
            [format!("[TimeControl \"{expected}\"]")]
        );
    }
}

#[test]
fn the_termination_tells_how_it_ended() {
    let new = || begin(BEGIN, Terms::casual(fischer(60, 0)), Start::Usual);
    let ended = |who: Actor, command: Command, after: Millis| {
        let mut game = new();
        submit(&mut game, BEGIN + after, who, &command);
        tag_lines(&game, &["Result", "Termination"]).join(" ")
    };
    let white = Actor::Player(player(1));
    let tick = Command::Tick { host_seen: BEGIN };
    let now = Millis::ZERO;
    assert_eq!(
        tag_lines(&new(), &["Result", "Termination"]).join(" "),
        "[Result \"*\"] [Termination \"Unterminated\"]"
    );
    assert_eq!(
        ended(white, Command::Resign, now),
        "[Result \"0-1\"] [Termination \"Normal\"]"
    );
    assert_eq!(
        ended(white, Command::Abort, now),
        "[Result \"*\"] [Termination \"Abandoned\"]"
    );
    assert_eq!(
        ended(Actor::Server, tick, Millis::from_secs(61)),
        "[Result \"0-1\"] [Termination \"Time forfeit\"]"
    );
}
