use chess::ByColor;
use chess::clock::TimeControl;
use chess::game::{Creation, Event, Terms};
use chess::table::PlayerId;

use super::*;
use crate::rooms::What;

fn id(number: u64) -> TableId {
    TableId::from_number(number).unwrap()
}

fn game(made_at: u64) -> Game {
    let creator = PlayerId::new(1).unwrap();
    let creation = Creation::open(creator, Terms::casual(TimeControl::Unlimited));
    Game::create(Timestamp(made_at), creation).unwrap()
}

fn open_as(number: u64, game: Game) -> Arc<Open> {
    Arc::new(Open {
        id: id(number),
        game: Arc::new(game),
        news: News::of(What::Ping),
    })
}

fn open(number: u64, made_at: u64) -> Arc<Open> {
    open_as(number, game(made_at))
}

fn shown(board: &Board) -> Vec<u64> {
    let games = board.newest_first();
    games.iter().map(|open| open.id.number()).collect()
}

#[test]
fn games_are_shown_newest_first_and_those_of_one_moment_as_lists_do() {
    let mut board = Board::default();
    for (number, made_at) in [(1, 50), (2, 70), (9, 60), (3, 60)] {
        assert!(board.put(open(number, made_at)));
    }
    assert_eq!(shown(&board), [2, 9, 3, 1]);
    assert!(!board.put(open(9, 60)), "known");
}

#[test]
fn what_has_gone_stays_gone_whatever_comes_late() {
    let mut board = Board::default();
    assert!(!board.take_off(id(7), Why::Joined), "it was not there yet");
    assert!(!board.put(open(7, 5)), "and does not come any more");
    let page = Page {
        open: vec![open(7, 5), open(8, 6)],
        ..Page::default()
    };
    board.replace(page);
    assert_eq!(shown(&board), [8], "nor by a list that is a moment old");
    assert_eq!(board.why(id(7)), Some(Why::Joined));
    assert_eq!(board.why(id(8)), None);
}

#[test]
fn a_newer_version_takes_the_place_of_an_older_one() {
    let mut board = Board::default();
    let mut newer = game(5);
    newer.evolve(
        Timestamp(6),
        &Event::Invited(vec![PlayerId::new(2).unwrap()]),
    );
    assert!(board.put(open_as(7, newer)));
    assert!(!board.put(open(7, 5)), "older");
    assert_eq!(board.versions(), HashMap::from([(id(7), 2)]));
}

#[test]
fn only_the_newest_are_kept_and_older_ones_asked_for_when_many_have_gone() {
    let mut board = Board::default();
    let count = KEPT_MAX as u64 + 5;
    for number in 1..=count {
        board.put(open(number, number));
    }
    assert_eq!(shown(&board).len(), KEPT_MAX);
    assert_eq!(shown(&board).last(), Some(&6));
    assert!(board.is_cut() && !board.is_thin());
    for number in 0..=KEPT_MAX as u64 / 2 {
        assert!(board.take_off(id(count - number), Why::Cancelled));
    }
    assert!(board.is_thin());
}

#[test]
fn what_the_store_says_otherwise_is_astray() {
    let mut board = Board::default();
    board.replace(Page {
        open: vec![open(1, 1)],
        passed_over: HashSet::from([id(2)]),
        is_cut: false,
    });
    board.take_off(id(3), Why::Expired);
    for (number, version, is_astray) in [
        (1, None, false),
        (1, Some(1), false),
        (1, Some(2), true),
        (2, None, false),
        (3, None, false),
        (4, None, true),
    ] {
        assert_eq!(board.is_astray(id(number), version), is_astray, "{number}");
    }
}

#[test]
fn why_a_game_went_is_found_in_the_game() {
    let ended = |by| {
        let mut game = game(5);
        let ending = Ending::Aborted { by };
        game.evolve(Timestamp(6), &Event::Ended { ending, by: None });
        Why::of(&game)
    };
    assert_eq!(ended(AbortReason::Cancelled), Why::Cancelled);
    assert_eq!(ended(AbortReason::Expired), Why::Expired);
    assert_eq!(ended(AbortReason::Operator), Why::Aborted);
    let mut joined = game(5);
    let player = PlayerId::new(2).unwrap();
    let color = chess::Color::Black;
    joined.evolve(
        Timestamp(6),
        &Event::Joined {
            player,
            color,
            ratings: ByColor::default(),
        },
    );
    assert_eq!(Why::of(&joined), Why::Joined);
    for why in Why::ALL {
        assert_eq!(Why::from_code(why.code()), Some(why));
    }
}
