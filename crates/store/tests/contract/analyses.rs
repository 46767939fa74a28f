//! Games that are gone through after their end.

use chess::Timestamp;
use store::{ANALYSIS_ATTEMPTS_MAX, Analysis, AnalysisAsked, NewAnalysis, Store};

use crate::people::{create, new};
use crate::support::*;

fn wanted(table: u64, by: u32, at: u64) -> NewAnalysis {
    NewAnalysis {
        table: id(table),
        by: player(by),
        at: Timestamp(at),
        total: 40,
        own_max: 3,
        all_max: 4,
    }
}

fn ask(store: &Store, new: NewAnalysis) -> AnalysisAsked {
    wait(store.ask_analysis(new)).unwrap()
}

fn queued(store: &Store, table: u64, at: u64) -> Analysis {
    match ask(store, wanted(table, 1, at)) {
        AnalysisAsked::Queued(analysis) => analysis,
        other => panic!("{other:?}"),
    }
}

fn take(store: &Store, now: u64) -> Option<Analysis> {
    wait(store.take_analysis(Timestamp(now), Timestamp(now + 100))).unwrap()
}

fn of(store: &Store, table: u64) -> Option<Analysis> {
    wait(store.analysis(id(table))).unwrap()
}

pub(crate) fn an_analysis_is_asked_for_once(home: &mut Home) {
    let store = home.store();
    assert_eq!(of(store, 7), None);
    let made = queued(store, 7, 1_000);
    assert_eq!((made.done, made.total, made.attempt), (0, 40, 0));
    assert_eq!((made.leased_until, &made.result), (None, &None));
    let again = ask(store, wanted(7, 2, 2_000));
    assert_eq!(again, AnalysisAsked::There(made.clone()));
    assert_eq!(of(store, 7), Some(made.clone()));
    assert_eq!(wait(store.open_analyses()), Ok(1));
    let store = home.restart();
    assert_eq!(of(store, 7), Some(made));
}

pub(crate) fn of_several_it_is_known_which_are_done(home: &mut Home) {
    let store = home.store();
    for table in 1..=3 {
        queued(store, table, table);
    }
    for table in 1..=2 {
        take(store, 10).unwrap();
        let done = store.finish_analysis(id(table), 1, "{}".into());
        assert_eq!(wait(done), Ok(true));
    }
    let among = |tables: &[u64]| {
        let tables: Vec<_> = tables.iter().map(|table| id(*table)).collect();
        let mut done = wait(store.analysed_among(&tables)).unwrap();
        done.sort();
        done
    };
    let mut both = vec![id(1), id(2)];
    both.sort();
    assert_eq!(among(&[4, 3, 2, 1]), both);
    assert_eq!(among(&[3, 2]), [id(2)]);
    assert_eq!(among(&[]), []);
}

pub(crate) fn only_so_many_are_open(home: &mut Home) {
    let store = home.store();
    for table in 1..=3 {
        queued(store, table, table);
    }
    assert_eq!(ask(store, wanted(4, 1, 4)), AnalysisAsked::TooManyOwn);
    let other = ask(store, wanted(4, 2, 4));
    assert!(matches!(other, AnalysisAsked::Queued(_)), "{other:?}");
    assert_eq!(ask(store, wanted(5, 3, 5)), AnalysisAsked::Full);
    // What is there is there, however many are.
    let there = ask(store, wanted(2, 1, 5));
    assert!(matches!(there, AnalysisAsked::There(_)), "{there:?}");
    // What is done does not count.
    let first = take(store, 10).unwrap();
    assert_eq!(first.table, id(1));
    assert_eq!(wait(store.finish_analysis(id(1), 1, "{}".into())), Ok(true));
    queued(store, 5, 5);
}

pub(crate) fn the_oldest_is_taken_by_one_at_a_time(home: &mut Home) {
    let store = home.store();
    queued(store, 9, 1_000);
    queued(store, 8, 2_000);
    let first = take(store, 3_000).unwrap();
    assert_eq!((first.table, first.attempt), (id(9), 1));
    assert_eq!(first.leased_until, Some(Timestamp(3_100)));
    assert_eq!(take(store, 3_000).unwrap().table, id(8));
    assert_eq!(take(store, 3_099), None);
    // Whoever says that they go on keeps it.
    let keep = |attempt, until: u64, done| {
        wait(store.keep_analysis(id(9), attempt, Some(Timestamp(until)), done)).unwrap()
    };
    assert!(keep(1, 5_000, 12));
    assert_eq!(of(store, 9).unwrap().done, 12);
    assert_eq!(take(store, 3_100).unwrap().table, id(8));
    assert_eq!(take(store, 4_999).unwrap().table, id(8));
    // Whoever does not loses it, and what they say later does not count.
    let second = take(store, 5_000).unwrap();
    assert_eq!((second.table, second.attempt, second.done), (id(9), 2, 0));
    assert!(!keep(1, 9_000, 13));
    assert_eq!(
        wait(store.finish_analysis(id(9), 1, "late".into())),
        Ok(false)
    );
    assert_eq!(of(store, 9), Some(second));
}

pub(crate) fn what_came_of_it_is_kept(home: &mut Home) {
    let store = home.store();
    queued(store, 9, 1_000);
    take(store, 2_000).unwrap();
    let result = "{\"moves\": [\"é\"]}";
    let finish = |text: &str| wait(store.finish_analysis(id(9), 1, text.into()));
    assert_eq!(finish(result), Ok(true));
    assert_eq!(finish("again"), Ok(false));
    assert_eq!(
        wait(store.keep_analysis(id(9), 1, Some(Timestamp(9_000)), 3)),
        Ok(false)
    );
    assert_eq!(take(store, 9_000), None);
    let store = home.restart();
    let kept = of(store, 9).unwrap();
    assert_eq!(kept.result.as_deref(), Some(result));
    assert_eq!((kept.done, kept.leased_until), (40, None));
    assert_eq!(wait(store.open_analyses()), Ok(0));
}

pub(crate) fn what_is_given_back_is_taken_again(home: &mut Home) {
    let store = home.store();
    queued(store, 9, 1_000);
    queued(store, 8, 2_000);
    take(store, 3_000).unwrap();
    take(store, 3_000).unwrap();
    assert_eq!(wait(store.keep_analysis(id(8), 1, None, 5)), Ok(true));
    assert_eq!(take(store, 3_001).unwrap().table, id(8));
    // The only server has just started: nobody is at any of them.
    wait(store.free_analyses()).unwrap();
    assert_eq!(take(store, 3_002).unwrap().table, id(9));
    assert_eq!(take(store, 3_002).unwrap().table, id(8));
}

pub(crate) fn what_never_ends_is_given_up(home: &mut Home) {
    let store = home.store();
    queued(store, 9, 1_000);
    for attempt in 1..=ANALYSIS_ATTEMPTS_MAX {
        let taken = take(store, 2_000 + u64::from(attempt) * 100).unwrap();
        assert_eq!(taken.attempt, attempt);
    }
    assert_eq!(take(store, 9_000), None);
    assert_eq!(of(store, 9), None);
    queued(store, 9, 9_000);
}

pub(crate) fn who_is_deleted_asked_for_nothing(home: &mut Home) {
    let store = home.store();
    let ann = create(store, new("Ann")).number;
    let wanted = |table| NewAnalysis {
        by: ann,
        ..wanted(table, 1, 5)
    };
    for table in 1..=3 {
        let asked = ask(store, wanted(table));
        assert!(matches!(asked, AnalysisAsked::Queued(_)), "{asked:?}");
    }
    assert_eq!(ask(store, wanted(4)), AnalysisAsked::TooManyOwn);
    wait(store.delete_account(ann, Timestamp(99), "deleted-1")).unwrap();
    // What they asked for is done all the same.
    assert_eq!(wait(store.open_analyses()), Ok(3));
    let asked = ask(store, wanted(4));
    assert!(matches!(asked, AnalysisAsked::Queued(_)), "{asked:?}");
}
