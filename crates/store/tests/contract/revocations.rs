//! What ended before its time, as the other servers hear of it.

use std::sync::Barrier;

use chess::Timestamp;
use store::{
    OutsideIdentity, ProfileChange, REVOCATIONS_HEARD_MAX, Revocation, Revoked, Store, Token,
};

use crate::people::{create, new, token};
use crate::support::*;

fn since(store: &Store, number: u64) -> Vec<Revocation> {
    wait(store.revocations_since(number)).expect("they can be read")
}

/// What ended since what was known, which grows by it.
fn news(store: &Store, known: &mut u64) -> Vec<Revoked> {
    let heard = since(store, *known);
    for revocation in &heard {
        *known += 1;
        assert_eq!(revocation.number, *known, "there is no gap");
    }
    heard
        .into_iter()
        .map(|revocation| revocation.what)
        .collect()
}

fn add(store: &Store, account: &store::Account, byte: u8) -> Token {
    wait(store.add_token(token(account, byte))).expect("a token")
}

pub(crate) fn whatever_ends_or_changes_is_numbered(home: &mut Home) {
    let store = home.store();
    let ann = create(store, new("Ann"));
    let (account, mut known) = (Revoked::Account(ann.number), 0);
    let tokens: Vec<Token> = (1..=5).map(|byte| add(store, &ann, byte)).collect();
    let dead = |place: usize| Revoked::Token(tokens[place].hash);
    assert_eq!(news(store, &mut known), [], "nothing has ended");

    wait(store.revoke_token(ann.number, tokens[0].id)).unwrap();
    assert_eq!(news(store, &mut known), [dead(0), account.clone()]);
    wait(store.revoke_token_by_hash(&tokens[1].hash)).unwrap();
    assert_eq!(news(store, &mut known), [dead(1), account.clone()]);
    wait(store.revoke_all_tokens(ann.number)).unwrap();
    let all = [dead(2), dead(3), dead(4), account.clone()];
    assert_eq!(news(store, &mut known), all);

    let title = ProfileChange {
        title: Some(Some("GM".to_owned())),
        ..ProfileChange::default()
    };
    wait(store.change_profile(ann.number, title)).unwrap();
    assert_eq!(news(store, &mut known), std::slice::from_ref(&account));

    let bob = create(store, new("Bob"));
    let at = Timestamp(3_000);
    wait(store.follow(ann.number, bob.number, at)).unwrap();
    wait(store.follow(ann.number, bob.number, at)).unwrap();
    wait(store.unfollow(ann.number, bob.number)).unwrap();
    wait(store.unfollow(ann.number, bob.number)).unwrap();
    let twice = [account.clone(), account.clone()];
    assert_eq!(news(store, &mut known), twice);

    let who = OutsideIdentity {
        issuer: "https://id.example".to_owned(),
        subject: "a".to_owned(),
    };
    let identity = Revoked::Identity {
        issuer: who.issuer.clone(),
        subject: who.subject.clone(),
    };
    wait(store.block_identity(who.clone(), Timestamp(1))).unwrap();
    wait(store.unblock_identity(who)).unwrap();
    assert_eq!(news(store, &mut known), [identity.clone(), identity]);

    let last = add(store, &ann, 9);
    wait(store.delete_account(ann.number, Timestamp(9), "gone1")).unwrap();
    let ended = [Revoked::Token(last.hash), account.clone(), account];
    assert_eq!(news(store, &mut known), ended);
    assert_eq!(since(store, known), []);
    assert_eq!(since(store, u64::MAX >> 1), []);
}

pub(crate) fn what_changes_nothing_is_not_numbered(home: &mut Home) {
    let store = home.store();
    let ann = create(store, new("Ann"));
    let bob = create(store, new("Bob"));
    let theirs = add(store, &ann, 1);
    wait(store.revoke_token(bob.number, theirs.id)).unwrap();
    wait(store.revoke_token_by_hash(&[7; 32])).unwrap();
    wait(store.revoke_all_tokens(bob.number)).unwrap();
    wait(store.change_profile(player(77), ProfileChange::default())).unwrap();
    wait(store.delete_account(player(77), Timestamp(9), "gone")).unwrap();
    let refused = wait(store.delete_account(bob.number, Timestamp(9), "ann"));
    assert_eq!(refused, Err(store::Error::Conflict));
    assert_eq!(since(store, 0), []);
}

/// Many write at once while one listens: it never hears a number before a smaller one.
pub(crate) fn numbers_have_no_gap_whoever_writes(home: &mut Home) {
    const WRITERS: u8 = 8;
    const EACH: u8 = 10;
    let store = home.store();
    let people: Vec<_> = (0..WRITERS)
        .map(|n| create(store, new(&format!("P{n}"))))
        .collect();
    let ready = Barrier::new(usize::from(WRITERS) + 1);
    std::thread::scope(|scope| {
        for (number, person) in (0..).zip(&people) {
            let ready = &ready;
            scope.spawn(move || {
                let tokens: Vec<Token> = (0..EACH)
                    .map(|n| add(store, person, 1 + number * EACH + n))
                    .collect();
                ready.wait();
                for token in tokens {
                    wait(store.revoke_token(person.number, token.id)).unwrap();
                }
            });
        }
        ready.wait();
        let (mut known, mut heard) = (0, 0);
        let all = usize::from(WRITERS) * usize::from(EACH) * 2;
        while heard < all {
            heard += news(store, &mut known).len();
        }
        assert_eq!(known, all as u64);
    });
}

pub(crate) fn of_very_many_the_newest_are_told(home: &mut Home) {
    let store = home.store();
    let ann = create(store, new("Ann"));
    let many = REVOCATIONS_HEARD_MAX as u64 + 5;
    for _ in 0..many {
        wait(store.change_profile(ann.number, ProfileChange::default())).unwrap();
    }
    let numbers = |known| since(store, known).into_iter().map(|r| r.number);
    assert!(numbers(0).eq(6..=many), "there is a gap after 0");
    assert!(numbers(5).eq(6..=many), "there is none after 5");
    assert!(numbers(many - 1).eq([many]));
}

pub(crate) fn revocations_survive_a_restart(home: &mut Home) {
    let ann = create(home.store(), new("Ann"));
    let change = || ProfileChange::default();
    wait(home.store().change_profile(ann.number, change())).unwrap();
    let store = home.restart();
    wait(store.change_profile(ann.number, change())).unwrap();
    let mut known = 0;
    assert_eq!(news(store, &mut known).len(), 2);
}
