//! What players decide about each other.

use chess::Timestamp;
use chess::table::{PlayerId, State, Summary};
use store::{Accept, ChallengeRule, ChatFilter, ChatLine, Row, Store};

use crate::chat::{append, line};
use crate::people::{create, new};
use crate::support::*;

/// Ann, Bob and Cleo.
fn three(store: &Store) -> [PlayerId; 3] {
    ["Ann", "Bob", "Cleo"].map(|name| create(store, new(name)).number)
}

fn numbers(found: Vec<(PlayerId, Timestamp)>) -> Vec<(PlayerId, u64)> {
    found.into_iter().map(|(who, at)| (who, at.0)).collect()
}

pub(crate) fn a_block_stands_until_it_is_taken_back(home: &mut Home) {
    let store = home.store();
    let [ann, bob, cleo] = three(store);
    assert_eq!(wait(store.block(ann, bob, Timestamp(5))), Ok(true));
    assert_eq!(wait(store.block(ann, bob, Timestamp(9))), Ok(false));
    assert_eq!(wait(store.block(ann, cleo, Timestamp(6))), Ok(true));
    let store = home.restart();
    let blocks = |who| numbers(wait(store.blocks_of(who)).unwrap());
    assert_eq!(blocks(ann), [(bob, 5), (cleo, 6)]);
    assert_eq!(blocks(bob), []);
    assert_eq!(wait(store.blockers_of(bob)), Ok(vec![ann]));
    assert_eq!(wait(store.is_blocked_between(bob, ann)), Ok(true));
    assert_eq!(wait(store.is_blocked_between(bob, cleo)), Ok(false));
    assert_eq!(wait(store.unblock(ann, bob)), Ok(true));
    assert_eq!(wait(store.unblock(ann, bob)), Ok(false));
    assert_eq!(wait(store.is_blocked_between(ann, bob)), Ok(false));
}

pub(crate) fn a_list_of_blocks_replaces_the_one_before(home: &mut Home) {
    let store = home.store();
    let [ann, bob, cleo] = three(store);
    wait(store.block(ann, bob, Timestamp(5))).unwrap();
    wait(store.block(bob, ann, Timestamp(5))).unwrap();
    wait(store.set_blocks(ann, vec![bob, cleo], Timestamp(7))).unwrap();
    let blocks = |who| numbers(wait(store.blocks_of(who)).unwrap());
    assert_eq!(blocks(ann), [(bob, 5), (cleo, 7)]);
    wait(store.set_blocks(ann, vec![], Timestamp(8))).unwrap();
    assert_eq!(blocks(ann), []);
    assert_eq!(blocks(bob), [(ann, 5)]);
}

pub(crate) fn blocks_are_found_among_many(home: &mut Home) {
    let store = home.store();
    let [ann, bob, cleo] = three(store);
    for (who, whom) in [(ann, bob), (bob, ann), (cleo, ann)] {
        wait(store.block(who, whom, Timestamp(1))).unwrap();
    }
    let among = |players: &[PlayerId]| wait(store.blocks_among(players)).unwrap();
    assert_eq!(among(&[bob, ann]), [(ann, bob), (bob, ann)]);
    assert_eq!(among(&[cleo, bob]), []);
    assert_eq!(among(&[ann, bob, cleo]).len(), 3);
    assert_eq!(among(&[]), []);
    let many: Vec<PlayerId> = (1..=5_000).map(player).collect();
    assert_eq!(among(&many).len(), 3);
}

pub(crate) fn what_is_said_by_whom_a_reader_blocks_is_left_out(home: &mut Home) {
    let store = home.store();
    let [ann, bob, cleo] = three(store);
    for (number, from, role) in [
        (1, bob, "player"),
        (2, cleo, "player"),
        (3, ann, "player"),
        (4, bob, "moderator"),
    ] {
        let said = ChatLine {
            from,
            role: role.into(),
            ..line(7, number)
        };
        append(store, said).unwrap();
    }
    wait(store.block(ann, bob, Timestamp(5))).unwrap();
    let read = |reader: Option<PlayerId>, limit| {
        let filter = ChatFilter {
            reader,
            ..ChatFilter::default()
        };
        let lines = wait(store.chat_of(id(7), filter, None, limit)).unwrap();
        lines.iter().map(|line| line.id).collect::<Vec<_>>()
    };
    // A moderator's notice is for everyone.
    assert_eq!(read(Some(ann), 10), [2, 3, 4]);
    assert_eq!(read(Some(ann), 3), [2, 3, 4]);
    assert_eq!(read(Some(bob), 10), [1, 2, 3, 4]);
    assert_eq!(read(None, 10), [1, 2, 3, 4]);
    wait(store.unblock(ann, bob)).unwrap();
    assert_eq!(read(Some(ann), 10), [1, 2, 3, 4]);
}

pub(crate) fn whom_somebody_follows_is_kept(home: &mut Home) {
    let store = home.store();
    let [ann, bob, cleo] = three(store);
    assert_eq!(wait(store.follow(ann, cleo, Timestamp(5))), Ok(true));
    assert_eq!(wait(store.follow(ann, cleo, Timestamp(6))), Ok(false));
    assert_eq!(wait(store.follow(ann, bob, Timestamp(7))), Ok(true));
    let store = home.restart();
    let follows = || numbers(wait(store.follows_of(ann)).unwrap());
    assert_eq!(follows(), [(bob, 7), (cleo, 5)]);
    assert_eq!(wait(store.is_following(ann, cleo)), Ok(true));
    assert_eq!(wait(store.is_following(cleo, ann)), Ok(false));
    assert_eq!(wait(store.unfollow(ann, cleo)), Ok(true));
    assert_eq!(wait(store.unfollow(ann, cleo)), Ok(false));
    assert_eq!(follows(), [(bob, 7)]);
}

pub(crate) fn what_somebody_plays_is_found_if_anybody_may_see_it(home: &mut Home) {
    let store = home.store();
    let play = |number: u64, at: u64, change: &dyn Fn(&mut Summary)| {
        let mut summary = Summary {
            state: State::Active,
            white: Some(player(1)),
            black: Some(player(2)),
            created_at: Timestamp(at),
            ..waiting(number).summary
        };
        change(&mut summary);
        commit(
            store,
            created(Row {
                summary,
                ..row(number, 1)
            }),
        )
        .unwrap();
    };
    play(11, 100, &|_| ());
    play(12, 200, &|_| ());
    play(13, 300, &|summary| summary.private = true);
    play(14, 400, &|summary| summary.delay_ms = 1_000);
    play(15, 500, &|summary| summary.state = State::Completed);
    play(16, 600, &|summary| {
        (summary.state, summary.white, summary.black) = (State::Waiting, None, None);
        summary.creator = player(2);
    });
    let of = |players: &[u32]| {
        let players: Vec<PlayerId> = players.iter().copied().map(player).collect();
        wait(store.playing(&players)).unwrap()
    };
    assert_eq!(of(&[2, 1]), [(player(2), id(12)), (player(1), id(12))]);
    assert_eq!(of(&[3]), []);
    assert_eq!(of(&[]), []);
}

pub(crate) fn whose_challenges_somebody_takes_is_kept(home: &mut Home) {
    let store = home.store();
    let [ann, bob, _] = three(store);
    let rule = ChallengeRule {
        accept: Accept::Follows,
        rating_min: Some(1_200),
        rating_max: None,
    };
    wait(store.set_challenge_rule(ann, rule)).unwrap();
    let store = home.restart();
    assert_eq!(wait(store.challenge_rule(ann)), Ok(rule));
    assert_eq!(
        wait(store.challenge_rule(bob)),
        Ok(ChallengeRule::default())
    );
    let back = ChallengeRule::default();
    wait(store.set_challenge_rule(ann, back)).unwrap();
    assert_eq!(wait(store.challenge_rule(ann)), Ok(back));
}

pub(crate) fn a_deleted_account_decides_nothing_any_more(home: &mut Home) {
    let store = home.store();
    let [ann, bob, cleo] = three(store);
    wait(store.block(ann, bob, Timestamp(1))).unwrap();
    wait(store.block(cleo, ann, Timestamp(1))).unwrap();
    wait(store.block(cleo, bob, Timestamp(1))).unwrap();
    wait(store.follow(ann, cleo, Timestamp(1))).unwrap();
    wait(store.follow(bob, ann, Timestamp(1))).unwrap();
    let rule = ChallengeRule {
        accept: Accept::Nobody,
        ..ChallengeRule::default()
    };
    wait(store.set_challenge_rule(ann, rule)).unwrap();
    assert_eq!(
        wait(store.delete_account(ann, Timestamp(2), "gone-1")),
        Ok(true)
    );
    let all = wait(store.blocks_among(&[ann, bob, cleo])).unwrap();
    assert_eq!(all, [(cleo, bob)]);
    assert_eq!(wait(store.follows_of(ann)), Ok(vec![]));
    assert_eq!(wait(store.follows_of(bob)), Ok(vec![]));
    assert_eq!(
        wait(store.challenge_rule(ann)),
        Ok(ChallengeRule::default())
    );
}
