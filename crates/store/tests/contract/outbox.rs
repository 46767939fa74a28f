//! What others are told: written with the change, read in one order by everybody.

use chess::Timestamp;
use chess::rating::{Category, Effect, Outcome, Score};
use chess::{ByColor, Millis};
use store::{
    Change, Error, EventKind, EventKinds, EventPlace, NewReport, OutboxEvent, OutboxPage,
    OutboxQuery, Rates, Reporting, Store,
};

use crate::support::*;

fn page(store: &Store, query: OutboxQuery) -> OutboxPage {
    wait(store.outbox(query)).expect("events can be read")
}

/// What was told, in that order.
fn told_of(store: &Store) -> Vec<(EventKind, u64, u32)> {
    let shown = |e: &OutboxEvent| (e.kind, e.table.map_or(0, |t| t.number()), e.version);
    events(store).iter().map(shown).collect()
}

fn telling(kinds: &[EventKind], change: Change) -> Change {
    Change {
        tells: kinds.iter().copied().collect(),
        ..change
    }
}

fn made(number: u64) -> Change {
    telling(&[EventKind::GameCreated], created(row(number, 1)))
}

pub(crate) fn what_a_change_tells_is_written_with_it(home: &mut Home) {
    let store = home.store();
    commit(store, made(5)).unwrap();
    commit(store, moved(5, 2)).unwrap();
    commit(store, telling(&[EventKind::MovePlayed], moved(5, 3))).unwrap();
    let rates = Rates {
        effect: Effect::Rated(Outcome {
            category: Category::Blitz,
            players: ByColor {
                white: player(1),
                black: player(2),
            },
            score: Score::Drawn,
        }),
        per_day: 10,
        delay: Millis::ZERO,
    };
    let end = Change {
        rates: Some(Box::new(rates)),
        ..telling(
            &[EventKind::GameEnded, EventKind::MovePlayed],
            changed(over(5, 4)),
        )
    };
    commit(store, end).unwrap();
    let store = home.restart();
    let expected = [
        (EventKind::GameCreated, 5, 1),
        (EventKind::MovePlayed, 5, 3),
        (EventKind::MovePlayed, 5, 4),
        (EventKind::GameEnded, 5, 4),
        (EventKind::RatingChanged, 5, 4),
    ];
    assert_eq!(told_of(store), expected);
    let at: Vec<Timestamp> = events(store).iter().map(|event| event.at).collect();
    assert_eq!(at, [6, 8, 9, 9, 9].map(Timestamp));
}

pub(crate) fn many_moves_at_once_are_all_told(home: &mut Home) {
    let store = home.store();
    commit_all(store, (1..=200).map(made));
    // Some of them among others that are told to nobody.
    let second = |number: u64| match number % 3 {
        0 => moved(number, 2),
        _ => telling(&[EventKind::MovePlayed], moved(number, 2)),
    };
    commit_all(store, (1..=200).map(second));
    let mut moves: Vec<u64> = told_of(store)
        .into_iter()
        .filter(|(kind, ..)| *kind == EventKind::MovePlayed)
        .map(|(_, number, version)| {
            assert_eq!(version, 2);
            number
        })
        .collect();
    moves.sort_unstable();
    let expected: Vec<u64> = (1..=200).filter(|number| number % 3 != 0).collect();
    assert_eq!(moves, expected);
}

pub(crate) fn a_refused_change_tells_nothing(home: &mut Home) {
    let store = home.store();
    commit(store, made(5)).unwrap();
    let before = told_of(store);
    let late = [
        telling(&[EventKind::MovePlayed], moved(5, 7)),
        telling(&[EventKind::GameEnded], changed(over(5, 7))),
        made(5),
    ];
    for change in late {
        assert_eq!(commit(store, change), Err(Error::Conflict));
    }
    assert_eq!(told_of(store), before);
}

pub(crate) fn what_was_told_can_be_told_again(home: &mut Home) {
    let store = home.store();
    commit(store, made(5)).unwrap();
    let before = load(store, id(5));
    wait(store.tell_again(EventKind::GameEnded, id(5), 1, Timestamp(77))).unwrap();
    let told = *events(store).last().expect("it is told");
    let found = (told.kind, told.table, told.version, told.at, told.report);
    let expected = (EventKind::GameEnded, Some(id(5)), 1, Timestamp(77), None);
    assert_eq!(found, expected);
    assert_eq!(events(store).len(), 2);
    assert_eq!(load(store, id(5)), before);
}

pub(crate) fn a_report_is_told_with_its_number(home: &mut Home) {
    let store = home.store();
    let report = |table| NewReport {
        reporter: player(1),
        reported: player(2),
        reason: "cheating".into(),
        table,
        text: String::new(),
        at: Timestamp(9),
    };
    for table in [None, Some(id(7))] {
        let Reporting::Made(made) = wait(store.report(report(table), 10)).unwrap() else {
            panic!("it is not made twice");
        };
        let event = *events(store).last().expect("it is told");
        assert_eq!(event.kind, EventKind::PlayerReported);
        let found = (event.at, event.table, event.version, event.report);
        assert_eq!(found, (Timestamp(9), table, 0, Some(made.id)));
        // The same again is none.
        let again = wait(store.report(report(table), 10)).unwrap();
        assert_eq!(again, Reporting::Again);
    }
    assert_eq!(events(store).len(), 2);
}

pub(crate) fn events_are_read_on_from_any_place(home: &mut Home) {
    let store = home.store();
    for number in 1..=7 {
        commit(store, made(number)).unwrap();
    }
    assert_eq!(events(store).len(), 7);
    let mut numbers = Vec::new();
    let mut after = EventPlace::START;
    loop {
        let found = page(store, OutboxQuery::after(after, 3));
        assert_eq!(found.is_full, found.events.len() == 3);
        numbers.extend(
            found
                .events
                .iter()
                .filter_map(|e| e.table)
                .map(|t| t.number()),
        );
        assert!(
            found
                .events
                .windows(2)
                .all(|two| two[0].place < two[1].place)
        );
        if found.next == after {
            break;
        }
        after = found.next;
    }
    numbers.truncate(7);
    assert_eq!(numbers, (1..=7).collect::<Vec<u64>>());
    assert_eq!(wait(store.outbox_end()), Ok(after));
}

pub(crate) fn what_is_not_wanted_is_passed_over(home: &mut Home) {
    let store = home.store();
    commit(store, made(1)).unwrap();
    let mut other = row(2, 1);
    other.summary.creator = player(3);
    other.summary.opponent = Some(player(4));
    (other.summary.white, other.summary.black) = (None, None);
    let kinds = [EventKind::GameCreated, EventKind::GameStarted];
    commit(store, telling(&kinds, created(other))).unwrap();
    assert_eq!(events(store).len(), 3);
    let end = wait(store.outbox_end()).unwrap();
    let found = |player_number: Option<u32>, kinds| {
        let query = OutboxQuery {
            player: player_number.map(player),
            kinds,
            ..OutboxQuery::after(EventPlace::START, 10)
        };
        let found = page(store, query);
        assert_eq!(found.next, end, "what is not theirs is behind them too");
        found.events.len()
    };
    let games = EventKinds::ALL.without(EventKind::PlayerReported);
    assert_eq!(found(None, games), 3);
    assert_eq!(found(Some(1), EventKinds::ALL), 1);
    assert_eq!(found(Some(2), EventKinds::ALL), 1);
    assert_eq!(found(Some(3), EventKinds::ALL), 2);
    assert_eq!(found(Some(4), EventKinds::ALL), 2, "who is asked to play");
    assert_eq!(found(Some(5), EventKinds::ALL), 0);
    let started = EventKinds::NONE.with(EventKind::GameStarted);
    assert_eq!(found(None, started), 1);
    assert_eq!(found(Some(1), started), 0);
}

pub(crate) fn a_cursor_is_moved_by_who_knows_where_it_is(home: &mut Home) {
    let store = home.store();
    let place = |id| EventPlace { xid: 0, id };
    let moved = |from, to| wait(store.move_event_cursor("test", from, to)).unwrap();
    assert_eq!(wait(store.event_cursor("test")), Ok(None));
    assert!(!moved(Some(place(1)), place(2)), "it is not there yet");
    assert!(moved(None, place(1)));
    assert!(!moved(None, place(2)));
    assert!(moved(Some(place(1)), place(5)));
    assert!(!moved(Some(place(1)), place(6)), "somebody was first");
    let store = home.restart();
    assert_eq!(wait(store.event_cursor("test")), Ok(Some(place(5))));
    assert_eq!(wait(store.event_cursor("other")), Ok(None));
}

pub(crate) fn a_lease_is_one_holders_until_it_ends(home: &mut Home) {
    let store = home.store();
    let take = |holder, now: u64| {
        let (now, until) = (Timestamp(now), Timestamp(now + 10));
        wait(store.lease("test", holder, now, until)).unwrap()
    };
    assert!(take(1, 0));
    assert!(!take(2, 5));
    assert!(take(1, 5), "it is made longer");
    assert!(!take(2, 14));
    assert!(take(2, 15));
    assert!(!take(1, 16));
}
