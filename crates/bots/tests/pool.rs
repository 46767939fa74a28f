//! The pool against real processes: one that plays, and several that do not behave.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bots::engine::Limits;
use bots::pool::{Config, NoAnswer, Pool, Question, Urgency, Wish};
use bots::uci::EngineConfig;
use bots::{By, Level, Situation};
use chess::rules::Variant;
use rustix::process::{Pid, Signal, kill_process, test_kill_process};

/// The built-in engine as a program.
fn good() -> EngineConfig {
    EngineConfig::new(env!("CARGO_BIN_EXE_bots-uci"))
}

/// A program in a few words of shell; it writes its number into `DIR/ids`.
fn script(dir: &Path, name: &str, body: &str) -> EngineConfig {
    let path = dir.join(name);
    let ids = dir.join("ids");
    let text = format!("#!/bin/sh\necho $$ >> {}\n{body}\n", ids.display());
    std::fs::write(&path, text).expect("a script");
    let run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&path, run).expect("permissions");
    EngineConfig::new(path)
}

fn ids(dir: &Path) -> Vec<i32> {
    let text = std::fs::read_to_string(dir.join("ids")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

fn lives(id: i32) -> bool {
    Pid::from_raw(id).is_some_and(|pid| test_kill_process(pid).is_ok())
}

fn config(engines: Vec<EngineConfig>) -> Config {
    Config {
        engines,
        workers: 1,
        megabytes: 4,
        waiting: 5_000,
    }
}

fn question(variant: Variant) -> Question {
    Question {
        game: 1,
        urgency: Urgency::Live,
        situation: Situation::usual(variant),
        wish: Wish::Best(Limits::nodes(300)),
        // It is over when so many nodes are searched, long before this, however slow the machine.
        time: Duration::from_secs(5),
        within: Duration::MAX,
        seed: 1,
    }
}

/// What greets as an engine does, and then does `then` for every question.
fn greets(then: &str) -> String {
    format!(
        "while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {then};; esac; done"
    )
}

#[tokio::test]
async fn an_engine_plays_every_variant_it_knows() {
    let pool = Pool::start(config(vec![good()]));
    for variant in Variant::ALL {
        let answer = pool.ask(question(variant)).await.expect("a move");
        assert_eq!(answer.by, By::Uci, "{}", variant.name());
        let board = Situation::usual(variant).board().clone();
        assert!(board.legal_moves().contains(&answer.m));
        assert!(answer.depth >= 1 && answer.line[0] == answer.m);
    }
    let counts = pool.counts();
    assert_eq!((counts.starts, counts.faults, counts.by_uci), (1, 0, 9));
    pool.close().await;
    assert_eq!(
        pool.ask(question(Variant::Standard)).await,
        Err(NoAnswer::Closed)
    );
}

#[tokio::test]
async fn whatever_an_engine_does_there_is_a_move_and_no_process_is_left() {
    let bodies = [
        ("hangs-at-once", "exec sleep 1000".to_owned()),
        ("hangs", greets("exec sleep 1000")),
        ("dies", greets("exit 3")),
        ("illegal", greets("echo bestmove e2e5")),
        ("nothing", greets("echo bestmove")),
        ("garbage", greets("head -c 100000 /dev/urandom")),
        (
            "endless",
            greets("while :; do echo info string hello; done"),
        ),
        ("not-an-engine", "echo hello; exit 0".to_owned()),
    ];
    for (name, body) in bodies {
        let dir = tempfile::tempdir().expect("a directory");
        let pool = Pool::start(config(vec![script(dir.path(), name, &body)]));
        // As if there were eight seconds left on the clock.
        let (within, time) = (Duration::from_secs(8), Duration::from_millis(300));
        let (question, begun) = (question(Variant::Standard), std::time::Instant::now());
        let question = Question {
            within,
            time,
            ..question
        };
        let answer = pool.ask(question).await.expect(name);
        assert!(begun.elapsed() < within, "{name}: the flag fell");
        assert_eq!(answer.by, By::BuiltIn, "{name}");
        let faults = pool.counts().faults;
        assert!((1..=2).contains(&faults), "{name}");
        pool.close().await;
        let ids = ids(dir.path());
        assert_eq!(ids.len() as u64, faults, "{name}");
        assert!(
            ids.iter().all(|id| !lives(*id)),
            "{name}: a process is left"
        );
    }
}

#[tokio::test]
async fn an_engine_that_cannot_be_started_is_replaced_by_the_built_in_one() {
    let missing = EngineConfig::new(PathBuf::from("/nowhere/engine"));
    let pool = Pool::start(config(vec![missing]));
    for _ in 0..5 {
        let answer = pool.ask(question(Variant::Standard)).await.expect("a move");
        assert_eq!(answer.by, By::BuiltIn);
    }
    // After three faults in a row it is left alone.
    assert_eq!(pool.counts().faults, 3);
}

#[tokio::test]
async fn an_engine_that_is_killed_or_stopped_is_started_again() {
    let dir = tempfile::tempdir().expect("a directory");
    let program = good().path;
    let body = format!("exec {}", program.display());
    let pool = Pool::start(config(vec![script(dir.path(), "wrapped", &body)]));
    for (round, signal) in [Signal::KILL, Signal::STOP].into_iter().enumerate() {
        let before = pool.ask(question(Variant::Standard)).await.expect("a move");
        assert_eq!(before.by, By::Uci);
        let id = *ids(dir.path()).last().expect("it runs");
        let pid = Pid::from_raw(id).expect("a number");
        kill_process(pid, signal).expect("a signal");
        let after = pool.ask(question(Variant::Standard)).await.expect("a move");
        assert_eq!(after.by, By::Uci, "the second try");
        assert_eq!(pool.counts().faults, round as u64 + 1);
        assert!(!lives(id), "the old process is gone");
    }
    pool.close().await;
    assert!(ids(dir.path()).iter().all(|id| !lives(*id)));
}

#[tokio::test]
async fn each_variant_goes_to_an_engine_that_plays_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let standard_only = script(dir.path(), "standard", &greets("echo bestmove a2a3"));
    let pool = Pool::start(config(vec![standard_only, good()]));
    let plays = async |variant| {
        let answer = pool.ask(question(variant)).await.expect("a move");
        assert_eq!(answer.by, By::Uci);
        Situation::usual(variant).board().uci_text(answer.m)
    };
    assert_eq!(plays(Variant::Standard).await, "a2a3");
    assert_ne!(plays(Variant::Atomic).await, "");
    assert_eq!(plays(Variant::Standard).await, "a2a3");
    pool.close().await;
}

#[tokio::test]
async fn a_thousand_games_share_one_process() {
    let pool = Arc::new(Pool::start(config(vec![good()])));
    let mut asked = tokio::task::JoinSet::new();
    for game in 0..1_000 {
        let pool = pool.clone();
        let wish = Wish::Best(Limits::nodes(1));
        let question = Question {
            game,
            wish,
            ..question(Variant::Standard)
        };
        asked.spawn(async move { pool.ask(question).await });
    }
    while let Some(answer) = asked.join_next().await {
        answer.expect("no panic").expect("a move");
    }
    let counts = pool.counts();
    assert_eq!(
        (counts.answered, counts.starts, counts.waiting),
        (1_000, 1, 0)
    );
    pool.close().await;
}

#[tokio::test]
async fn who_stops_waiting_costs_nothing_and_a_full_queue_says_so() {
    let pool = Arc::new(Pool::start(Config {
        waiting: 1,
        ..config(Vec::new())
    }));
    let slow = Question {
        wish: Wish::Best(Limits::nodes(u64::MAX)),
        time: Duration::from_secs(1),
        ..question(Variant::Standard)
    };
    let ask = |question: Question| {
        let pool = pool.clone();
        tokio::spawn(async move { pool.ask(question).await })
    };
    let until = async |reached: &dyn Fn(bots::pool::Counts) -> bool| {
        while !reached(pool.counts()) {
            tokio::task::yield_now().await;
        }
    };
    let first = ask(slow);
    until(&|counts| counts.busy == 1).await;
    let quick = question(Variant::Standard);
    let second = ask(quick.clone());
    until(&|counts| counts.waiting == 1).await;
    assert_eq!(pool.ask(quick.clone()).await, Err(NoAnswer::Full));
    second.abort();
    assert!(first.await.expect("no panic").is_ok());
    until(&|counts| counts.waiting == 0).await;
    assert!(pool.ask(quick).await.is_ok());
    assert_eq!(pool.counts().answered, 2);
}

#[tokio::test]
async fn weak_levels_are_played_by_the_built_in_engine_and_theory_by_the_book() {
    let pool = Pool::start(config(vec![good()]));
    for level in Level::ALL {
        let mut question = Question {
            wish: Wish::Level(level),
            ..question(Variant::Standard)
        };
        let theory = pool.ask(question.clone()).await.expect("a move");
        assert_eq!(theory.by, By::Book, "{}", level.name());
        question.situation = Situation::usual(Variant::Atomic);
        let answer = pool.ask(question).await.expect("a move");
        let strong = level.strength().engine_nodes > 0;
        let by = if strong { By::Uci } else { By::BuiltIn };
        assert_eq!(answer.by, by, "{}", level.name());
    }
    pool.close().await;
}

#[tokio::test]
async fn a_game_that_is_over_has_no_answer() {
    let pool = Pool::start(config(Vec::new()));
    let mut over = question(Variant::Standard);
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        let spelled = chess::rules::Spelled::read(text).expect("a move");
        let m = over.situation.board().resolve(spelled).expect("legal");
        over.situation.play(m);
    }
    assert_eq!(pool.ask(over).await, Err(NoAnswer::Over));
}

/// A server that is killed cannot end its engines; they end because nobody speaks to them any more.
#[tokio::test]
async fn an_engine_ends_when_its_input_does() {
    use tokio::io::AsyncWriteExt;
    let mut child = tokio::process::Command::new(good().path)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("a process");
    let mut input = child.stdin.take().expect("a pipe");
    input
        .write_all(b"position startpos\ngo\n")
        .await
        .expect("it listens");
    drop(input);
    assert!(child.wait().await.expect("it ends").success());
}
