//! What we write, we read: the same game in every detail that PGN can hold.

use chess::clock::TimeControl;
use chess::game::{Event, Game};
use chess::pgn::{self, ImportedGame, Player, Score, Tags};
use chess::rules::{Board, Start, Variant};
use chess::{ByColor, Color, Timestamp};
use proptest::prelude::*;

use crate::random::random_game;

const TAGS: Tags<'_> = Tags {
    event: "A \"quoted\" \\ event; {with} [signs]",
    site: "https://chess.example/games/abc",
    round: "3.1",
    players: ByColor {
        white: Player {
            name: "Élodie \\\"",
            title: Some("BOT"),
            rating: Some(2100),
            rating_diff: Some(5),
        },
        black: Player {
            name: "黒",
            title: None,
            rating: None,
            rating_diff: Some(-5),
        },
    },
    game_id: Some("abc"),
    evals: &[],
    without_clocks: false,
};

fn check_same(game: &Game, read: &ImportedGame) {
    let line = game.line();
    let start = game.start_board();
    assert_eq!(read.variant, game.terms().variant);
    let read_start = Board::start(read.variant, &read.start).expect("a start that was read");
    assert_eq!(read_start.fen(), start.fen());
    assert_eq!(read.moves, line.iter().map(|p| p.uci).collect::<Vec<_>>());
    let mut mover = start.turn();
    for (played, clock) in line.iter().zip(&read.clocks) {
        let left = *played.clocks.get(mover);
        let has_clock = game.terms().control != TimeControl::Unlimited;
        assert_eq!(*clock, has_clock.then_some(left));
        mover = !mover;
    }
    assert_eq!(read.clocks.len(), line.len());
    assert_eq!(read.final_board().fen(), game.board().fen());
    assert_eq!(
        read.result.map_or("*", Score::as_str),
        game.ending().map_or("*", |e| e.score())
    );
    assert_eq!(read.control().as_ref(), Some(&game.terms().control));
    assert_eq!(read.started_at(), joined_at(game));
}

/// When the opponent came, in whole seconds as PGN has them.
fn joined_at(game: &Game) -> Option<Timestamp> {
    game.entries()
        .find(|entry| matches!(entry.event, Event::Joined { .. }))
        .map(|entry| Timestamp(entry.at.0 / 1000 * 1000))
}

fn check_tags(read: &ImportedGame, tags: &Tags<'_>) {
    let names: Vec<&str> = read.tags.iter().map(|(name, _)| name.as_str()).collect();
    let roster = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
    assert_eq!(names[..7], roster);
    assert_eq!(read.tag("Event"), Some(tags.event));
    assert_eq!(read.tag("Site"), Some(tags.site));
    assert_eq!(read.tag("Round"), Some(tags.round));
    assert_eq!(read.tag("GameId"), tags.game_id);
    for color in Color::ALL {
        let player = tags.players.get(color);
        let tag = |suffix: &str| {
            let name = format!("{}{suffix}", color.fold_wb("White", "Black"));
            read.tag(&name).map(str::to_owned)
        };
        assert_eq!(tag("").as_deref(), Some(player.name));
        assert_eq!(tag("Title").as_deref(), player.title);
        assert_eq!(tag("Elo"), player.rating.map(|r| r.to_string()));
        let diff = player.rating_diff.map(|d| format!("{d:+}"));
        assert_eq!(tag("RatingDiff"), diff);
    }
}

/// One file with many games of the variant, read back game by game.
fn check_variant(variant: Variant) {
    let games: Vec<Game> = (0..60).map(|seed| random_game(seed, variant)).collect();
    let file: String = games.iter().map(|game| pgn::write(game, &TAGS)).collect();
    let mut read = pgn::read(file.as_bytes());
    for (seed, game) in games.iter().enumerate() {
        let read = read.next().expect("as many games as were written");
        let read = read.unwrap_or_else(|e| panic!("{variant:?}, seed {seed}: {e}"));
        check_same(game, &read);
        check_tags(&read, &TAGS);
        // Starts are read in their simplest form.
        match game.creation().start {
            Start::Fen(_) => {}
            start => assert_eq!(read.start, start),
        }
    }
    assert!(read.next().is_none());
    let plies: u32 = games.iter().map(Game::ply).sum();
    assert!(plies > 1000, "{variant:?}: only {plies} half-moves");
}

macro_rules! round_trips {
    ($($name:ident: $variant:ident,)*) => {
        $(
            #[test]
            fn $name() {
                check_variant(Variant::$variant);
            }
        )*

        #[test]
        fn no_variant_is_missing() {
            assert_eq!([$(Variant::$variant),*], Variant::ALL);
        }
    };
}

round_trips! {
    standard_games_survive: Standard,
    chess960_games_survive: Chess960,
    crazyhouse_games_survive: Crazyhouse,
    antichess_games_survive: Antichess,
    atomic_games_survive: Atomic,
    horde_games_survive: Horde,
    king_of_the_hill_games_survive: KingOfTheHill,
    racing_kings_games_survive: RacingKings,
    three_check_games_survive: ThreeCheck,
}

#[test]
fn lines_are_shorter_than_eighty_characters_and_clocks_are_not_broken() {
    for seed in 0..20 {
        let written = pgn::write(&random_game(seed, Variant::Standard), &TAGS);
        for line in written.lines() {
            assert!(line.chars().count() < 80, "{line}");
            assert_eq!(line.matches('{').count(), line.matches('}').count());
        }
        assert!(written.ends_with("\n\n") && !written.ends_with("\n\n\n"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_survives_as_a_name(seed in 0..50u64, name in "[^\\p{Cc}]{1,60}", event in "\\PC{1,60}") {
        let game = random_game(seed, Variant::Standard);
        let mut tags = TAGS;
        tags.players.white.name = &name;
        tags.event = &event;
        let file = pgn::write(&game, &tags);
        let read: Vec<_> = pgn::read(file.as_bytes()).collect();
        prop_assert_eq!(read.len(), 1);
        let read = read[0].as_ref().expect("a game we wrote");
        prop_assert_eq!(read.tag("White"), Some(name.as_str()));
        prop_assert_eq!(read.tag("Event"), Some(event.as_str()));
        check_same(&game, read);
    }

    #[test]
    fn control_characters_cannot_break_out_of_a_tag(name in "[\\x00-\\x7f]{1,40}") {
        let game = random_game(1, Variant::Standard);
        let mut tags = TAGS;
        tags.players.black.name = &name;
        let file = pgn::write(&game, &tags);
        let read: Vec<_> = pgn::read(file.as_bytes()).collect();
        prop_assert_eq!(read.len(), 1);
        let read = read[0].as_ref().expect("a game we wrote");
        let plain = name.replace(char::is_control, " ");
        prop_assert_eq!(read.tag("Black"), Some(plain.as_str()));
    }
}
