//! The checkers find what they are there to find.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Log, flag, own, watched};
use crate::socket::Heard;
use crate::watch::Watched;

/// A game of two moves, of which the second ends it.
fn log() -> Vec<Value> {
    let clock = json!({ "white": 3000, "black": 3000 });
    vec![
        json!({ "type": "CREATED", "version": 1, "fen": "a" }),
        json!({ "type": "STARTED", "version": 2, "fen": "a", "to_move": "white", "clock_ms": clock,
            "at": "2026-01-31T23:59:57.500Z" }),
        json!({ "type": "MOVE", "version": 3, "move": "e2e4", "fen": "b", "to_move": "black",
            "clock_ms": clock, "at": "2026-01-31T23:59:58.000Z" }),
        json!({ "type": "MOVE", "version": 4, "move": "e7e5", "fen": "c", "to_move": "white",
            "clock_ms": clock, "at": "2026-01-31T23:59:59.000Z", "game_state": "COMPLETED" }),
        json!({ "type": "GAME_OVER", "version": 4, "result": "draw", "reason": "draw_agreed",
            "at": "2026-02-01T00:00:02.000Z" }),
    ]
}

fn state(version: usize) -> Value {
    let all = log();
    let moves = all[..version].iter().filter(|e| e["type"] == "MOVE");
    let moves: Vec<&Value> = moves.map(|entry| &entry["move"]).collect();
    json!({ "type": "STATE", "version": version, "moves": moves, "state": "ACTIVE" })
}

/// What somebody heard: `Err` is a socket opened with that `since`.
fn hears(events: impl IntoIterator<Item = Result<Value, Option<u32>>>) -> Vec<Heard> {
    let at = Instant::now();
    let heard = events.into_iter().map(|event| match event {
        Ok(message) => Heard::Said { at, message },
        Err(since) => Heard::Opened { at, since },
    });
    heard.collect()
}

#[track_caller]
fn watches(events: impl IntoIterator<Item = Result<Value, Option<u32>>>) -> Result<(), String> {
    let heard = hears(events);
    let watched = Watched {
        who: None,
        is_player: false,
        heard,
    };
    watched::check(&watched, &log()).map(drop)
}

#[test]
fn a_watcher_who_was_told_everything_is_content() {
    let [_, _, first, second, end] = log().try_into().expect("five");
    watches([
        Err(None),
        Ok(state(2)),
        Ok(first.clone()),
        Ok(second.clone()),
        Ok(end.clone()),
    ])
    .expect("told in one go");
    let sync = json!({ "type": "SYNC", "version": 4 });
    let again = [Err(Some(3)), Ok(second.clone()), Ok(end), Ok(sync)];
    let before = [Err(None), Ok(state(2)), Ok(first), Ok(second)];
    watches(before.into_iter().chain(again)).expect("told in two parts");
}

#[test]
fn a_watcher_finds_what_is_missing_repeated_or_wrong() {
    let [_, _, first, second, end] = log().try_into().expect("five");
    let begun = || vec![Err(None), Ok(state(2)), Ok(first.clone())];
    let after = |more: Vec<Result<Value, Option<u32>>>| {
        let all = begun().into_iter().chain(more);
        watches(all).expect_err("it is wrong")
    };
    after(vec![Ok(second.clone())]);
    after(vec![Ok(end.clone())]);
    after(vec![Ok(first.clone()), Ok(second.clone()), Ok(end.clone())]);
    let mut other = second.clone();
    other["fen"] = json!("d");
    after(vec![Ok(other), Ok(end.clone())]);
    let mut wrong = state(4);
    wrong["moves"] = json!(["e2e4"]);
    wrong["resync"] = json!(true);
    after(vec![Ok(wrong)]);
    after(vec![Ok(state(3))]);
    let sync = json!({ "type": "SYNC", "version": 4 });
    after(vec![
        Err(Some(3)),
        Ok(sync),
        Ok(second.clone()),
        Ok(end.clone()),
    ]);
    after(vec![Err(Some(4)), Ok(end)]);
}

#[test]
fn a_stream_of_ones_own_finds_what_is_wrong_or_never_told() {
    let entries = log();
    let now = Instant::now();
    let game = "game".to_owned();
    let later = now + Duration::from_secs(60);
    let ended = (later, later);
    let logs = [Log {
        game,
        entries,
        ended,
    }];
    let checks = |events: Vec<Result<Value, Option<u32>>>| {
        own::check(&hears(events), &logs, Duration::from_secs(1))
    };
    let turn = |version: u32, fen: &str| {
        Ok(json!({ "type": "YOUR_TURN", "game_id": "game", "version": version, "fen": fen }))
    };
    let over = |result: &str| {
        Ok(
            json!({ "type": "GAME_OVER", "game_id": "game", "version": 4, "result": result,
            "reason": "draw_agreed" }),
        )
    };
    checks(vec![Err(None), turn(2, "a"), over("draw")]).expect("it is right");
    checks(vec![Err(None), turn(2, "a")]).expect_err("the end is missing");
    checks(vec![Err(None), turn(2, "b"), over("draw")]).expect_err("another position");
    checks(vec![Err(None), over("white_wins")]).expect_err("another result");
    let back = vec![
        Err(None),
        turn(2, "a"),
        turn(3, "b"),
        turn(2, "a"),
        over("draw"),
    ];
    checks(back).expect_err("back in time");
}

#[test]
fn a_flag_is_neither_early_nor_late() {
    let stopped = Instant::now();
    let told = |after: Duration| Watched {
        who: None,
        is_player: false,
        heard: vec![Heard::Said {
            at: stopped + after,
            message: log()[4].clone(),
        }],
    };
    let within = Duration::from_secs(1);
    let check = |log: &[Value], told: Watched| flag::check(log, stopped, &[told], within);
    let right = log();
    check(&right, told(Duration::from_secs(4))).expect("in time");
    check(&right, told(Duration::from_millis(4_001))).expect_err("late");
    let mut early = log();
    early[4]["at"] = json!("2026-02-01T00:00:01.999Z");
    check(&early, told(Duration::from_secs(3))).expect_err("early");
}
