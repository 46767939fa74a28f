//! Guests who become accounts.

use chess::Timestamp;
use chess::table::State;
use store::{
    Account, AccountKind, Adopting, Adoption, Becoming, GuestRegistration, ListQuery, NewAccount,
    Plan, ProfileChange, Revoked, Row, Store,
};

use crate::people::{create, new, token};
use crate::support::*;

fn guest(store: &Store, name: &str) -> Account {
    let blank = NewAccount {
        kind: AccountKind::Guest,
        email: None,
        password_hash: None,
        ..new(name)
    };
    create(store, blank)
}

fn wish(name: &str) -> GuestRegistration {
    GuestRegistration {
        name: name.to_owned(),
        email: Some("ann@example.org".to_owned()),
        password_hash: "$argon2id$...".to_owned(),
        alias_uuid: [9; 16],
        at: Timestamp(5_000),
    }
}

fn registered(store: &Store, guest: &Account, name: &str) -> Account {
    match wait(store.register_guest(guest.number, wish(name))).unwrap() {
        Becoming::Became(account) => account,
        other => panic!("{other:?}"),
    }
}

fn adopt(store: &Store, guest: &Account, by: &Account) -> Adoption {
    let adopting = Adopting {
        guest: guest.number,
        by: by.number,
        token: [3; 32],
    };
    wait(store.adopt_guest(adopting)).unwrap()
}

/// A game between these two that is running.
fn game(store: &Store, number: u64, white: &Account, black: &Account) {
    let mut row: Row = row(number, 2);
    row.summary.creator = white.number;
    row.summary.white = Some(white.number);
    row.summary.black = Some(black.number);
    row.summary.opponent = None;
    row.summary.state = State::Active;
    commit(store, created(row)).expect("it is new");
}

pub(crate) fn a_guest_who_registers_stays_who_they_are(home: &mut Home) {
    let store = home.store();
    let visitor = guest(store, "guest-Ann-x4kf");
    wait(store.add_token(token(&visitor, 1))).unwrap();
    let ann = registered(store, &visitor, "Ann");
    assert_eq!((ann.number, ann.uuid), (visitor.number, visitor.uuid));
    assert_eq!((&*ann.id, &*ann.name), ("ann", "Ann"));
    assert_eq!((ann.kind, ann.alias_of), (AccountKind::Registered, None));
    assert_eq!(ann.email.as_deref(), Some("ann@example.org"));
    // The token is theirs as before, and the id they had leads to them.
    let held = wait(store.token_by_hash(&[1; 32])).unwrap();
    assert_eq!(held.map(|token| token.account), Some(ann.number));
    for id in ["ann", "guest-ann-x4kf"] {
        assert_eq!(wait(store.account_by_id(id)), Ok(Some(ann.clone())), "{id}");
    }
    assert_eq!(wait(store.account_by_uuid([9; 16])), Ok(Some(ann.clone())));
    let found = wait(store.players_by_prefix("", 10)).unwrap();
    assert_eq!(
        found,
        std::slice::from_ref(&ann),
        "an alias is nobody to be found"
    );
    let aliases = wait(store.aliases_of(ann.number)).unwrap();
    assert_eq!(aliases[0].alias_of, Some(ann.number));
    // Nobody registers twice.
    let again = wait(store.register_guest(ann.number, wish("Bea")));
    assert_eq!(again, Ok(Becoming::NotAGuest));
}

pub(crate) fn the_id_of_a_guest_who_registered_is_never_given_again(home: &mut Home) {
    let store = home.store();
    let visitor = guest(store, "guest-1");
    registered(store, &visitor, "Ann");
    let same = NewAccount {
        uuid: [7; 16],
        ..new("Guest-1")
    };
    let taken = wait(store.create_account(same));
    assert_eq!(taken, Ok(store::Creation::NameTaken));
    let other = guest(store, "guest-2");
    for name in ["ANN", "guest-1"] {
        let taken = wait(store.register_guest(other.number, wish(name)));
        assert_eq!(taken, Ok(Becoming::NameTaken), "{name}");
    }
    assert_eq!(wait(store.account_by_id("guest-2")), Ok(Some(other)));
}

pub(crate) fn a_guest_who_is_taken_over_is_an_alias_without_tokens(home: &mut Home) {
    let store = home.store();
    let (ann, ben) = (create(store, new("Ann")), create(store, new("Ben")));
    let visitor = guest(store, "guest-1");
    wait(store.add_token(token(&visitor, 3))).unwrap();
    game(store, 1, &visitor, &ben);
    let plan = Plan {
        table: id(1),
        account: visitor.number,
        version: 2,
        ply: 0,
        lines: "e4".into(),
    };
    wait(store.set_plan(plan)).unwrap();
    wait(store.block(ben.number, visitor.number, Timestamp(1))).unwrap();
    assert_eq!(adopt(store, &visitor, &ann), Adoption::Adopted);
    assert_eq!(wait(store.token_by_hash(&[3; 32])), Ok(None));
    let owner = wait(store.account_by_id("guest-1")).unwrap();
    assert_eq!(owner.as_ref(), Some(&ann));
    let alias = wait(store.account_by_number(visitor.number)).unwrap();
    assert_eq!(alias.unwrap().alias_of, Some(ann.number));
    let by_token = wait(store.alias_by_token([3; 32])).unwrap();
    assert_eq!(by_token.map(|alias| alias.number), Some(visitor.number));
    // Who blocked the guest blocks the account, and its plans are the account's.
    let blockers = wait(store.blockers_of(ann.number)).unwrap();
    assert_eq!(blockers, [ben.number]);
    assert_eq!(wait(store.plans_by(ann.number)).unwrap().len(), 1);
    // Until its tables know, the alias is not settled.
    let unsettled = wait(store.unsettled_aliases(10)).unwrap();
    assert_eq!(unsettled, [(visitor.number, ann.number)]);
    // Neither once more nor by somebody else.
    assert_eq!(adopt(store, &visitor, &ann), Adoption::NotAGuest);
    assert_eq!(adopt(store, &visitor, &ben), Adoption::NotAGuest);
    assert_eq!(adopt(store, &ann, &ben), Adoption::NotAGuest);
    let registers = wait(store.register_guest(visitor.number, wish("Cid")));
    assert_eq!(registers, Ok(Becoming::NotAGuest));
}

pub(crate) fn nobody_takes_over_whom_they_play_with(home: &mut Home) {
    let store = home.store();
    let ann = create(store, new("Ann"));
    let visitor = guest(store, "guest-1");
    wait(store.add_token(token(&visitor, 3))).unwrap();
    game(store, 1, &visitor, &ann);
    assert_eq!(adopt(store, &visitor, &ann), Adoption::OwnGame);
    assert!(wait(store.token_by_hash(&[3; 32])).unwrap().is_some());
    assert_eq!(wait(store.unsettled_aliases(10)), Ok(Vec::new()));
}

pub(crate) fn a_table_whose_place_is_given_away_is_listed_for_whom_it_is_given_to(home: &mut Home) {
    let store = home.store();
    let (ann, ben) = (create(store, new("Ann")), create(store, new("Ben")));
    let visitor = guest(store, "guest-1");
    game(store, 1, &visitor, &ben);
    assert_eq!(adopt(store, &visitor, &ann), Adoption::Adopted);
    let mut given: Row = row(1, 3);
    given.summary.creator = ann.number;
    given.summary.white = Some(ann.number);
    given.summary.black = Some(ben.number);
    commit(store, changed(given)).unwrap();
    let of = |who: &Account| {
        let query = ListQuery {
            player: Some(who.number),
            limit: 10,
            ..ListQuery::default()
        };
        wait(store.list(query)).unwrap().len()
    };
    assert_eq!((of(&visitor), of(&ann), of(&ben)), (0, 1, 1));
    assert_eq!(wait(store.unsettled_aliases(10)), Ok(Vec::new()));
}

pub(crate) fn with_an_account_go_the_names_that_led_to_it(home: &mut Home) {
    let store = home.store();
    let ann = registered(store, &guest(store, "guest-1"), "Ann");
    let other = guest(store, "guest-2");
    assert_eq!(adopt(store, &other, &ann), Adoption::Adopted);
    assert_eq!(
        wait(store.delete_account(ann.number, Timestamp(9), "deleted-1")),
        Ok(true)
    );
    for id in ["ann", "guest-1", "guest-2"] {
        assert_eq!(wait(store.account_by_id(id)), Ok(None), "{id}");
    }
    for alias in wait(store.aliases_of(ann.number)).unwrap() {
        assert!(alias.deleted_at.is_some());
        assert!(alias.name.starts_with("deleted-1-"), "{}", alias.name);
    }
    assert_eq!(wait(store.alias_by_token([3; 32])), Ok(None));
}

pub(crate) fn settings_are_replaced_if_they_are_what_they_were(home: &mut Home) {
    let store = home.store();
    let ann = create(store, new("Ann"));
    let set = |were: Option<&str>, now: &str| {
        let change = ProfileChange {
            preferences: Some(now.to_owned()),
            preferences_were: were.map(str::to_owned),
            display_name: Some(Some("Annie".to_owned())),
            ..ProfileChange::default()
        };
        let changed = wait(store.change_profile(ann.number, change)).unwrap();
        changed.map(|account| (account.preferences, account.display_name))
    };
    let is = |text: &str| Some((text.to_owned(), Some("Annie".to_owned())));
    assert_eq!(set(Some("{}"), "{\"a\":1}"), is("{\"a\":1}"));
    assert_eq!(set(Some("{}"), "{\"b\":1}"), is("{\"a\":1}"));
    assert_eq!(set(None, "{\"c\":1}"), is("{\"c\":1}"));
}

/// Of those who can share a store, all hear of it.
pub(crate) fn other_nodes_hear_who_somebody_has_become(home: &mut Home) {
    let store = home.store();
    let heard = || {
        let all = wait(store.revocations_since(0)).unwrap();
        all.into_iter().map(|some| some.what).collect::<Vec<_>>()
    };
    let visitor = guest(store, "guest-1");
    let ann = registered(store, &visitor, "Ann");
    assert!(heard().contains(&Revoked::Account(ann.number)));
    let other = guest(store, "guest-2");
    wait(store.add_token(token(&other, 3))).unwrap();
    assert_eq!(adopt(store, &other, &ann), Adoption::Adopted);
    for what in [Revoked::Account(other.number), Revoked::Token([3; 32])] {
        assert!(heard().contains(&what), "{what:?}");
    }
}
