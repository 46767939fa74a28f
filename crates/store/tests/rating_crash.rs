//! A server is killed at any moment while rated games end, again and again: every
//! game that is over was rated, and none of them twice.

#[path = "contract/support.rs"]
#[expect(
    dead_code,
    reason = "shared with the contract tests, which use all of it"
)]
mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use chess::rating::{Category, Effect, Outcome, Score};
use chess::table::{PlayerId, State};
use chess::{ByColor, Millis, Timestamp};
use store::{Change, EventPlace, OutboxQuery, Rates, Store, TableId};
use support::*;

const ROUNDS: u64 = 12;
/// They all play each other, so that most games that end at once share a player.
const PLAYERS: u32 = 5;
/// Games that run at the same time.
const LINES: u64 = 16;
/// Tells the child where to write.
const PLACE: &str = "ARBITER_STORE_TEST_RATING_CRASH";

#[test]
fn every_rated_ending_is_rated_once_whenever_the_server_is_killed() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("arbiter.db");
    let mut ended = 0;
    for round in 0..ROUNDS {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_child_that_ends_games"])
            .env(PLACE, &place)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(100 + round * round * 7 % 300));
        child.kill().unwrap();
        child.wait().unwrap();
        ended = check(&place, round);
    }
    assert!(ended > 100, "the child did something: {ended}");
}

/// How many games are over; all of them are rated.
fn check(place: &Path, round: u64) -> u32 {
    let store = Store::open(&format!("sqlite:{}", place.display())).unwrap();
    let over = finished(&store);
    let games = wait(store.rated_games(&over)).unwrap();
    assert_eq!(games.len(), over.len(), "round {round}: each was rated");
    let events = wait(store.outbox(OutboxQuery::after(EventPlace::START, u32::MAX)))
        .unwrap()
        .events;
    assert_eq!(
        events.len(),
        over.len(),
        "round {round}: each was told once"
    );
    let players: Vec<PlayerId> = (1..=PLAYERS).map(player).collect();
    let ratings = wait(store.ratings_of(&players)).unwrap();
    let counted: u32 = ratings.iter().map(|rating| rating.standing.games).sum();
    assert_eq!(
        counted as usize,
        2 * over.len(),
        "round {round}: none was rated twice"
    );
    for rating in ratings {
        let (account, category) = (rating.account, rating.category);
        let history = store.rating_history(account, category, Timestamp(0), u32::MAX);
        let history = wait(history).unwrap();
        assert_eq!(history.len(), rating.standing.games as usize);
        let is_last = |step: &store::RatingStep| step.change.after == rating.standing.rating;
        assert!(
            history.iter().any(is_last),
            "round {round}: some game left it so"
        );
    }
    store.close();
    over.len() as u32
}

fn finished(store: &Store) -> Vec<TableId> {
    let mut over = Vec::new();
    let mut after = None;
    loop {
        let rows = wait(store.each_table(after, 1_000)).unwrap();
        let Some(last) = rows.last() else {
            return over;
        };
        after = Some(last.table);
        let is_over = |row: &&store::StoredRow| row.summary.state == State::Completed.name();
        over.extend(rows.iter().filter(is_over).map(|row| row.table));
    }
}

/// Begins games and ends them, many at once. Runs until it is killed.
#[test]
fn a_child_that_ends_games() {
    let Some(place) = std::env::var_os(PLACE) else {
        return;
    };
    let url = format!("sqlite:{}", Path::new(&place).display());
    let store = Store::open(&url).unwrap();
    let mut next = wait(store.each_table(None, u32::MAX)).unwrap().len() as u64 + 1;
    loop {
        let games = next..next + LINES;
        commit_all(&store, games.clone().map(|number| created(row(number, 1))));
        commit_all(&store, games.map(ended));
        next += LINES;
    }
}

fn ended(number: u64) -> Change {
    let pair = number % u64::from(PLAYERS * (PLAYERS - 1));
    let white = (pair % u64::from(PLAYERS)) as u32;
    let black = (white + 1 + (pair / u64::from(PLAYERS)) as u32) % PLAYERS;
    let score = [Score::WhiteWon, Score::Drawn, Score::BlackWon][(number % 3) as usize];
    let outcome = Outcome {
        category: Category::Blitz,
        players: ByColor {
            white: player(1 + white),
            black: player(1 + black),
        },
        score,
    };
    Change {
        rates: Some(Box::new(Rates {
            effect: Effect::Rated(outcome),
            per_day: 0,
            delay: Millis::ZERO,
        })),
        ..changed(over(number, 2))
    }
}
