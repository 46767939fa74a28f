//! Slow games: what comes up, and what is decided for days ahead.

use chess::Timestamp;
use chess::table::PlayerId;
use store::{Change, Due, Plan, Row, Store, TableId, Upcoming, Vacation};

use crate::people::{create, new};
use crate::support::*;

fn due_before(
    store: &Store,
    before: u64,
    after: Option<(Timestamp, TableId)>,
    limit: u32,
) -> Upcoming {
    told(|done| store.due_before(Timestamp(before), after, limit, done)).unwrap()
}

fn numbers(page: &Upcoming) -> Vec<u64> {
    page.due.iter().map(|due| due.table.number()).collect()
}

/// The deadline of each is at 300,000 and its number.
pub(crate) fn what_comes_up_is_found_page_by_page(home: &mut Home) {
    let store = home.store();
    for number in [9, 3, 6, 12] {
        commit(store, created(row(number, 2))).unwrap();
    }
    commit(store, created(over(2, 9))).unwrap();
    assert_eq!(due_before(store, 300_003, None, 10), Upcoming::default());
    let page = due_before(store, 300_010, None, 2);
    assert_eq!(numbers(&page), [3, 6]);
    assert_eq!(page.due[0].at, Some(Timestamp(300_003)));
    let last = due_before(store, 300_010, page.next, 2);
    assert_eq!((numbers(&last), last.next), (vec![9], None));
    let all = due_before(store, 400_000, None, 4);
    let none = due_before(store, 400_000, all.next, 4);
    assert_eq!((all.due.len(), none), (4, Upcoming::default()));
    // A row that is behind is not waited for: it comes at once, or as it is now.
    commit(store, moved(12, 3)).unwrap();
    let store = home.restart();
    let first = due_before(store, 300_013, None, 100);
    assert!(numbers(&first).contains(&12));
}

/// A store may look for a table a while before it is due, and must not say so.
pub(crate) fn a_deadline_that_moves_is_found_where_it_went(home: &mut Home) {
    const HOUR: u64 = 3_600_000;
    let first = 300_005;
    let store = home.store();
    commit(store, created(row(5, 2))).unwrap();
    let deadlines = [
        Some(first + 1_000),
        Some(first + HOUR),
        Some(first + HOUR + 1),
        Some(first + 50 * HOUR),
        Some(first),
        None,
        Some(first + 7),
    ];
    for (version, deadline) in (3..).zip(deadlines) {
        for is_listed in [false, true] {
            let version = 2 * version + u32::from(is_listed) - 3;
            let deadline = deadline.map(Timestamp);
            let after = Row {
                deadline,
                ..row(5, version)
            };
            let change = Change {
                is_listed,
                ..changed(after)
            };
            commit(store, change).unwrap();
            tidy(store);
            let at = deadline.map_or(first, |at| at.0);
            assert_eq!(due_before(store, at, None, 9), Upcoming::default());
            let due = deadline.map(|at| Due {
                table: id(5),
                at: Some(at),
            });
            let found = due_before(store, at + 1, None, 9);
            assert_eq!(found.due, Vec::from_iter(due), "{deadline:?}");
        }
    }
}

fn plan(table: u64, account: PlayerId, ply: u32, lines: &str) -> Plan {
    Plan {
        table: id(table),
        account,
        version: 3,
        ply,
        lines: lines.to_owned(),
    }
}

pub(crate) fn conditional_moves_are_kept_for_their_owner(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = [player(1), player(2)];
    let (hers, his) = (plan(5, ann, 1, "e7e5 g1f3"), plan(5, bob, 2, "d2d4 d7d5"));
    assert_eq!(wait(store.plans_of(id(5))), Ok(vec![]));
    wait(store.set_plan(plan(5, ann, 1, "c7c5 g1f3"))).unwrap();
    wait(store.set_plan(hers.clone())).unwrap();
    wait(store.set_plan(his.clone())).unwrap();
    let other = plan(4, ann, 7, "a7a6 b5a4\nd7d6 c2c3");
    wait(store.set_plan(other.clone())).unwrap();
    let store = home.restart();
    assert_eq!(wait(store.plans_of(id(5))), Ok(vec![hers.clone(), his]));
    assert_eq!(wait(store.plans_by(ann)), Ok(vec![other, hers]));
}

pub(crate) fn conditional_moves_change_only_if_they_are_the_same(home: &mut Home) {
    let store = home.store();
    let ann = player(1);
    let (first, second) = (plan(5, ann, 1, "e7e5 g1f3"), plan(5, ann, 3, "b8c6 f1b5"));
    assert_eq!(wait(store.change_plan(first.clone(), None)), Ok(false));
    wait(store.set_plan(first.clone())).unwrap();
    let changed = wait(store.change_plan(first.clone(), Some(second.clone())));
    assert_eq!(changed, Ok(true));
    assert_eq!(wait(store.change_plan(first, None)), Ok(false));
    assert_eq!(wait(store.plans_of(id(5))), Ok(vec![second.clone()]));
    assert_eq!(wait(store.change_plan(second, None)), Ok(true));
    assert_eq!(wait(store.plans_of(id(5))), Ok(vec![]));
}

pub(crate) fn conditional_moves_of_games_that_went_on_are_found(home: &mut Home) {
    let store = home.store();
    let ann = player(1);
    commit(store, created(row(5, 2))).unwrap();
    commit(store, created(over(6, 4))).unwrap();
    let ply = |number| {
        let rows = wait(store.each_table(None, 100)).unwrap();
        let row = rows.into_iter().find(|row| row.table == id(number));
        row.unwrap().summary.ply
    };
    let waits = plan(5, ann, ply(5), "e7e5 g1f3");
    let over = plan(6, ann, ply(6), "e7e5 g1f3");
    let gone = plan(7, ann, 1, "e7e5 g1f3");
    for plan in [&waits, &over, &gone] {
        wait(store.set_plan(plan.clone())).unwrap();
    }
    let stale = |after, limit| wait(store.stale_plans(after, limit)).unwrap();
    assert_eq!(stale(None, 10), [over.clone(), gone.clone()]);
    assert_eq!(stale(None, 1), [over]);
    assert_eq!(stale(Some((id(6), ann)), 10), [gone]);
    wait(store.set_plan(plan(5, ann, ply(5) + 1, "e7e5 g1f3"))).unwrap();
    assert_eq!(stale(None, 10).len(), 3);
}

fn vacation(account: PlayerId, began_at: u64, ends_at: u64, is_recorded: bool) -> Vacation {
    Vacation {
        account,
        began_at: Timestamp(began_at),
        ends_at: Timestamp(ends_at),
        is_recorded,
    }
}

pub(crate) fn nobody_is_away_twice_at_once(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = [1, 2].map(player);
    let begin =
        |who, from, to| wait(store.begin_vacation(who, Timestamp(from), Timestamp(to))).unwrap();
    assert!(begin(ann, 10, 50));
    assert!(!begin(ann, 10, 60));
    assert!(!begin(ann, 49, 60));
    assert!(begin(bob, 20, 30));
    assert!(begin(ann, 50, 70));
    let of = |after| wait(store.vacations_of(ann, Timestamp(after))).unwrap();
    let [first, second] = [vacation(ann, 10, 50, false), vacation(ann, 50, 70, false)];
    assert_eq!(of(0), [first, second]);
    assert_eq!(of(50), [second]);
}

pub(crate) fn a_vacation_is_recorded_as_it_is(home: &mut Home) {
    let store = home.store();
    let ann = player(1);
    wait(store.begin_vacation(ann, Timestamp(10), Timestamp(50))).unwrap();
    let first = vacation(ann, 10, 50, false);
    assert_eq!(wait(store.vacations_to_record(9)), Ok(vec![first]));
    // It ends earlier before all games know of it.
    assert_eq!(wait(store.change_vacation(first, Timestamp(30))), Ok(true));
    assert_eq!(wait(store.change_vacation(first, Timestamp(40))), Ok(false));
    wait(store.vacation_told(first, true)).unwrap();
    let shorter = vacation(ann, 10, 30, false);
    assert_eq!(wait(store.vacations_to_record(9)), Ok(vec![shorter]));
    wait(store.vacation_told(shorter, true)).unwrap();
    assert_eq!(wait(store.vacations_to_record(9)), Ok(vec![]));
    // After a start all that are running are looked at again.
    let recheck = |now, before| {
        wait(store.recheck_vacations(Timestamp(now), Timestamp(before))).unwrap();
        wait(store.vacations_to_record(9)).unwrap()
    };
    assert_eq!(recheck(30, 0), []);
    assert_eq!(recheck(29, 0), [shorter]);
    assert_eq!(recheck(50, 31), []);
    assert_eq!(wait(store.vacations_of(ann, Timestamp(0))), Ok(vec![]));
}

/// Another node may still tell of an older one when the newer one is told everywhere.
pub(crate) fn what_was_told_late_is_told_anew(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = [1, 2].map(player);
    let begin = |who, from, to| {
        assert_eq!(
            wait(store.begin_vacation(who, Timestamp(from), Timestamp(to))),
            Ok(true)
        );
        vacation(who, from, to, false)
    };
    let told = |vacation, all_know| {
        wait(store.vacation_told(vacation, all_know)).unwrap();
        wait(store.vacations_to_record(9)).unwrap()
    };
    let first = begin(ann, 10, 50);
    assert_eq!(wait(store.change_vacation(first, Timestamp(30))), Ok(true));
    let second = begin(ann, 40, 90);
    let his = begin(bob, 40, 90);
    // The older one is not told again.
    assert_eq!(wait(store.vacations_to_record(9)), Ok(vec![second, his]));
    assert_eq!(told(his, true), [second]);
    assert_eq!(told(second, true), []);
    for all_know in [true, false] {
        assert_eq!(told(first, all_know), [second]);
        assert_eq!(told(second, false), [second]);
        assert_eq!(told(second, true), []);
    }
    // The same if it has another end by now.
    assert_eq!(wait(store.change_vacation(second, Timestamp(80))), Ok(true));
    let shorter = vacation(ann, 40, 80, false);
    assert_eq!(told(shorter, true), []);
    assert_eq!(told(second, true), [shorter]);
    assert_eq!(told(shorter, true), []);
}

pub(crate) fn what_a_deleted_account_planned_is_gone(home: &mut Home) {
    let store = home.store();
    let ann = create(store, new("Ann")).number;
    wait(store.set_plan(plan(5, ann, 1, "e7e5 g1f3"))).unwrap();
    wait(store.begin_vacation(ann, Timestamp(10), Timestamp(50))).unwrap();
    wait(store.delete_account(ann, Timestamp(99), "deleted-1")).unwrap();
    assert_eq!(wait(store.plans_by(ann)), Ok(vec![]));
    assert_eq!(wait(store.vacations_of(ann, Timestamp(0))), Ok(vec![]));
}
