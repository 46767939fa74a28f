//! What may not be agreed on, and what is too much.

use chess::game::{BadTerms, Command, Event, Game, MoveCommand, Refusal};
use chess::rules::Start;
use chess::table::{Actor, PlayerId, Verdict};
use chess::{Color, Millis};

use crate::command::{Who, joining};
use crate::script::{at, check};
use crate::terms;

#[track_caller]
fn refused(terms: &str, why: &str) {
    let (creation, _) = terms::read(terms);
    let error = Game::create(at(Millis::ZERO), creation).expect_err("unacceptable terms");
    assert_eq!(error.to_string(), why, "{terms}");
}

#[test]
fn the_bounds_of_a_time_control_are_checked() {
    let long = "a clock starts with at most 12 hours";
    let much = "an increment or a delay is at most 10 minutes";
    let none = "a clock needs time, or an increment";
    for (control, why) in [
        ("721+0", long),
        ("721+5 us delay", long),
        ("40/721+0 then 30+0", long),
        ("5+601", much),
        ("5+601 bronstein", much),
        ("0+0", none),
        ("5+0 us delay", "a delay is at least a second"),
        (
            "0+5 us delay",
            "with a delay, the clock needs time to start with",
        ),
        ("40/90+30 then 0+30", "every stage needs time to start with"),
        (
            "40/90+0 then 20/30+0",
            "the last stage has no number of moves: it holds the rest",
        ),
        (
            "201/90+0 then 30+0",
            "every stage but the last needs moves, from 1 to 200",
        ),
        (
            "1/1+0 then 1/1+0 then 1/1+0 then 1/1+0 then 1+0",
            "at most 4 stages",
        ),
        ("0 days", "a move has from 1 to 14 days"),
        ("15 days", "a move has from 1 to 14 days"),
        ("no clock, rated", "a rated game needs a clock"),
    ] {
        refused(control, why);
    }
    for control in [
        "720+600",
        "0+1",
        "1 days",
        "14 days",
        "200/720+600 then 1+0",
    ] {
        let (creation, _) = terms::read(control);
        assert!(
            Game::create(at(Millis::ZERO), creation).is_ok(),
            "{control}"
        );
    }
}

#[test]
fn a_position_of_ones_own_is_for_casual_games_and_must_be_possible() {
    let fen = "from 4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    refused(
        &format!("5+0, rated, {fen}"),
        "initial_fen is for casual games only",
    );
    refused("5+0, from 4k3/8/8/8/8/8/8/8 w - - 0 1", "a king is missing");
    refused(
        "5+0, from k7/8/1Q6/8/8/8/8/K7 b - - 0 1",
        "the game is already over in this position",
    );
}

#[test]
fn what_stands_against_rating_a_game_is_named() {
    let fen = "from 4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for (terms, named) in [
        ("no clock, rated", "time_control"),
        (&format!("5+0, rated, {fen}"), "initial_fen"),
    ] {
        let (creation, _) = terms::read(terms);
        match Game::create(at(Millis::ZERO), creation) {
            Err(BadTerms::CannotBeRated(field, _)) => assert_eq!(field, named),
            other => panic!("{terms}: {other:?}"),
        }
    }
}

/// FIDE 9.3: fifty moves draw when somebody claims it, and nobody has to.
#[test]
fn a_start_after_fifty_quiet_moves_is_for_games_in_which_draws_are_claimed() {
    let start = |halfmoves: u32| format!("from 4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 200");
    refused(
        &format!("5+0, {}", start(100)),
        "the halfmove clock says that fifty moves have already passed",
    );
    check(&format!(
        "5+0, {} | 0s Ra2 -> draw by fifty moves",
        start(99)
    ));
    check(&format!(
        "5+0, claim, {} | 0s w claims draw -> draw by fifty moves",
        start(100)
    ));
    check(&format!("5+0, claim, {} | 0s Ra2 -> ACTIVE", start(148)));
    for halfmoves in [149, 150, 9999] {
        let start = start(halfmoves);
        check(&format!(
            "5+0, claim, {start} | 0s Ra2 -> draw by seventy-five moves"
        ));
    }
}

#[test]
fn the_other_terms_have_their_bounds() {
    refused(
        "5+0, forfeit after 101",
        "illegal_moves forfeit_after must be from 1 to 100",
    );
    refused("5+0, by black, for b", "opponent_id must be somebody else");
    let (fair, _) = terms::read("5+0");
    let refusal = |creation| match Game::create(at(Millis::ZERO), creation) {
        Err(BadTerms::Field(field, _)) => field,
        other => panic!("expected a field, found {other:?}"),
    };
    let mut late = fair.clone();
    late.terms.spectator_delay = 901;
    assert_eq!(refusal(late), "spectator_delay_seconds");
    let mut crowd = fair.clone();
    crowd.invited = names(201);
    assert_eq!(refusal(crowd), "invited");
    let mut numbered = fair;
    numbered.start = Start::Chess960(518);
    let error = Game::create(at(Millis::ZERO), numbered).expect_err("a numbered start");
    assert!(matches!(error, BadTerms::Fen(_)), "{error}");
}

fn names(count: u32) -> Vec<PlayerId> {
    (10..10 + count).filter_map(PlayerId::new).collect()
}

#[test]
fn a_game_invites_two_hundred_names_at_the_most() {
    let (creation, _) = terms::read("5+0, private");
    let mut game = Game::create(at(Millis::ZERO), creation).expect("good terms");
    let invite = |game: &Game, count| {
        let command = Command::Invite(names(count));
        game.decide(at(Millis::ZERO), Who::White.actor(), &command)
    };
    assert!(matches!(invite(&game, 201), Verdict::Refused(_)));
    let Verdict::Change(event) = invite(&game, 200) else {
        panic!("two hundred are welcome");
    };
    game.evolve(at(Millis::ZERO), &event);
    assert!(matches!(invite(&game, 201), Verdict::Refused(_)));
    assert!(matches!(invite(&game, 200), Verdict::Already(_)));
}

/// Otherwise somebody could make a game without end out of offers and pauses.
#[test]
fn a_record_of_twenty_thousand_changes_takes_only_what_ends_the_game() {
    const RECORD_MAX: u32 = 20_000;
    let now = at(Millis::ZERO);
    let (creation, _) = terms::read("5+0, from k7/8/1K6/8/8/8/8/7R w - - 0 1");
    let mut game = Game::create(now, creation).expect("good terms");
    let change = |game: &Game, who: Actor, command| match game.decide(now, who, &command) {
        Verdict::Change(event) => Some(event),
        _ => None,
    };
    let joined = change(&game, Who::Black.actor(), joining(Color::Black)).expect("a free seat");
    game.evolve(now, &joined);
    while game.version() < RECORD_MAX {
        let idle = [Command::Pause, Command::Resume]
            .into_iter()
            .find_map(|command| change(&game, Actor::Operator, command));
        game.evolve(now, &idle.expect("the record is not full"));
    }
    let by_white = |command| change(&game, Who::White.actor(), command);
    let plays = |text| Command::Move(MoveCommand::new(text));
    assert_eq!(change(&game, Actor::Operator, Command::Pause), None);
    assert_eq!(by_white(plays("Rh2")), None);
    assert!(by_white(plays("Rh8")).is_some(), "mate ends the game");
    assert!(matches!(
        by_white(Command::Resign),
        Some(Event::Ended { .. })
    ));
}

/// A game in which both have agreed to play.
fn friendly() -> (Game, [PlayerId; 2]) {
    begun("5+0")
}

fn begun(terms: &str) -> (Game, [PlayerId; 2]) {
    let (creation, _) = terms::read(terms);
    let white = creation.creator;
    let black = PlayerId::new(white.number() + 1).unwrap();
    let mut game = Game::create(at(Millis::ZERO), creation).unwrap();
    apply(&mut game, black, &joining(Color::Black));
    (game, [white, black])
}

fn apply(game: &mut Game, who: PlayerId, command: &Command) {
    let now = game.last_at();
    match game.decide(now, Actor::Player(who), command) {
        Verdict::Change(event) => game.evolve(now, &event),
        other => panic!("{command:?}: {other:?}"),
    }
}

fn refusal(game: &Game, who: PlayerId, command: &Command) -> Option<&'static str> {
    match game.decide(game.last_at(), Actor::Player(who), command) {
        Verdict::Refused(Refusal::NotAllowed(why)) => Some(why),
        _ => None,
    }
}

#[test]
fn a_game_has_so_many_takebacks_and_is_read_in_one_pass() {
    let (mut game, [white, black]) = friendly();
    let offer = Command::Offer(chess::game::Offer::Takeback);
    for _ in 0..100 {
        apply(&mut game, white, &Command::Move(MoveCommand::new("e4")));
        apply(&mut game, white, &offer);
        apply(
            &mut game,
            black,
            &Command::Accept(chess::game::Offer::Takeback),
        );
    }
    apply(&mut game, white, &Command::Move(MoveCommand::new("d4")));
    let why = refusal(&game, white, &offer);
    assert_eq!(why, Some("this game has had its 100 takebacks"));
    // Whichever way it is gone through, the same comes out.
    let again = Game::decode(&chess::table::Table::encode(&game)).unwrap();
    assert_eq!(format!("{again:?}"), format!("{game:?}"));
    let then = game.as_of(game.version() - 1).unwrap();
    assert_eq!(
        (then.ply(), then.board().fen()),
        (0, game.start_board().fen())
    );
    apply(&mut game, black, &Command::Move(MoveCommand::new("d5")));
}

#[test]
fn a_record_is_not_filled_with_gifts() {
    let (mut game, [white, black]) = friendly();
    let gift = Command::AddTime(Millis::from_secs(5));
    let mut gifts = 0;
    let why = loop {
        match refusal(&game, white, &gift) {
            Some(why) => break why,
            None => apply(&mut game, white, &gift),
        }
        gifts += 1;
    };
    assert_eq!(
        why,
        "this game's record is full of offers, gifts and takebacks"
    );
    assert_eq!(gifts, 1998);
    // What is played has room, and so has the end.
    apply(&mut game, white, &Command::Move(MoveCommand::new("e4")));
    apply(&mut game, black, &Command::Resign);
}

#[test]
fn a_record_is_not_filled_with_changes_of_a_vacation() {
    let (mut game, [white, black]) = begun("3 days");
    let note = |game: &mut Game, days: u32| {
        let now = game.last_at();
        let until = (days > 0).then(|| now + Millis::from_days(days));
        let command = Command::Vacation { of: white, until };
        match game.decide(now, Actor::Server, &command) {
            Verdict::Change(event) => game.evolve(now, &event),
            Verdict::Refused(Refusal::NotAllowed(_)) => return false,
            other => panic!("{other:?}"),
        }
        true
    };
    let mut changes = 0;
    while note(&mut game, 5 + changes % 2) {
        changes += 1;
    }
    assert!((900..1_000).contains(&changes), "{changes}");
    // It can still be made shorter and ended, and there is room for another.
    assert!(note(&mut game, 2) && note(&mut game, 0) && note(&mut game, 3));
    assert!(!note(&mut game, 4));
    let offer = Command::Offer(chess::game::Offer::Draw);
    apply(&mut game, white, &Command::Move(MoveCommand::new("e4")));
    apply(&mut game, black, &Command::Move(MoveCommand::new("e5")));
    apply(&mut game, white, &offer);
}
