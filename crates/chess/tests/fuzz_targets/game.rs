//! Commands of every kind, by anyone, at any time; after each the invariants hold.

use std::collections::BTreeMap;

use chess::game::{DrawReason, DrawRule, Ending, Event, Game, MoveReport};
use chess::rules::Board;
use chess::table::Table;

use super::invariants;
use super::random_play::{self, Step};
use super::source::Source;

pub(crate) fn run(bytes: &[u8]) {
    let mut steps = 0u32;
    let game = random_play::game(&mut Source::new(bytes), |step| {
        steps += 1;
        check(&step);
        // What goes through the whole history is not done after every change.
        if steps.is_power_of_two() || step.after.ending().is_some() {
            check_history(&step);
        }
    });
    if let Some(game) = game {
        check_replay(&game);
    }
}

fn check(step: &Step<'_>) {
    let (before, after) = (step.before, step.after);
    assert!(before.ending().is_none(), "a change after the end");
    assert_eq!(after.version(), before.version() + 1);
    assert!(after.last_at() >= before.last_at(), "time ran backwards");

    assert!(after.encode().starts_with(&before.encode()));
    assert_eq!(after.board().turn(), after.turn());
    if after.ending().is_none() {
        assert!(
            after.board().end().is_none(),
            "the board has ended the game"
        );
    }
    invariants::assert_no_time_from_nowhere(step);
    invariants::assert_deadline_is_sharp(after);
}

fn check_history(step: &Step<'_>) {
    let (before, after) = (step.before, step.after);
    invariants::assert_retry_is_harmless(step);
    if let Event::Moved { uci, .. } = step.event {
        let m = before.board().recorded(*uci);
        let report = MoveReport::new(before.board(), m, after);
        assert_eq!(after.report(after.version()), Some(report));
    }
    check_replay(after);
}

fn check_replay(game: &Game) {
    let again = Game::decode(&game.encode()).expect("what we encode we decode");
    invariants::assert_same(game, &again);
    assert_eq!(again.line(), game.line());
    assert_eq!(game.line().len(), game.ply() as usize);
    check_repetition(game);
}

/// No position stands more often than the draw rule lets it, counted by hand.
fn check_repetition(game: &Game) {
    let (most, fold) = match game.terms().draw_rule {
        DrawRule::Automatic => (3, DrawReason::Threefold),
        DrawRule::Claim => (5, DrawReason::Fivefold),
    };
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut times = |board: &Board| {
        let fen = board.fen();
        let counters = fen.rmatch_indices(' ').nth(1).map_or(0, |(place, _)| place);
        let times = seen.entry(fen[..counters].to_owned()).or_default();
        *times += 1;
        *times
    };
    let mut board = game.start_board();
    let mut last = times(&board);
    for played in game.line() {
        assert!(last < most, "a repetition was overlooked");
        let m = played.in_position(&board);
        board.play(m);
        last = times(&board);
    }
    let drawn = game.ending() == Some(Ending::Drawn { by: fold });
    assert_eq!(drawn, last >= most);
}
