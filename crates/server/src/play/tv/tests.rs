use super::*;

const NOW: Timestamp = Timestamp(10_000_000);

fn id(number: u64) -> TableId {
    TableId::from_number(number).unwrap()
}

/// A game of blitz in which a move was just made.
fn lively(number: u64, rating: u16) -> Candidate {
    Candidate {
        id: id(number),
        ply: 20,
        idle: Millis::from_secs(1),
        pace: Millis::from_secs(30),
        is_slow: false,
        are_here: true,
        has_own_bot: false,
        rating,
    }
}

fn shown(candidates: &[Candidate], showing: Option<Showing>) -> Option<u64> {
    featured(candidates, showing, NOW).map(|showing| showing.id.number())
}

fn since(number: u64, seconds: u32) -> Option<Showing> {
    let since = Timestamp(NOW.0 - u64::from(seconds) * 1_000);
    Some(Showing {
        id: id(number),
        since,
    })
}

#[test]
fn the_strongest_of_lively_games_is_shown() {
    assert_eq!(shown(&[], None), None);
    let games = [lively(1, 1_500), lively(2, 2_100), lively(3, 1_800)];
    assert_eq!(shown(&games, None), Some(2));
}

#[test]
fn games_without_moves_or_with_absent_players_do_not_count() {
    let unmoved = Candidate {
        ply: 1,
        ..lively(1, 2_500)
    };
    let absent = Candidate {
        are_here: false,
        ..lively(2, 2_500)
    };
    assert_eq!(shown(&[unmoved, absent], None), None);
    assert_eq!(shown(&[unmoved, absent, lively(3, 900)], None), Some(3));
    // Not even if it is shown already.
    assert_eq!(shown(&[absent, lively(3, 900)], since(2, 1)), Some(3));
}

#[test]
fn liveliness_counts_as_well_as_rating() {
    let quiet = Candidate {
        idle: Millis::from_secs(90),
        ..lively(1, 1_800)
    };
    assert_eq!(shown(&[quiet, lively(2, 1_500)], None), Some(2));
    let much_stronger = Candidate {
        rating: 2_400,
        ..quiet
    };
    assert_eq!(shown(&[much_stronger, lively(2, 1_500)], None), Some(1));
}

#[test]
fn people_who_play_now_come_before_bots_and_letters() {
    let with_bot = Candidate {
        has_own_bot: true,
        ..lively(1, 1_700)
    };
    let by_days = Candidate {
        is_slow: true,
        ..lively(2, 2_500)
    };
    assert_eq!(shown(&[with_bot, by_days, lively(3, 1_500)], None), Some(3));
    assert_eq!(shown(&[with_bot, by_days], None), Some(1));
    assert_eq!(shown(&[by_days], None), Some(2));
}

#[test]
fn what_is_shown_stays_unless_another_is_clearly_better() {
    let games = [lively(1, 1_500), lively(2, 1_700), lively(3, 2_500)];
    assert_eq!(
        shown(&games[..2], since(1, 3_600)),
        Some(1),
        "hardly better"
    );
    assert_eq!(shown(&games, since(1, 19)), Some(1), "too soon");
    assert_eq!(shown(&games, since(1, 20)), Some(3));
    assert_eq!(shown(&games[1..], since(1, 1)), Some(3), "it is over");
    // Since when it is shown does not change.
    assert_eq!(featured(&games[..2], since(1, 50), NOW), since(1, 50));
}

#[test]
fn of_two_alike_it_is_always_the_same() {
    let games = [lively(2, 1_500), lively(1, 1_500)];
    assert_eq!(shown(&games, None), Some(1));
}
