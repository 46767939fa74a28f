//! What holds for every match of skill chess: random commands of every kind,
//! by anyone, at any time. After each change `fuzz_targets/skill.rs` sees that
//! it is recorded faithfully, that its retry is recognised, that no mover's
//! king is left in check, that a move answers the opponent's offer of a draw,
//! and that a match that goes on has a legal move.

#[path = "fuzz_targets/skill.rs"]
#[allow(dead_code, reason = "the fuzz targets use the rest")]
mod skill;
#[path = "fuzz_targets/source.rs"]
#[allow(dead_code, reason = "the fuzz targets use the rest")]
mod source;

use std::cell::RefCell;
use std::collections::BTreeSet;

use chess::skill::{Act, Event, Match};
use chess::table::Table as _;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// Plays random matches, shows each with all its changes, and fails with the
/// shortest that breaks the property.
fn in_every_match(property: impl Fn(&[(Event, Match)], &Match)) {
    let config = Config {
        cases: 150,
        rng_seed: RngSeed::Fixed(3),
        failure_persistence: None,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&vec(any::<u8>(), 0..3000), |bytes| {
        let mut changes = Vec::new();
        let end = skill::play(&mut source::Source::new(&bytes), |event, after| {
            changes.push((event.clone(), after.clone()));
        });
        property(&changes, &end);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// The matches are worth playing: every skill, every kind of event, every end.
#[test]
fn the_random_matches_see_everything() {
    let seen: RefCell<BTreeSet<String>> = RefCell::default();
    in_every_match(|changes, end| {
        let mut seen = seen.borrow_mut();
        for (event, _) in changes {
            let kind = match event {
                Event::Acted { act, .. } => format!("{act:?}"),
                other => format!("{other:?}"),
            };
            let word = kind.split([' ', '(']).next().unwrap_or_default();
            seen.insert(word.to_owned());
        }
        for record in end.moves() {
            seen.extend(record.skill_id.map(str::to_owned));
            seen.extend(record.promotion_piece_name.map(str::to_owned));
        }
        seen.extend(end.ending().map(|ending| ending.kind().to_owned()));
    });
    let seen = seen.into_inner();
    let wanted = "Joined Selected Locked Moved OfferedDraw DeclinedDraw AgreedToDraw Resigned Ended \
                  shadowstep knightfall deadeye resignation aborted checkmate agreement";
    for word in wanted.split_whitespace() {
        assert!(seen.contains(word), "{word} is not among {seen:?}");
    }
}

#[test]
fn a_match_is_its_bytes_at_every_version() {
    in_every_match(|changes, end| {
        for (_, then) in changes {
            assert_eq!(end.as_of(then.version()).as_ref(), Some(then));
            assert!(end.encode().starts_with(&then.encode()));
        }
        assert_eq!(Match::decode(&end.encode()).as_ref(), Ok(end));
    });
}

#[test]
fn pieces_come_from_the_start_and_skills_are_used_once() {
    in_every_match(|changes, end| {
        let records = end.moves();
        assert_eq!(records.len(), end.ply() as usize);
        let used: Vec<_> = records.iter().filter_map(|r| r.equipped_skill_id).collect();
        let distinct: BTreeSet<_> = used.iter().collect();
        assert_eq!(used.len(), distinct.len(), "each skill once");
        let captured = records.iter().filter(|r| r.captured_piece_id.is_some());
        assert_eq!(end.board().pieces().count(), 32 - captured.count());
        let mut moved = changes.iter().filter(|(event, _)| {
            matches!(
                event,
                Event::Acted {
                    act: Act::Moved { .. },
                    ..
                }
            )
        });
        for record in &records {
            let (_, after) = moved.next().expect("a change for each record");
            let piece = after.board().at(record.to).expect("the piece that moved");
            assert_eq!(piece.id, record.piece_id);
            let name = record.promotion_piece_name.unwrap_or(record.piece_name);
            assert_eq!(piece.behaviour.name(), name);
            assert_eq!(after.version(), record.version);
        }
    });
}
