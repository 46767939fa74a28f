//! What is recorded is the game, at every moment of it.

use std::cell::RefCell;

use chess::game::{AbortReason, Command, Ending, Game};
use chess::table::{Actor, Table};
use chess::{Millis, Timestamp};

use crate::{Moment, in_every_game, invariants, random_play};

#[test]
fn replaying_the_record_gives_the_same_game() {
    in_every_game(|moments, end| {
        let again = Game::decode(&end.encode()).expect("what we wrote we can read");
        invariants::assert_same(end, &again);
        assert_eq!(again.line(), end.line());
        let Some(first) = moments.first() else { return };
        let mut record = first.before.encode();
        for moment in moments {
            record.extend(moment.after.encoded_since(&moment.before));
            assert_eq!(record, moment.after.encode());
        }
    });
}

/// A change that could not be stored never happened, and another is made of
/// the same state: neither shows in the history of the other.
#[test]
fn changes_of_one_state_know_nothing_of_each_other() {
    let longest = RefCell::new(0);
    let abort = Command::Adjudicate(Ending::Aborted {
        by: AbortReason::Operator,
    });
    in_every_game(|moments, end| {
        let Some(first) = moments.first() else { return };
        let mut game = first.before.clone();
        let mut rivals = Vec::new();
        for Moment {
            at, who, command, ..
        } in moments
        {
            // Operators make it long: every pause and its end is kept.
            for command in [Command::Pause, Command::Resume].iter().cycle().take(8) {
                let (now, before) = (game.last_at(), game.clone());
                let mut rival = game.clone();
                random_play::apply(&mut rival, now, Actor::Operator, &abort);
                random_play::apply(&mut game, now, Actor::Operator, command);
                rivals.push((before.encode(), before, rival));
            }
            random_play::apply(&mut game, *at, *who, command);
        }
        for (history, before, rival) in &rivals {
            assert_eq!(before.encode(), *history);
            let whole = [history.clone(), rival.encoded_since(before)].concat();
            assert_eq!(rival.encode(), whole);
        }
        for game in [&game, end].into_iter().chain(rivals.last().map(|r| &r.2)) {
            let again = Game::decode(&game.encode()).expect("what we wrote we can read");
            invariants::assert_same(game, &again);
        }
        let mut longest = longest.borrow_mut();
        *longest = game.encode().len().max(*longest);
    });
    assert!(
        longest.into_inner() > 1000,
        "too short to share what is old"
    );
}

#[test]
fn the_game_can_be_seen_as_of_every_earlier_version() {
    in_every_game(|moments, end| {
        for moment in moments {
            let then = end
                .as_of(moment.before.version())
                .expect("a version there was");
            invariants::assert_same(&moment.before, &then);
            assert_eq!(then.encode(), moment.before.encode());
        }
        assert!(end.as_of(0).is_none());
        assert!(end.as_of(end.version() + 1).is_none());
    });
}

/// A view of the past that follows a running game is at each moment what a
/// fresh look at that moment is.
#[test]
fn a_view_of_the_past_grows_with_the_game() {
    in_every_game(|moments, end| {
        let mut past = end.replay();
        for moment in moments {
            let behind = Millis(1_500);
            let until = Timestamp(moment.after.last_at().0.saturating_sub(behind.0.into()));
            past.follow(&moment.after, until);
            let known = moment.after.entries().take_while(|e| e.at <= until).count();
            let version = u32::try_from(known).expect("a version").max(1);
            let fresh = moment.after.as_of(version).expect("a version there was");
            invariants::assert_same(&fresh, past.game());
        }
        past.follow(end, end.last_at());
        invariants::assert_same(end, past.game());
    });
}
