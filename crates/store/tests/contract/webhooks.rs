//! Webhooks: events are put in line for those who want them, and tried by one at a time.

use chess::Timestamp;
use chess::table::PlayerId;
use store::{
    Backlog, Change, Claim, Delivery, DeliveryState, EventKind, EventKinds, MovesWanted, NewReport,
    NewWebhook, ProfileChange, Reporting, Store, Then, Tried, Webhook,
};

use crate::people::{create, new};
use crate::support::*;

fn webhook(account: PlayerId) -> NewWebhook {
    NewWebhook {
        account,
        url: "https://example.org/hook".into(),
        kinds: EventKinds::ALL,
        everything: false,
        secret: "s3cret".into(),
        at: Timestamp(5),
    }
}

fn add(store: &Store, new: NewWebhook) -> Webhook {
    wait(store.add_webhook(new, 10))
        .unwrap()
        .expect("there is room")
}

/// Two accounts, of whom player 1 is the first.
fn people(store: &Store) -> [PlayerId; 2] {
    ["ann", "bob"].map(|name| create(store, new(name)).number)
}

/// A change that tells this of a table of player 1 and player 2.
fn telling(kind: EventKind, change: Change) -> Change {
    Change {
        tells: EventKinds::NONE.with(kind),
        ..change
    }
}

fn made(number: u64) -> Change {
    telling(EventKind::GameCreated, created(row(number, 1)))
}

/// Everything that was told until now is put in line.
fn fan_out(store: &Store) -> u64 {
    events(store);
    let mut deliveries = 0;
    loop {
        let fanned = wait(store.fan_out(Timestamp(100), 3)).unwrap();
        deliveries += fanned.deliveries;
        if fanned.events == 0 {
            return deliveries;
        }
    }
}

fn claim(store: &Store, now: u64) -> Vec<Delivery> {
    let claim = Claim {
        now: Timestamp(now),
        until: Timestamp(now + 10),
        limit: 100,
        per_webhook: 100,
        per_account: 100,
        in_hand: Vec::new(),
        except: Vec::new(),
    };
    let mut claimed = wait(store.claim_deliveries(claim)).unwrap();
    claimed.sort_by_key(|delivery| delivery.id);
    claimed
}

/// What was claimed, by table and version.
fn shown(claimed: &[Delivery]) -> Vec<(u64, u32)> {
    let one = |it: &Delivery| (it.event.table.map_or(0, |t| t.number()), it.event.version);
    claimed.iter().map(one).collect()
}

fn settle(store: &Store, delivery: &Delivery, at: u64, then: Then) -> bool {
    let tried = Tried {
        delivery: delivery.id,
        claimed_until: delivery.claimed_until,
        at: Timestamp(at),
        status: Some(if then == Then::Delivered { 204 } else { 500 }),
        error: None,
        then,
    };
    wait(store.settle_delivery(tried)).unwrap()
}

pub(crate) fn a_webhook_is_read_as_it_was_made(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    let first = add(store, webhook(ann));
    let kinds = EventKinds::NONE.with(EventKind::GameEnded);
    let second = add(
        store,
        NewWebhook {
            kinds,
            everything: true,
            ..webhook(ann)
        },
    );
    assert_eq!(wait(store.add_webhook(webhook(ann), 2)), Ok(None));
    let store = home.restart();
    assert_eq!(
        wait(store.webhooks_of(ann)),
        Ok(vec![first.clone(), second])
    );
    assert_eq!(wait(store.webhooks_of(bob)), Ok(Vec::new()));
    assert_eq!(wait(store.webhook(first.id)), Ok(Some(first.clone())));
    let until = Timestamp(99);
    let others = wait(store.rotate_webhook(bob, first.id, "new", until));
    assert_eq!(others, Ok(None));
    let rotated = wait(store.rotate_webhook(ann, first.id, "new", until)).unwrap();
    let rotated = rotated.expect("it is hers");
    assert_eq!(rotated.secret, "new");
    assert_eq!(rotated.old_secret, Some(("s3cret".into(), until)));
    assert_eq!(wait(store.remove_webhook(bob, first.id)), Ok(false));
    assert_eq!(wait(store.remove_webhook(ann, first.id)), Ok(true));
    assert_eq!(wait(store.webhook(first.id)), Ok(None));
}

pub(crate) fn moves_are_wanted_while_a_webhook_wants_them(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    let kinds = EventKinds::ALL.without(EventKind::MovePlayed);
    add(
        store,
        NewWebhook {
            kinds,
            ..webhook(ann)
        },
    );
    let nobodys = Ok(MovesWanted::default());
    assert_eq!(wait(store.webhooks_want_moves()), nobodys);
    let wanting = add(store, webhook(ann));
    let hers = MovesWanted {
        of_all: false,
        of: [ann].into(),
    };
    assert_eq!(wait(store.webhooks_want_moves()), Ok(hers.clone()));
    let everything = NewWebhook {
        everything: true,
        ..webhook(bob)
    };
    let for_all = add(store, everything);
    let of_all = MovesWanted {
        of_all: true,
        ..hers
    };
    assert_eq!(wait(store.webhooks_want_moves()), Ok(of_all));
    wait(store.remove_webhook(bob, for_all.id)).unwrap();
    wait(store.remove_webhook(ann, wanting.id)).unwrap();
    assert_eq!(wait(store.webhooks_want_moves()), nobodys);
}

pub(crate) fn events_are_put_in_line_for_those_who_want_them(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    let carl = create(store, new("carl")).number;
    commit(store, made(1)).unwrap();
    assert_eq!(fan_out(store), 0, "what was before is nobody's");
    let kinds = EventKinds::NONE.with(EventKind::GameEnded);
    let hers = add(store, webhook(ann));
    let his = add(
        store,
        NewWebhook {
            kinds,
            ..webhook(bob)
        },
    );
    let other = add(store, webhook(carl));
    let everything = NewWebhook {
        everything: true,
        ..webhook(carl)
    };
    let nothing = add(store, everything);
    commit(store, telling(EventKind::GameStarted, changed(row(1, 2)))).unwrap();
    commit(store, telling(EventKind::GameEnded, changed(over(1, 3)))).unwrap();
    let report = NewReport {
        reporter: ann,
        reported: bob,
        reason: "abuse".into(),
        table: Some(id(1)),
        text: String::new(),
        at: Timestamp(9),
    };
    let reported = wait(store.report(report, 10)).unwrap();
    assert!(matches!(reported, Reporting::Made(_)));
    assert_eq!(fan_out(store), 2 + 1);
    let kinds_of = |webhook: &Webhook| -> Vec<EventKind> {
        let found = wait(store.deliveries_of(webhook.id, None, 10)).unwrap();
        found.iter().map(|it| it.event.kind).collect()
    };
    let [ended, started] = [EventKind::GameEnded, EventKind::GameStarted];
    assert_eq!(kinds_of(&hers), [ended, started], "newest first, no report");
    assert_eq!(kinds_of(&his), [ended]);
    assert_eq!(kinds_of(&other), []);
    assert_eq!(kinds_of(&nothing), [], "not an administrator");
    let page = wait(store.deliveries_of(hers.id, None, 1)).unwrap();
    let next = wait(store.deliveries_of(hers.id, Some(page[0].id), 1)).unwrap();
    assert_eq!(next[0].event.kind, started);
    assert_eq!(fan_out(store), 0, "nothing is put in line twice");
}

pub(crate) fn of_each_line_one_is_tried_at_a_time(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    fan_out(store);
    add(store, webhook(ann));
    add(store, webhook(bob));
    commit(store, made(1)).unwrap();
    commit(store, telling(EventKind::GameStarted, changed(row(1, 2)))).unwrap();
    commit(store, made(2)).unwrap();
    assert_eq!(fan_out(store), 6);
    assert_eq!(claim(store, 99), [], "not due yet");
    let first = claim(store, 100);
    assert_eq!(shown(&first), [(1, 1), (1, 1), (2, 1), (2, 1)]);
    assert!(first.iter().all(|it| it.tries == 1));
    assert_eq!(claim(store, 105), [], "somebody has them in hand");
    assert!(settle(store, &first[0], 105, Then::Delivered));
    assert!(settle(store, &first[1], 105, Then::Again(Timestamp(120))));
    assert!(settle(store, &first[2], 105, Then::Dead));
    // The next of the line that goes on, and what nobody settled in time.
    let second = claim(store, 115);
    assert_eq!(shown(&second), [(1, 2), (2, 1)]);
    assert_eq!(second[1].id, first[3].id);
    assert_eq!(second[1].tries, 2);
    // The one who took too long: a failure does not count any more, a delivery does.
    assert!(!settle(store, &first[3], 116, Then::Again(Timestamp(500))));
    assert!(settle(store, &first[3], 116, Then::Delivered));
    assert!(!settle(store, &second[1], 117, Then::Dead), "it has ended");
    assert_eq!(
        shown(&claim(store, 121)),
        [(1, 1)],
        "it was to be tried again"
    );
    let backlog = wait(store.delivery_backlog()).unwrap();
    let expected = Backlog {
        waiting: 3,
        oldest: Some(Timestamp(100)),
    };
    assert_eq!(backlog, expected);
}

pub(crate) fn so_many_of_one_webhook_are_tried_at_once(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    fan_out(store);
    let hers = add(store, webhook(ann));
    let his = add(store, webhook(bob));
    (1..=5).for_each(|number| commit(store, made(number)).unwrap());
    assert_eq!(fan_out(store), 10);
    let take = |limit, per_webhook, except: Vec<u64>| {
        let claim = Claim {
            now: Timestamp(100),
            until: Timestamp(200),
            limit,
            per_webhook,
            per_account: 100,
            in_hand: Vec::new(),
            except,
        };
        let claimed = wait(store.claim_deliveries(claim)).unwrap();
        let of = |webhook: &Webhook| claimed.iter().filter(|it| it.webhook == webhook.id).count();
        (of(&hers), of(&his))
    };
    assert_eq!(take(10, 2, Vec::new()), (2, 2));
    assert_eq!(take(10, 2, vec![hers.id]), (0, 2));
    assert_eq!(take(1, 10, vec![his.id]), (1, 0));
}

/// However many webhooks somebody has, others have their turn.
pub(crate) fn so_many_of_one_account_are_tried_at_once(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    fan_out(store);
    let hers: Vec<Webhook> = (0..4).map(|_| add(store, webhook(ann))).collect();
    (1..=5).for_each(|number| commit(store, made(number)).unwrap());
    assert_eq!(fan_out(store), 20);
    let his = add(store, webhook(bob));
    commit(store, made(6)).unwrap();
    assert_eq!(fan_out(store), 5);
    let take = |now: u64, in_hand: Vec<u64>| {
        let claim = Claim {
            now: Timestamp(now),
            until: Timestamp(now + 1_000),
            limit: 100,
            per_webhook: 3,
            per_account: 8,
            in_hand,
            except: Vec::new(),
        };
        let claimed = wait(store.claim_deliveries(claim)).unwrap();
        let of = |webhook: &Webhook| claimed.iter().filter(|it| it.webhook == webhook.id).count();
        (hers.iter().map(of).collect::<Vec<_>>(), of(&his))
    };
    let (of_hers, of_his) = take(100, Vec::new());
    assert_eq!((of_hers.iter().sum::<usize>(), of_his), (8, 1));
    assert!(of_hers.iter().all(|many| *many <= 3), "{of_hers:?}");
    let mut in_hand: Vec<u64> = hers.iter().map(|webhook| webhook.id).collect();
    let (of_hers, _) = take(101, in_hand.clone());
    assert_eq!(of_hers.iter().sum::<usize>(), 4, "with four in hand");
    in_hand.extend_from_within(..);
    assert_eq!(take(102, in_hand), (vec![0; 4], 0));
}

pub(crate) fn what_was_sent_is_sent_again_on_demand(home: &mut Home) {
    let store = home.store();
    let [ann, _] = people(store);
    fan_out(store);
    let hers = add(store, webhook(ann));
    commit(store, made(1)).unwrap();
    fan_out(store);
    let first = claim(store, 100).remove(0);
    settle(store, &first, 101, Then::Delivered);
    assert_eq!(
        wait(store.redeliver(hers.id + 1, first.id, Timestamp(110))),
        Ok(None)
    );
    let again = wait(store.redeliver(hers.id, first.id, Timestamp(110))).unwrap();
    let again = again.expect("it is there");
    assert_eq!(
        (again.event, again.state, again.tries),
        (first.event, DeliveryState::Waiting, 0)
    );
    assert!(again.id > first.id);
    assert_eq!(claim(store, 110)[0].id, again.id);
    let all = wait(store.deliveries_of(hers.id, None, 10)).unwrap();
    assert_eq!(all[1].state, DeliveryState::Delivered);
    assert_eq!(
        (all[1].status, all[1].ended_at),
        (Some(204), Some(Timestamp(101)))
    );
    assert_eq!(wait(store.purge_deliveries(Timestamp(105), 10)), Ok(1));
    assert_eq!(wait(store.purge_deliveries(Timestamp(105), 10)), Ok(0));
    assert_eq!(
        wait(store.deliveries_of(hers.id, None, 10)).unwrap().len(),
        1
    );
}

pub(crate) fn who_is_gone_or_barred_is_sent_nothing(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    fan_out(store);
    add(store, webhook(ann));
    let his = add(store, webhook(bob));
    commit(store, made(1)).unwrap();
    assert_eq!(fan_out(store), 2);
    assert_eq!(
        wait(store.delete_account(ann, Timestamp(50), "gone")),
        Ok(true)
    );
    assert_eq!(wait(store.webhooks_of(ann)), Ok(Vec::new()));
    assert_eq!(claim(store, 100).len(), 1);
    commit(store, made(2)).unwrap();
    assert_eq!(fan_out(store), 1);
    wait(store.remove_webhook(bob, his.id)).unwrap();
    assert_eq!(wait(store.delivery_backlog()).unwrap().waiting, 0);
}

/// When the next delivery of a line is due is told by its claim.
fn due_since(store: &Store, now: u64) -> Vec<((u64, u32), u64)> {
    let claimed = claim(store, now);
    let at = claimed.iter().map(|it| it.next_at.0);
    shown(&claimed).into_iter().zip(at).collect()
}

/// What waits behind another is not due, however long it waits: it is from when the one
/// before it ended. Else all that waits would be looked at again and again.
pub(crate) fn only_the_first_of_a_line_is_due(home: &mut Home) {
    let store = home.store();
    let [ann, _] = people(store);
    fan_out(store);
    let hers = add(store, webhook(ann));
    commit(store, made(1)).unwrap();
    commit(store, telling(EventKind::GameStarted, changed(row(1, 2)))).unwrap();
    assert_eq!(fan_out(store), 2);
    commit(store, telling(EventKind::GameEnded, changed(over(1, 3)))).unwrap();
    commit(store, made(2)).unwrap();
    assert_eq!(fan_out(store), 2, "one of them behind what waits already");
    let listed = wait(store.deliveries_of(hers.id, None, 10)).unwrap();
    assert!(listed.iter().all(|it| it.next_at == Timestamp(100)));
    let store = home.restart();
    let first = claim(store, 100);
    assert_eq!(shown(&first), [(1, 1), (2, 1)]);
    assert!(settle(store, &first[1], 101, Then::Delivered));
    assert!(settle(store, &first[0], 101, Then::Again(Timestamp(9_000))));
    assert_eq!(claim(store, 8_999), [], "behind what is tried again later");
    let first = claim(store, 9_000);
    assert!(settle(store, &first[0], 9_001, Then::Delivered));
    assert_eq!(due_since(store, 9_100), [((1, 2), 9_001)]);
    let second = claim(store, 9_200);
    assert!(settle(store, &second[0], 9_201, Then::Dead));
    assert_eq!(due_since(store, 9_300), [((1, 3), 9_201)]);
    // Once more, behind the last and then alone.
    let again = wait(store.redeliver(hers.id, first[0].id, Timestamp(9_301))).unwrap();
    assert_eq!(again.map(|it| it.next_at), Some(Timestamp(9_301)));
    let third = claim(store, 9_400);
    assert_eq!(shown(&third), [(1, 3)]);
    assert!(settle(store, &third[0], 9_401, Then::Delivered));
    assert_eq!(due_since(store, 9_500), [((1, 1), 9_401)]);
    let last = claim(store, 9_600);
    assert!(settle(store, &last[0], 9_601, Then::Delivered));
    wait(store.redeliver(hers.id, first[0].id, Timestamp(9_602))).unwrap();
    assert_eq!(due_since(store, 9_700), [((1, 1), 9_602)]);
}

pub(crate) fn a_line_goes_on_when_its_first_is_forgotten(home: &mut Home) {
    let store = home.store();
    let [ann, _] = people(store);
    fan_out(store);
    let hers = add(store, webhook(ann));
    commit(store, made(1)).unwrap();
    assert_eq!(fan_out(store), 1);
    let first = claim(store, 100).remove(0);
    assert!(settle(store, &first, 101, Then::Again(Timestamp(9_000))));
    wait(store.redeliver(hers.id, first.id, Timestamp(300))).unwrap();
    wait(store.redeliver(hers.id, first.id, Timestamp(301))).unwrap();
    assert_eq!(claim(store, 400), []);
    assert_eq!(wait(store.purge_deliveries(Timestamp(200), 10)), Ok(1));
    assert_eq!(due_since(store, 400), [((1, 1), 200)]);
    assert_eq!(claim(store, 405), [], "the one behind it waits");
    // Nothing is first in a line of which nothing is left: the next to come is.
    assert_eq!(wait(store.purge_deliveries(Timestamp(310), 10)), Ok(2));
    commit(store, telling(EventKind::GameStarted, changed(row(1, 2)))).unwrap();
    assert_eq!(fan_out(store), 1);
    assert_eq!(due_since(store, 400), [((1, 2), 100)]);
}

pub(crate) fn what_could_not_be_tried_uses_up_no_try(home: &mut Home) {
    let store = home.store();
    let [ann, _] = people(store);
    fan_out(store);
    add(store, webhook(ann));
    commit(store, made(1)).unwrap();
    fan_out(store);
    for now in [100, 200, 300] {
        let claimed = claim(store, now).remove(0);
        assert_eq!(claimed.tries, 1);
        let then = Then::Postponed(Timestamp(now + 100));
        assert!(settle(store, &claimed, now + 1, then));
        assert!(!settle(store, &claimed, now + 2, then), "it is let go");
        assert_eq!(claim(store, now + 99), []);
    }
    let claimed = claim(store, 400).remove(0);
    assert!(settle(store, &claimed, 401, Then::Again(Timestamp(500))));
    assert_eq!(claim(store, 500)[0].tries, 2);
}

/// Everybody with a seat is told once, also who made the table and plays at it, and an
/// administrator with a webhook of each kind by both.
pub(crate) fn each_webhook_is_told_once_of_an_event(home: &mut Home) {
    let store = home.store();
    let [ann, bob] = people(store);
    fan_out(store);
    let admin = ProfileChange {
        is_admin: Some(true),
        ..ProfileChange::default()
    };
    wait(store.change_profile(ann, admin)).unwrap();
    let own = add(store, webhook(ann));
    let everything = add(
        store,
        NewWebhook {
            everything: true,
            ..webhook(ann)
        },
    );
    let his = [add(store, webhook(bob)), add(store, webhook(bob))];
    commit(store, made(1)).unwrap();
    commit(store, telling(EventKind::GameStarted, changed(row(1, 2)))).unwrap();
    // With the report that marks the end of what is told.
    assert_eq!(fan_out(store), 2 * 4 + 1);
    let many = |webhook: &Webhook| {
        let found = wait(store.deliveries_of(webhook.id, None, 10)).unwrap();
        found.len()
    };
    assert_eq!(
        many(&everything),
        3,
        "the report too, which is about none of their games"
    );
    assert_eq!([&own, &his[0], &his[1]].map(many), [2, 2, 2]);
}
