//! The invariants notice what is wrong: every deliberate fault is found.

use sim::{Options, Rule, Sabotage, run};

/// Checks that a fault is found, by the rule that is there for it; another
/// may have noticed its consequences first.
fn finds(sabotage: Sabotage, rule: Rule) {
    let broken = |seed| {
        let options = Options {
            seed,
            steps: 600,
            trace: false,
            sabotage: Some(sabotage),
            is_cluster: false,
        };
        run(options).err().map(|broken| broken.violation.rule)
    };
    let found: Vec<Rule> = (1..=60).filter_map(broken).collect();
    let many = found.iter().filter(|found| **found == rule).count();
    assert!(many >= 5, "{rule:?} found {many} times in {found:?}");
}

#[test]
fn a_disk_that_forgets_what_it_synced_is_found() {
    finds(Sabotage::ForgottenChange, Rule::AcknowledgedIsNeverLost);
}

#[test]
fn a_read_of_an_old_version_is_found() {
    finds(Sabotage::StaleRead, Rule::AcknowledgedIsNeverLost);
}

#[test]
fn a_change_that_nobody_asked_for_is_found() {
    finds(Sabotage::ForgedChange, Rule::WholeOrNotAtAll);
}

#[test]
fn a_change_of_a_game_that_is_over_is_found() {
    finds(Sabotage::ChangeAfterTheEnd, Rule::NothingFollowsAnEnding);
}

#[test]
fn a_wrong_verdict_is_found() {
    finds(Sabotage::WrongVerdict, Rule::DecidedOnTheTruth);
}

#[test]
fn a_version_granted_twice_is_found() {
    finds(Sabotage::DoubleGrant, Rule::EachVersionOnce);
}

#[test]
fn an_answer_that_never_comes_is_found() {
    finds(Sabotage::SwallowedAnswer, Rule::OneReply);
}

#[test]
fn a_node_that_never_looks_at_its_clocks_is_found() {
    finds(Sabotage::NoTicks, Rule::DueInTime);
}
