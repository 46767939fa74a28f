//! What only operators ask for.

use std::sync::Barrier;

use chess::Timestamp;
use store::{
    AccountKind, AuditEntry, FirstAdmin, Installed, NewAccount, NewNotice, ProfileChange, Sanction,
    SanctionKind,
};

use crate::people::{create, new};
use crate::support::*;

fn audit(action: &str) -> AuditEntry {
    AuditEntry {
        at: Timestamp(3_000),
        actor: "olga".into(),
        action: action.into(),
        target: "bob".into(),
        detail: String::new(),
    }
}

fn first(code: u64, name: &str) -> FirstAdmin {
    FirstAdmin {
        code,
        new: NewAccount {
            is_admin: true,
            ..new(name)
        },
        except: "console".into(),
        audit: audit("set_up"),
    }
}

fn admin(name: &str) -> NewAccount {
    first(0, name).new
}

pub(crate) fn whoever_knows_the_code_becomes_the_first_administrator(home: &mut Home) {
    let store = home.store();
    assert!(
        !wait(store.needs_setup("console")).unwrap(),
        "nobody made a code"
    );
    assert_eq!(
        wait(store.install(first(7, "olga"))).unwrap(),
        Installed::WrongCode
    );
    // The console's own administrator is none.
    create(store, admin("Console"));
    create(store, new("ann"));
    assert_eq!(wait(store.setup_code(7, "console")).unwrap(), Some(7));
    assert_eq!(
        wait(store.setup_code(8, "console")).unwrap(),
        Some(7),
        "it stays"
    );
    assert!(wait(store.needs_setup("console")).unwrap());
    for (code, name, refusal) in [
        (8, "olga", Installed::WrongCode),
        (7, "Ann", Installed::NameTaken),
    ] {
        assert_eq!(wait(store.install(first(code, name))).unwrap(), refusal);
    }
    let Installed::Made(olga) = wait(store.install(first(7, "Olga"))).unwrap() else {
        panic!("no administrator");
    };
    assert!(olga.is_admin && olga.id == "olga");
    assert_eq!(wait(store.account_by_id("olga")).unwrap(), Some(*olga));
    assert_eq!(
        wait(store.install(first(7, "eve"))).unwrap(),
        Installed::Before
    );
    assert!(!wait(store.needs_setup("console")).unwrap());
    assert_eq!(wait(store.setup_code(9, "console")).unwrap(), None);
    let trail = wait(store.audit_log(None, 10)).unwrap();
    assert_eq!(trail.len(), 1, "only who became one: {trail:?}");
}

pub(crate) fn a_code_is_of_no_use_once_there_is_an_administrator(home: &mut Home) {
    let store = home.store();
    assert_eq!(wait(store.setup_code(7, "console")).unwrap(), Some(7));
    let olga = create(store, admin("olga"));
    assert!(!wait(store.needs_setup("console")).unwrap());
    assert_eq!(
        wait(store.install(first(7, "eve"))).unwrap(),
        Installed::Before
    );
    // The next start forgets it, so it opens nothing when nobody is left.
    assert_eq!(wait(store.setup_code(8, "console")).unwrap(), None);
    let change = ProfileChange {
        is_admin: Some(false),
        ..ProfileChange::default()
    };
    wait(store.change_profile(olga.number, change)).unwrap();
    assert!(!wait(store.needs_setup("console")).unwrap());
    assert_eq!(
        wait(store.install(first(7, "eve"))).unwrap(),
        Installed::WrongCode
    );
    assert_eq!(wait(store.setup_code(9, "console")).unwrap(), Some(9));
}

pub(crate) fn of_several_who_know_the_code_one_becomes_it(home: &mut Home) {
    let store = home.store();
    wait(store.setup_code(7, "console")).unwrap();
    let together = Barrier::new(4);
    let outcomes: Vec<Installed> = std::thread::scope(|scope| {
        let tries: Vec<_> = (0..4)
            .map(|n| {
                let together = &together;
                scope.spawn(move || {
                    together.wait();
                    wait(store.install(first(7, &format!("boss{n}")))).unwrap()
                })
            })
            .collect();
        tries.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let is_made = |outcome: &&Installed| matches!(outcome, Installed::Made(_));
    assert_eq!(outcomes.iter().filter(is_made).count(), 1, "{outcomes:?}");
}

pub(crate) fn operators_find_accounts_of_every_kind(home: &mut Home) {
    let store = home.store();
    for name in ["Ann", "andy", "bob"] {
        create(store, new(name));
    }
    create(
        store,
        NewAccount {
            kind: AccountKind::Guest,
            ..new("an-guest")
        },
    );
    let gone = create(store, new("anton"));
    wait(store.delete_account(gone.number, Timestamp(5_000), "an-deleted")).unwrap();
    let ids = |prefix: &str, after: &str, limit| -> Vec<String> {
        let found = wait(store.all_accounts(prefix, after, limit)).unwrap();
        found.into_iter().map(|account| account.id).collect()
    };
    assert_eq!(ids("an", "", 9), ["an-deleted", "an-guest", "andy", "ann"]);
    assert_eq!(ids("an", "an-guest", 1), ["andy"]);
    assert_eq!(ids("an", "zz", 9), Vec::<String>::new());
    assert_eq!(ids("", "andy", 9), ["ann", "bob"]);
    assert_eq!(ids("%", "", 9), Vec::<String>::new());
    assert_eq!(ids("a\0", "", 9), Vec::<String>::new());
}

pub(crate) fn what_is_decided_without_a_report_is_decided_as_a_whole(home: &mut Home) {
    let store = home.store();
    let bob = create(store, new("bob"));
    let sanction = |why: &str, until: u64| Sanction {
        account: bob.number,
        kind: SanctionKind::Mute,
        until: Some(Timestamp(until)),
        why: why.into(),
        by: "olga".into(),
        at: Timestamp(3_000),
    };
    let notice = |text: &str| NewNotice {
        account: bob.number,
        at: Timestamp(3_000),
        kind: "mute".into(),
        text: text.into(),
        until: None,
    };
    for (why, until) in [("insults", 9_000), ("more insults", 99_000)] {
        let decided = store.sanction(sanction(why, until), notice(why), audit("sanction"));
        wait(decided).unwrap();
    }
    let holding = wait(store.sanctions_of(bob.number)).unwrap();
    assert_eq!(holding, [sanction("more insults", 99_000)]);
    assert_eq!(wait(store.notices_of(bob.number, true)).unwrap().len(), 2);
    assert_eq!(wait(store.audit_log(None, 10)).unwrap().len(), 2);
}
