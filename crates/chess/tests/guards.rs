//! The guard table of a move: row by row, and every pair of rows in order.
//!
//! `DESIGN.md`, "Idempotency, precisely", fixes which check answers first. Its
//! first row (the game exists and is visible to the caller) belongs to the
//! server: the core is only ever asked about a game that is there.

use chess::clock::TimeControl;
use chess::game::{
    Command, Creation, Ending, Event, Game, MoveCommand, MoveReport, Offer, Refusal, StartRatings,
    Terms, WinReason,
};
use chess::rules::Spelled;
use chess::table::{Actor, PlayerId, State, Verdict};
use chess::{ByColor, Color, Millis, Timestamp};

/// The rows, in the order of the table: the first that applies answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Row {
    /// The caller is not one of the two players.
    NotAPlayer,
    /// `version` is older than the last takeback.
    OldVersion,
    /// The caller played this very move at that ply: answered again.
    Retry,
    /// Any other `ply` that has been played.
    StalePly,
    /// The state is not ACTIVE.
    NotActive,
    /// It is the opponent's move.
    WrongTurn,
    /// `ply` is beyond the next.
    PlyAhead,
    /// The clock of the side to move has expired.
    ClockExpired,
    /// The text is no move.
    BadMove,
    /// The move is not legal.
    IllegalMove,
}

use Row::*;

const ROWS: [Row; 10] = [
    NotAPlayer,
    OldVersion,
    Retry,
    StalePly,
    NotActive,
    WrongTurn,
    PlyAhead,
    ClockExpired,
    BadMove,
    IllegalMove,
];

/// The pairs that no request can be in at once, and why.
const NEVER_TOGETHER: [(Row, Row, &str); 5] = [
    (
        Retry,
        StalePly,
        "the move of that ply is this one or another",
    ),
    (
        Retry,
        PlyAhead,
        "a ply is played already or beyond the next",
    ),
    (
        StalePly,
        PlyAhead,
        "a ply is played already or beyond the next",
    ),
    (Retry, BadMove, "what was played once could be read"),
    (BadMove, IllegalMove, "what is no move is no illegal one"),
];

/// The ways in which a game is not ACTIVE once it has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stopped {
    Paused,
    Completed,
}

/// A request in a game, both made so that exactly the wanted rows apply.
struct Request {
    game: Game,
    now: Timestamp,
    who: Actor,
    command: MoveCommand,
}

const MINUTE: Millis = Millis::from_secs(60);

fn at(seconds: u32) -> Timestamp {
    Timestamp(1_000_000) + Millis::from_secs(seconds)
}

fn someone(number: u32) -> Actor {
    Actor::Player(PlayerId::new(number).expect("not nobody"))
}

fn seat(color: Color) -> Actor {
    someone(color.fold_wb(1, 2))
}

fn submit(game: &mut Game, now: Timestamp, who: Actor, command: &Command) {
    match game.decide(now, who, command) {
        Verdict::Change(event) => game.evolve(now, &event),
        other => panic!("{command:?} led to {other:?}"),
    }
}

fn play(game: &mut Game, moves: &[&str]) {
    for text in moves {
        let command = Command::Move(MoveCommand::new(text));
        submit(game, at(0), seat(game.turn()), &command);
    }
}

/// 1 e4 e5 2 Nf3, taken back (version 7) and played again, Nc6: White to move
/// at version 9, ply 4, with a minute on each clock.
fn a_game_with_a_takeback() -> Game {
    let control = TimeControl::Fischer {
        initial: MINUTE,
        increment: Millis::ZERO,
    };
    let white = PlayerId::new(1).expect("not nobody");
    let creation = Creation::open(white, Terms::casual(control));
    let mut game = Game::create(at(0), creation).expect("good terms");
    let join = Command::Join {
        toss: Color::Black,
        by_code: false,
        ratings: StartRatings::default(),
    };
    submit(&mut game, at(0), seat(Color::Black), &join);
    play(&mut game, &["e4", "e5", "Nf3"]);
    both(&mut game, Offer::Takeback);
    play(&mut game, &["Nf3", "Nc6"]);
    game
}

fn both(game: &mut Game, offer: Offer) {
    submit(game, at(0), seat(Color::White), &Command::Offer(offer));
    submit(game, at(0), seat(Color::Black), &Command::Accept(offer));
}

/// White's good fifth half-move, with whatever the rows say wrong about it.
fn request(rows: &[Row], stopped: Stopped) -> Request {
    let has = |row| rows.contains(&row);
    let mut game = a_game_with_a_takeback();
    if has(WrongTurn) {
        play(&mut game, &["Bb5"]);
    }
    // Late enough for the flag, if that is wanted; at once otherwise.
    let now = if has(ClockExpired) { at(60) } else { at(0) };
    match stopped {
        _ if !has(NotActive) => {}
        // A flag that has been seen is in the record: the game is over by it.
        _ if has(ClockExpired) => {
            submit(
                &mut game,
                now,
                Actor::Server,
                &Command::Tick { host_seen: now },
            );
        }
        Stopped::Paused => both(&mut game, Offer::Pause),
        Stopped::Completed => submit(&mut game, now, seat(Color::Black), &Command::Resign),
    }
    let (ply, text) = match game.ply() {
        // The retried move is not legal any more, as is usual; the stale one would be.
        _ if has(Retry) => (1, "e2e4"),
        _ if has(StalePly) => (3, "a2a3"),
        current if has(PlyAhead) => (current + 3, "a2a3"),
        current => (current + 1, "a2a3"),
    };
    let text = match () {
        () if has(BadMove) => "hello",
        () if has(IllegalMove) && !has(Retry) => "e1e8",
        () => text,
    };
    Request {
        now,
        who: if has(NotAPlayer) {
            someone(3)
        } else {
            seat(Color::White)
        },
        command: MoveCommand {
            text: text.into(),
            ply: Some(ply),
            version: has(OldVersion).then_some(6),
            ..MoveCommand::default()
        },
        game,
    }
}

impl Request {
    fn verdict(&self) -> Verdict<Event, Refusal> {
        let command = Command::Move(self.command.clone());
        self.game.decide(self.now, self.who, &command)
    }

    /// What the row says, with all that a client needs to recover.
    fn answer_of(&self, row: Row) -> Verdict<Event, Refusal> {
        let (current_ply, to_move) = (self.game.ply(), self.game.turn());
        Verdict::Refused(match row {
            NotAPlayer => Refusal::NotAPlayer,
            OldVersion | StalePly => Refusal::StalePly {
                current_ply,
                to_move,
            },
            Retry => return Verdict::Already(3),
            NotActive => Refusal::GameNotActive {
                state: self.game.phase().state(),
            },
            WrongTurn => Refusal::WrongTurn {
                current_ply,
                to_move,
            },
            PlyAhead => Refusal::PlyAhead { current_ply },
            ClockExpired => {
                let ending = Ending::Won {
                    winner: !to_move,
                    by: WinReason::Timeout,
                };
                return Verdict::RefusedBut {
                    why: Refusal::ClockExpired,
                    consequence: Event::Ended { ending, by: None },
                };
            }
            BadMove => {
                Refusal::BadMove("a move is written like e2e4, e7e8q, e2-e4, Nf3 or O-O".into())
            }
            IllegalMove => Refusal::IllegalMove(
                "e1e8 is not a legal move for the piece on e1 in this position".into(),
            ),
        })
    }
}

fn check(rows: &[Row], first: Row) {
    for stopped in [Stopped::Paused, Stopped::Completed] {
        let request = request(rows, stopped);
        let wanted = request.answer_of(first);
        assert_eq!(request.verdict(), wanted, "{rows:?}, {stopped:?}");
    }
}

#[test]
fn a_request_that_passes_every_row_is_played() {
    let request = request(&[], Stopped::Paused);
    assert!(matches!(
        request.verdict(),
        Verdict::Change(Event::Moved { .. })
    ));
}

#[test]
fn every_row_answers_for_itself() {
    for row in ROWS {
        check(&[row], row);
    }
}

#[test]
fn of_two_rows_the_earlier_answers() {
    let mut pairs = 0;
    for (index, earlier) in ROWS.into_iter().enumerate() {
        for later in &ROWS[index + 1..] {
            let impossible = NEVER_TOGETHER
                .iter()
                .any(|(a, b, _)| (*a, *b) == (earlier, *later));
            if !impossible {
                check(&[earlier, *later], earlier);
                pairs += 1;
            }
        }
    }
    assert_eq!(pairs + NEVER_TOGETHER.len(), 45, "ten rows make 45 pairs");
}

/// The one row that can be met before the game begins: whoever has the seat,
/// and a creator who left the colour to chance and has none yet.
#[test]
fn a_waiting_game_is_not_active() {
    let white = PlayerId::new(1).expect("not nobody");
    for color in [
        chess::game::ColorChoice::White,
        chess::game::ColorChoice::Random,
    ] {
        let creation = Creation {
            color,
            ..Creation::open(white, Terms::casual(TimeControl::Unlimited))
        };
        let game = Game::create(at(0), creation).expect("good terms");
        let answer = |who, ply| {
            let command = MoveCommand {
                ply,
                ..MoveCommand::new("e4")
            };
            game.decide(at(0), who, &Command::Move(command))
        };
        let waiting = Verdict::Refused(Refusal::GameNotActive {
            state: State::Waiting,
        });
        let stale = Verdict::Refused(Refusal::StalePly {
            current_ply: 0,
            to_move: Color::White,
        });
        assert_eq!(answer(someone(1), None), waiting);
        assert_eq!(answer(someone(1), Some(0)), stale);
        assert_eq!(
            answer(someone(2), None),
            Verdict::Refused(Refusal::NotAPlayer)
        );
    }
}

/// Without `ply` a move counts for the next, so nothing is stale or ahead.
#[test]
fn without_a_ply_only_turn_clock_and_legality_are_checked() {
    for (rows, first) in [
        (&[WrongTurn][..], WrongTurn),
        (&[ClockExpired], ClockExpired),
        (&[BadMove], BadMove),
        (&[IllegalMove], IllegalMove),
        (&[OldVersion], OldVersion),
    ] {
        let mut request = request(rows, Stopped::Paused);
        request.command.ply = None;
        assert_eq!(request.verdict(), request.answer_of(first), "{rows:?}");
    }
}

/// Two different moves race for one ply: one is played, the other is stale. Two
/// identical ones get the same answer, and get it for ever.
#[test]
fn of_two_racing_moves_one_is_played_and_its_twin_is_answered_alike() {
    let mut game = a_game_with_a_takeback();
    let racing = |text: &str| {
        Command::Move(MoveCommand {
            ply: Some(5),
            ..MoveCommand::new(text)
        })
    };
    let before = game.board().clone();
    submit(&mut game, at(7), seat(Color::White), &racing("Bb5"));
    let m = before
        .resolve(Spelled::read("Bb5").expect("a move"))
        .expect("a legal move");
    let first = MoveReport::new(&before, m, &game);
    let answer = MoveReport {
        ply: 5,
        uci: "f1b5".into(),
        san: "Bb5".into(),
        fen: "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3".into(),
        to_move: Color::Black,
        clocks: Some(ByColor {
            white: Millis(53_000),
            black: MINUTE,
        }),
        version: 10,
        state: State::Active,
        check: false,
        ending: None,
    };
    assert_eq!(first, answer);
    let stale = Refusal::StalePly {
        current_ply: 5,
        to_move: Color::Black,
    };
    let late = game.decide(at(7), seat(Color::White), &racing("Bc4"));
    assert_eq!(late, Verdict::Refused(stale));

    let flag = at(7) + MINUTE;
    submit(
        &mut game,
        flag,
        Actor::Server,
        &Command::Tick { host_seen: flag },
    );
    for (now, text) in [(at(7), "f1b5"), (flag, "Bb5"), (at(3), "f1-b5")] {
        let twin = game.decide(now, seat(Color::White), &racing(text));
        assert_eq!(twin, Verdict::Already(first.version));
        assert_eq!(game.report(first.version).as_ref(), Some(&first));
    }
    // The opponent did not play it.
    let other = game.decide(flag, seat(Color::Black), &racing("Bb5"));
    assert!(matches!(other, Verdict::Refused(Refusal::StalePly { .. })));
}
