//! Records become games again: what we write comes back as it was.

use chess::game::Game;
use chess::pgn::{self, ImportedGame, Player, Tags};
use chess::rules::Variant;
use chess::{ByColor, Timestamp};

use crate::random::{player, random_game};

fn read(text: &str) -> ImportedGame {
    pgn::read(text.as_bytes()).next().unwrap().unwrap()
}

fn replayed(text: &str) -> Result<Game, String> {
    read(text).replayed(ByColor {
        white: player(1),
        black: player(2),
    })
}

#[test]
fn a_recorded_game_is_played_again() {
    let mate = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n";
    let game = replayed(mate).unwrap();
    let reason = |game: &Game| game.ending().unwrap().reason();
    assert_eq!((game.ply(), reason(&game)), (7, "checkmate"));
    let game = replayed("[Date \"1999.05.??\"]\n\n1. e4 0-1\n").unwrap();
    assert_eq!(reason(&game), "resignation");
    assert_eq!(game.created_at(), Timestamp(925_516_800_000));
    let why = replayed("1. f3 e5 2. g4 Qh4# 1-0").unwrap_err();
    assert_eq!(why, "by its moves it ends 0-1, but the file says 1-0");
}

/// Nobody may have claimed the draw, in the file's game as in one of ours.
#[test]
fn a_recorded_game_may_begin_after_fifty_quiet_moves() {
    let fen = "4k3/8/8/8/8/8/8/R3K3 w - - 120 90";
    let text = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n90. Ra2 Kd7 1-0\n");
    let game = replayed(&text).unwrap();
    assert_eq!((game.ply(), game.start_board().fen()), (2, fen.to_owned()));
}

#[test]
fn an_unfinished_game_is_kept_as_one() {
    let game = replayed("[Termination \"Unterminated\"]\n\n1. e4 e5 *").unwrap();
    assert_eq!((game.ply(), game.ending().unwrap().score()), (2, "*"));
    let text = pgn::write(&game, &Tags::default());
    assert!(text.contains("[Termination \"Unterminated\"]"), "{text}");
}

#[test]
fn clocks_are_followed_or_set() {
    let text = "[TimeControl \"60+1\"]\n[Termination \"Time forfeit\"]\n\n\
                1. e4 { [%clk 0:01:00] } e5 { [%clk 0:00:55] } 2. d4 { [%clk 0:00:51] } 1-0\n";
    let clocks = |text: &str| {
        let game = replayed(text).unwrap();
        let clocks = game.clocks(game.last_at())?;
        Some((clocks.white.0, clocks.black.0))
    };
    assert_eq!(clocks(text), Some((51_000, 55_000)));
    // More than the clock had: it was given.
    assert_eq!(
        clocks(&text.replace("0:00:51", "0:01:51")),
        Some((111_000, 55_000))
    );
    // A clock that is not noted is not made up.
    assert_eq!(clocks(&text.replace("{ [%clk 0:00:51] }", "")), None);
}

/// Export, import, export: the same text, for everything that can be played.
#[test]
fn writing_and_reading_is_a_fixed_point() {
    let tags = Tags {
        event: "Casual game",
        site: "here",
        players: ByColor {
            white: Player {
                name: "Ann",
                ..Player::default()
            },
            black: Player {
                name: "Ben",
                ..Player::default()
            },
        },
        ..Tags::default()
    };
    let mut plies = 0;
    for variant in Variant::ALL {
        for seed in 0..120 {
            let first = pgn::write(&random_game(seed, variant), &tags);
            let game = replayed(&first)
                .unwrap_or_else(|why| panic!("{variant:?}, seed {seed}: {why}\n{first}"));
            plies += game.ply();
            assert_eq!(pgn::write(&game, &tags), first, "{variant:?}, seed {seed}");
        }
    }
    assert!(plies > 20_000, "{plies} half-moves");
}
