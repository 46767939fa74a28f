use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;
use crate::Millis;
use crate::game::ColorChoice;
use crate::pairing::Colors;
use crate::rating::Rating;
use Color::{Black, White};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn player(number: u32) -> PlayerId {
    PlayerId::new(number).expect("not zero")
}

/// A ticket with the player's number, of an established player who is no more
/// used to one side than to the other.
fn ticket(number: u32, points: u32, waited_secs: u64) -> Seeker {
    Seeker {
        origin: Origin::Ticket(u64::from(number)),
        player: player(number),
        rating: Rating::new(f64::from(points), 60.0, 0.06),
        since: Timestamp(NOW.0 - waited_secs * 1000),
        range: None,
        side: None,
        colors: Colors::default(),
        last_opponent: None,
    }
}

fn open_game(number: u32, points: u32, waited_secs: u64, color: ColorChoice) -> Seeker {
    Seeker {
        origin: Origin::OpenGame {
            id: u64::from(number) + 900,
            color,
        },
        ..ticket(number, points, waited_secs)
    }
}

fn round(pool: &[Seeker]) -> Round {
    pair(pool, &Blocks::default(), &Policy::default(), NOW, 1)
}

/// The numbers of those who are paired; the lower first in each pair.
fn met(round: &Round) -> Vec<(u32, u32)> {
    let numbers = round.pairs.iter().map(|pair| {
        let both = pair.seekers.as_ref().map(|seeker| seeker.player.number());
        (both.white.min(both.black), both.white.max(both.black))
    });
    numbers.collect()
}

#[test]
fn the_nearest_in_rating_meet() {
    let pool = [
        ticket(1, 1500, 9),
        ticket(2, 1590, 8),
        ticket(3, 1580, 7),
        ticket(4, 1510, 6),
    ];
    assert_eq!(met(&round(&pool)), [(1, 4), (2, 3)]);
}

#[test]
fn both_must_be_within_the_others_window() {
    // After 15 s a window is 250 wide; at first it is 100.
    let far = [ticket(1, 1500, 15), ticket(2, 1700, 0)];
    assert_eq!(met(&round(&far)), []);
    let both_wait = [ticket(1, 1500, 15), ticket(2, 1700, 10)];
    assert_eq!(met(&round(&both_wait)), [(1, 2)]);
    let edge = [ticket(1, 1500, 0), ticket(2, 1600, 0)];
    assert_eq!(met(&round(&edge)), [(1, 2)]);
    let beyond = [ticket(1, 1500, 0), ticket(2, 1601, 0)];
    assert_eq!(met(&round(&beyond)), []);
}

#[test]
fn whoever_has_waited_longest_chooses_first() {
    let pool = [ticket(1, 1510, 5), ticket(2, 1520, 1), ticket(3, 1540, 20)];
    assert_eq!(met(&round(&pool)), [(2, 3)], "though 1 is nearer to 2");
}

#[test]
fn among_equals_those_who_have_waited_longest_meet() {
    let pool: Vec<Seeker> = (1..=5).map(|n| ticket(n, 1500, n.into())).collect();
    assert_eq!(met(&round(&pool)), [(4, 5), (2, 3)]);
    let around = [
        ticket(1, 1510, 9),
        ticket(2, 1500, 1),
        ticket(3, 1500, 3),
        ticket(4, 1500, 2),
        ticket(5, 1520, 2),
    ];
    assert_eq!(met(&round(&around))[0], (1, 3));
}

#[test]
fn a_crowd_that_is_always_faster_takes_whoever_has_lost_patience() {
    let crowd = [ticket(2, 1500, 0), ticket(3, 1500, 0)];
    let with = |waited| [ticket(1, 1780, waited), crowd[0].clone(), crowd[1].clone()];
    assert_eq!(met(&round(&with(29))), [(2, 3)]);
    assert_eq!(met(&round(&with(30))), [(1, 2)]);
    let hopeless = [ticket(1, 2001, 599), crowd[0].clone()];
    assert_eq!(met(&round(&hopeless)), [], "the greatest gap holds always");
}

#[test]
fn newcomers_are_paired_more_widely() {
    let mut pool = [ticket(1, 1500, 0), ticket(2, 1800, 0)];
    assert_eq!(met(&round(&pool)), []);
    pool[0].rating = Rating::INITIAL;
    assert_eq!(met(&round(&pool)), [], "the other one is not unsure");
    pool[1].rating = Rating::new(1800.0, 300.0, 0.06);
    assert_eq!(met(&round(&pool)), [(1, 2)]);
}

#[test]
fn blocked_players_never_meet() {
    let pool = [
        ticket(1, 1500, 500),
        ticket(2, 1500, 400),
        ticket(3, 1900, 300),
    ];
    let blocks = Blocks::new([(player(2), player(1))]);
    let round = |pool| pair(pool, &blocks, &Policy::default(), NOW, 1);
    assert_eq!(met(&round(&pool[..2])), []);
    assert_eq!(met(&round(&pool)), [(1, 3)]);
}

#[test]
fn a_range_that_was_asked_for_holds_for_its_owner_whatever_the_wait() {
    let mut pool = [
        ticket(1, 1500, 500),
        ticket(2, 1510, 500),
        ticket(3, 1650, 500),
    ];
    pool[0].range = Some(1600..=1700);
    assert_eq!(met(&round(&pool)), [(1, 3)]);
    assert_eq!(met(&round(&pool[..2])), []);
    pool[2].range = Some(1600..=1700);
    assert_eq!(met(&round(&pool)), [], "3 plays nobody who is there");
}

#[test]
fn white_is_for_whoever_had_it_less_often() {
    let mut pool = [ticket(1, 1500, 0), ticket(2, 1500, 0)];
    for (sides, white) in [([Black, White], 1), ([White, Black], 2)] {
        pool[0].colors = Colors::of([sides[0]]);
        pool[1].colors = Colors::of([sides[1]]);
        let pairs = round(&pool).pairs;
        assert_eq!(pairs[0].seekers.white.player, player(white));
    }
}

#[test]
fn a_side_that_was_asked_for_holds_whatever_the_wait() {
    let wants = |number, points, side| Seeker {
        side: Some(side),
        ..ticket(number, points, 500)
    };
    let pool = [wants(1, 1500, White), wants(2, 1500, White)];
    assert_eq!(met(&round(&pool)), []);
    let [one, two] = pool;
    let pairs = round(&[one, two, wants(3, 1600, Black)]).pairs;
    let sides = pairs[0].seekers.as_ref().map(|seeker| seeker.player);
    assert_eq!((sides.white, sides.black), (player(1), player(3)));
    for (wanted, offered, is_met) in [
        (White, ColorChoice::White, false),
        (White, ColorChoice::Black, true),
        (White, ColorChoice::Random, true),
    ] {
        let pool = [wants(1, 1500, wanted), open_game(2, 1500, 500, offered)];
        assert_eq!(round(&pool).pairs.len() == 1, is_met, "{offered:?}");
    }
}

#[test]
fn where_nothing_else_decides_chance_gives_white() {
    let pool: Vec<Seeker> = (1..=2).map(|n| ticket(n, 1500, 0)).collect();
    let white = |chance| {
        let round = pair(&pool, &Blocks::default(), &Policy::default(), NOW, chance);
        round.pairs[0].seekers.white.player
    };
    let ones = (0..1000)
        .filter(|chance| white(*chance) == player(1))
        .count();
    assert!((450..=550).contains(&ones), "{ones} of 1000");
}

#[test]
fn two_who_both_had_white_too_often_meet_only_if_there_is_nobody_else() {
    let often = |number, points, waited| Seeker {
        colors: Colors::of([White, White]),
        ..ticket(number, points, waited)
    };
    let pool = |waited| [often(1, 1500, waited), often(2, 1500, waited)];
    assert_eq!(met(&round(&pool(59))), []);
    assert_eq!(met(&round(&pool(60))), [(1, 2)]);
    let [one, two] = pool(60);
    assert_eq!(met(&round(&[one, two, ticket(3, 1700, 20)])), [(1, 3)]);
}

#[test]
fn two_who_have_just_met_are_kept_apart_only_if_configured() {
    let mut pool = [
        ticket(1, 1500, 29),
        ticket(2, 1500, 29),
        ticket(3, 1600, 29),
    ];
    pool[0].last_opponent = Some(player(2));
    let avoids = Policy {
        avoids_last_opponent: true,
        ..Policy::default()
    };
    let round = |policy: &Policy, now| pair(&pool, &Blocks::default(), policy, now, 1);
    assert_eq!(met(&round(&Policy::default(), NOW)), [(1, 2)]);
    assert_eq!(met(&round(&avoids, NOW)), [(1, 3)]);
    let two = |now| pair(&pool[..2], &Blocks::default(), &avoids, now, 1);
    assert_eq!(met(&two(NOW)), []);
    assert_eq!(met(&two(NOW + Millis::from_secs(1))), [(1, 2)]);
}

#[test]
fn an_open_game_is_joined_on_the_side_its_creator_left() {
    for (color, creators) in [(ColorChoice::White, White), (ColorChoice::Black, Black)] {
        let pool = [open_game(1, 1500, 3, color), ticket(2, 1510, 9)];
        let pairs = round(&pool).pairs;
        assert_eq!(pairs[0].seekers.get(creators).player, player(1));
        assert_eq!(pairs[0].open_game(), Some(901));
        let remembered: Vec<Paired> = pairs[0].paired(NOW).collect();
        assert_eq!(remembered.len(), 1, "only the ticket has waited in line");
        assert_eq!(remembered[0].waited, Millis::from_secs(9));
    }
}

#[test]
fn no_two_open_games_are_paired_and_none_with_its_own_creator() {
    let games = [1, 2].map(|n| open_game(n, 1500, 50, ColorChoice::Random));
    assert_eq!(met(&round(&games)), []);
    let own = [
        open_game(1, 1500, 50, ColorChoice::Random),
        ticket(1, 1500, 50),
    ];
    assert_eq!(met(&round(&own)), []);
}

#[test]
fn nobody_is_paired_into_two_games() {
    let pool = [
        open_game(1, 1500, 50, ColorChoice::Random),
        ticket(1, 1500, 40),
        ticket(2, 1500, 30),
        ticket(3, 1500, 20),
    ];
    assert_eq!(met(&round(&pool)), [(1, 2)]);
}

#[test]
fn a_ticket_ends_after_its_time_and_an_open_game_does_not() {
    let pool = [
        ticket(1, 1500, 601),
        ticket(2, 1500, 600),
        open_game(3, 1500, 600, ColorChoice::Random),
        ticket(4, 1500, 599),
    ];
    let round = round(&pool);
    assert_eq!(round.timed_out, [1, 2]);
    assert_eq!(met(&round), [(3, 4)]);
}

#[test]
fn an_empty_pool_and_one_who_is_alone_wait_on() {
    assert_eq!(round(&[]), Round::default());
    assert_eq!(round(&[ticket(1, 1500, 100)]), Round::default());
}

/// The rule word for word, by looking at everybody.
fn by_looking_at_everybody(pool: &[Seeker], blocks: &Blocks, policy: &Policy) -> Vec<(u64, u64)> {
    let window = |s: &Seeker| policy.window(s.rating, s.since, NOW);
    let id = |s: &Seeker| match s.origin {
        Origin::Ticket(id) | Origin::OpenGame { id, .. } => id,
    };
    let mut waiting: Vec<&Seeker> = pool.iter().collect();
    waiting.retain(|s| !s.is_out_of_time(policy, NOW));
    waiting.sort_by_key(|s| s.rank());
    let mut pairs = Vec::new();
    while !waiting.is_empty() {
        let one = waiting.remove(0);
        let waited = NOW.since(one.since);
        let urgent = waited >= policy.patience;
        let very_urgent = waited >= policy.patience + policy.patience;
        let suits = |other: &Seeker, any_side: bool, any_opponent: bool| {
            let reach = if urgent {
                policy.max_gap
            } else {
                window(other)
            };
            let met =
                one.last_opponent == Some(other.player) || other.last_opponent == Some(one.player);
            let sides = one.due().is_none() || one.due() != other.due();
            one.accepts(window(one)).includes(other.rating.points())
                && other.accepts(reach).includes(one.rating.points())
                && one.player != other.player
                && !blocks.between(one.player, other.player)
                && (one.is_ticket() || other.is_ticket())
                && (one.chosen().is_none() || one.chosen() != other.chosen())
                && (any_side || sides)
                && (any_opponent || !(policy.avoids_last_opponent && met))
        };
        let nearest = |any_side, any_opponent| {
            let suiting = waiting
                .iter()
                .filter(|other| suits(other, any_side, any_opponent));
            suiting.min_by_key(|other| {
                let gap = other.rating.points().abs_diff(one.rating.points());
                (gap, other.rank())
            })
        };
        let other = nearest(false, false)
            .or_else(|| urgent.then(|| nearest(false, true))?)
            .or_else(|| very_urgent.then(|| nearest(true, true))?);
        if let Some(other) = other.copied() {
            pairs.push((id(one), id(other)));
            waiting.retain(|s| s.player != one.player && s.player != other.player);
        }
    }
    pairs
}

/// A small, crowded pool with everything in it.
fn any_pool() -> impl Strategy<Value = Vec<Seeker>> {
    let seeker = (
        (1..25_u32, 1300..1700_u32, 45.0..=350.0, 0..700_u64),
        (0..7_u8, vec(any::<bool>(), 0..6)),
        prop::option::of(1..25_u32),
        prop::option::of((1200..1800_u32, 0..300_u32)),
    );
    let seeker = seeker.prop_map(
        |((number, points, deviation, waited), (kind, sides), last, range)| {
            let choices = [ColorChoice::White, ColorChoice::Black, ColorChoice::Random];
            let game = choices.get(usize::from(kind)).copied();
            let seeker = Seeker {
                rating: Rating::new(f64::from(points), deviation, 0.06),
                range: range.map(|(least, wide)| least..=least + wide),
                side: (kind > 4).then(|| Color::from_white(kind == 5)),
                colors: Colors::of(sides.into_iter().map(Color::from_white)),
                last_opponent: last.map(player),
                ..ticket(number, points, waited)
            };
            (game, seeker)
        },
    );
    vec(seeker, 0..30).prop_map(|seekers| {
        let numbered = |(id, (game, seeker)): (u64, (Option<ColorChoice>, Seeker))| Seeker {
            origin: game.map_or(Origin::Ticket(id), |color| Origin::OpenGame { id, color }),
            ..seeker
        };
        (0..).zip(seekers).map(numbered).collect()
    })
}

fn any_blocks() -> impl Strategy<Value = Vec<(u32, u32)>> {
    vec((1..25_u32, 1..25_u32), 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, rng_seed: RngSeed::Fixed(15), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_round_is_what_looking_at_everybody_would_come_to(
        pool in any_pool(), blocked in any_blocks(), avoids_last_opponent: bool,
    ) {
        let blocks = Blocks::new(blocked.into_iter().map(|(a, b)| (player(a), player(b))));
        let policy = Policy { avoids_last_opponent, ..Policy::default() };
        let round = pair(&pool, &blocks, &policy, NOW, 7);
        let ids = round.pairs.iter().map(|pair| {
            let mut both = [&pair.seekers.white, &pair.seekers.black];
            both.sort_by_key(|seeker| seeker.rank());
            both.map(|seeker| match seeker.origin {
                Origin::Ticket(id) | Origin::OpenGame { id, .. } => id,
            }).into()
        });
        let ids: Vec<(u64, u64)> = ids.collect();
        prop_assert_eq!(ids, by_looking_at_everybody(&pool, &blocks, &policy));
    }

    #[test]
    fn the_order_of_the_pool_makes_no_difference(pool in any_pool().prop_flat_map(|pool| {
        (Just(pool.clone()), Just(pool).prop_shuffle())
    })) {
        let (pool, shuffled) = pool;
        prop_assert_eq!(round(&pool), round(&shuffled));
    }

    #[test]
    fn whoever_chose_a_side_has_it_and_others_get_theirs(pool in any_pool()) {
        for pair in round(&pool).pairs {
            for (color, seeker) in Color::ALL.into_iter().zip(pair.seekers.iter()) {
                prop_assert!(seeker.chosen().is_none_or(|chosen| chosen == color));
            }
            let due = pair.seekers.as_ref().map(Seeker::due);
            if let (Some(white), Some(black)) = (due.white, due.black) && white != black {
                prop_assert_eq!(white, Color::White);
            }
            prop_assert!(pair.gap() <= Policy::default().max_gap);
        }
    }
}
