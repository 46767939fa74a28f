//! The whole server is killed at any moment, again and again, has the power
//! cut, and its disk fail and fill up: whatever it had acknowledged is there,
//! and nothing else.
//!
//! `ARBITER_CRASHES=50` makes it 50 kills over 20,000 changes, on the plain
//! file layer and on the one that forgets, and 50 rounds of each fault;
//! `ARBITER_CRASH_SEED` repeats a run.
#![cfg(unix)]

mod clocks;
mod conditional;
mod disk;
mod events;
mod faults;
mod layer;
mod letters;
mod line;
mod machine;
mod moments;
mod pair;
#[path = "../support/process.rs"]
mod process;
mod queue;
mod rally;
#[path = "../support/record.rs"]
mod record;
#[path = "../support/table.rs"]
mod table;
#[cfg(target_os = "linux")]
mod trouble;
mod world;

use std::time::Instant;

use layer::Layer;
use machine::Machine;
use process::Server;
use world::World;

/// Changes between two kills.
const CHANGES_SHORT: u64 = 250;
const CHANGES_LONG: u64 = 400;

fn kills(short: u64) -> (u64, u64) {
    match number("ARBITER_CRASHES") {
        Some(kills) => (kills, CHANGES_LONG),
        None => (short, CHANGES_SHORT),
    }
}

fn is_long() -> bool {
    number("ARBITER_CRASHES").is_some()
}

fn seed() -> u64 {
    let seed = number("ARBITER_CRASH_SEED").unwrap_or_else(rand::random);
    println!("ARBITER_CRASH_SEED={seed}");
    seed
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Kills the server so often, and checks it after each.
async fn crash(world: &mut World, (kills, changes): (u64, u64)) -> Result<(), String> {
    let begun = Instant::now();
    world.meets_folds = true;
    for kill in 0..kills {
        world.other_settings();
        if kill % 3 == 2 {
            world.start_in_vain();
        }
        let server = world.start().await?;
        world.play(server, changes, Server::kill).await;
    }
    world.conclude().await?;
    println!(
        "{kills} kills, {} changes, {} of them never answered, {:.1} s: {:?}",
        world.changes,
        world.unanswered,
        begun.elapsed().as_secs_f64(),
        world.tally(),
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_by_a_kill() {
    let mut world = World::new(Machine::new(), seed());
    crash(&mut world, kills(6)).await.unwrap();
    assert!(world.changes >= 1_500);
    // Every kind of command had its part.
    assert_eq!(world.tally().len(), 22, "{:?}", world.tally());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_with_all_that_was_not_synced() {
    let Some(layer) = Layer::unsynced() else {
        return;
    };
    let mut machine = Machine::new();
    machine.forget_unsynced(&layer.path());
    let mut world = World::new(machine, seed());
    crash(&mut world, kills(3)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_leaves_both_tickets_or_one_game_and_every_ending_rated_once() {
    queue::crash(kills(5).0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_while_a_letter_is_sent_sends_it_once_more_under_the_same_name() {
    letters::crash().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kill_leaves_no_move_without_the_answer_that_was_said_to_it() {
    conditional::crash(kills(3).0).await;
}

/// The test of what was not synced can fail: whichever file is not synced, it is noticed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_sync_is_noticed() {
    let Some(layer) = Layer::unsynced() else {
        return;
    };
    // A clean stop has everything in the database and removes the log.
    for (lie, is_killed) in [("wal", true), ("db", false)] {
        let mut machine = Machine::new();
        machine.forget_unsynced(&layer.path());
        let mut world = World::new(machine, seed());
        let server = world.start().await.unwrap();
        world.play(server, 100, Server::kill).await;
        world.machine.set("UNSYNCED_LIE", lie);
        let server = world.start().await.expect("nothing is lost yet");
        let end = |server: Server| match is_killed {
            true => server.kill(),
            false => assert!(server.stop().success()),
        };
        world.play(server, 100, end).await;
        // Games are gone, or the file makes no sense any more.
        let noticed = world.start().await.map(drop);
        let noticed = noticed.expect_err("what was never synced is lost, and nobody noticed");
        println!("no sync of {lie}: {noticed}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clean_stop_finishes_what_is_in_hand() {
    let mut world = World::new(Machine::new(), seed());
    for _ in 0..2 {
        world.other_settings();
        let server = world.start().await.unwrap();
        let stop = |server: Server| assert!(server.stop().success());
        let ends = world.play(server, 150, stop).await;
        println!("{ends:?}");
    }
    world.conclude().await.unwrap();
    assert_eq!(world.unanswered, 0, "a change was made and not answered");
}
