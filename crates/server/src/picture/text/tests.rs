use chess::clock::TimeControl;
use chess::game::{ColorChoice, Command, Creation, MoveCommand, StartRatings, Terms};
use chess::rules::{Start, Variant};
use chess::table::{Actor, PlayerId, Verdict};

use super::*;

/// A game of five minutes, begun at the second 0, one second for each move.
fn game(moves: &str) -> Game {
    let player = |number| PlayerId::new(number).unwrap();
    let creation = Creation {
        creator: player(1),
        color: ColorChoice::White,
        opponent: None,
        start: Start::Usual,
        terms: Terms::casual(TimeControl::Fischer {
            initial: Millis::from_secs(300),
            increment: Millis::ZERO,
        }),
        invited: Vec::new(),
        rematch_of: None,
    };
    let mut game = Game::create(Timestamp(0), creation).unwrap();
    let mut submit = |at: u64, number, command: &Command| {
        let at = Timestamp(at * 1000);
        match game.decide(at, Actor::Player(player(number)), command) {
            Verdict::Change(event) => game.evolve(at, &event),
            other => panic!("{command:?} gave {other:?}"),
        }
    };
    submit(
        0,
        2,
        &Command::Join {
            toss: Color::White,
            by_code: false,
            ratings: StartRatings::default(),
        },
    );
    for (i, m) in moves.split(' ').enumerate() {
        let command = Command::Move(MoveCommand::new(m));
        submit(i as u64 + 1, i as u32 % 2 + 1, &command);
    }
    game
}

fn legal(board: &Board) -> Vec<(String, String)> {
    let spelled = |m| {
        let mut after = board.clone();
        after.play(m);
        (board.san(m, &after), board.uci(m).to_string())
    };
    board.legal_moves().into_iter().map(spelled).collect()
}

fn told(game: &Game, now: u64, orientation: Color) -> String {
    let heading = "Game Ab3fK9xQ: anna (White) against bert (Black)".to_owned();
    let legal = match game.ending() {
        None => legal(game.board()),
        Some(_) => Vec::new(),
    };
    let now = Timestamp(now * 1000);
    text(&TextView {
        orientation,
        ..TextView::of_game(game, now, heading, legal)
    })
}

#[test]
fn a_game_that_runs_is_told_in_full() {
    let game = game("e4 e5 Nf3 d6 Bb5+");
    let expected = "\
Game Ab3fK9xQ: anna (White) against bert (Black)

    a  b  c  d  e  f  g  h
8   r  n  b  q  k  b  n  r  8
7   p  p  p  .  .  p  p  p  7
6   .  .  .  p  .  .  .  .  6
5   . [B] .  .  p  .  .  .  5
4   .  .  .  .  P  .  .  .  4
3   .  .  .  .  .  N  .  .  3
2   P  P  P  P  .  P  P  P  2
1   R  N  B  Q  K [.] .  R  1
    a  b  c  d  e  f  g  h

Black to move and in check, move 3.
Last move: 3. Bb5+ (f1b5).
Clocks: White 4:57, Black 4:55; Black's clock runs.

White: king e1, queen d1, rooks a1 h1, bishops c1 b5, knights b1 f3, \
pawns a2 b2 c2 d2 f2 g2 h2 e4.
Black: king e8, queen d8, rooks a8 h8, bishops c8 f8, knights b8 g8, \
pawns e5 d6 a7 b7 c7 f7 g7 h7.

Legal moves, 6:
  Nc6 (b8c6)    Nd7 (b8d7)    Bd7 (c8d7)    Qd7 (d8d7)    Ke7 (e8e7)
  c6 (c7c6)

FEN: rnbqkbnr/ppp2ppp/3p4/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 1 3
";
    let told = told(&game, 8, Color::White);
    assert_eq!(in_any_order(&told), in_any_order(expected));
    assert!(told.is_ascii());
}

/// The same text with its legal moves sorted: their order is the board's own business.
fn in_any_order(text: &str) -> (Vec<String>, String) {
    let is_move = |line: &&str| line.starts_with("  ") && line.contains('(');
    let words = text.lines().filter(is_move).flat_map(|l| l.split("  "));
    let mut moves: Vec<String> = words.map(|w| w.trim().to_owned()).collect();
    moves.retain(|m| !m.is_empty());
    moves.sort();
    let rest: Vec<&str> = text.lines().filter(|l| !is_move(l)).collect();
    (moves, rest.join("\n"))
}

#[test]
fn a_game_that_is_over_says_how_and_lists_no_moves() {
    let game = game("f3 e5 g4 Qh4#");
    let told = told(&game, 60, Color::Black);
    assert!(told.contains("The game is over: Black won, checkmate.\n"));
    assert!(told.contains("Last move: 2... Qh4# (d8h4).\n"));
    assert!(told.contains("Clocks: White 4:58, Black 4:58.\n"));
    assert!(!told.contains("Legal moves"));
    let diagram: Vec<&str> = told.lines().skip(2).take(3).collect();
    assert_eq!(
        diagram,
        [
            "    h  g  f  e  d  c  b  a",
            "1   R  N  B  K  Q  B  N  R  1",
            "2   P  .  .  P  P  P  P  P  2",
        ]
    );
}

#[test]
fn pockets_and_checks_are_told_where_they_count() {
    let told = |variant, fen: &str| {
        let board = Board::start(variant, &Start::Fen(fen.into())).unwrap();
        text(&TextView::new(&board, Vec::new()))
    };
    let house = told(Variant::Crazyhouse, "4k3/8/8/8/8/8/8/4K3[QPP] w - - 0 1");
    assert!(house.contains("White's pocket: 1 queen, 2 pawns.\nBlack's pocket: nothing.\n"));
    let three = told(Variant::ThreeCheck, "4k3/8/8/8/8/8/8/4K2R w - - 2+3 0 1");
    assert!(three.contains("White has given 1 of 3 checks.\n"));
    assert!(three.contains("Black has given 0 of 3 checks.\n"));
}

#[test]
fn a_heading_cannot_forge_lines() {
    let board = Board::start(Variant::Standard, &Start::Usual).unwrap();
    let view = TextView {
        heading: "eve\n\x1b[2JWhite won".to_owned(),
        ..TextView::new(&board, Vec::new())
    };
    assert!(text(&view).starts_with("eve[2JWhite won\n\n"));
}

#[test]
fn a_clock_is_told_as_it_is_read() {
    let cases = [
        (0, "0:00.0"),
        (9_950, "0:09.9"),
        (60_000, "1:00"),
        (3_661_000, "1:01:01"),
        (90_000_000, "1 day 1:00:00"),
        (259_200_000, "3 days 0:00:00"),
    ];
    for (millis, told) in cases {
        assert_eq!(dial(Millis(millis)), told);
    }
}
