//! What every backend must do. The same tests run against each of them.

mod answers;
mod attempts;
mod bars;
mod chat;
mod folding;
mod lists;
mod nodes;
mod people;
mod recovery;
mod revocations;
mod support;
mod tables;

macro_rules! run_against {
    ($backend:ident: $($area:ident { $($test:ident)* })*) => {
        mod $backend {
            $(mod $area {
                $(#[test]
                fn $test() {
                    // Where a server is not installed, there is nothing to test.
                    if let Some(mut home) = crate::support::$backend() {
                        crate::$area::$test(&mut home);
                    }
                })*
            })*
        }
    };
}

macro_rules! contract {
    ($($tests:tt)*) => {
        // One line per backend.
        run_against!(sqlite: $($tests)*);
        run_against!(memory: $($tests)*);
        run_against!(postgres: $($tests)*);
    };
}

// Only those that several servers can use at once.
macro_rules! shared {
    ($($tests:tt)*) => {
        mod shared {
            run_against!(memory: $($tests)*);
            run_against!(postgres: $($tests)*);
        }
    };
}

// Only those that append changes to a journal first.
macro_rules! with_a_journal {
    ($($tests:tt)*) => {
        mod journal {
            run_against!(sqlite: $($tests)*);
            run_against!(memory: $($tests)*);
        }
    };
}

contract! {
    tables {
        a_row_is_loaded_as_it_was_committed
        the_newest_state_is_loaded
        a_change_of_another_version_is_refused
        of_many_racing_for_one_version_one_wins
        a_refused_change_does_not_harm_its_neighbours
        commits_of_a_table_are_told_in_order
        a_code_names_one_waiting_table
        the_score_sheet_is_kept_when_the_game_is_over
        rows_are_shown_column_by_column
        a_wrong_row_is_found_and_replaced
        loading_many_tables_at_once
        a_callback_may_use_the_store
        a_closed_store_refuses_everything
    }
    recovery {
        a_new_store_knows_of_nothing
        what_was_acknowledged_is_there_after_a_restart
        the_longest_overdue_are_found_by_their_rows
        tidying_changes_nothing_for_those_who_ask
        an_outage_takes_in_those_that_began_within_it
        the_last_sign_of_life_counts
        outages_are_kept_for_four_hundred_days
    }
    answers {
        an_answer_is_remembered_for_a_day
        a_key_is_used_once
        a_refused_change_leaves_no_answer
        keys_belong_to_accounts
    }
    lists {
        the_newest_come_first
        a_cursor_is_not_shifted_by_new_tables
        tables_of_one_moment_are_told_apart
        each_filter_filters
        a_player_is_found_in_every_role
        private_tables_are_seen_by_those_concerned
        a_list_by_state_does_not_outrun_the_delay
        unfinished_tables_are_counted
        a_list_of_nothing_is_empty
        a_page_has_the_newest_state_of_its_tables
    }
    people {
        an_account_is_found_by_everything_it_is_known_by
        a_name_is_taken_whatever_its_case
        of_a_hundred_who_want_one_name_one_gets_it
        an_outside_identity_has_one_account
        a_profile_changes_only_where_told
        a_deleted_account_is_forgotten
        tokens_come_and_go
        ended_tokens_are_forgotten_with_the_next
        accounts_survive_a_restart
        the_audit_trail_is_read_backwards
        a_ping_is_answered
    }
    bars {
        a_barred_account_keeps_its_name
        an_outside_identity_is_blocked_before_it_was_ever_seen
    }
    chat {
        lines_are_read_in_the_order_of_their_ids
        of_many_lines_the_newest_are_shown
        of_the_lines_one_may_read_the_newest_are_shown
        an_id_is_used_once_at_a_table
        lines_are_told_in_the_order_of_asking
        the_next_id_is_made_of_those_that_are_there
        ids_rise_whoever_speaks
        a_speakers_lines_are_found_at_every_table
        bans_are_kept_until_they_are_lifted
        somebodys_bans_are_found_at_many_tables
        what_was_said_survives_a_restart
    }
}

shared! {
    attempts {
        a_burst_is_allowed_and_then_the_rate
        a_look_counts_nothing
        all_are_counted_or_none
        of_many_at_once_so_many_are_allowed
    }
    nodes {
        what_is_played_or_was_made_lately_is_current
        how_far_tables_have_come_is_told_of_those_that_are_there
    }
    revocations {
        whatever_ends_or_changes_is_numbered
        what_changes_nothing_is_not_numbered
        numbers_have_no_gap_whoever_writes
        of_very_many_the_newest_are_told
        revocations_survive_a_restart
    }
}

with_a_journal! {
    folding {
        what_lists_show_is_a_row_at_once
        what_hangs_on_a_row_is_folded_with_it
        enough_changes_are_a_row
        a_change_from_the_future_is_a_row
        folding_moves_the_journal_into_the_rows
        what_the_last_run_left_is_read_with_its_journal
        a_row_newer_than_its_journal_counts
        what_is_forgotten_still_tells_when_the_server_was_up
        no_record_is_forgotten_that_its_row_lacks
    }
}
