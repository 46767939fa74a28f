//! Matches between built-in players.

use std::sync::Arc;
use std::time::Duration;

use bots::engine::Limits;
use bots::matches::player::Reply;
use bots::matches::{Choice, Plan, Player, Pooled, Record, Tally, Turn, openings, record, run};
use bots::pace::Clock;
use bots::pool::{Config, Pool, Wish};
use bots::situation::Situation;
use chess::rules::Variant;

const LONG: Duration = Duration::from_secs(600);

fn pooled(pool: &Arc<Pool>, name: &str, nodes: u64) -> Arc<dyn Player> {
    Arc::new(Pooled {
        name: name.into(),
        pool: pool.clone(),
        wish: Wish::BuiltIn(Limits::nodes(nodes)),
        time: LONG,
    })
}

fn plan(variant: Variant, games: u64) -> Plan {
    Plan {
        games,
        concurrency: 2,
        seed: 5,
        openings: openings::built_in(variant, games.div_ceil(2) as usize, 5),
        clock: None,
        plies_max: 400,
    }
}

fn tally(records: &[Record]) -> Tally {
    let mut tally = Tally::default();
    for record in records {
        tally.count(record.points());
    }
    tally
}

/// Ten games of each variant to their end, and nobody tries what is not legal.
#[tokio::test]
async fn every_variant_is_played_to_the_end() {
    let pool = Arc::new(Pool::start(Config::default()));
    for variant in Variant::ALL {
        let players = [pooled(&pool, "a", 250), pooled(&pool, "b", 250)];
        let records = run(&plan(variant, 10), players, Vec::new(), |_| true).await;
        assert_eq!(records.len(), 10);
        for record in &records {
            let fine = !record.reason.contains("move");
            assert!(fine || record.reason == "fifty moves", "{record:?}");
            assert_eq!(record.variant, variant.name());
        }
    }
    pool.close().await;
}

/// Who looks further wins, if what is looked for is right: so it shows that each variant is understood.
#[tokio::test]
async fn more_nodes_win_in_every_variant() {
    let pool = Arc::new(Pool::start(Config::default()));
    for variant in Variant::ALL {
        let players = [pooled(&pool, "strong", 2_000), pooled(&pool, "weak", 60)];
        let records = run(&plan(variant, 10), players, Vec::new(), |_| true).await;
        let tally = tally(&records);
        println!("{}: {tally:?}", variant.name());
        assert!(tally.score() >= 0.7, "{}: {tally:?}", variant.name());
        let whites = records.iter().filter(|r| r.first_is_white);
        assert_eq!(whites.count(), 5);
        let opening = |n: usize| &records[n].moves[..records[n].opening];
        assert_eq!(opening(0), opening(1));
    }
}

#[tokio::test]
async fn a_match_goes_on_where_it_stopped_and_becomes_the_same() {
    let pool = Arc::new(Pool::start(Config::default()));
    let plan = plan(Variant::Antichess, 6);
    let players = || [pooled(&pool, "a", 120), pooled(&pool, "b", 60)];
    let whole = run(&plan, players(), Vec::new(), |_| true).await;
    let mut file = String::new();
    let mut count = 0;
    run(&plan, players(), Vec::new(), |record| {
        file.push_str(&record.to_line());
        file.push('\n');
        count += 1;
        count < 2
    })
    .await;
    assert!((2..6).contains(&count));
    // The machine stopped in the middle of a line.
    file.push_str("{\"game\":5,\"se");
    let (done, broken) = record::read(&file);
    assert_eq!((done.len(), broken), (count, 1));
    let mut again = 0;
    let resumed = run(&plan, players(), done.clone(), |_| {
        again += 1;
        true
    })
    .await;
    assert_eq!(resumed, whole);
    assert_eq!(again + count, 6);
    // Games of another match are not taken for this one.
    let other = Plan {
        seed: 6,
        ..plan.clone()
    };
    let mut played = 0;
    run(&other, players(), done, |_| {
        played += 1;
        true
    })
    .await;
    assert_eq!(played, 6);
}

struct Wrong(fn(&Situation) -> Result<chess::rules::Move, String>);

impl Player for Wrong {
    fn name(&self) -> String {
        "wrong".into()
    }

    fn play<'a>(&'a self, turn: Turn<'a>) -> Reply<'a> {
        Box::pin(async move { (self.0)(turn.situation).map(Choice::Move) })
    }
}

#[tokio::test]
async fn who_makes_no_legal_move_has_lost() {
    let pool = Arc::new(Pool::start(Config::default()));
    let illegal: fn(&Situation) -> _ = |_| {
        let first = Situation::usual(Variant::Crazyhouse).board().legal_moves()[0];
        Ok(chess::rules::Move::Put {
            role: chess::rules::Role::Queen,
            to: first.to(),
        })
    };
    let silent: fn(&Situation) -> _ = |_| Err("asleep".into());
    for (wrong, reason) in [(illegal, "illegal move Q@"), (silent, "no move: asleep")] {
        let players: [Arc<dyn Player>; 2] = [pooled(&pool, "a", 50), Arc::new(Wrong(wrong))];
        let records = run(&plan(Variant::Standard, 2), players, Vec::new(), |_| true).await;
        for record in records {
            assert!(record.reason.starts_with(reason), "{record:?}");
            assert_eq!(record.points(), 1.0);
        }
    }
}

#[tokio::test]
async fn a_clock_that_is_empty_loses() {
    let pool = Arc::new(Pool::start(Config::default()));
    let plan = Plan {
        clock: Some(Clock {
            left: Duration::ZERO,
            increment: Duration::ZERO,
        }),
        ..plan(Variant::Standard, 1)
    };
    let players = [pooled(&pool, "a", 50), pooled(&pool, "b", 50)];
    let records = run(&plan, players, Vec::new(), |_| true).await;
    assert_eq!(records[0].reason, "time");
}
