//! Files as they are found in the world.

use chess::Color;
use chess::pgn::{self, Date, ImportError, ImportedGame, Score, Why};
use chess::rules::{Start, Variant};
use chess::{Millis, Timestamp};

type Read = Result<ImportedGame, ImportError>;

fn read(file: &[u8]) -> Vec<Read> {
    pgn::read(file).collect()
}

fn good(file: &[u8]) -> Vec<ImportedGame> {
    let good = |game: Read| game.unwrap_or_else(|e| panic!("{e}"));
    read(file).into_iter().map(good).collect()
}

const WHITE_WINS: Option<Score> = Some(Score::Decisive {
    winner: Color::White,
});
const BLACK_WINS: Option<Score> = Some(Score::Decisive {
    winner: Color::Black,
});

#[test]
fn a_messy_file_is_read_in_full() {
    let games = good(include_bytes!("../data/messy.pgn"));
    let [immortal, opera, vienna, promotion, fool, bare] = &games[..] else {
        panic!("{} games", games.len());
    };

    assert_eq!(immortal.tag("White"), Some("Anderssen, Adolf"));
    assert_eq!(immortal.tag("Annotator"), Some("a \"nameless\" friend"));
    let date = |year, month, day| Some(Date { year, month, day });
    assert_eq!(immortal.date(), date(1851, Some(6), Some(21)));
    assert_eq!(immortal.started_at(), None);
    assert_eq!((immortal.number, immortal.line), (1, 1));
    assert_eq!((immortal.moves.len(), immortal.result), (45, WHITE_WINS));
    assert!(immortal.clocks.iter().all(Option::is_none));
    assert_eq!(
        immortal.final_board().fen(),
        "r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23"
    );

    assert_eq!(opera.tag("Event"), Some("Opéra"));
    assert_eq!(opera.tag("Site"), Some("Paris FRA"));
    assert_eq!(opera.tag("black"), Some("Herzog Karl & Graf Isouard, §üß"));
    assert_eq!(opera.date(), date(1858, None, None));
    assert_eq!((opera.moves.len(), opera.result), (33, WHITE_WINS));
    assert_eq!(
        opera.final_board().fen(),
        "1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17"
    );

    assert_eq!(vienna.tag("White"), Some("Réti, Richard"));
    assert_eq!((vienna.moves.len(), vienna.result), (21, WHITE_WINS));
    assert!(vienna.final_board().legal_moves().is_empty());

    assert_eq!((promotion.moves.len(), promotion.result), (17, None));
    assert_eq!(
        promotion.final_board().fen(),
        "2bqkb1r/Q4ppp/1n3n2/8/5P2/3B4/PPP3PP/RNBQK1NR b KQk - 0 9"
    );

    assert!(fool.tags.is_empty());
    assert_eq!((fool.moves.len(), fool.result), (4, BLACK_WINS));
    assert!(bare.tags.is_empty());
    assert_eq!((bare.moves.len(), bare.result), (5, None));
}

#[test]
fn two_broken_games_of_five_are_named_and_the_others_read() {
    let games = read(include_bytes!("../data/five.pgn"));
    let shown: Vec<String> = games
        .iter()
        .map(|game| match game {
            Ok(game) => format!("game {}: {} half-moves", game.number, game.moves.len()),
            Err(error) => error.to_string(),
        })
        .collect();
    assert_eq!(
        shown,
        [
            "game 1: 13 half-moves",
            "game 2 (Broken, First - Innocent, An), line 18, move 12...: \
             Rxe5 is not a legal move in this position",
            "game 3: 15 half-moves",
            "game 4 (Forgotten, Brace - Innocent, Another), line 35, move 2...: \
             a comment is opened with { and never closed",
            "game 5: 4 half-moves",
        ]
    );
}

#[test]
fn variants_have_many_names_and_starts_many_spellings() {
    let games = good(include_bytes!("../data/variants.pgn"));
    let found: Vec<(Variant, usize)> = games.iter().map(|g| (g.variant, g.moves.len())).collect();
    assert_eq!(
        found,
        [
            (Variant::Chess960, 4),
            (Variant::Chess960, 3),
            (Variant::Standard, 2),
            (Variant::Standard, 1),
            (Variant::ThreeCheck, 9),
            (Variant::Crazyhouse, 8),
            (Variant::Atomic, 7),
            (Variant::Antichess, 6),
            (Variant::KingOfTheHill, 7),
            (Variant::RacingKings, 4),
            (Variant::Horde, 2),
        ]
    );
    assert!(matches!(games[0].start, Start::Fen(_)));
    assert_eq!(games[1].start, Start::Chess960(0));
    assert!(matches!(games[2].start, Start::Fen(_)));
    assert_eq!(games[2].result, BLACK_WINS);
    assert_eq!(games[3].start, Start::Usual);
    assert_eq!(games[4].tag("Event"), Some("Three checks"));
}

#[test]
fn clocks_are_found_in_any_comment_after_the_move() {
    let file = "[UTCDate \"2026.01.31\"]\n[UTCTime \"18:05:09\"]\n[TimeControl \"180+2\"]\n\n\
        {[%clk 0:03:00]} 1. e4 {[%eval 0.2] [%clk 0:03:01.5]} e5 {good} {[%clk 0:02:59]} \
        2. Nf3 {[%clk nonsense]} Nc6 $1 {[%clk 1:00]} ( 2... d6 {[%clk 0:01:00]} ) 3. Bb5 1-0";
    let game = &good(file.as_bytes())[0];
    let clocks: Vec<Option<u32>> = game.clocks.iter().map(|c| c.map(|c| c.0)).collect();
    let expected = [Some(181_500), Some(179_000), None, Some(60_000), None];
    assert_eq!(clocks, expected);
    assert_eq!(game.started_at(), Some(Timestamp(1_769_882_709_000)));
    let control = chess::clock::TimeControl::Fischer {
        initial: Millis::from_secs(180),
        increment: Millis::from_secs(2),
    };
    assert_eq!(game.control(), Some(control));
}

#[test]
fn some_programs_write_nothing_but_squares() {
    let file = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1g1 e8g8 b2b4 c7c5 b4c5 d7d5 c5d6 d8a5 \
        d6e7 b8c6 e7f8q 1-0";
    let game = &good(file.as_bytes())[0];
    assert_eq!(game.moves.len(), 17);
    assert_eq!(
        game.final_board().fen(),
        "r1b2Qk1/pp3pbp/2n2np1/q7/8/5NP1/P1PPPPBP/RNBQ1RK1 b - - 0 9"
    );
    let error = pgn::read(&b"1. g1f3 e7e5 2. f3e4 *"[..]).next();
    assert_eq!(
        error.expect("one game").expect_err("illegal").to_string(),
        "game 1, line 1, move 2.: f3e4 is not a legal move for the piece on f3 in this position"
    );
}

#[test]
fn a_game_without_moves_is_a_game() {
    let file = b"[Event \"Forfeit\"]\n[Result \"1-0\"]\n[Termination \"rules infraction\"]\n\n1-0\n\n[Event \"Bye\"]\n\n[Event \"Last\"]\n";
    let games = good(file);
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].result, WHITE_WINS);
    assert_eq!(games[0].termination(), Some("rules infraction"));
    assert_eq!(games[1].tag("Event"), Some("Bye"));
    assert!(games.iter().all(|game| game.moves.is_empty()));
}

#[test]
fn games_without_tags_are_told_apart_by_their_results() {
    let file = "1. e4 e5 1-0\n\n{ The second: } 1. d4\n\n1... d5\n( 1... f5 )\n\n0-1\n\n\
        ; the third\n1. c4 *\n\n{ the end }\n";
    let games = good(file.as_bytes());
    let plies: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [2, 2, 1]);
    assert_eq!(games[1].result, BLACK_WINS);
}

#[test]
fn a_whole_game_may_stand_on_one_line() {
    let file = "[Event \"a\"] [Site \"x\"] 1. e4 {\n[%clk 0:01:00] } 1-0\n\
        [Event \"b; {\"] 1. d4 d5 0-1\n[Event \"c\"]*\n";
    let games = good(file.as_bytes());
    let plies: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
    assert_eq!(plies, [1, 2, 0]);
    assert_eq!(games[0].clocks, [Some(Millis::from_secs(60))]);
}

#[test]
fn nothing_is_in_an_empty_file() {
    for file in [
        "",
        "\n\n",
        "\u{feff}",
        " \r\n\t\r\n",
        "; no\n% games\n{ here }\n",
    ] {
        assert!(read(file.as_bytes()).is_empty(), "{file:?}");
    }
}

#[test]
fn the_result_is_that_of_the_moves_or_else_of_the_tag() {
    let result = |tag: &str, end: &str| {
        let file = format!("[Result \"{tag}\"]\n\n1. e4 {end}");
        read(file.as_bytes()).remove(0).map(|game| game.result)
    };
    assert_eq!(result("1-0", ""), Ok(WHITE_WINS));
    assert_eq!(result("1-0", "*"), Ok(WHITE_WINS));
    assert_eq!(result("*", "0-1"), Ok(BLACK_WINS));
    assert_eq!(result("?", "½-½"), Ok(Some(Score::Draw)));
    assert_eq!(result("1/2", "1/2-1/2"), Ok(Some(Score::Draw)));
    assert_eq!(result("nonsense", ""), Ok(None));
    let conflict = result("1-0", "0-1").expect_err("two results");
    assert!(matches!(conflict.why, Why::TwoResults { .. }));
    assert_eq!(
        conflict.to_string(),
        "game 1, line 3, move 1...: the Result tag says 1-0, but the moves end with 0-1"
    );
}
