//! What every bus must do. The same tests run against each of them.

mod asking;
mod nats;
mod publishing;
mod support;
mod trouble;

macro_rules! run_against {
    ($backend:ident: $($area:ident { $($test:ident)* })*) => {
        mod $backend {
            $(mod $area {
                $(#[test]
                fn $test() {
                    // Where a server is not installed, there is nothing to test.
                    if let Some(cluster) = crate::support::$backend() {
                        crate::$area::$test(&cluster);
                    }
                })*
            })*
        }
    };
}

macro_rules! contract {
    ($($tests:tt)*) => {
        // One line per backend.
        run_against!(local: $($tests)*);
        run_against!(over_nats: $($tests)*);
    };
}

contract! {
    publishing {
        others_hear_what_is_published_in_order
        nobody_hears_themselves
        everybody_who_listens_hears
        a_pattern_hears_many_subjects
        whoever_stops_listening_hears_nothing_more
        thousands_may_listen_each_on_their_own_subject
        a_task_may_publish_much_in_one_turn
        another_space_is_not_heard
    }
    asking {
        everybody_who_listens_answers
        a_question_ends_in_time_if_too_few_answer
        a_question_that_nobody_hears_ends_at_once
        an_answer_that_is_late_answers_nothing_else
        what_was_no_question_cannot_be_answered
    }
    trouble {
        a_listener_that_panics_costs_nobody_else_anything
        a_listener_may_use_the_bus
        a_subject_that_makes_no_sense_is_dropped
        a_slow_listener_loses_and_nobody_waits_for_it
        a_closed_bus_sends_its_last_words_and_is_silent
        a_bus_that_nobody_holds_is_gone
    }
}
