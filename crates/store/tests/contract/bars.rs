//! Who is not let in.

use chess::Timestamp;
use store::{AccountKind, Creation, NewAccount, OutsideIdentity, ProfileChange};

use crate::people::new;
use crate::support::*;

fn identity(subject: &str) -> OutsideIdentity {
    OutsideIdentity {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
    }
}

pub(crate) fn a_barred_account_keeps_its_name(home: &mut Home) {
    let store = home.store();
    let Ok(Creation::Created(ann)) = wait(store.create_account(new("Ann"))) else {
        panic!("a new account");
    };
    let bar = |barred_at| ProfileChange {
        barred_at: Some(barred_at),
        ..ProfileChange::default()
    };
    let since = Some(Timestamp(7_000));
    wait(store.change_profile(ann.number, bar(since))).unwrap();
    let store = home.restart();
    let found = wait(store.account_by_id("ann")).unwrap().unwrap();
    assert_eq!(found.barred_at, since);
    let mut again = new("ANN");
    again.uuid = [9; 16];
    assert_eq!(wait(store.create_account(again)), Ok(Creation::NameTaken));
    let other = ProfileChange::default();
    let kept = wait(store.change_profile(ann.number, other)).unwrap();
    assert_eq!(kept.unwrap().barred_at, since);
    let freed = wait(store.change_profile(ann.number, bar(None))).unwrap();
    assert_eq!(freed.unwrap().barred_at, None);
}

pub(crate) fn an_outside_identity_is_blocked_before_it_was_ever_seen(home: &mut Home) {
    let store = home.store();
    let is_blocked = |store: &store::Store, subject: &str| {
        wait(store.is_identity_blocked(&identity(subject))).unwrap()
    };
    for (subject, at) in [("b", 2), ("a", 1), ("c", 3)] {
        let blocked = store.block_identity(identity(subject), Timestamp(at));
        assert_eq!(wait(blocked), Ok(true));
    }
    let again = store.block_identity(identity("a"), Timestamp(9));
    assert_eq!(wait(again), Ok(false));
    let store = home.restart();
    assert!(is_blocked(store, "a") && !is_blocked(store, "d"));
    let from = |after: &str| {
        let listed = wait(store.blocked_identities(identity(after), 2)).unwrap();
        let shown = listed.into_iter().map(|(who, at)| (who.subject, at.0));
        shown.collect::<Vec<_>>()
    };
    assert_eq!(from(""), [("a".to_owned(), 1), ("b".to_owned(), 2)]);
    assert_eq!(from("b"), [("c".to_owned(), 3)]);
    assert_eq!(wait(store.unblock_identity(identity("a"))), Ok(true));
    assert_eq!(wait(store.unblock_identity(identity("a"))), Ok(false));
    assert!(!is_blocked(store, "a"));
}

pub(crate) fn a_registered_account_is_linked_with_one_identity(home: &mut Home) {
    let store = home.store();
    let made = |name: &str, outside: Option<OutsideIdentity>| {
        let kind = match outside {
            Some(_) => AccountKind::Outside,
            None => AccountKind::Registered,
        };
        let new = NewAccount {
            kind,
            outside,
            ..new(name)
        };
        match wait(store.create_account(new)).unwrap() {
            Creation::Created(account) => account.number,
            other => panic!("{other:?}"),
        }
    };
    let (ann, bob) = (made("Ann", None), made("Bob", None));
    let own = made("Eve", Some(identity("own")));
    let count = |who| wait(store.link_count(who)).unwrap();
    let link_at = |who, to: Option<&str>, count| {
        wait(store.link_identity(who, to.map(identity), count)).unwrap()
    };
    let link = |who, to: Option<&str>| link_at(who, to, count(who));
    let of = |who| wait(store.outside_identity(who)).unwrap();
    assert_eq!(of(ann), None);
    assert!(link(ann, Some("a")) && link(ann, Some("a")));
    assert!(link(ann, Some("b")), "in place of the one before");
    assert_eq!(of(ann), Some(identity("b")));
    let found = wait(store.account_by_outside(&identity("a"))).unwrap();
    assert_eq!(found, None);
    assert!(link(bob, Some("b")), "and Ann has it no more");
    assert_eq!((of(ann), of(bob)), (None, Some(identity("b"))));
    // Who came from outside is nobody else, and nobody else is them.
    assert!(!link(own, Some("c")) && !link(own, None));
    assert!(!link(ann, Some("own")));
    assert_eq!(of(own), Some(identity("own")));
    let before = count(bob);
    assert!(link(bob, None));
    assert_eq!(of(bob), None);
    // Whatever was meant for the links as they were does not count any more.
    assert_eq!(count(bob), before + 1);
    assert!(!link_at(bob, Some("b"), before) && !link_at(bob, None, before));
    assert_eq!((of(bob), count(bob)), (None, before + 1));
    assert!(link(ann, Some("a")));
    wait(store.delete_account(ann, Timestamp(9), "deleted-1")).unwrap();
    assert!(!link(ann, Some("a")));
    let known = count(bob);
    let store = home.restart();
    assert_eq!(wait(store.link_count(bob)), Ok(known));
    assert_eq!(wait(store.outside_identity(ann)), Ok(None));
    assert_eq!(wait(store.outside_identity(own)), Ok(Some(identity("own"))));
}
