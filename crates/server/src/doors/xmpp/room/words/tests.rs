use std::sync::LazyLock;

use chess::clock::TimeControl;
use chess::game::{Command, Creation, MoveCommand, Terms, WinReason};
use chess::table::{Actor, PlayerId, Verdict};
use chess::{ByColor, Timestamp};

use super::*;

pub(in crate::doors::xmpp::room) static CAST: LazyLock<Cast> = LazyLock::new(Cast::example);

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not zero")
}

/// Half an hour each; it has begun at 0.
pub(in crate::doors::xmpp::room) fn started() -> Game {
    let control = TimeControl::Fischer {
        initial: Millis::from_secs(1800),
        increment: Millis::ZERO,
    };
    let creation = Creation::open(player(1), Terms::casual(control));
    let mut game = Game::create(Timestamp(0), creation).expect("a game");
    let joined = Event::Joined {
        player: player(2),
        color: Color::Black,
        ratings: ByColor::default(),
    };
    game.evolve(Timestamp(0), &joined);
    game
}

/// After these moves, each so many milliseconds after the one before.
pub(in crate::doors::xmpp::room) fn played<const N: usize>(
    moves: &[&str; N],
    took: [u64; N],
) -> Game {
    let mut game = started();
    for (text, took) in moves.iter().zip(took) {
        play(&mut game, text, took);
    }
    game
}

/// One more move; what happened.
fn play(game: &mut Game, text: &str, took: u64) -> Event {
    let mover = game.seats().get(game.turn()).expect("somebody plays");
    let command = Command::Move(MoveCommand::new(text));
    act(game, mover, took, &command)
}

fn act(game: &mut Game, who: PlayerId, took: u64, command: &Command) -> Event {
    let at = Timestamp(game.last_at().0 + took);
    match game.decide(at, Actor::Player(who), command) {
        Verdict::Change(event) => {
            game.evolve(at, &event);
            event
        }
        other => panic!("{command:?}: {other:?}"),
    }
}

fn tell(before: &Game, event: &Event, after: &Game) -> Vec<Told> {
    told(&CAST, before.board(), event, after, &OnceLock::new(), None)
}

/// What is inside `<game/>`, and the sentence.
fn check(before: &Game, event: &Event, after: &Game, expected: &[(&str, Option<&str>)]) {
    let told = tell(before, event, after);
    let head = CAST.game(after).write();
    let head = head.trim_end_matches("/>");
    let inside = told.iter().map(|told| {
        let text = told.game.write();
        let text = text.strip_prefix(head).expect("the game's head").to_owned();
        (text, told.text.clone())
    });
    let times = times(after, after.last_at());
    let times: String = times.iter().map(Element::write).collect();
    let times = times.replace(" xmlns='http://onlinegamegroup.com/xml/chesspark-01'", "");
    let expected = expected.iter().map(|(what, text)| {
        let text = text.map(str::to_owned);
        (format!(">{what}{times}</game>"), text)
    });
    assert_eq!(inside.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}

/// The seed's own example, letter by letter but for the white space.
#[test]
fn a_move_is_told_as_chesspark_told_it() {
    let before = started();
    let mut after = before.clone();
    let event = play(&mut after, "e2e4", 0);
    let told = tell(&before, &event, &after);
    assert_eq!(
        told[0].game.write(),
        "<game xmlns='http://onlinegamegroup.com/xml/chesspark-01' \
         white='metajack@chesspark.com' black='trainer@chesspark.com' id='1234'>\
         <move player='metajack@chesspark.com' side='white' ply='1' number='1'>e2e4</move>\
         <time control='0' side='black'>1800.0</time>\
         <time control='0' side='white'>1800.0</time></game>"
    );
    assert_eq!(told[0].text.as_deref(), Some("1. e4"));
    assert_eq!(told.len(), 1);
}

#[test]
fn a_move_that_mates_is_told_before_the_result() {
    let before = played(&["f2f3", "e7e5", "g2g4"], [0; 3]);
    let mut after = before.clone();
    let event = play(&mut after, "Qh4", 0);
    let mate = "<move player='trainer@chesspark.com' side='black' ply='4' number='2'>d8h4</move>";
    let result = "<result reason='checkmate' winner='black'>black_wins</result>";
    let expected = [(mate, Some("2... Qh4#")), (result, Some("0-1 checkmate"))];
    check(&before, &event, &after, &expected);
}

#[test]
fn what_players_offer_is_told_with_who_offers_it() {
    let game = played(&["e2e4", "e7e5"], [0; 2]);
    let by = "player='metajack@chesspark.com' side='white'";
    let other = "player='trainer@chesspark.com' side='black'";
    let (white, black) = (Color::White, Color::Black);
    for (event, what, text) in [
        (
            Event::Offered {
                offer: Offer::Draw,
                by: white,
            },
            format!("<draw {by}/>"),
            Some("metajack offers a draw."),
        ),
        (
            Event::OfferDeclined {
                offer: Offer::Draw,
                by: black,
            },
            format!("<draw {other} decline='1'/>"),
            Some("trainer declines the draw."),
        ),
        (
            Event::Offered {
                offer: Offer::Takeback,
                by: white,
            },
            format!("<takeback {by}/>"),
            Some("metajack asks to take back."),
        ),
        (
            Event::Offered {
                offer: Offer::Pause,
                by: black,
            },
            format!("<pause {other}/>"),
            Some("trainer asks for a pause."),
        ),
        (
            Event::Paused { by: Some(white) },
            "<pause done='1'/>".into(),
            Some("The game is paused."),
        ),
        (
            Event::TimeAdded {
                to: black,
                gift: Millis::from_secs(15),
            },
            format!("<addtime {by} seconds='15'/>"),
            Some("metajack gives 15 seconds."),
        ),
        (
            Event::TimeCredited {
                credit: Millis(2_500),
            },
            "<addtime side='white' seconds='2.5'/>".into(),
            None,
        ),
        (
            Event::Ended {
                ending: Ending::Won {
                    winner: black,
                    by: WinReason::Resignation,
                },
                by: Some(white),
            },
            "<result reason='resignation' winner='black'>black_wins</result>".into(),
            Some("0-1 resignation"),
        ),
    ] {
        let mut after = game.clone();
        after.evolve(game.last_at(), &event);
        check(&game, &event, &after, &[(&what, text)]);
    }
}

#[test]
fn a_pause_ends_when_both_are_ready() {
    let mut paused = played(&["e2e4", "e7e5"], [0; 2]);
    paused.evolve(paused.last_at(), &Event::Paused { by: None });
    let mut after = paused.clone();
    let event = Event::ResumeAsked { by: Color::White };
    after.evolve(paused.last_at(), &event);
    let ready = "<resume player='metajack@chesspark.com' side='white'/>";
    let text = Some("metajack is ready to go on.");
    check(&paused, &event, &after, &[(ready, text)]);
    let event = Event::Resumed { by: None };
    let before = after.clone();
    after.evolve(before.last_at(), &event);
    let expected = [("<resume done='1'/>", Some("The game goes on."))];
    check(&before, &event, &after, &expected);
}

#[test]
fn a_takeback_says_what_stands() {
    let game = played(&["e2e4", "e7e5", "g1f3"], [0; 3]);
    let mut after = game.clone();
    let (by, given) = (Color::Black, ByColor::default());
    let event = Event::TakenBack {
        plies: 1,
        by,
        given,
    };
    after.evolve(game.last_at(), &event);
    let what = "<takeback done='1' ply='2' number='2' side='white' \
                fen='rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'/>";
    let text = Some("Taken back to 2. White's move.");
    check(&game, &event, &after, &[(what, text)]);
}

#[test]
fn whoever_missed_something_is_told_the_same_words() {
    let before = played(&["e2e4"], [0]);
    let mut after = before.clone();
    let event = play(&mut after, "e7e5", 300);
    let now: Vec<_> = tell(&before, &event, &after);
    let later = since(&CAST, &after, before.version());
    assert_eq!(later, [(4, now)]);
    assert_eq!(since(&CAST, &after, 1).len(), 3, "the start and two moves");
    assert!(since(&CAST, &after, 4).is_empty());
}

#[test]
fn times_are_rounded_down_to_a_tenth() {
    for (ms, text) in [(1_800_000, "1800.0"), (999, "0.9"), (50, "0.0"), (0, "0.0")] {
        assert_eq!(seconds(Millis(ms)), text);
    }
}
