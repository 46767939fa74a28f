use chess::Timestamp;
use chess::clock::TimeControl;
use chess::game::{Creation, Event, Game, Terms};
use tokio::sync::broadcast::error::TryRecvError;

use super::super::room::{Chat, News};
use super::super::watched::Watched;
use super::*;

/// A version that is told; 0: look for yourself.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Version(u32);

impl News for Version {
    fn lost() -> Version {
        Version(0)
    }

    fn is_lost(&self) -> bool {
        self.0 == 0
    }
}

struct Plain;

impl Furnished for Plain {
    type News = Version;
    type Crowd = ();
    type Notes = ();
}

fn rooms() -> Rooms<Plain> {
    Rooms::new(4, |_| ())
}

fn table() -> TableId {
    TableId::from_random(7)
}

fn ann() -> PlayerId {
    PlayerId::new(1).unwrap()
}

#[test]
fn a_room_is_there_as_long_as_somebody_is() {
    let rooms = rooms();
    rooms.join(table(), Some(ann()));
    rooms.join(table(), None);
    assert!(rooms.is_here(table(), ann()));
    assert_eq!((rooms.watchers(table()), rooms.streams()), (1, 2));
    assert!(!rooms.leave(table(), None));
    assert!(rooms.is_open(table()));
    assert!(rooms.leave(table(), Some(ann())));
    assert!(!rooms.is_open(table()));
    assert_eq!(rooms.streams(), 0);
}

#[test]
fn a_player_with_two_streams_is_there_until_both_are_closed() {
    let rooms = rooms();
    for _ in 0..2 {
        rooms.join(table(), Some(ann()));
    }
    assert!(!rooms.leave(table(), Some(ann())));
    assert!(rooms.is_here(table(), ann()));
    assert!(rooms.leave(table(), Some(ann())));
    assert!(!rooms.is_here(table(), ann()));
}

#[test]
fn who_falls_behind_is_told_so_and_delays_nobody() {
    let room = rooms().join(table(), None);
    let (mut slow, mut quick) = (room.subscribe(false), room.subscribe(false));
    for version in 0..10 {
        room.tell(Version(version));
        assert_eq!(quick.try_recv(), Ok(Version(version)));
    }
    assert_eq!(slow.try_recv(), Err(TryRecvError::Lagged(6)));
    assert_eq!(slow.try_recv(), Ok(Version(6)));
}

#[test]
fn the_players_lane_carries_only_what_is_for_them() {
    let room = rooms().join(table(), Some(ann()));
    let (mut player, mut watcher) = (room.subscribe(true), room.subscribe(false));
    room.tell_watchers(Version(1));
    assert_eq!(watcher.try_recv(), Ok(Version(1)));
    assert_eq!(player.try_recv(), Err(TryRecvError::Empty));
}

/// What was said there is forgotten only when somebody else needs the place,
/// and what was told at once.
#[test]
fn what_is_spoken_outlasts_those_who_listen() {
    let rooms = rooms();
    let room = rooms.join(table(), None);
    room.take_in_chat(Chat::default());
    drop(room);
    rooms.leave(table(), None);
    assert!(!rooms.is_open(table()));
    assert!(rooms.hold(table()).chat(|_| ()).is_some());
}

/// Somebody reads what was said, to say something, when the last one leaves.
#[test]
fn a_room_that_somebody_holds_is_the_only_one_of_its_table() {
    let rooms = rooms();
    let held = rooms.hold(table());
    rooms.join(table(), None);
    rooms.leave(table(), None);
    assert!(Arc::ptr_eq(&held, &rooms.hold(table())));
    drop(held);
    assert!(rooms.open().is_empty());
    assert!(rooms.rooms.iter().all(|shard| lock(shard).is_empty()));
}

/// Whoever leaves holds all rooms' lock and waits for the room's.
#[test]
#[should_panic(expected = "from inside of one")]
#[cfg(debug_assertions)]
fn nobody_asks_for_the_rooms_from_inside_of_one() {
    let rooms = rooms();
    let room = rooms.join(table(), None);
    room.notes(|()| rooms.watchers(table()));
}

#[test]
fn a_room_is_marked_once_until_it_is_seen_to() {
    let rooms = rooms();
    rooms.join(table(), None);
    for how in [Loss::Full, Loss::Failed] {
        rooms.lost(table(), how);
    }
    assert_eq!(rooms.take_marked(9).len(), 1);
    assert_eq!(rooms.take_marked(9).len(), 0);
    rooms.lost(table(), Loss::Full);
    assert_eq!(rooms.take_marked(9).len(), 1);
}

/// It is kept, for what was said there: the mark must not be.
#[test]
fn a_room_that_empties_while_it_is_marked_is_marked_again() {
    let rooms = rooms();
    rooms.join(table(), None).take_in_chat(Chat::default());
    rooms.lost(table(), Loss::Full);
    rooms.leave(table(), None);
    assert_eq!(rooms.take_marked(9).len(), 0);
    rooms.join(table(), None);
    rooms.lost(table(), Loss::Full);
    assert_eq!(rooms.take_marked(9).len(), 1);
}

#[test]
fn of_many_that_lost_something_the_first_come_first() {
    let rooms = rooms();
    let ids = [3, 1, 2].map(TableId::from_random);
    for id in ids {
        rooms.join(id, None);
        rooms.lost(id, Loss::Full);
    }
    let taken = |max| {
        rooms
            .take_marked(max)
            .iter()
            .map(|room| room.id())
            .collect::<Vec<_>>()
    };
    assert_eq!(taken(2), ids[..2]);
    assert_eq!(taken(2), ids[2..]);
}

/// Begun at 0, with a delay of a minute; invitations at 10 and 20 s.
fn delayed(version: u32) -> Game {
    let mut terms = Terms::casual(TimeControl::Unlimited);
    terms.spectator_delay = 60;
    let mut game = Game::create(Timestamp(0), Creation::open(ann(), terms)).unwrap();
    for number in 2..=version {
        let at = Timestamp(u64::from(number - 1) * 10_000);
        let guest = PlayerId::new(number).unwrap();
        game.evolve(at, &Event::Invited(vec![guest]));
    }
    game
}

#[test]
fn who_comes_late_to_an_empty_room_is_told_what_is_still_in_the_delay() {
    let room = rooms().join(table(), None);
    let mut watcher = room.subscribe(false);
    room.came(&delayed(3), Timestamp(65_000));
    room.tell_due(Timestamp(65_000));
    assert_eq!(
        watcher.try_recv(),
        Ok(Version::lost()),
        "of the minute before"
    );
    assert_eq!(room.next_due(), Some(Timestamp(70_000)));
    room.tell_due(Timestamp(69_999));
    assert_eq!(watcher.try_recv(), Err(TryRecvError::Empty));
    for due in [70_000, 80_000] {
        room.tell_due(Timestamp(due));
        assert_eq!(watcher.try_recv(), Ok(Version::lost()));
    }
    assert_eq!(room.next_due(), None);
}

/// They look just before they may know of the last change, and the room is taken up
/// just after: by whoever tells them, or by a change that came first.
#[test]
fn who_looks_before_the_room_is_taken_up_is_told_what_they_could_not_see() {
    let room = rooms().join(table(), None);
    let mut watcher = room.subscribe(false);
    let looked = Timestamp(79_999);
    assert_eq!(delayed(3).version_seen(looked), 2);
    let now = Timestamp(80_001);
    room.came(&delayed(3), now);
    assert!(room.next_due().is_some_and(|due| due <= now));
    room.tell_due(now);
    assert_eq!(watcher.try_recv(), Ok(Version::lost()));
    assert_eq!(
        watcher.try_recv(),
        Err(TryRecvError::Empty),
        "once is enough"
    );
}

#[test]
fn what_comes_out_of_order_is_not_told_in_that_order() {
    let room = rooms().join(table(), Some(ann()));
    let (mut player, mut watcher) = (room.subscribe(true), room.subscribe(false));
    room.open(&delayed(1), Timestamp(0));
    let now = Timestamp(20_000);
    assert!(room.changed(&delayed(3), Version(3), now));
    assert!(!room.changed(&delayed(2), Version(2), now));
    assert_eq!(player.try_recv(), Ok(Version::lost()));
    assert_eq!(player.try_recv(), Err(TryRecvError::Empty));
    assert_eq!(
        watcher.try_recv(),
        Ok(Version::lost()),
        "nothing to see yet"
    );
    for due in [60_000, 70_000, 80_000] {
        room.tell_due(Timestamp(due));
        assert_eq!(watcher.try_recv(), Ok(Version::lost()), "{due}");
    }
}
