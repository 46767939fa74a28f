//! Limits that all servers count together.

use std::sync::Barrier;

use chess::{Millis, Timestamp};
use store::{Counting, Share, Store};

use crate::support::*;

/// Three at once, and one more each second.
fn share(key: u8) -> Share {
    Share {
        key: [key; 32],
        one_us: 1_000_000,
        burst: 3,
    }
}

fn ask(store: &Store, keys: &[u8], counting: Counting, at: u64) -> Option<Millis> {
    let shares = keys.iter().map(|key| share(*key)).collect();
    wait(store.attempt(shares, counting, Timestamp(at))).expect("it is counted")
}

pub(crate) fn a_burst_is_allowed_and_then_the_rate(home: &mut Home) {
    let store = home.store();
    let attempt = |at| ask(store, &[1], Counting::IfAllowed, at);
    for _ in 0..3 {
        assert_eq!(attempt(10_000), None);
    }
    assert_eq!(attempt(10_000), Some(Millis(1_000)));
    assert_eq!(attempt(10_400), Some(Millis(600)), "it was not counted");
    assert_eq!(attempt(11_000), None);
    assert_eq!(attempt(11_000), Some(Millis(1_000)));
    assert_eq!(ask(store, &[2], Counting::IfAllowed, 11_000), None);
    for _ in 0..3 {
        assert_eq!(attempt(90_000), None, "the share is whole again");
    }
    assert!(attempt(90_000).is_some());
}

pub(crate) fn a_look_counts_nothing(home: &mut Home) {
    let store = home.store();
    for _ in 0..10 {
        assert_eq!(ask(store, &[1, 2], Counting::Look, 10_000), None);
    }
    for _ in 0..3 {
        assert_eq!(ask(store, &[2], Counting::Always, 10_000), None);
    }
    assert_eq!(ask(store, &[1], Counting::Look, 10_000), None);
    let full = Some(Millis(1_000));
    assert_eq!(ask(store, &[1, 2], Counting::Look, 10_000), full);
    assert_eq!(ask(store, &[2], Counting::Always, 10_000), None, "anyway");
    assert_eq!(
        ask(store, &[2], Counting::Look, 10_000),
        Some(Millis(2_000))
    );
}

/// What is too many of one counts against none of the others.
pub(crate) fn all_are_counted_or_none(home: &mut Home) {
    let store = home.store();
    for _ in 0..3 {
        assert_eq!(ask(store, &[1], Counting::IfAllowed, 10_000), None);
    }
    for _ in 0..10 {
        let refused = ask(store, &[3, 1, 2], Counting::IfAllowed, 10_000);
        assert_eq!(refused, Some(Millis(1_000)));
    }
    for _ in 0..3 {
        assert_eq!(ask(store, &[2, 3], Counting::IfAllowed, 10_000), None);
    }
    assert!(ask(store, &[2, 4], Counting::IfAllowed, 10_000).is_some());
    assert_eq!(ask(store, &[4], Counting::Look, 10_000), None);
}

pub(crate) fn of_many_at_once_so_many_are_allowed(home: &mut Home) {
    const RACERS: u8 = 12;
    let store = home.store();
    let ready = Barrier::new(usize::from(RACERS));
    let allowed: usize = std::thread::scope(|scope| {
        let racers: Vec<_> = (0..RACERS)
            .map(|n| {
                let ready = &ready;
                scope.spawn(move || {
                    ready.wait();
                    // In whatever order they name them, nobody waits for ever.
                    let own = 100 + n;
                    let keys = if n % 2 == 0 { [1, 2, own] } else { [2, own, 1] };
                    let tries =
                        (0..4).filter(|_| ask(store, &keys, Counting::IfAllowed, 10_000).is_none());
                    tries.count()
                })
            })
            .collect();
        racers.into_iter().map(|racer| racer.join().unwrap()).sum()
    });
    assert_eq!(allowed, 3);
}
