//! Whom to tell, where, and what was told.

use std::sync::atomic::{AtomicUsize, Ordering};

use chess::Timestamp;
use chess::table::PlayerId;
use store::{
    Address, Channel, Creation, Held, MailPurpose, MailToken, NewNotification, Notification,
    NotificationClaim, OutboxStep, ProfileChange, Settled, Store, Subscription,
};

use crate::people::new;
use crate::support::*;

fn account(store: &Store, name: &str) -> PlayerId {
    let mut wanted = new(name);
    wanted.uuid = [u8::try_from(name.len()).unwrap(); 16];
    match wait(store.create_account(wanted)) {
        Ok(Creation::Created(account)) => account.number,
        other => panic!("{other:?}"),
    }
}

fn record(key: &str, account: PlayerId, channel: Channel, due: u64) -> NewNotification {
    NewNotification {
        key: key.to_owned(),
        account,
        kind: "your_turn".to_owned(),
        channel,
        table: Some(id(7)),
        version: 3,
        subscription: None,
        at: Timestamp(100),
        due_at: Timestamp(due),
    }
}

fn keys(found: &[Notification]) -> Vec<&str> {
    found.iter().map(|found| &*found.what.key).collect()
}

fn claim(store: &Store, now: u64, until: u64) -> Vec<Notification> {
    let mut found = claim_of(store, Channel::Email, now, until, 10);
    found.extend(claim_of(store, Channel::Push, now, until, 10));
    found.sort_by_key(|found| found.id);
    found
}

fn claim_of(
    store: &Store,
    channel: Channel,
    now: u64,
    until: u64,
    per_account: u32,
) -> Vec<Notification> {
    let claim = NotificationClaim {
        channel,
        now: Timestamp(now),
        until: Timestamp(until),
        limit: 10,
        per_account,
    };
    wait(store.claim_notifications(claim)).unwrap()
}

fn held(found: &[Notification]) -> Vec<Held> {
    found.iter().map(Notification::held).collect()
}

pub(crate) fn what_is_to_be_told_is_written_once(home: &mut Home) {
    let store = home.store();
    let ann = account(store, "ann");
    let one = record("e1 ann email", ann, Channel::Email, 200);
    assert_eq!(
        wait(store.add_notifications(None, vec![one.clone()])),
        Ok(true)
    );
    assert_eq!(
        wait(store.add_notifications(None, vec![one.clone()])),
        Ok(true)
    );
    let store = home.restart();
    assert!(claim(store, 199, 300).is_empty(), "not due yet");
    let due = claim(store, 200, 300);
    assert_eq!((due.len(), &due[0].what, due[0].tries), (1, &one, 1));
    assert!(claim(store, 299, 400).is_empty(), "somebody has it in hand");
    let again = claim(store, 300, 400);
    assert_eq!((again[0].id, again[0].tries), (due[0].id, 2), "and is gone");
    let settle = |of: &[Notification], settled| {
        wait(store.settle_notifications(held(of), settled)).unwrap();
    };
    settle(&again, Settled::Later(Timestamp(500)));
    assert!(claim(store, 499, 600).is_empty());
    let third = claim(store, 500, 600);
    assert_eq!(third[0].tries, 3);
    settle(&third, Settled::Put(Timestamp(700)));
    assert_eq!(wait(store.oldest_notification()), Ok(Some(Timestamp(700))));
    let last_claim = claim(store, 700, 800);
    assert_eq!(last_claim[0].tries, 3, "that was no try");
    let last = || wait(store.last_sent(ann, "your_turn", Channel::Email)).unwrap();
    assert_eq!(last(), None);
    settle(&last_claim, Settled::Sent(Timestamp(710)));
    settle(&last_claim, Settled::Dropped(Timestamp(720)));
    assert_eq!(last(), Some(Timestamp(710)), "what is done is done");
    assert!(claim(store, 9_000, 9_100).is_empty());
    assert_eq!(wait(store.purge_notifications(Timestamp(711), 10)), Ok(1));
    assert_eq!(last(), None);
}

pub(crate) fn what_waits_is_claimed_together(home: &mut Home) {
    let store = home.store();
    let (ann, bob) = (account(store, "ann"), account(store, "bobby"));
    let of = |key, who, channel| record(key, who, channel, 1_000);
    let all = vec![
        of("1", ann, Channel::Email),
        of("2", ann, Channel::Email),
        of("3", bob, Channel::Email),
        of("4", ann, Channel::Push),
    ];
    wait(store.add_notifications(None, all)).unwrap();
    let alike = || {
        let (now, until) = (Timestamp(10), Timestamp(20));
        wait(store.claim_alike(ann, "your_turn", Channel::Email, now, until)).unwrap()
    };
    assert_eq!(keys(&alike()), ["1", "2"], "due or not");
    assert!(alike().is_empty());
    assert_eq!(keys(&claim(store, 1_000, 1_010)), ["1", "2", "3", "4"]);
    assert_eq!(wait(store.last_streamed(ann)), Ok(0));
}

/// However much is due of one account, others have their turn.
pub(crate) fn few_of_one_account_are_in_hand_in_each_way(home: &mut Home) {
    let store = home.store();
    let (ann, bob) = (account(store, "ann"), account(store, "bobby"));
    let mut all: Vec<NewNotification> = (0..20)
        .map(|n| record(&format!("push {n}"), ann, Channel::Push, n))
        .collect();
    all.push(record("bob", bob, Channel::Push, 90));
    all.push(record("letter", ann, Channel::Email, 95));
    wait(store.add_notifications(None, all)).unwrap();
    let pushes = |store: &Store, now| claim_of(store, Channel::Push, now, now + 50, 2);
    let first = pushes(store, 100);
    assert_eq!(keys(&first), ["push 0", "push 1", "bob"]);
    assert!(pushes(store, 101).is_empty(), "two are in hand");
    let letter = claim_of(store, Channel::Email, 101, 150, 1);
    assert_eq!(keys(&letter), ["letter"], "which is no letter");
    let one = held(&first[..1]);
    wait(store.settle_notifications(one, Settled::Sent(Timestamp(102)))).unwrap();
    let store = home.restart();
    assert_eq!(keys(&pushes(store, 103)), ["push 2"]);
    let again = pushes(store, 150);
    assert_eq!(keys(&again), ["push 1", "bob"], "whose claims have ended");
}

/// What comes along with another is not tried for itself.
pub(crate) fn what_comes_along_uses_up_no_try(home: &mut Home) {
    let store = home.store();
    let ann = account(store, "ann");
    let all = (1..=3).map(|n| record(&n.to_string(), ann, Channel::Email, n));
    wait(store.add_notifications(None, all.collect())).unwrap();
    let round = |now: u64, settled| {
        let mut both = claim_of(store, Channel::Email, now, now + 50, 1);
        let (at, until) = (Timestamp(now), Timestamp(now + 50));
        both.extend(wait(store.claim_alike(ann, "your_turn", Channel::Email, at, until)).unwrap());
        let tries: Vec<u32> = both.iter().map(|one| one.tries).collect();
        wait(store.settle_notifications(held(&both), settled)).unwrap();
        tries
    };
    assert_eq!(round(100, Settled::Later(Timestamp(200))), [1, 0, 0]);
    assert_eq!(round(200, Settled::Put(Timestamp(300))), [2, 0, 0]);
    assert_eq!(round(300, Settled::Later(Timestamp(400))), [2, 0, 0]);
}

/// Who took too long: that it was told counts, and nothing else.
pub(crate) fn what_somebody_else_has_in_hand_is_theirs_to_settle(home: &mut Home) {
    let store = home.store();
    let ann = account(store, "ann");
    wait(store.add_notifications(None, vec![record("1", ann, Channel::Email, 1)])).unwrap();
    let slow = held(&claim(store, 100, 150));
    let other = held(&claim(store, 150, 200));
    for settled in [
        Settled::Later(Timestamp(160)),
        Settled::Put(Timestamp(160)),
        Settled::Dropped(Timestamp(160)),
    ] {
        wait(store.settle_notifications(slow.clone(), settled)).unwrap();
        assert!(claim(store, 170, 180).is_empty(), "{settled:?}");
    }
    let store = home.restart();
    wait(store.settle_notifications(slow, Settled::Sent(Timestamp(161)))).unwrap();
    wait(store.settle_notifications(other, Settled::Later(Timestamp(190)))).unwrap();
    assert!(claim(store, 9_000, 9_001).is_empty(), "it was told");
}

pub(crate) fn a_step_of_the_outbox_is_taken_once_and_with_what_comes_of_it(home: &mut Home) {
    let store = home.store();
    let ann = account(store, "ann");
    let take = |store: &Store, holder, now, until| {
        let taken = store.take_outbox_cursor("told", holder, Timestamp(now), Timestamp(until));
        wait(taken).unwrap()
    };
    assert_eq!(take(store, 1, 0, 10), Some(String::new()));
    assert_eq!(take(store, 2, 9, 19), None, "another reads");
    let step = |holder, from: &str, to: &str| {
        Some(OutboxStep {
            name: "told".into(),
            holder,
            from: from.into(),
            to: to.into(),
        })
    };
    let stream = |key| vec![record(key, ann, Channel::Stream, 0)];
    let add = |step, key| wait(store.add_notifications(step, stream(key))).unwrap();
    assert!(add(step(1, "", "5"), "a"));
    assert!(!add(step(1, "", "5"), "b"), "it was taken");
    assert!(!add(step(2, "5", "6"), "b"), "by somebody else");
    assert_eq!(take(store, 2, 10, 20), Some("5".into()), "that one is gone");
    assert!(!add(step(1, "5", "6"), "b"), "and does nothing any more");
    assert!(add(step(2, "5", "6"), "c"));
    let store = home.restart();
    assert_eq!(take(store, 2, 11, 21), Some("6".into()));
    let told = wait(store.streamed_notifications(ann, 0, 10)).unwrap();
    assert_eq!(keys(&told), ["a", "c"]);
    assert!(
        claim(store, 9_000, 9_001).is_empty(),
        "told by being written"
    );
    assert_eq!(wait(store.last_streamed(ann)), Ok(told[1].id));
    let later = wait(store.streamed_notifications(ann, told[0].id, 10)).unwrap();
    assert_eq!(keys(&later), ["c"]);
}

/// Several nodes tell one account at once, and it reads on from the last it knows.
pub(crate) fn who_reads_a_stream_on_misses_nothing_whoever_writes(home: &mut Home) {
    const WRITERS: usize = 4;
    const EACH: usize = 60;
    let store = home.store();
    let ann = account(store, "ann");
    let done = AtomicUsize::new(0);
    let (mut known, mut last) = (0, 0);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let done = &done;
            scope.spawn(move || {
                for n in 0..EACH {
                    // What is told with it takes a while, so that others come in between.
                    let mut new = vec![record(&format!("{writer} {n}"), ann, Channel::Stream, 0)];
                    let letter = |m| format!("{writer} {n} letter {m}");
                    new.extend((0..5).map(|m| record(&letter(m), ann, Channel::Email, 9_000)));
                    wait(store.add_notifications(None, new)).unwrap();
                }
                done.fetch_add(1, Ordering::SeqCst);
            });
        }
        loop {
            let are_done = done.load(Ordering::SeqCst) == WRITERS;
            let told = wait(store.streamed_notifications(ann, last, 100)).unwrap();
            known += told.len();
            last = told.last().map_or(last, |told| told.id);
            if are_done && told.is_empty() {
                break;
            }
        }
    });
    assert_eq!(known, WRITERS * EACH);
}

fn token(byte: u8, account: PlayerId, purpose: MailPurpose) -> MailToken {
    MailToken {
        hash: [byte; 32],
        account,
        purpose,
        email: "ann@x.example".into(),
        expires_at: Timestamp(50),
    }
}

pub(crate) fn what_was_sent_by_mail_is_brought_back_once(home: &mut Home) {
    let store = home.store();
    let ann = account(store, "ann");
    let (confirm, reset) = (MailPurpose::Confirm, MailPurpose::Reset);
    for (byte, purpose) in [(1, confirm), (2, reset), (3, reset), (4, confirm)] {
        wait(store.add_mail_token(token(byte, ann, purpose))).unwrap();
    }
    let store = home.restart();
    let look = |byte| wait(store.mail_token([byte; 32])).unwrap();
    assert_eq!(look(2), Some(token(2, ann, reset)));
    assert_eq!(look(9), None);
    assert_eq!(wait(store.take_mail_token([2; 32])), Ok(true));
    assert_eq!(wait(store.take_mail_token([2; 32])), Ok(false));
    assert_eq!(look(3), None, "nor the one sent before");
    assert!(look(1).is_some() && look(4).is_some());
    assert_eq!(wait(store.purge_mail_tokens(Timestamp(50), 10)), Ok(0));
    assert_eq!(wait(store.purge_mail_tokens(Timestamp(51), 10)), Ok(2));
}

pub(crate) fn a_new_password_ends_what_would_set_another(home: &mut Home) {
    let store = home.store();
    let (ann, bob) = (account(store, "ann"), account(store, "bobby"));
    for (byte, who, purpose) in [
        (1, ann, MailPurpose::Reset),
        (2, ann, MailPurpose::Confirm),
        (3, bob, MailPurpose::Reset),
    ] {
        wait(store.add_mail_token(token(byte, who, purpose))).unwrap();
    }
    let is_there = |store: &Store| {
        let look = |byte| wait(store.mail_token([byte; 32])).unwrap().is_some();
        [1, 2, 3].map(look)
    };
    let email = ProfileChange {
        email: Some(Some("ann@x.example".into())),
        ..ProfileChange::default()
    };
    wait(store.change_profile(ann, email)).unwrap();
    assert_eq!(is_there(store), [true; 3]);
    let password = ProfileChange {
        password_hash: Some("hash".into()),
        ..ProfileChange::default()
    };
    wait(store.change_profile(ann, password)).unwrap();
    assert_eq!(is_there(home.restart()), [false, true, true]);
}

pub(crate) fn an_address_counts_while_it_is_the_accounts(home: &mut Home) {
    let store = home.store();
    let ann = account(store, "ann");
    let email = |text: &str| ProfileChange {
        email: Some(Some(text.to_owned())),
        ..ProfileChange::default()
    };
    wait(store.change_profile(ann, email("Ann@x.example"))).unwrap();
    let address = |confirmed_at| Address {
        email: "Ann@x.example".into(),
        confirmed_at,
        bounced_at: None,
    };
    assert_eq!(wait(store.address(ann)), Ok(None));
    wait(store.set_address(ann, address(None))).unwrap();
    let at = |store: &Store| wait(store.accounts_at("ann@X.example")).unwrap();
    assert!(at(store).is_empty());
    wait(store.set_address(ann, address(Some(Timestamp(5))))).unwrap();
    let store = home.restart();
    assert_eq!(at(store), [ann]);
    assert_eq!(
        wait(store.address(ann)),
        Ok(Some(address(Some(Timestamp(5)))))
    );
    wait(store.change_profile(ann, email("ann@y.example"))).unwrap();
    assert!(at(store).is_empty());
}

pub(crate) fn a_browser_belongs_to_whoever_came_last(home: &mut Home) {
    let store = home.store();
    let (ann, bob) = (account(store, "ann"), account(store, "bobby"));
    let browser = |account, n: u8| Subscription {
        id: 0,
        account,
        endpoint: format!("https://push.example/{n}"),
        p256dh: vec![n; 65],
        auth: vec![n; 16],
        created_at: Timestamp(9),
    };
    let first = wait(store.subscribe(browser(ann, 1), 2)).unwrap();
    assert_eq!(wait(store.subscribe(browser(ann, 1), 2)), Ok(first));
    let second = wait(store.subscribe(browser(ann, 2), 2)).unwrap();
    let third = wait(store.subscribe(browser(ann, 3), 2)).unwrap();
    let ids = |store: &Store, who| {
        let found = wait(store.subscriptions_of(who)).unwrap();
        found.iter().map(|some| some.id).collect::<Vec<_>>()
    };
    assert_eq!(ids(store, ann), [second, third], "the oldest went");
    assert_eq!(wait(store.unsubscribe(Some(bob), third)), Ok(false));
    assert_eq!(wait(store.subscribe(browser(bob, 3), 2)), Ok(third));
    let store = home.restart();
    assert_eq!(
        (ids(store, ann), ids(store, bob)),
        (vec![second], vec![third])
    );
    assert_eq!(wait(store.unsubscribe(Some(bob), third)), Ok(true));
    assert_eq!(wait(store.unsubscribe(None, second)), Ok(true));
    assert!(ids(store, ann).is_empty());
}

pub(crate) fn a_secret_is_made_once(home: &mut Home) {
    let store = home.store();
    let known = wait(store.server_secret("key", vec![1, 2]));
    assert_eq!(known, Ok(vec![1, 2]));
    let store = home.restart();
    assert_eq!(wait(store.server_secret("key", vec![3])), Ok(vec![1, 2]));
    assert_eq!(wait(store.server_secret("other", vec![3])), Ok(vec![3]));
}

pub(crate) fn of_a_deleted_account_nothing_is_left_to_tell(home: &mut Home) {
    let store = home.store();
    let ann = account(store, "ann");
    wait(store.set_notification_settings(ann, "{}".into())).unwrap();
    wait(store.set_notification_settings(ann, "{\"a\":1}".into())).unwrap();
    let settings = || wait(store.notification_settings(ann)).unwrap();
    assert_eq!(settings().as_deref(), Some("{\"a\":1}"));
    let address = Address {
        email: "a@x".into(),
        confirmed_at: None,
        bounced_at: Some(Timestamp(1)),
    };
    wait(store.set_address(ann, address)).unwrap();
    wait(store.add_mail_token(token(1, ann, MailPurpose::Reset))).unwrap();
    wait(store.add_notifications(None, vec![record("1", ann, Channel::Email, 1)])).unwrap();
    wait(store.delete_account(ann, Timestamp(2), "gone-1")).unwrap();
    assert_eq!(settings(), None);
    assert_eq!(wait(store.address(ann)), Ok(None));
    assert_eq!(wait(store.mail_token([1; 32])), Ok(None));
    assert!(claim(store, 100, 200).is_empty());
}
