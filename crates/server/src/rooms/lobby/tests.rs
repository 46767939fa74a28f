use chess::Timestamp;
use chess::clock::TimeControl;
use chess::game::{Creation, Terms};
use chess::table::PlayerId;

use super::*;
use crate::rooms::{News, What};
use crate::settings::Settings;

fn id(number: u64) -> TableId {
    TableId::from_number(number).unwrap()
}

fn game() -> Arc<Game> {
    let creator = PlayerId::new(1).unwrap();
    let creation = Creation::open(creator, Terms::casual(TimeControl::Unlimited));
    Arc::new(Game::create(Timestamp(5), creation).unwrap())
}

fn open(number: u64) -> Arc<Open> {
    Arc::new(Open {
        id: id(number),
        game: game(),
        news: News::of(What::Ping),
    })
}

fn page(numbers: &[u64]) -> Option<Page> {
    Some(Page {
        open: numbers.iter().map(|number| open(*number)).collect(),
        ..Page::default()
    })
}

fn ids(picture: &Picture) -> Option<Vec<u64>> {
    let games = picture.games.as_ref()?;
    Some(games.iter().map(|open| open.id.number()).collect())
}

#[test]
fn while_nobody_reads_nothing_is_kept() {
    let rooms = Rooms::new(&Settings::default());
    let lobby = rooms.lobby();
    lobby.hears(id(1), Heard::Open(game()));
    lobby.lost();
    assert!(lobby.turn().is_none());
    let mut reader = rooms.read_lobby();
    let turn = lobby.turn().expect("the store is to be read");
    assert!(turn.must_read && turn.heard.is_empty());
    assert_eq!(ids(&reader.picture()), None, "not read yet");
    lobby.put_up(&turn, page(&[3, 4]), Vec::new());
    assert_eq!(ids(&reader.picture()), Some(vec![4, 3]));
    assert_eq!(lobby.readers(), 1);
    drop(reader);
    assert_eq!(ids(&rooms.read_lobby().picture()), None, "forgotten");
}

#[test]
fn what_is_read_for_those_who_have_left_is_not_shown_to_the_next() {
    let rooms = Rooms::new(&Settings::default());
    let lobby = rooms.lobby();
    let first = rooms.read_lobby();
    let turn = lobby.turn().expect("the store is to be read");
    drop(first);
    let mut second = rooms.read_lobby();
    lobby.put_up(&turn, page(&[3]), Vec::new());
    assert_eq!(ids(&second.picture()), None);
    assert!(lobby.turn().is_some_and(|turn| turn.must_read));
}

#[test]
fn what_came_and_went_between_two_looks_is_not_told() {
    let rooms = Rooms::new(&Settings::default());
    let lobby = rooms.lobby();
    let mut reader = rooms.read_lobby();
    let turn = lobby.turn().expect("a turn");
    lobby.hears(id(5), Heard::Open(game()));
    lobby.hears(id(5), Heard::Gone(Why::Joined));
    lobby.hears(id(5), Heard::Open(game()));
    lobby.put_up(&turn, page(&[3]), Vec::new());
    let epoch = reader.picture().epoch;
    let turn = lobby.turn().expect("a turn");
    assert_eq!(turn.heard.len(), 1);
    lobby.put_up(&turn, None, Vec::new());
    assert!(!reader.told.has_changed().unwrap(), "nothing to tell");
    assert_eq!(rooms.left_lobby(id(5)), Some(Why::Joined));
    assert_eq!((ids(&reader.picture()), epoch), (Some(vec![3]), 0));
}

/// Something that the store knows otherwise may be on its way: it was lost if it still
/// is when the store is asked again.
#[test]
fn what_is_astray_for_longer_was_lost() {
    let rooms = Rooms::new(&Settings::default());
    let lobby = rooms.lobby();
    let mut reader = rooms.read_lobby();
    assert_eq!(lobby.shown(), None, "not read yet");
    let turn = lobby.turn().expect("a turn");
    lobby.put_up(&turn, page(&[3]), Vec::new());
    assert_eq!(lobby.shown(), Some(HashMap::from([(id(3), 1)])));
    let says = |found: &[(u64, Option<u32>)]| {
        lobby.compare(
            found
                .iter()
                .map(|(number, version)| (id(*number), *version)),
        );
        lobby.turn()
    };
    assert!(says(&[(3, Some(1)), (4, None)]).is_none(), "on its way");
    assert!(says(&[(3, Some(2))]).is_none(), "another");
    let turn = says(&[(3, Some(2))]).expect("it was lost");
    lobby.put_up(&turn, page(&[4]), Vec::new());
    let picture = reader.picture();
    assert_eq!((ids(&picture), picture.epoch), (Some(vec![4]), 1));
    assert!(says(&[(4, None)]).is_none());
}

#[test]
fn a_bus_that_lost_something_has_the_store_read() {
    let lobby = Lobby::default();
    assert!(!lobby.has_lost((1, 0)), "the first look");
    assert!(!lobby.has_lost((1, 0)));
    assert!(lobby.has_lost((2, 0)), "connected again");
    assert!(lobby.has_lost((2, 7)), "too many at once");
}

#[test]
fn a_store_that_cannot_say_is_asked_again() {
    let rooms = Rooms::new(&Settings::default());
    let lobby = rooms.lobby();
    let _reader = rooms.read_lobby();
    let turn = lobby.turn().expect("a turn");
    lobby.put_off(turn);
    assert!(lobby.turn().is_some_and(|turn| turn.must_read));
}
