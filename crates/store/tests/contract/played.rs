//! How many games somebody has played.

use chess::Color;
use chess::Timestamp;
use store::{ListQuery, Played, PlayedQuery, PlayerOutcome, Row, Store};

use crate::support::*;

fn add(store: &Store, row: Row) {
    let mut change = changed(row);
    change.expected = 0;
    commit(store, change).unwrap();
}

/// A table that is over, and ended then.
fn ended(number: u64, at: u64, result: &'static str) -> Row {
    let mut row = over(number, 3);
    row.summary.updated_at = Timestamp(at);
    row.summary.ended_at = Some(Timestamp(at));
    row.summary.result = Some(result);
    row
}

fn played(store: &Store, number: u32, known_at: u64) -> Vec<Played> {
    against(store, number, known_at, None)
}

fn against(store: &Store, number: u32, known_at: u64, other: Option<u32>) -> Vec<Played> {
    let query = PlayedQuery {
        against: other.map(player),
        kind: 0,
        player: player(number),
        known_at: Timestamp(known_at),
    };
    wait(store.played(query)).unwrap()
}

fn counted(variant: &str, speed: &str, rated: bool, counts: [u32; 3]) -> Played {
    let [games, wins, draws] = counts;
    Played {
        variant: variant.to_owned(),
        speed: speed.to_owned(),
        rated,
        games,
        wins,
        draws,
    }
}

pub(crate) fn finished_games_are_counted_by_what_they_were(home: &mut Home) {
    let store = home.store();
    for (number, result) in [(1, "white_wins"), (2, "black_wins"), (3, "draw")] {
        add(store, ended(number, 500, result));
    }
    let mut casual = ended(4, 500, "white_wins");
    casual.summary.rated = false;
    add(store, casual);
    let mut rapid = ended(5, 500, "black_wins");
    rapid.summary.speed = "rapid";
    add(store, rapid);
    let mut atomic = ended(6, 500, "black_wins");
    atomic.summary.variant = "atomic";
    add(store, atomic);
    add(store, row(7, 2));
    add(store, waiting(8));
    let white = [
        counted("atomic", "blitz", true, [1, 0, 0]),
        counted("standard", "blitz", false, [1, 1, 0]),
        counted("standard", "blitz", true, [3, 1, 1]),
        counted("standard", "rapid", true, [1, 0, 0]),
    ];
    let black = [
        counted("atomic", "blitz", true, [1, 1, 0]),
        counted("standard", "blitz", false, [1, 0, 0]),
        counted("standard", "blitz", true, [3, 1, 1]),
        counted("standard", "rapid", true, [1, 1, 0]),
    ];
    assert_eq!(played(store, 1, 1_000), white);
    assert_eq!(played(store, 2, 1_000), black);
    assert_eq!(played(store, 3, 1_000), []);
    assert_eq!(against(store, 1, 1_000, Some(2)), white);
    assert_eq!(against(store, 1, 1_000, Some(3)), []);
    home.restart();
    assert_eq!(played(home.store(), 1, 1_000), white);
}

pub(crate) fn what_nobody_may_know_of_is_not_counted(home: &mut Home) {
    let store = home.store();
    let mut late = ended(1, 500, "white_wins");
    late.summary.delay_ms = 300;
    add(store, late);
    let mut private = ended(2, 500, "white_wins");
    private.summary.private = true;
    add(store, private);
    add(store, ended(3, 500, "aborted"));
    let mut other = ended(4, 500, "white_wins");
    other.kind = 1;
    add(store, other);
    // Asked to play, and did not come.
    let mut asked = ended(5, 500, "white_wins");
    asked.summary.black = None;
    asked.summary.opponent = Some(player(2));
    add(store, asked);
    assert_eq!(played(store, 2, 799), []);
    let known = [counted("standard", "blitz", true, [1, 0, 0])];
    assert_eq!(played(store, 2, 800), known);
}

pub(crate) fn games_are_found_by_side_result_opponent_and_time(home: &mut Home) {
    let store = home.store();
    for (number, result) in [(1, "white_wins"), (2, "black_wins"), (3, "draw")] {
        add(store, ended(number, 500, result));
    }
    let mut swapped = ended(4, 500, "white_wins");
    swapped.summary.white = Some(player(3));
    swapped.summary.black = Some(player(1));
    add(store, swapped);
    add(store, row(5, 2));
    let of = |number| ListQuery {
        player: Some(player(number)),
        limit: 10,
        ..ListQuery::default()
    };
    let list = |query: ListQuery| {
        let page = wait(store.list(query)).unwrap();
        page.iter()
            .map(|place| place.table.number())
            .collect::<Vec<_>>()
    };
    for (outcome, first, second) in [
        (PlayerOutcome::Won, vec![1], vec![2]),
        (PlayerOutcome::Lost, vec![4, 2], vec![1]),
        (PlayerOutcome::Drawn, vec![3], vec![3]),
    ] {
        let outcome = Some(outcome);
        assert_eq!(list(ListQuery { outcome, ..of(1) }), first, "{outcome:?}");
        assert_eq!(list(ListQuery { outcome, ..of(2) }), second, "{outcome:?}");
    }
    let color = |color| ListQuery {
        color: Some(color),
        ..of(1)
    };
    assert_eq!(list(color(Color::White)), [5, 3, 2, 1]);
    assert_eq!(list(color(Color::Black)), [4]);
    let other = Some(player(3));
    assert_eq!(list(ListQuery { other, ..of(1) }), [4]);
    let (since, until) = (Some(Timestamp(2)), Some(Timestamp(4)));
    assert_eq!(
        list(ListQuery {
            since,
            until,
            ..of(1)
        }),
        [3, 2]
    );
}
