//! What every backend must do. The same tests run against each of them.

mod aliases;
mod analyses;
mod answers;
mod attempts;
mod bars;
mod chat;
mod console;
mod correspondence;
mod fair;
mod finished;
mod folding;
mod lists;
mod nodes;
mod outbox;
mod people;
mod played;
mod ratings;
mod recovery;
mod revocations;
mod social;
mod support;
mod tables;
mod tickets;
mod told;
mod webhooks;

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
    aliases {
        a_guest_who_registers_stays_who_they_are
        the_id_of_a_guest_who_registered_is_never_given_again
        a_guest_who_is_taken_over_is_an_alias_without_tokens
        nobody_takes_over_whom_they_play_with
        a_table_whose_place_is_given_away_is_listed_for_whom_it_is_given_to
        with_an_account_go_the_names_that_led_to_it
        settings_are_replaced_if_they_are_what_they_were
    }
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
        the_oldest_come_first_if_asked_for
        a_page_has_the_newest_state_of_its_tables
    }
    finished {
        what_ended_comes_in_the_order_of_its_end
        a_page_goes_on_where_the_last_one_ended
        only_what_anybody_may_know_is_told
        a_player_s_are_found_among_them
        the_present_is_left_out
    }
    played {
        games_are_found_by_side_result_opponent_and_time
        finished_games_are_counted_by_what_they_were
        what_nobody_may_know_of_is_not_counted
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
    ratings {
        an_ending_rates_both_players
        the_next_game_is_rated_from_what_the_last_left
        what_does_not_count_rates_nothing
        a_refused_ending_rates_nothing
        games_that_end_at_once_all_count
        games_are_rated_in_the_order_of_writing
        too_many_games_against_one_opponent_are_not_rated
        a_changed_result_is_rated_anew
        a_history_is_read_from_its_end
        what_spectators_do_not_know_is_told_apart
        the_best_established_players_lead
        established_ratings_are_counted_by_their_points
        people_are_found_by_the_beginning_of_their_names
        old_events_are_forgotten
    }
    outbox {
        what_a_change_tells_is_written_with_it
        many_moves_at_once_are_all_told
        a_refused_change_tells_nothing
        a_report_is_told_with_its_number
        what_was_told_can_be_told_again
        events_are_read_on_from_any_place
        what_is_not_wanted_is_passed_over
        a_cursor_is_moved_by_who_knows_where_it_is
        a_lease_is_one_holders_until_it_ends
    }
    webhooks {
        a_webhook_is_read_as_it_was_made
        moves_are_wanted_while_a_webhook_wants_them
        events_are_put_in_line_for_those_who_want_them
        of_each_line_one_is_tried_at_a_time
        so_many_of_one_webhook_are_tried_at_once
        so_many_of_one_account_are_tried_at_once
        what_was_sent_is_sent_again_on_demand
        who_is_gone_or_barred_is_sent_nothing
        only_the_first_of_a_line_is_due
        a_line_goes_on_when_its_first_is_forgotten
        what_could_not_be_tried_uses_up_no_try
        each_webhook_is_told_once_of_an_event
    }
    bars {
        a_barred_account_keeps_its_name
        an_outside_identity_is_blocked_before_it_was_ever_seen
        a_registered_account_is_linked_with_one_identity
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
    tickets {
        a_ticket_is_read_as_it_was_made
        nobody_waits_twice
        of_many_at_once_one_is_let_in
        who_plays_in_real_time_does_not_wait_for_it
        a_game_that_waits_or_takes_days_keeps_nobody
        a_pairing_ends_both_tickets_with_the_game_it_makes
        a_pairing_with_somebody_who_is_gone_makes_nothing
        of_two_pairings_at_once_one_counts
        nobody_is_paired_into_a_second_game
        another_game_ends_the_waiting
        being_there_is_noted_while_one_waits
        what_ended_long_ago_is_forgotten
    }
    social {
        a_block_stands_until_it_is_taken_back
        a_list_of_blocks_replaces_the_one_before
        blocks_are_found_among_many
        what_is_said_by_whom_a_reader_blocks_is_left_out
        whom_somebody_follows_is_kept
        what_somebody_plays_is_found_if_anybody_may_see_it
        whose_challenges_somebody_takes_is_kept
        a_deleted_account_decides_nothing_any_more
    }
    analyses {
        an_analysis_is_asked_for_once
        of_several_it_is_known_which_are_done
        only_so_many_are_open
        the_oldest_is_taken_by_one_at_a_time
        what_came_of_it_is_kept
        what_is_given_back_is_taken_again
        what_never_ends_is_given_up
        who_is_deleted_asked_for_nothing
    }
    correspondence {
        what_comes_up_is_found_page_by_page
        a_deadline_that_moves_is_found_where_it_went
        conditional_moves_are_kept_for_their_owner
        conditional_moves_change_only_if_they_are_the_same
        conditional_moves_of_games_that_went_on_are_found
        nobody_is_away_twice_at_once
        a_vacation_is_recorded_as_it_is
        what_was_told_late_is_told_anew
        what_a_deleted_account_planned_is_gone
    }
    console {
        whoever_knows_the_code_becomes_the_first_administrator
        a_code_is_of_no_use_once_there_is_an_administrator
        of_several_who_know_the_code_one_becomes_it
        operators_find_accounts_of_every_kind
        what_is_decided_without_a_report_is_decided_as_a_whole
    }
    fair {
        the_same_is_not_reported_twice_while_it_is_open
        reports_are_read_from_the_oldest_on
        a_decision_is_made_once_with_all_that_comes_of_it
        of_several_it_is_known_for_whom_a_sanction_holds
        a_sanction_is_changed_by_the_next_and_lifted
        a_notice_is_there_until_its_owner_puts_it_away
        signals_of_a_kind_are_kept_up_to_a_number
        what_a_deleted_account_reported_stays_and_nobody_said_it
    }
    told {
        what_is_to_be_told_is_written_once
        what_waits_is_claimed_together
        few_of_one_account_are_in_hand_in_each_way
        what_comes_along_uses_up_no_try
        what_somebody_else_has_in_hand_is_theirs_to_settle
        a_step_of_the_outbox_is_taken_once_and_with_what_comes_of_it
        what_was_sent_by_mail_is_brought_back_once
        a_new_password_ends_what_would_set_another
        an_address_counts_while_it_is_the_accounts
        a_browser_belongs_to_whoever_came_last
        a_secret_is_made_once
        of_a_deleted_account_nothing_is_left_to_tell
    }
}

shared! {
    aliases {
        other_nodes_hear_who_somebody_has_become
    }
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
    told {
        who_reads_a_stream_on_misses_nothing_whoever_writes
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
