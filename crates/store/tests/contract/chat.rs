//! Rooms: what was said, and who may not speak.

use std::sync::{Arc, Barrier, Mutex, mpsc};

use chess::Timestamp;
use store::{Ban, BanKind, ChatFilter, ChatLine, ChatNumbering, Error, NewChatLine, Store};

use crate::support::*;

const ALL: ChatFilter = ChatFilter {
    reader: None,
    is_room_only: false,
    players_until: None,
};

pub(crate) fn line(table: u64, number: u64) -> ChatLine {
    ChatLine {
        table: id(table),
        id: number,
        at: Timestamp(1_000 + number),
        from: player(1 + (number % 3) as u32),
        role: "player".to_owned(),
        audience: "room".to_owned(),
        is_notice: number.is_multiple_of(2),
        text: format!("line {number} – \"quoted\""),
    }
}

/// Says a line that gets the id it has.
pub(crate) fn append(store: &Store, line: ChatLine) -> Result<(), Error> {
    let (id, new) = unsaid(line);
    let told = told(|done| store.append_chat(new, always(id), done));
    told.map(|given| assert_eq!(given, id))
}

fn unsaid(line: ChatLine) -> (u64, NewChatLine) {
    let new = NewChatLine {
        table: line.table,
        at: line.at,
        from: line.from,
        role: line.role,
        audience: line.audience,
        is_notice: line.is_notice,
        text: line.text,
    };
    (line.id, new)
}

fn always(id: u64) -> ChatNumbering {
    ChatNumbering {
        from: 0,
        next: Box::new(move |_, _| id),
    }
}

pub(crate) fn lines_are_read_in_the_order_of_their_ids(home: &mut Home) {
    let store = home.store();
    for number in [7, 5, 1 << 62] {
        append(store, line(1, number)).unwrap();
    }
    append(store, line(2, 6)).unwrap();
    let all = vec![line(1, 5), line(1, 7), line(1, 1 << 62)];
    assert_eq!(wait(store.chat_of(id(1), ALL, None, 10)), Ok(all.clone()));
    assert_eq!(
        wait(store.chat_of(id(1), ALL, Some(4), 10)),
        Ok(all.clone())
    );
    assert_eq!(
        wait(store.chat_of(id(1), ALL, Some(5), 10)),
        Ok(all[1..].to_vec())
    );
    assert_eq!(
        wait(store.chat_of(id(1), ALL, Some(1 << 62), 10)),
        Ok(vec![])
    );
    assert_eq!(wait(store.chat_of(id(3), ALL, None, 10)), Ok(vec![]));
}

pub(crate) fn of_many_lines_the_newest_are_shown(home: &mut Home) {
    let store = home.store();
    for number in 1..=20 {
        append(store, line(1, number)).unwrap();
    }
    let newest = vec![line(1, 18), line(1, 19), line(1, 20)];
    assert_eq!(wait(store.chat_of(id(1), ALL, None, 3)), Ok(newest.clone()));
    assert_eq!(wait(store.chat_of(id(1), ALL, Some(2), 3)), Ok(newest));
    assert_eq!(wait(store.chat_of(id(1), ALL, None, 0)), Ok(vec![]));
}

/// Lines that are left out take no place among the newest.
pub(crate) fn of_the_lines_one_may_read_the_newest_are_shown(home: &mut Home) {
    let store = home.store();
    let mut lines = Vec::new();
    for role in ["player", "observer", "moderator"] {
        for audience in ["room", "observers"] {
            for number in [1, 2, 3, 4, 5, 6].map(|n| n + lines.len() as u64 * 10) {
                let line = ChatLine {
                    role: role.to_owned(),
                    audience: audience.to_owned(),
                    ..line(1, number)
                };
                append(store, line.clone()).unwrap();
                lines.push(line);
            }
        }
    }
    let newest = |filter: &ChatFilter, limit: usize| {
        let mut admitted: Vec<_> = lines.iter().filter(|l| filter.admits(l)).cloned().collect();
        admitted.sort_by_key(|line| line.id);
        admitted.split_off(admitted.len().saturating_sub(limit))
    };
    let mut counts = Vec::new();
    for reader in [None, Some(player(2))] {
        for is_room_only in [false, true] {
            for players_until in [None, Some(Timestamp(1_003))] {
                let filter = ChatFilter {
                    reader,
                    is_room_only,
                    players_until,
                };
                for limit in [4, 100] {
                    let read = wait(store.chat_of(id(1), filter, None, limit));
                    let expected = newest(&filter, limit as usize);
                    assert_eq!(read, Ok(expected), "{filter:?}");
                }
                counts.push(newest(&filter, 100).len());
            }
        }
    }
    assert_eq!(counts, [36, 27, 12, 9, 36, 30, 20, 18]);
}

pub(crate) fn an_id_is_used_once_at_a_table(home: &mut Home) {
    let store = home.store();
    append(store, line(1, 5)).unwrap();
    let other = ChatLine {
        text: "another".to_owned(),
        ..line(1, 5)
    };
    assert_eq!(append(store, other), Err(Error::Conflict));
    append(store, line(2, 5)).unwrap();
    assert_eq!(
        wait(store.chat_of(id(1), ALL, None, 10)),
        Ok(vec![line(1, 5)])
    );
}

pub(crate) fn lines_are_told_in_the_order_of_asking(home: &mut Home) {
    let store = home.store();
    let (tell, told) = mpsc::channel();
    for number in 1..=200 {
        let tell = tell.clone();
        let done = Box::new(move |result: Result<u64, Error>| {
            let id = result.expect("it is durable");
            tell.send(id).expect("the test waits");
        });
        let (id, new) = unsaid(line(1, number));
        store.append_chat(new, always(id), done);
    }
    drop(tell);
    assert!(told.iter().eq(1..=200));
}

/// An id is made of those that are there and count, and by a time.
pub(crate) fn the_next_id_is_made_of_those_that_are_there(home: &mut Home) {
    let store = home.store();
    for number in [3, 7, 9] {
        append(store, line(1, number)).unwrap();
    }
    append(store, line(2, 8)).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let see = Arc::clone(&seen);
    let numbering = ChatNumbering {
        from: 7,
        next: Box::new(move |now, ids| {
            assert!(now > Timestamp(0));
            *see.lock().expect("nobody panics") = ids.to_vec();
            12
        }),
    };
    let (_, new) = unsaid(line(1, 0));
    let given = told(|done| store.append_chat(new.clone(), numbering, done));
    assert_eq!(given, Ok(12));
    seen.lock().unwrap().sort_unstable();
    assert_eq!(*seen.lock().unwrap(), [7, 9]);
    let last = wait(store.chat_of(id(1), ALL, Some(9), 10));
    assert_eq!(last, Ok(vec![new.numbered(12)]));
}

/// Many speak in one room at once, by clocks that are apart: no id is given twice,
/// and none is smaller than one that was told before.
pub(crate) fn ids_rise_whoever_speaks(home: &mut Home) {
    const SPEAKERS: u64 = 6;
    const EACH: u64 = 15;
    let store = home.store();
    let ready = Barrier::new(SPEAKERS as usize);
    let told_ids: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let speakers: Vec<_> = (0..SPEAKERS)
            .map(|speaker| {
                let ready = &ready;
                scope.spawn(move || {
                    ready.wait();
                    let said = (0..EACH).map(|number| {
                        let (_, mut new) = unsaid(line(1, 0));
                        new.at = Timestamp(10_000 + 100 * (SPEAKERS - speaker) + number);
                        let numbering = ChatNumbering {
                            from: 0,
                            next: Box::new(|_, ids| ids.iter().max().map_or(1, |id| id + 1)),
                        };
                        told(|done| store.append_chat(new, numbering, done)).expect("it is said")
                    });
                    said.collect()
                })
            })
            .collect();
        let said = speakers.into_iter().map(|speaker| speaker.join().unwrap());
        said.collect()
    });
    for ids in &told_ids {
        assert!(ids.is_sorted(), "{ids:?}");
    }
    let mut all = told_ids.concat();
    all.sort_unstable();
    assert!(all.into_iter().eq(1..=SPEAKERS * EACH), "each once");
}

pub(crate) fn a_speakers_lines_are_found_at_every_table(home: &mut Home) {
    let store = home.store();
    for number in 1..=6 {
        append(store, line(2, number)).unwrap();
        append(store, line(1, number)).unwrap();
    }
    let theirs = vec![line(1, 3), line(1, 6), line(2, 3), line(2, 6)];
    assert_eq!(wait(store.chat_by(player(1), None, 10)), Ok(theirs.clone()));
    assert_eq!(
        wait(store.chat_by(player(1), None, 2)),
        Ok(theirs[..2].to_vec())
    );
    let after = Some((id(1), 6));
    assert_eq!(
        wait(store.chat_by(player(1), after, 10)),
        Ok(theirs[2..].to_vec())
    );
    assert_eq!(wait(store.chat_by(player(9), None, 10)), Ok(vec![]));
}

pub(crate) fn bans_are_kept_until_they_are_lifted(home: &mut Home) {
    let ban = |account, kind| Ban {
        table: id(1),
        account: player(account),
        kind,
        by: player(1),
        at: Timestamp(7),
    };
    let store = home.store();
    wait(store.ban(ban(4, BanKind::Muted))).unwrap();
    wait(store.ban(ban(3, BanKind::Muted))).unwrap();
    wait(store.ban(ban(4, BanKind::Removed))).unwrap();
    let both = vec![ban(3, BanKind::Muted), ban(4, BanKind::Removed)];
    assert_eq!(wait(store.bans_of(id(1))), Ok(both.clone()));
    assert_eq!(wait(store.bans_of(id(2))), Ok(vec![]));
    let store = home.restart();
    assert_eq!(wait(store.bans_of(id(1))), Ok(both.clone()));
    assert_eq!(wait(store.lift_ban(id(1), player(4))), Ok(true));
    assert_eq!(wait(store.lift_ban(id(1), player(4))), Ok(false));
    assert_eq!(wait(store.bans_of(id(1))), Ok(both[..1].to_vec()));
}

pub(crate) fn somebodys_bans_are_found_at_many_tables(home: &mut Home) {
    let ban = |table, account, kind| Ban {
        table: id(table),
        account: player(account),
        kind,
        by: player(1),
        at: Timestamp(7),
    };
    let theirs = [
        ban(1, 4, BanKind::Removed),
        ban(3, 4, BanKind::Muted),
        ban(1 << 40, 4, BanKind::Removed),
    ];
    let store = home.store();
    for ban in theirs.into_iter().chain([ban(2, 3, BanKind::Removed)]) {
        wait(store.ban(ban)).unwrap();
    }
    let at = |tables: &[u64]| {
        let tables: Vec<_> = tables.iter().map(|number| id(*number)).collect();
        wait(store.bans_at(&tables, player(4))).unwrap()
    };
    assert_eq!(at(&[1 << 40, 2, 3, 1, 3, 9]), theirs);
    assert_eq!(at(&[3]), theirs[1..2]);
    assert_eq!(at(&[2, 9]), []);
    assert_eq!(at(&[]), []);
}

pub(crate) fn what_was_said_survives_a_restart(home: &mut Home) {
    append(home.store(), line(1, 5)).unwrap();
    let store = home.restart();
    assert_eq!(
        wait(store.chat_of(id(1), ALL, None, 10)),
        Ok(vec![line(1, 5)])
    );
    append(store, line(1, 6)).unwrap();
}
