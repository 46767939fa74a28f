//! What ends a rated game changes ratings, in the same transaction.

use chess::rating::{Category, Effect, Outcome, Rating, Score, Standing, rate};
use chess::table::PlayerId;
use chess::{ByColor, Color, Millis, Timestamp};
use store::{
    Change, Error, EventKind, LeaderboardQuery, OutboxEvent, Place, PlayerRating, ProfileChange,
    RatedGame, Rates, Store,
};

use crate::people::{create, new};
use crate::support::*;

const BLITZ: Category = Category::Blitz;
const DAY: u64 = 86_400_000;

fn outcome(white: u32, black: u32, score: Score) -> Outcome {
    Outcome {
        category: BLITZ,
        players: ByColor {
            white: player(white),
            black: player(black),
        },
        score,
    }
}

/// The change that ends a game of these two at that time.
fn ended(number: u64, at: u64, outcome: Outcome) -> Change {
    let mut row = over(number, 2);
    row.summary.white = Some(outcome.players.white);
    row.summary.black = Some(outcome.players.black);
    row.summary.updated_at = Timestamp(at);
    row.summary.ended_at = Some(Timestamp(at));
    Change {
        rates: Some(Box::new(Rates {
            effect: Effect::Rated(outcome),
            per_day: 10,
            delay: Millis::ZERO,
        })),
        ..changed(row)
    }
}

/// Plays a game of these two that ends at that time.
fn play(store: &Store, number: u64, at: u64, outcome: Outcome) {
    commit(store, created(row(number, 1))).unwrap();
    commit(store, ended(number, at, outcome)).unwrap();
}

fn rating_of(store: &Store, number: u32) -> Option<PlayerRating> {
    wait(store.ratings_of(&[player(number)])).unwrap().pop()
}

fn rated(store: &Store, number: u64) -> Option<RatedGame> {
    wait(store.rated_game(id(number))).unwrap()
}

/// Which games changed ratings, with which version.
fn rated_in_order(store: &Store) -> Vec<(u64, u32)> {
    let events = events(store);
    let is_rating = |event: &OutboxEvent| event.kind == EventKind::RatingChanged;
    assert!(events.iter().all(is_rating));
    let shown = events
        .iter()
        .map(|e| (e.table.unwrap().number(), e.version));
    shown.collect()
}

pub(crate) fn an_ending_rates_both_players(home: &mut Home) {
    let store = home.store();
    let at = Timestamp(50 * DAY);
    play(store, 5, at.0, outcome(7, 3, Score::WhiteWon));
    let store = home.restart();
    let expected = rate(
        &ByColor {
            white: Rating::INITIAL,
            black: Rating::INITIAL,
        },
        Score::WhiteWon,
    );
    let winner = rating_of(store, 7).expect("it has a rating");
    assert_eq!(
        winner.standing,
        Standing::NEW.after(at, expected.white.after)
    );
    assert_eq!((winner.wins, winner.draws, winner.losses), (1, 0, 0));
    let loser = rating_of(store, 3).expect("it has a rating");
    assert_eq!((loser.wins, loser.draws, loser.losses), (0, 0, 1));
    assert_eq!(loser.category, BLITZ);
    let game = rated(store, 5).expect("it was rated");
    assert_eq!(
        (game.at, game.score, game.category),
        (at, Score::WhiteWon, BLITZ)
    );
    assert_eq!(game.changes, expected);
    assert_eq!(game.players.white, player(7));
    let both = wait(store.ratings_of(&[player(7), player(3), player(99)])).unwrap();
    assert_eq!(both, [loser, winner]);
    assert_eq!(rated_in_order(store), [(5, 2)]);
}

pub(crate) fn the_next_game_is_rated_from_what_the_last_left(home: &mut Home) {
    let store = home.store();
    play(store, 1, 10 * DAY, outcome(1, 2, Score::WhiteWon));
    let before = rating_of(store, 1).unwrap().standing;
    play(store, 2, 100 * DAY, outcome(1, 3, Score::Drawn));
    let game = rated(store, 2).unwrap();
    let grown = before.at(Timestamp(100 * DAY));
    assert_eq!(game.changes.white.before, grown);
    assert!(grown.stored().deviation_milli > before.rating.stored().deviation_milli);
    let now = rating_of(store, 1).unwrap();
    assert_eq!((now.wins, now.draws, now.standing.games), (1, 1, 2));
    assert_eq!(now.standing.rating, game.changes.white.after);
}

pub(crate) fn what_does_not_count_rates_nothing(home: &mut Home) {
    let store = home.store();
    commit(store, created(row(5, 1))).unwrap();
    let aborted = Change {
        rates: None,
        ..ended(5, DAY, outcome(1, 2, Score::Drawn))
    };
    commit(store, aborted).unwrap();
    assert_eq!(rating_of(store, 1), None);
    assert_eq!(rated(store, 5), None);
    assert_eq!(rated_in_order(store), []);
}

pub(crate) fn a_refused_ending_rates_nothing(home: &mut Home) {
    let store = home.store();
    play(store, 5, DAY, outcome(1, 2, Score::WhiteWon));
    let known = rating_of(store, 1);
    // Whoever did not learn the outcome may try again: the table has moved on.
    let again = commit(store, ended(5, DAY, outcome(1, 2, Score::WhiteWon)));
    assert_eq!(again, Err(Error::Conflict));
    assert_eq!(rating_of(store, 1), known);
    // Not even with the version it has now.
    let mut row = over(5, 3);
    row.summary.updated_at = Timestamp(2 * DAY);
    let twice = Change {
        expected: 2,
        rates: ended(5, DAY, outcome(1, 2, Score::BlackWon)).rates,
        ..changed(row)
    };
    commit(store, twice).unwrap();
    assert_eq!(rating_of(store, 1), known);
    assert_eq!(rated_in_order(store), [(5, 2)]);
}

pub(crate) fn games_that_end_at_once_all_count(home: &mut Home) {
    let store = home.store();
    let games = 1..=40_u64;
    commit_all(store, games.clone().map(|number| created(row(number, 1))));
    let opponent = |number: u64| 2 + (number % 20) as u32;
    let game = |number: u64| match number % 2 {
        0 => outcome(1, opponent(number), Score::WhiteWon),
        _ => outcome(opponent(number), 1, Score::Drawn),
    };
    let endings = games
        .clone()
        .map(|number| ended(number, DAY + number, game(number)));
    commit_all(store, endings);
    let busy = rating_of(store, 1).unwrap();
    assert_eq!((busy.standing.games, busy.wins, busy.draws), (40, 20, 20));
    let others: Vec<PlayerId> = (2..=21).map(player).collect();
    let others = wait(store.ratings_of(&others)).unwrap();
    assert!(others.iter().all(|other| other.standing.games == 2));
    // Each game began where another had ended.
    let steps = wait(store.rating_history(player(1), BLITZ, Timestamp(0), 100)).unwrap();
    assert_eq!(steps.len(), 40);
    let mut points: Vec<u32> = steps.iter().map(|s| s.change.after.points()).collect();
    assert!(steps.iter().all(|step| {
        let before = step.change.before.points();
        before == 1500 || points.contains(&before)
    }));
    points.sort_unstable();
    points.dedup();
    assert!(points.len() > 20, "{points:?}");
    assert_eq!(rated_in_order(store).len(), 40);
}

pub(crate) fn games_are_rated_in_the_order_of_writing(home: &mut Home) {
    let store = home.store();
    play(store, 1, 9 * DAY, outcome(1, 2, Score::WhiteWon));
    let late = rating_of(store, 1).unwrap().standing;
    play(store, 2, 5 * DAY, outcome(1, 3, Score::WhiteWon));
    let now = rating_of(store, 1).unwrap().standing;
    assert_eq!((now.games, now.rated_at), (2, Some(Timestamp(9 * DAY))));
    let game = rated(store, 2).unwrap();
    assert_eq!(game.changes.white.before, late.at(Timestamp(5 * DAY)));
    let steps = wait(store.rating_history(player(1), BLITZ, Timestamp(0), 9)).unwrap();
    let tables: Vec<u64> = steps.iter().map(|step| step.table.number()).collect();
    assert_eq!(tables, [1, 2], "by when they ended, the newest first");
}

pub(crate) fn too_many_games_against_one_opponent_are_not_rated(home: &mut Home) {
    let store = home.store();
    let hour = DAY / 24;
    for number in 1..=12 {
        let (white, black) = if number % 2 == 0 { (1, 2) } else { (2, 1) };
        play(
            store,
            number,
            number * hour,
            outcome(white, black, Score::Drawn),
        );
    }
    assert_eq!(rating_of(store, 1).unwrap().standing.games, 10);
    assert_eq!((rated(store, 11), rated(store, 12)), (None, None));
    play(store, 20, 13 * hour, outcome(1, 3, Score::Drawn));
    assert!(rated(store, 20).is_some(), "against somebody else");
    play(store, 21, 26 * hour, outcome(1, 2, Score::Drawn));
    assert!(rated(store, 21).is_some(), "a day after the first");
    commit(store, created(row(22, 1))).unwrap();
    let mut free = ended(22, 26 * hour, outcome(1, 2, Score::Drawn));
    free.rates.as_mut().unwrap().per_day = 0;
    commit(store, free).unwrap();
    assert!(rated(store, 22).is_some(), "zero is no limit");
}

/// The change by which an operator changes the result.
fn corrected(number: u64, version: u32, was: Outcome, score: Option<Score>) -> Change {
    let mut row = over(number, version);
    row.summary.updated_at = Timestamp(90 * DAY + u64::from(version));
    Change {
        rates: Some(Box::new(Rates {
            effect: Effect::Corrected { was, score },
            per_day: 10,
            delay: Millis::ZERO,
        })),
        ..changed(row)
    }
}

pub(crate) fn a_changed_result_is_rated_anew(home: &mut Home) {
    let store = home.store();
    let was = outcome(1, 2, Score::WhiteWon);
    play(store, 5, 10 * DAY, was);
    play(store, 6, 11 * DAY, outcome(1, 3, Score::Drawn));
    let first = rated(store, 5).unwrap();
    let before = rating_of(store, 1).unwrap();
    commit(store, corrected(5, 3, was, Some(Score::BlackWon))).unwrap();
    let game = rated(store, 5).unwrap();
    let anew = rate(&first.changes.map(|change| change.before), Score::BlackWon);
    assert_eq!(
        (game.score, game.changes, game.at),
        (Score::BlackWon, anew, first.at)
    );
    let now = rating_of(store, 1).unwrap();
    assert_eq!((now.wins, now.draws, now.losses), (0, 1, 1));
    assert_eq!(now.standing.games, 2);
    let milli = |rating: Rating| i64::from(rating.stored().points_milli);
    let moved = milli(now.standing.rating) - milli(before.standing.rating);
    assert_eq!(
        moved,
        milli(anew.white.after) - milli(first.changes.white.after)
    );
    assert_eq!(rating_of(store, 2).unwrap().wins, 1);
    // It turns out that it does not count at all.
    let was = outcome(1, 2, Score::BlackWon);
    commit(store, corrected(5, 4, was, None)).unwrap();
    assert_eq!(rated(store, 5), None);
    let now = rating_of(store, 1).unwrap();
    assert_eq!((now.standing.games, now.wins, now.losses), (1, 0, 0));
    assert_eq!(rating_of(store, 2), None, "that was their only game");
    assert_eq!(rated_in_order(store), [(5, 2), (6, 2), (5, 3), (5, 4)]);
    // Whoever is left without a game begins anew.
    play(store, 8, 12 * DAY, outcome(2, 4, Score::Drawn));
    let game = rated(store, 8).unwrap();
    assert_eq!(game.changes.white.before, Rating::INITIAL);
    assert_eq!(rating_of(store, 2).unwrap().standing.games, 1);
    // What was never rated is not rated by changing it.
    commit(store, created(row(7, 1))).unwrap();
    commit(store, corrected(7, 2, was, Some(Score::Drawn))).unwrap();
    assert_eq!(rated(store, 7), None);
}

pub(crate) fn a_history_is_read_from_its_end(home: &mut Home) {
    let store = home.store();
    for number in 1..=15 {
        let other = 2 + number as u32;
        play(
            store,
            number,
            number * DAY,
            outcome(other, 1, Score::BlackWon),
        );
    }
    let history = |since, limit| {
        let steps = wait(store.rating_history(player(1), BLITZ, Timestamp(since), limit)).unwrap();
        steps.iter().map(|s| s.table.number()).collect::<Vec<_>>()
    };
    assert_eq!(history(0, 3), [15, 14, 13]);
    assert_eq!(history(14 * DAY, 10), [15, 14]);
    let newest = wait(store.rating_history(player(1), BLITZ, Timestamp(0), 1)).unwrap()[0];
    assert_eq!((newest.color, newest.opponent), (Color::Black, player(17)));
    assert_eq!(newest.change, rated(store, 15).unwrap().changes.black);
    let bullet = store.rating_history(player(1), Category::Bullet, Timestamp(0), 9);
    assert_eq!(wait(bullet).unwrap(), []);
    let many = wait(store.rated_games(&[id(9), id(99), id(3)])).unwrap();
    assert_eq!(many, [rated(store, 9).unwrap(), rated(store, 3).unwrap()]);
    let profile = wait(store.rating_profile(player(1))).unwrap();
    let twelve_ago = rated(store, 4).unwrap().changes.black.before;
    let now = rating_of(store, 1).unwrap();
    assert_eq!(profile.len(), 1);
    assert_eq!(profile[0].rating, now);
    let gained = now.standing.rating.points() as i32 - twelve_ago.points() as i32;
    assert_eq!(profile[0].progress, gained);
    assert_eq!(wait(store.rating_profile(player(99))).unwrap(), []);
}

pub(crate) fn what_spectators_do_not_know_is_told_apart(home: &mut Home) {
    let store = home.store();
    play(store, 1, DAY, outcome(1, 2, Score::WhiteWon));
    let known = rating_of(store, 1).unwrap();
    assert_eq!(known.known_at, Timestamp(DAY));
    commit(store, created(row(2, 1))).unwrap();
    let mut delayed = ended(2, 2 * DAY, outcome(3, 1, Score::WhiteWon));
    delayed.rates.as_mut().unwrap().delay = Millis::from_secs(900);
    commit(store, delayed).unwrap();
    let rating = rating_of(store, 1).unwrap();
    assert_eq!(rating.known_at, Timestamp(2 * DAY + 900_000));
    let history = wait(store.rating_history(player(1), BLITZ, Timestamp(0), 9)).unwrap();
    assert_eq!(history[0].known_at, rating.known_at);
    assert_eq!(history[1].known_at, Timestamp(DAY));
    assert_eq!(rated(store, 2).unwrap().known_at, rating.known_at);
    let seen = rating.without(&history[..1]).expect("there was one before");
    assert_eq!((seen.standing.games, seen.wins, seen.losses), (1, 1, 0));
    let points = |rating: &PlayerRating| rating.standing.rating.points();
    assert_eq!(points(&seen), points(&known));
    assert_eq!(rating.without(&history), None);
    // What comes after it is known before it.
    play(store, 3, 2 * DAY + 1, outcome(1, 2, Score::Drawn));
    assert_eq!(rating_of(store, 1).unwrap().known_at, rating.known_at);
}

/// Plays rated games among five accounts, until their ratings are established.
fn a_season(store: &Store) -> Vec<PlayerId> {
    let names = ["Ann", "Ben", "Cid", "Dot", "Eve"];
    let accounts = names.map(|name| create(store, new(name)).number);
    let mut number = 100;
    for round in 0..8 {
        for (i, a) in accounts.iter().enumerate() {
            for b in &accounts[i + 1..] {
                number += 1;
                // The first of the two is stronger, but not by very much.
                let score = match round % 2 {
                    0 => Score::WhiteWon,
                    _ => Score::Drawn,
                };
                let game = outcome(a.number(), b.number(), score);
                play(store, number, (100 + round) * DAY + number, game);
            }
        }
    }
    accounts.to_vec()
}

pub(crate) fn the_best_established_players_lead(home: &mut Home) {
    let store = home.store();
    let people = a_season(store);
    let query = LeaderboardQuery {
        category: BLITZ,
        bots: false,
        now: Timestamp(109 * DAY),
        after: None,
        limit: 100,
    };
    let board = |query| {
        let rows = wait(store.leaderboard(query)).unwrap();
        rows.iter().map(|row| row.account).collect::<Vec<_>>()
    };
    assert_eq!(board(query), people, "whoever won most comes first");
    let first = wait(store.leaderboard(LeaderboardQuery { limit: 2, ..query })).unwrap();
    let place: Option<Place> = first.last().map(PlayerRating::place);
    let after = LeaderboardQuery {
        after: place,
        ..query
    };
    assert_eq!(board(after), people[2..]);
    // Programs have their own; who is barred or gone is on none.
    let title = |title: &str| ProfileChange {
        title: Some(Some(title.to_owned())),
        ..ProfileChange::default()
    };
    wait(store.change_profile(people[0], title("BOT"))).unwrap();
    wait(store.change_profile(people[1], title("GM"))).unwrap();
    let barred = ProfileChange {
        barred_at: Some(Some(Timestamp(1))),
        ..ProfileChange::default()
    };
    wait(store.change_profile(people[2], barred)).unwrap();
    assert_eq!(board(query), [people[1], people[3], people[4]]);
    wait(store.delete_account(people[3], Timestamp(1), "deleted-4")).unwrap();
    assert_eq!(board(query), [people[1], people[4]]);
    assert_eq!(wait(store.ratings_of(&people[3..4])).unwrap(), []);
    let bots = LeaderboardQuery {
        bots: true,
        ..query
    };
    assert_eq!(board(bots), [people[0]]);
    // Nobody plays, and nobody can be compared any more.
    let later = LeaderboardQuery {
        now: Timestamp(5_000 * DAY),
        ..query
    };
    assert_eq!(board(later), []);
    let other = LeaderboardQuery {
        category: Category::Horde,
        ..query
    };
    assert_eq!(board(other), []);
}

pub(crate) fn established_ratings_are_counted_by_their_points(home: &mut Home) {
    let store = home.store();
    let people = a_season(store);
    let spread = |days: u64| wait(store.rating_spread(BLITZ, Timestamp(days * DAY))).unwrap();
    let ratings = wait(store.ratings_of(&people)).unwrap();
    let mut points: Vec<u32> = ratings.iter().map(|r| r.standing.rating.points()).collect();
    points.sort_unstable();
    let counted: Vec<u32> = spread(109)
        .iter()
        .flat_map(|(points, count)| vec![*points; *count as usize])
        .collect();
    assert_eq!(counted, points);
    assert_eq!(spread(5_000), []);
}

pub(crate) fn people_are_found_by_the_beginning_of_their_names(home: &mut Home) {
    let store = home.store();
    for name in ["Bob", "bobby", "Bo_b", "alice", "bobo"] {
        create(store, new(name));
    }
    let guest = store::NewAccount {
        kind: store::AccountKind::Guest,
        ..new("bobguest")
    };
    create(store, guest);
    let found = |prefix: &str, limit| {
        let found = wait(store.players_by_prefix(prefix, limit)).unwrap();
        found.into_iter().map(|a| a.name).collect::<Vec<_>>()
    };
    assert_eq!(found("bob", 10), ["Bob", "bobby", "bobo"]);
    assert_eq!(found("bob", 2), ["Bob", "bobby"]);
    assert_eq!(found("bo_", 10), ["Bo_b"], "no letter stands for another");
    assert_eq!(found("%", 10), [""; 0]);
    let bobby = wait(store.account_by_id("bobby")).unwrap().unwrap();
    wait(store.delete_account(bobby.number, Timestamp(1), "deleted-2")).unwrap();
    assert_eq!(found("bob", 10), ["Bob", "bobo"]);
}

pub(crate) fn old_events_are_forgotten(home: &mut Home) {
    let store = home.store();
    for number in 1..=5 {
        play(store, number, number * DAY, outcome(1, 2, Score::Drawn));
    }
    assert_eq!(wait(store.purge_outbox(Timestamp(4 * DAY), 2)), Ok(2));
    assert_eq!(wait(store.purge_outbox(Timestamp(4 * DAY), 2)), Ok(1));
    assert_eq!(wait(store.purge_outbox(Timestamp(4 * DAY), 2)), Ok(0));
    let left = events(store);
    assert_eq!(left.len(), 2);
}
