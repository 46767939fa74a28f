//! Accounts, tokens and the audit trail.

use std::sync::Barrier;

use chess::Timestamp;
use store::{
    Account, AccountKind, AuditEntry, Creation, Error, NewAccount, NewToken, OutsideIdentity,
    ProfileChange, Store, TokenKind,
};

use crate::support::*;

pub(crate) fn new(name: &str) -> NewAccount {
    let mut uuid = [0; 16];
    for (byte, letter) in uuid.iter_mut().zip(name.bytes()) {
        *byte = letter;
    }
    NewAccount {
        uuid,
        name: name.to_owned(),
        kind: AccountKind::Registered,
        email: Some("a@example.org".to_owned()),
        password_hash: Some("$argon2id$...".to_owned()),
        is_admin: false,
        outside: None,
        at: Timestamp(1_000),
    }
}

pub(crate) fn create(store: &Store, new: NewAccount) -> Account {
    match wait(store.create_account(new)).unwrap() {
        Creation::Created(account) => account,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn token(account: &Account, byte: u8) -> NewToken {
    NewToken {
        hash: [byte; 32],
        account: account.number,
        kind: TokenKind::Personal,
        name: "my program".to_owned(),
        scopes: 0b101,
        at: Timestamp(2_000),
        expires_at: None,
    }
}

pub(crate) fn an_account_is_found_by_everything_it_is_known_by(home: &mut Home) {
    let store = home.store();
    let alice = create(store, new("Alice"));
    let bob = create(
        store,
        NewAccount {
            email: None,
            kind: AccountKind::Guest,
            ..new("bob")
        },
    );
    assert_eq!((&*alice.name, &*alice.id), ("Alice", "alice"));
    assert_eq!(
        (&*alice.preferences, alice.created_at),
        ("{}", Timestamp(1_000))
    );
    assert_ne!(alice.number, bob.number);
    assert_eq!(
        wait(store.account_by_number(alice.number)),
        Ok(Some(alice.clone()))
    );
    assert_eq!(wait(store.account_by_id("alice")), Ok(Some(alice.clone())));
    assert_eq!(
        wait(store.account_by_id("Alice")),
        Ok(None),
        "an id is lower-cased"
    );
    assert_eq!(wait(store.account_by_uuid(bob.uuid)), Ok(Some(bob.clone())));
    assert_eq!(wait(store.account_by_number(player(77))), Ok(None));
    let numbers = [bob.number, player(77), alice.number, bob.number];
    let expected = vec![bob.clone(), alice, bob];
    assert_eq!(
        wait(store.accounts_by_numbers(&numbers)),
        Ok(expected.clone())
    );
    let ids = ["bob", "nobody", "alice", "bob"].map(str::to_owned);
    assert_eq!(wait(store.accounts_by_ids(ids.to_vec())), Ok(expected));
}

pub(crate) fn a_name_is_taken_whatever_its_case(home: &mut Home) {
    let store = home.store();
    create(store, new("Alice"));
    assert_eq!(
        wait(store.create_account(new("aLICE"))),
        Ok(Creation::NameTaken)
    );
    let same_uuid = NewAccount {
        uuid: new("Alice").uuid,
        ..new("Carol")
    };
    assert_eq!(wait(store.create_account(same_uuid)), Err(Error::Conflict));
    create(store, new("Carol"));
}

pub(crate) fn of_a_hundred_who_want_one_name_one_gets_it(home: &mut Home) {
    let store = home.store();
    let start = Barrier::new(100);
    let made: Vec<Creation> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..100u8)
            .map(|i| {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    let name = if i % 2 == 0 { "Alice" } else { "ALICE" };
                    wait(store.create_account(NewAccount {
                        uuid: [i; 16],
                        ..new(name)
                    }))
                    .unwrap()
                })
            })
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(
        made.iter()
            .filter(|m| matches!(m, Creation::Created(_)))
            .count(),
        1
    );
    assert_eq!(
        made.iter().filter(|m| **m == Creation::NameTaken).count(),
        99
    );
}

pub(crate) fn an_outside_identity_has_one_account(home: &mut Home) {
    let store = home.store();
    let identity = |subject: &str| OutsideIdentity {
        issuer: "https://id.example.org".to_owned(),
        subject: subject.to_owned(),
    };
    let outside = |name, subject| NewAccount {
        kind: AccountKind::Outside,
        password_hash: None,
        outside: Some(identity(subject)),
        ..new(name)
    };
    let alice = create(store, outside("alice", "1"));
    assert_eq!(
        wait(store.create_account(outside("other", "1"))),
        Ok(Creation::IdentityTaken)
    );
    assert_eq!(
        wait(store.create_account(outside("alice", "2"))),
        Ok(Creation::NameTaken)
    );
    assert_eq!(
        wait(store.account_by_outside(&identity("1"))),
        Ok(Some(alice))
    );
    assert_eq!(wait(store.account_by_outside(&identity("2"))), Ok(None));
    assert_eq!(wait(store.account_by_id("other")), Ok(None));
}

pub(crate) fn a_profile_changes_only_where_told(home: &mut Home) {
    let store = home.store();
    let alice = create(store, new("Alice"));
    let change = |change| {
        wait(store.change_profile(alice.number, change))
            .unwrap()
            .unwrap()
    };
    assert_eq!(change(ProfileChange::default()), alice);
    let titled = change(ProfileChange {
        title: Some(Some("GM".to_owned())),
        preferences: Some(r#"{"board":"green"}"#.to_owned()),
        ..ProfileChange::default()
    });
    assert_eq!(titled.title.as_deref(), Some("GM"));
    assert_eq!(titled.email, alice.email);
    let plain = change(ProfileChange {
        title: Some(None),
        email: Some(None),
        is_admin: Some(true),
        password_hash: Some("other".to_owned()),
        ..ProfileChange::default()
    });
    assert_eq!(
        (plain.title.clone(), plain.email.clone(), plain.is_admin),
        (None, None, true)
    );
    assert_eq!(plain.preferences, titled.preferences);
    assert_eq!(wait(store.account_by_id("alice")), Ok(Some(plain)));
    assert_eq!(
        wait(store.change_profile(player(77), ProfileChange::default())),
        Ok(None)
    );
}

pub(crate) fn a_deleted_account_is_forgotten(home: &mut Home) {
    let store = home.store();
    let identity = OutsideIdentity {
        issuer: "i".to_owned(),
        subject: "s".to_owned(),
    };
    let alice = create(
        store,
        NewAccount {
            outside: Some(identity.clone()),
            is_admin: true,
            ..new("Alice")
        },
    );
    create(store, new("ghost-1"));
    wait(store.add_token(token(&alice, 1))).unwrap();
    let delete = |name: &str| wait(store.delete_account(alice.number, Timestamp(9_000), name));
    assert_eq!(delete("Ghost-1"), Err(Error::Conflict));
    assert_eq!(
        wait(store.tokens_of(alice.number)).unwrap().len(),
        1,
        "nothing has changed"
    );
    assert_eq!(delete("Ghost-2"), Ok(true));
    assert_eq!(delete("Ghost-3"), Ok(false));

    let left = wait(store.account_by_number(alice.number))
        .unwrap()
        .unwrap();
    assert_eq!((&*left.name, &*left.id), ("Ghost-2", "ghost-2"));
    assert_eq!(
        (&left.email, &left.password_hash, left.is_admin),
        (&None, &None, false)
    );
    assert_eq!(left.deleted_at, Some(Timestamp(9_000)));
    assert_eq!(wait(store.tokens_of(alice.number)), Ok(vec![]));
    assert_eq!(wait(store.account_by_outside(&identity)), Ok(None));
    assert_eq!(
        wait(store.change_profile(alice.number, ProfileChange::default())),
        Ok(None)
    );
    create(
        store,
        NewAccount {
            uuid: [9; 16],
            ..new("Alice")
        },
    );
}

pub(crate) fn tokens_come_and_go(home: &mut Home) {
    let store = home.store();
    let (alice, bob) = (create(store, new("Alice")), create(store, new("Bob")));
    let first = wait(store.add_token(token(&alice, 1))).unwrap();
    let second = wait(store.add_token(NewToken {
        kind: TokenKind::Session,
        expires_at: Some(Timestamp(5_000)),
        ..token(&alice, 2)
    }))
    .unwrap();
    let third = wait(store.add_token(token(&bob, 3))).unwrap();
    assert_eq!((first.scopes, &*first.name), (0b101, "my program"));
    assert_eq!(
        wait(store.token_by_hash(&[2; 32])),
        Ok(Some(second.clone()))
    );
    assert_eq!(wait(store.token_by_hash(&[4; 32])), Ok(None));
    assert_eq!(
        wait(store.tokens_of(alice.number)),
        Ok(vec![first.clone(), second.clone()])
    );
    assert_eq!(
        wait(store.add_token(token(&bob, 1))),
        Err(Error::Conflict),
        "a hash is one token's"
    );
    let nobody = Account {
        number: player(77),
        ..alice.clone()
    };
    assert_eq!(
        wait(store.add_token(token(&nobody, 5))),
        Err(Error::Conflict)
    );

    assert_eq!(
        wait(store.revoke_token(bob.number, first.id)),
        Ok(None),
        "not Bob's"
    );
    assert_eq!(
        wait(store.revoke_token(alice.number, first.id)),
        Ok(Some(first.clone()))
    );
    assert_eq!(wait(store.revoke_token(alice.number, first.id)), Ok(None));
    assert_eq!(wait(store.token_by_hash(&[1; 32])), Ok(None));
    assert_eq!(
        wait(store.revoke_token_by_hash(&[2; 32])),
        Ok(Some(second.clone()))
    );
    assert_eq!(wait(store.revoke_all_tokens(alice.number)), Ok(vec![]));
    assert_eq!(
        wait(store.revoke_all_tokens(bob.number)),
        Ok(vec![third.clone()])
    );
    let again = wait(store.add_token(token(&bob, 3))).unwrap();
    assert!(again.id > third.id, "a number is used once");
}

pub(crate) fn ended_tokens_are_forgotten_with_the_next(home: &mut Home) {
    let store = home.store();
    let alice = create(store, new("Alice"));
    let ending = |byte, end| NewToken {
        expires_at: Some(Timestamp(end)),
        ..token(&alice, byte)
    };
    wait(store.add_token(ending(1, 5_000))).unwrap();
    wait(store.add_token(ending(2, 5_001))).unwrap();
    wait(store.add_token(NewToken {
        at: Timestamp(5_000),
        ..token(&alice, 3)
    }))
    .unwrap();
    let left = wait(store.tokens_of(alice.number)).unwrap();
    assert_eq!(left.iter().map(|t| t.hash[0]).collect::<Vec<_>>(), [2, 3]);
}

pub(crate) fn accounts_survive_a_restart(home: &mut Home) {
    let alice = create(home.store(), new("Alice"));
    let key = wait(home.store().add_token(token(&alice, 1))).unwrap();
    let store = home.restart();
    assert_eq!(wait(store.account_by_id("alice")), Ok(Some(alice)));
    assert_eq!(wait(store.token_by_hash(&[1; 32])), Ok(Some(key)));
}

pub(crate) fn the_audit_trail_is_read_backwards(home: &mut Home) {
    let store = home.store();
    let entry = |at| AuditEntry {
        at: Timestamp(at),
        actor: "cli".to_owned(),
        action: "adjudicate".to_owned(),
        target: "00000005".to_owned(),
        detail: format!("the {at}th"),
    };
    for at in 0..5 {
        wait(store.audit(entry(at))).unwrap();
    }
    let page = wait(store.audit_log(None, 2)).unwrap();
    assert_eq!(
        page.iter().map(|(_, e)| e.clone()).collect::<Vec<_>>(),
        [entry(4), entry(3)]
    );
    let page = wait(store.audit_log(Some(page[1].0), 9)).unwrap();
    assert_eq!(
        page.into_iter().map(|(_, e)| e).collect::<Vec<_>>(),
        [entry(2), entry(1), entry(0)]
    );
}

pub(crate) fn a_ping_is_answered(home: &mut Home) {
    assert_eq!(wait(home.store().ping()), Ok(()));
    assert_eq!(wait(home.store().ping()), Ok(()));
}
