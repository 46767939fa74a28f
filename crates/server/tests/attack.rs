//! Some of the attacks of `make attack`, for a second each: whatever one attacker
//! does, everybody else is answered. How soon is measured there; here it is only
//! seen that nobody waits for seconds.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bench::attack::{Outcome, Plan, kinds, run};

const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");
/// The longest that the 99th percentile of the others may wait, in milliseconds: of a
/// build without optimisation, on a machine that stands still for a moment.
const WAIT_MAX: f64 = 5_000.0;

/// One at a time: they would be each other's attackers.
static ALONE: Mutex<()> = Mutex::new(());

fn attacked_by(name: &str) -> Outcome {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let kinds = kinds(&[name.to_owned()]).expect("it is known");
    let plan = Plan {
        before: Duration::ZERO,
        during: Duration::from_secs(1),
    };
    let outcomes = run(Path::new(ARBITER), &kinds, plan);
    let outcome = outcomes.expect("it can be made").remove(0);
    assert_eq!(outcome.errors, 0, "{:?}", outcome.wrong);
    assert_eq!(
        (outcome.toll.failed, outcome.toll.harm),
        (0, 0),
        "{outcome}"
    );
    for measure in &outcome.measures {
        assert!(measure.samples > 0, "nobody asked for {}", measure.what);
        assert!(measure.during <= WAIT_MAX, "{outcome}");
    }
    outcome
}

#[test]
fn a_long_record_that_is_read_all_the_time_harms_nobody() {
    assert!(attacked_by("log").toll.answered > 0);
}

#[test]
fn a_watched_game_with_a_delay_harms_nobody() {
    assert!(attacked_by("delayed").toll.answered > 0);
}

#[test]
fn silent_connections_are_refused_beyond_their_number() {
    assert!(attacked_by("silent").toll.refused > 0);
}

#[test]
fn pictures_beyond_a_queue_are_refused() {
    let toll = attacked_by("picture").toll;
    assert!(toll.answered > 0 && toll.refused > 0, "{toll:?}");
}

#[test]
fn passwords_beyond_their_rate_are_refused_to_one_and_nobody_else() {
    let toll = attacked_by("sign-in").toll;
    assert!(toll.refused > 0, "{toll:?}");
    assert!(toll.answered <= 35, "{toll:?}");
}

#[test]
fn large_heads_and_bodies_are_refused() {
    assert!(attacked_by("bodies").toll.refused > 0);
}

#[test]
fn streams_that_never_read_and_chat_without_end_harm_nobody() {
    assert!(attacked_by("streams").toll.refused > 0);
}

#[test]
fn frames_that_are_refused_at_once_are_taken_no_faster_than_their_pace() {
    let toll = attacked_by("refused").toll;
    // Of each socket a hundred at once and twenty a second.
    assert!(toll.closed == 0 && toll.refused > 100, "{toll:?}");
    assert!(toll.refused <= toll.answered * 300, "{toll:?}");
}
