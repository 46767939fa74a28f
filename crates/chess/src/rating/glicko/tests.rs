use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use skillratings::glicko2::glicko2_rating_period;

use super::*;
use crate::rating::value::SCALE;

/// Rounds to so many digits.
fn digits(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (value * unit).round() / unit
}

/// The paper rounds on the way: 1464.06 is 1500 - 173.7178 x 0.2069. Without
/// that it is 1464.0507, so it is the paper's last steps that are compared.
#[test]
fn the_papers_example_comes_out_to_its_published_digits() {
    let player = |rating, deviation| Glicko2Rating {
        rating,
        deviation,
        volatility: 0.06,
    };
    let games = [
        (player(1400.0, 30.0), Outcomes::WIN),
        (player(1550.0, 100.0), Outcomes::LOSS),
        (player(1700.0, 300.0), Outcomes::LOSS),
    ];
    let config = Glicko2Config { tau: 0.5, ..CONFIG };
    let after = glicko2_rating_period(&player(1500.0, 200.0), &games, &config);

    let mu = digits((after.rating - 1500.0) / SCALE, 4);
    let phi = digits(after.deviation / SCALE, 4);
    assert_eq!((mu, phi), (-0.2069, 0.8722));
    assert_eq!(digits(SCALE * mu + 1500.0, 2), 1464.06);
    assert_eq!(digits(SCALE * phi, 2), 151.52);
    assert_eq!(digits(after.deviation, 2), 151.52);
    // 0.059996, of which the paper prints the first five.
    assert_eq!((after.volatility * 1e5).floor(), 5999.0);
    assert!((after.rating - 1464.06).abs() < 0.01);
}

fn established(points: f64) -> Rating {
    Rating::new(points, 60.0, 0.06)
}

fn points(before: [Rating; 2], score: Score) -> [i32; 2] {
    let [white, black] = before;
    let rated = rate(&ByColor { white, black }, score);
    [rated.white.points(), rated.black.points()]
}

#[test]
fn established_players_move_little_and_newcomers_far() {
    let even = [established(1500.0), established(1500.0)];
    assert_eq!(points(even, Score::WhiteWon), [10, -10]);
    assert_eq!(points(even, Score::BlackWon), [-10, 10]);
    assert_eq!(points(even, Score::Drawn), [0, 0]);
    let newcomer = [Rating::INITIAL, established(1500.0)];
    assert_eq!(points(newcomer, Score::WhiteWon), [175, -7]);
    let newcomers = [Rating::INITIAL; 2];
    assert_eq!(points(newcomers, Score::WhiteWon), [162, -162]);
}

#[test]
fn a_surprise_counts_more_than_what_was_expected() {
    let uneven = [established(1800.0), established(1500.0)];
    assert_eq!(points(uneven, Score::WhiteWon), [3, -3]);
    assert_eq!(points(uneven, Score::Drawn), [-7, 7]);
    assert_eq!(points(uneven, Score::BlackWon), [-17, 17]);
}

#[test]
fn a_steady_players_deviation_settles_near_sixty() {
    let mut both = ByColor::new_with(|_| Rating::INITIAL);
    for game in 0..200 {
        let score = [Score::WhiteWon, Score::BlackWon][game % 2];
        both = rate(&both, score).map(|change| change.after);
    }
    assert!((55..=65).contains(&both.white.deviation()), "{both:?}");
}

#[test]
fn a_changed_result_moves_the_points_by_the_difference() {
    let before = ByColor::new_with(|_| established(1500.0));
    let was = rate(&before, Score::WhiteWon).white;
    let is = rate(&before, Score::BlackWon).white;
    let aborted = Change {
        before: was.before,
        after: was.before,
    };
    let now = established(1600.0);
    assert_eq!(corrected(now, &was, &is).points(), 1580);
    assert_eq!(corrected(now, &was, &aborted).points(), 1590);
    assert_eq!(corrected(now, &is, &aborted).points(), 1610);
    assert_eq!(corrected(now, &was, &was), now);
    assert_eq!(corrected(was.after, &was, &aborted).points(), 1500);
}

fn any_rating() -> impl Strategy<Value = Rating> {
    (400.0..=4000.0, 45.0..=350.0, 0.01..=0.1).prop_map(|(p, d, v)| Rating::new(p, d, v))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(15), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn winning_never_costs_and_losing_never_gains(white in any_rating(), black in any_rating()) {
        let rated = rate(&ByColor { white, black }, Score::WhiteWon);
        prop_assert!(rated.white.points() >= 0);
        prop_assert!(rated.black.points() <= 0);
        let stored = |rating: Rating| Rating::from_stored(rating.stored());
        prop_assert_eq!(stored(rated.white.after), Some(rated.white.after));
        prop_assert_eq!(stored(rated.black.after), Some(rated.black.after));
    }

    #[test]
    fn the_side_one_plays_makes_no_difference(one in any_rating(), other in any_rating()) {
        let as_white = rate(&ByColor { white: one, black: other }, Score::WhiteWon);
        let as_black = rate(&ByColor { white: other, black: one }, Score::BlackWon);
        prop_assert_eq!(as_white.white, as_black.black);
        prop_assert_eq!(as_white.black, as_black.white);
    }

    #[test]
    fn a_draw_brings_two_equally_sure_players_closer(
        white in 400.0..=4000.0, black in 400.0..=4000.0, deviation in 45.0..=350.0,
    ) {
        let before = ByColor { white, black }.map(|p| Rating::new(p, deviation, 0.06));
        let rated = rate(&before, Score::Drawn);
        let apart = |b: &ByColor<Rating>| b.white.points().abs_diff(b.black.points());
        let after = rated.map(|change| change.after);
        prop_assert!(apart(&after) <= apart(&before));
    }
}
