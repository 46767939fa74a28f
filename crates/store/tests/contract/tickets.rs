//! Those who wait for an opponent.

use std::thread;

use chess::rating::Rating;
use chess::{Color, Timestamp};
use store::{Begins, Change, Error, NewAccount, Queued, Store, Ticket, TicketFate, Wish};

use crate::support::{Home, changed, commit, created, id, over, player, row, wait, waiting};

const POOL: &str = "fischer:300000+3000 standard rated";

/// Accounts are held while somebody is let in, so there have to be some.
fn with_accounts(home: &Home) -> &Store {
    let store = home.store();
    for number in 1..=8u8 {
        let new = NewAccount {
            uuid: [number; 16],
            name: format!("player{number}"),
            kind: store::AccountKind::Registered,
            email: None,
            password_hash: None,
            is_admin: false,
            outside: None,
            at: Timestamp(1),
        };
        wait(store.create_account(new)).expect("accounts can be made");
    }
    store
}

fn wish(account: u32, since: u64) -> Wish {
    Wish {
        account: player(account),
        pool: POOL.to_owned(),
        is_real_time: true,
        rating: Rating::INITIAL,
        range: None,
        side: None,
        sides: Vec::new(),
        last_opponent: None,
        since: Timestamp(since),
    }
}

fn queue(store: &Store, wish: Wish) -> Queued {
    wait(store.queue(wish)).expect("the store works")
}

fn entered(store: &Store, wish: Wish) -> Ticket {
    match queue(store, wish) {
        Queued::Entered(ticket) => ticket,
        other => panic!("not let in: {other:?}"),
    }
}

fn fate(store: &Store, id: u64) -> TicketFate {
    let ticket = wait(store.ticket(id)).expect("the store works");
    ticket.expect("it is remembered").fate
}

/// A game of 1 against 2 that begins.
fn begins(number: u64, tickets: Vec<u64>) -> Change {
    beginning(created(row(number, 1)), tickets)
}

fn beginning(change: Change, tickets: Vec<u64>) -> Change {
    Change {
        begins: Some(Box::new(Begins {
            players: [player(1), player(2)],
            is_real_time: true,
            tickets,
        })),
        ..change
    }
}

pub(crate) fn a_ticket_is_read_as_it_was_made(home: &mut Home) {
    let store = with_accounts(home);
    let full = Wish {
        range: Some(1400..=1600),
        side: Some(Color::Black),
        sides: vec![Color::White, Color::Black, Color::Black],
        last_opponent: Some(player(7)),
        rating: Rating::new(1711.5, 62.25, 0.059),
        ..wish(1, 50)
    };
    let first = entered(store, full.clone());
    let second = entered(store, wish(2, 40));
    assert_eq!(first.wish, full);
    assert_eq!((first.fate, first.ended_at), (TicketFate::Searching, None));
    assert!(second.id > first.id);
    assert_eq!(wait(store.ticket(first.id)), Ok(Some(first.clone())));
    assert_eq!(wait(store.ticket(999)), Ok(None));
    let searching = wait(store.searching_tickets());
    assert_eq!(searching, Ok(vec![second, first.clone()]));
    let store = home.restart();
    assert_eq!(wait(store.ticket(first.id)), Ok(Some(first)));
}

pub(crate) fn nobody_waits_twice(home: &mut Home) {
    let store = with_accounts(home);
    let first = entered(store, wish(1, 1));
    let other = Wish {
        pool: "days:3 standard casual".to_owned(),
        is_real_time: false,
        ..wish(1, 2)
    };
    assert_eq!(queue(store, other.clone()), Queued::AlreadyIn(first.id));
    let cancelled = store.end_tickets(vec![first.id], TicketFate::Cancelled(None), Timestamp(3));
    assert_eq!(wait(cancelled), Ok(vec![first.id]));
    assert_eq!(fate(store, first.id), TicketFate::Cancelled(None));
    entered(store, other);
}

pub(crate) fn of_many_at_once_one_is_let_in(home: &mut Home) {
    let store = with_accounts(home);
    let let_in = thread::scope(|scope| {
        let asks: Vec<_> = (0..8)
            .map(|n| scope.spawn(move || queue(store, wish(1, n))))
            .collect();
        let told = asks.into_iter().map(|ask| ask.join().expect("no panic"));
        told.filter(|told| matches!(told, Queued::Entered(_)))
            .count()
    });
    assert_eq!(let_in, 1);
    assert_eq!(wait(store.searching_tickets()).map(|all| all.len()), Ok(1));
}

pub(crate) fn who_plays_in_real_time_does_not_wait_for_it(home: &mut Home) {
    let store = with_accounts(home);
    commit(store, created(row(5, 1))).expect("a new table");
    assert_eq!(queue(store, wish(2, 1)), Queued::Plays(id(5)));
    let slow = Wish {
        is_real_time: false,
        ..wish(2, 1)
    };
    entered(store, slow);
    commit(store, changed(over(5, 2))).expect("it ends");
    entered(store, wish(1, 2));
}

pub(crate) fn a_game_that_waits_or_takes_days_keeps_nobody(home: &mut Home) {
    let store = with_accounts(home);
    commit(store, created(waiting(5))).expect("a new table");
    let mut slow = row(6, 1);
    slow.summary.speed = "correspondence";
    commit(store, created(slow)).expect("a new table");
    entered(store, wish(1, 1));
}

pub(crate) fn a_pairing_ends_both_tickets_with_the_game_it_makes(home: &mut Home) {
    let store = with_accounts(home);
    let [one, two] = [1, 2].map(|n| entered(store, wish(n, 1)).id);
    commit(store, begins(5, vec![one, two])).expect("both wait");
    for ticket in [one, two] {
        assert_eq!(fate(store, ticket), TicketFate::Matched(id(5)));
    }
    let own = wait(store.matched_ticket(player(2), id(5))).expect("the store works");
    assert_eq!(own.map(|ticket| ticket.id), Some(two));
    assert_eq!(wait(store.matched_ticket(player(3), id(5))), Ok(None));
    let paired = wait(store.paired_tickets(Timestamp(0))).expect("the store works");
    assert_eq!(paired.len(), 2);
    assert!(paired.iter().all(|ticket| ticket.paired().is_some()));
    assert_eq!(wait(store.searching_tickets()), Ok(Vec::new()));
}

pub(crate) fn a_pairing_with_somebody_who_is_gone_makes_nothing(home: &mut Home) {
    let store = with_accounts(home);
    let [one, two] = [1, 2].map(|n| entered(store, wish(n, 1)).id);
    wait(store.end_tickets(vec![two], TicketFate::TimedOut, Timestamp(9)))
        .expect("the store works");
    assert_eq!(
        commit(store, begins(5, vec![one, two])),
        Err(Error::Conflict)
    );
    assert_eq!(fate(store, one), TicketFate::Searching);
    assert_eq!(fate(store, two), TicketFate::TimedOut);
    assert!(crate::support::load(store, id(5)).is_none());
}

pub(crate) fn of_two_pairings_at_once_one_counts(home: &mut Home) {
    let store = with_accounts(home);
    let [one, two] = [1, 2].map(|n| entered(store, wish(n, 1)).id);
    let made = thread::scope(|scope| {
        let pairings: Vec<_> = (10..18)
            .map(|n| scope.spawn(move || commit(store, begins(n, vec![two, one]))))
            .collect();
        let told = pairings.into_iter().map(|p| p.join().expect("no panic"));
        told.filter(Result::is_ok).count()
    });
    assert_eq!(made, 1);
}

pub(crate) fn nobody_is_paired_into_a_second_game(home: &mut Home) {
    let store = with_accounts(home);
    let [one, two] = [1, 2].map(|n| entered(store, wish(n, 1)).id);
    // One of them sits down elsewhere, without anybody noticing that they wait.
    commit(store, created(row(5, 1))).expect("a new table");
    assert_eq!(
        commit(store, begins(6, vec![one, two])),
        Err(Error::Conflict)
    );
    assert_eq!(fate(store, one), TicketFate::Searching);
}

pub(crate) fn another_game_ends_the_waiting(home: &mut Home) {
    let store = with_accounts(home);
    let [one, three] = [1, 3].map(|n| entered(store, wish(n, 1)).id);
    let slow = Wish {
        is_real_time: false,
        ..wish(2, 1)
    };
    let two = entered(store, slow).id;
    commit(store, created(waiting(5))).expect("a new table");
    commit(store, beginning(changed(row(5, 2)), Vec::new())).expect("it is joined");
    assert_eq!(fate(store, one), TicketFate::Cancelled(Some(id(5))));
    assert_eq!(fate(store, two), TicketFate::Searching, "days are no hurry");
    assert_eq!(fate(store, three), TicketFate::Searching);
}

pub(crate) fn being_there_is_noted_while_one_waits(home: &mut Home) {
    let store = with_accounts(home);
    let [one, two] = [1, 2].map(|n| entered(store, wish(n, 10)).id);
    wait(store.end_tickets(vec![two], TicketFate::Cancelled(None), Timestamp(11)))
        .expect("it works");
    wait(store.see_tickets(vec![one, two], Timestamp(30))).expect("it works");
    wait(store.see_tickets(vec![one], Timestamp(20))).expect("it works");
    let seen = |id| wait(store.ticket(id)).expect("it works").map(|t| t.seen_at);
    assert_eq!(seen(one), Some(Timestamp(30)));
    assert_eq!(seen(two), Some(Timestamp(10)));
}

pub(crate) fn what_ended_long_ago_is_forgotten(home: &mut Home) {
    let store = with_accounts(home);
    let [one, two, three] = [1, 2, 3].map(|n| entered(store, wish(n, 1)).id);
    for (ticket, at) in [(one, 10), (two, 20)] {
        wait(store.end_tickets(vec![ticket], TicketFate::TimedOut, Timestamp(at)))
            .expect("it works");
    }
    assert_eq!(wait(store.purge_tickets(Timestamp(20), 10)), Ok(1));
    assert_eq!(wait(store.ticket(one)), Ok(None));
    assert_eq!(fate(store, two), TicketFate::TimedOut);
    assert_eq!(fate(store, three), TicketFate::Searching);
}
