//! Conditional moves: what is read, and what they come to as the game goes on.

use chess::clock::TimeControl;
use chess::game::{
    Command, Conditional, ConditionalMoves, Creation, Game, HALF_MOVES_MAX, MoveCommand, Offer,
    StartRatings, Terms,
};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Color, Timestamp};
use proptest::prelude::*;

fn player(color: Color) -> Actor {
    Actor::Player(PlayerId::new(color.fold_wb(1, 2)).expect("somebody"))
}

/// A game by days that went like this.
fn game(moves: &str) -> Game {
    let creator = PlayerId::new(1).expect("somebody");
    let terms = Terms::casual(TimeControl::Correspondence { days: 3 });
    let mut game = Game::create(Timestamp(0), Creation::open(creator, terms)).expect("good terms");
    let join = Command::Join {
        toss: Color::Black,
        by_code: false,
        ratings: StartRatings::default(),
    };
    submit(&mut game, player(Color::Black), &join);
    play(&mut game, moves);
    game
}

fn submit(game: &mut Game, who: Actor, command: &Command) {
    match game.decide(game.last_at(), who, command) {
        Verdict::Change(event) => game.evolve(game.last_at(), &event),
        other => panic!("{command:?} led to {other:?}"),
    }
}

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        let who = player(game.turn());
        submit(game, who, &Command::Move(MoveCommand::new(text)));
    }
}

fn lines(text: &str) -> Vec<Vec<String>> {
    let line = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    text.split(',').map(line).collect()
}

/// What can be read of it, as it is kept; or what is wrong.
fn read(game: &Game, text: &str) -> Result<String, String> {
    let read = ConditionalMoves::read(game, &lines(text));
    read.map(|read| read.text().replace('\n', ", "))
        .map_err(|bad| bad.to_string())
}

#[test]
fn lines_are_kept_once_in_one_spelling() {
    let after_e4 = game("e4");
    let read = |text| read(&after_e4, text);
    assert_eq!(read("e5 Nf3 Nc6 Bb5").as_deref(), Ok("e7e5 g1f3 b8c6 f1b5"));
    assert_eq!(
        read("e5 Nf3, c5 Nf3, e7e5 g1f3 Nc6 Bb5, e5 Nf3").as_deref(),
        Ok("c7c5 g1f3, e7e5 g1f3 b8c6 f1b5")
    );
    assert_eq!(
        ConditionalMoves::read(&after_e4, &[]).map(|read| read.text()),
        Ok(String::new())
    );
}

#[test]
fn what_is_wrong_is_named_by_line_and_half_move() {
    let after_e4 = game("e4");
    let why = |text| read(&after_e4, text).expect_err("something is wrong");
    assert!(why("e5 Nf3, e5 Ke3").starts_with("line 2, half-move 2: "));
    assert!(why("e5 Nf3 nonsense Bb5").starts_with("line 1, half-move 3: a move is written like"));
    assert_eq!(
        why("c5 Nf3, e5 Nf3 Nc6"),
        "line 2, half-move 3: a line ends with your answer, not with their move"
    );
    assert_eq!(
        why("e5 Nf3, e5 Nc3"),
        "line 2, half-move 2: another line answers the same with g1f3"
    );
    assert_eq!(
        why("e5 Nf3, "),
        "line 2, half-move 1: a line has at least their move and your answer"
    );
    let mate = game("f3 e5");
    assert!(
        read(&mate, "g4 Qh4 a3 a6")
            .expect_err("mate")
            .starts_with("line 1, half-move 3: ")
    );
}

#[test]
fn all_lines_together_have_a_bound() {
    let start = game("");
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(HALF_MOVES_MAX / 4);
    assert!(read(&start, &shuffle).is_ok());
    let why = read(&start, &format!("{shuffle}, e4 e5")).expect_err("too many");
    assert_eq!(
        why,
        "line 2, half-move 1: all lines together have at most 1000 half-moves"
    );
}

fn stand(moves: &ConditionalMoves, game: &Game) -> Conditional {
    moves.stand(game, Color::White)
}

#[test]
fn they_are_walked_as_the_game_goes_and_dropped_when_it_leaves_them() {
    let mut game = game("e4");
    let moves = ConditionalMoves::read(&game, &lines("e5 Nf3 Nc6 Bb5, c5 Nf3")).expect("lines");
    assert_eq!(stand(&moves, &game), Conditional::Waits(moves.clone()));
    play(&mut game, "e5");
    assert_eq!(
        stand(&moves, &game),
        Conditional::Answers("g1f3".to_owned())
    );
    let mut elsewhere = game.clone();
    play(&mut elsewhere, "Nc3");
    assert_eq!(stand(&moves, &elsewhere), Conditional::Gone);
    play(&mut game, "Nf3");
    let Conditional::Waits(left) = stand(&moves, &game) else {
        panic!("something is left");
    };
    assert_eq!((left.ply, left.text().as_str()), (3, "b8c6 f1b5"));
    play(&mut game, "Nc6");
    assert_eq!(stand(&left, &game), Conditional::Answers("f1b5".to_owned()));
    assert_eq!(stand(&moves, &game), stand(&left, &game));
    play(&mut game, "Bb5");
    assert_eq!(stand(&left, &game), Conditional::Gone);
    assert_eq!(stand(&moves, &game), Conditional::Gone);
}

#[test]
fn nothing_is_played_after_a_takeback() {
    let mut game = game("e4 e5 Nf3");
    let moves = ConditionalMoves::read(&game, &lines("Nc6 Bb5")).expect("lines");
    submit(
        &mut game,
        player(Color::White),
        &Command::Offer(Offer::Takeback),
    );
    submit(
        &mut game,
        player(Color::Black),
        &Command::Accept(Offer::Takeback),
    );
    assert_eq!(stand(&moves, &game), Conditional::Gone);
    play(&mut game, "Bc4 Nc6");
    assert_eq!(stand(&moves, &game), Conditional::Gone);
}

#[test]
fn an_answer_turns_down_a_draw_offer_and_waits_while_the_game_is_paused() {
    let mut game = game("e4 e5 Nf3 Nc6 Bc4");
    let moves = ConditionalMoves::read(&game, &lines("Bc5 c3")).expect("lines");
    let black = player(Color::Black);
    let with_offer = Command::Move(MoveCommand {
        offer_draw: true,
        ..MoveCommand::new("Bc5")
    });
    submit(&mut game, black, &with_offer);
    let answers = Conditional::Answers("c2c3".to_owned());
    assert_eq!(stand(&moves, &game), answers);
    let mut answered = game.clone();
    play(&mut answered, "c3");
    assert_eq!(answered.offer(Offer::Draw), None);
    submit(&mut game, Actor::Operator, &Command::Pause);
    assert_eq!(stand(&moves, &game), Conditional::Held);
    submit(&mut game, Actor::Operator, &Command::Resume);
    assert_eq!(stand(&moves, &game), answers);
    submit(&mut game, player(Color::White), &Command::Resign);
    assert_eq!(stand(&moves, &game), Conditional::Gone);
}

#[test]
fn an_answer_waits_while_the_opponent_asks_for_a_takeback() {
    let mut game = game("e4 e5 Nf3");
    let moves = ConditionalMoves::read(&game, &lines("Nc6 Bb5")).expect("lines");
    play(&mut game, "Nc6");
    let black = player(Color::Black);
    submit(&mut game, black, &Command::Offer(Offer::Takeback));
    assert_eq!(stand(&moves, &game), Conditional::Held);
    let white = player(Color::White);
    submit(&mut game, white, &Command::DeclineOffer(Offer::Takeback));
    assert_eq!(
        stand(&moves, &game),
        Conditional::Answers("f1b5".to_owned())
    );
}

/// Legal moves from there, chosen by these numbers.
fn legal(game: &Game, choices: &[u8]) -> Vec<String> {
    let mut board = game.board().clone();
    let mut line = Vec::new();
    for choice in choices {
        let moves = board.legal_moves();
        if moves.is_empty() || board.end().is_some() {
            break;
        }
        let m = moves[usize::from(*choice) % moves.len()];
        line.push(board.uci_text(m));
        board.play(m);
    }
    line.truncate(line.len() / 2 * 2);
    line
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Whoever plays along a line is answered with exactly that line, to its end; what was
    /// trimmed on the way says the same as what was not.
    #[test]
    fn a_line_is_answered_to_its_end(
        opening in prop::collection::vec(any::<u8>(), 0..6),
        choices in prop::collection::vec(prop::collection::vec(any::<u8>(), 2..14), 1..6),
        which in any::<prop::sample::Index>(),
    ) {
        let mut game = game("");
        for text in legal(&game, &opening) {
            play(&mut game, &text);
        }
        let given: Vec<Vec<String>> = choices.iter().map(|c| legal(&game, c)).filter(|l| !l.is_empty()).collect();
        prop_assume!(!given.is_empty());
        let owner = !game.turn();
        let Ok(whole) = ConditionalMoves::read(&game, &given) else {
            // Two lines with two answers to the same.
            return Ok(());
        };
        prop_assert_eq!(&ConditionalMoves::from_text(whole.ply, whole.version, &whole.text()), &whole);
        let count: usize = whole.lines().iter().map(Vec::len).sum();
        prop_assert!(count <= given.iter().map(Vec::len).sum());
        let walked = which.get(&given).clone();
        let mut trimmed = whole.clone();
        for pair in walked.chunks(2) {
            let Conditional::Waits(left) = trimmed.stand(&game, owner) else {
                panic!("they wait for {pair:?}");
            };
            prop_assert_eq!(whole.stand(&game, owner), Conditional::Waits(left.clone()));
            trimmed = left;
            play(&mut game, &pair[0]);
            let answers = Conditional::Answers(pair[1].clone());
            if game.ending().is_some() {
                prop_assert_eq!(trimmed.stand(&game, owner), Conditional::Gone);
                return Ok(());
            }
            prop_assert_eq!(trimmed.stand(&game, owner), answers.clone());
            prop_assert_eq!(whole.stand(&game, owner), answers);
            play(&mut game, &pair[1]);
            if game.ending().is_some() {
                prop_assert_eq!(trimmed.stand(&game, owner), Conditional::Gone);
                return Ok(());
            }
        }
    }

    /// Whatever is sent is read or refused, and what is read can be played.
    #[test]
    fn anything_is_read_or_refused(text in "[a-h1-8NBRQKOx+# ,-]{0,60}") {
        let game = game("e4");
        if let Ok(read) = ConditionalMoves::read(&game, &lines(&text)) {
            for line in read.lines() {
                let mut game = game.clone();
                play(&mut game, &line.join(" "));
            }
        }
    }
}
