//! The store fails in the middle of play, and works again: by a disk that is
//! full, and by calls that fail.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use crate::disk::is_inside;
use crate::layer::{Layer, what, whom};
use crate::line::Line;
use crate::machine::Machine;
use crate::process::Server;
use crate::world::{World, reach};
use crate::{number, seed};

/// The longest anything is waited for.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the server is asked for what cannot be waited for.
const LOOK: Duration = Duration::from_millis(20);

/// Moves that are acknowledged before, between and after the faults.
const MOVES: u64 = 160;
/// Refusals that a store must earn before it works again.
const REFUSALS: u64 = 100;

/// What happens to the store: so many of a hundred calls, what, and to whom.
type Fault = (u8, u8, u8);

const FAULTS: [Fault; 4] = [
    (100, what::EIO, whom::ALL),
    (30, what::EIO | what::ENOSPC | what::SHORT, whom::ALL),
    (60, what::EIO, whom::SYNCS),
    (50, what::SHORT | what::ENOSPC, whom::WRITES),
];

/// Rounds, each of which ends with a kill or a clean stop.
fn rounds() -> u64 {
    number("ARBITER_CRASHES").unwrap_or(2)
}

async fn more(line: &Line, moves: u64) {
    let before = *line.told.borrow();
    reach(&line.told, before + moves).await;
}

async fn be_refused(line: &Line) {
    let before = *line.refused.borrow();
    reach(&line.refused, before + REFUSALS).await;
}

/// Waits until the server says so of being ready.
async fn readiness(line: &Line, status: u16) {
    let asked = async {
        while line.ready().await != status {
            sleep(LOOK).await;
        }
    };
    let said = timeout(PATIENCE, asked).await;
    said.unwrap_or_else(|_| panic!("/ready is never {status}"));
}

/// Waits until all that the journal has now is in the rows and in no journal.
async fn fold(machine: &Machine) {
    let journal = || tokio::task::block_in_place(|| machine.journal());
    let last = journal().last().copied().unwrap_or(0);
    let folded = async {
        while journal().first().is_some_and(|first| *first <= last) {
            sleep(LOOK).await;
        }
    };
    let folded = timeout(PATIENCE, folded).await;
    folded.expect("what is in the journal is folded");
}

/// Lets the store fail and work again, then plays on and waits for a fold.
async fn trouble(
    machine: &Machine,
    line: &Line,
    faults: impl IntoIterator<Item = Fault>,
    begin: impl Fn(Fault),
    end: impl Fn(),
) {
    for fault in faults {
        more(line, MOVES).await;
        begin(fault);
        if fault.0 == 100 {
            readiness(line, 503).await;
        }
        be_refused(line).await;
        // Nobody asks again before a fold, which must not take what the games
        // have lost from memory for what they are.
        line.is_held.send_replace(true);
        end();
        readiness(line, 200).await;
        fold(machine).await;
        line.is_held.send_replace(false);
    }
    more(line, MOVES).await;
    fold(machine).await;
    more(line, MOVES).await;
}

/// A world in which rows are written by the clock alone, so that many moves
/// are nowhere but in the journal when the store fails.
fn world(machine: Machine, seed: u64) -> World {
    let mut world = World::new(machine, seed);
    world.machine.set("ARBITER_FOLD_SECONDS", 1);
    world.credits_max = usize::MAX;
    world
}

fn end(round: u64) -> impl FnOnce(Server) {
    move |server| match round % 2 {
        0 => server.kill(),
        _ => assert!(server.stop().success()),
    }
}

async fn conclude(mut world: World) {
    world.conclude().await.unwrap();
    let (changes, unanswered) = (world.changes, world.unanswered);
    println!("{changes} changes, {unanswered} of them never answered");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_on_a_disk_that_fails() {
    let Some(layer) = Layer::failing() else {
        return;
    };
    let seed = seed();
    let mut machine = Machine::new();
    let control = machine.fail_by(&layer.path(), seed);
    let mut world = world(machine, seed);
    for round in 0..rounds() {
        let server = world.start().await.unwrap();
        let fail = |(share, what, whom)| {
            control.stand_aside();
            control.fail(share, what, whom);
        };
        let meanwhile = async |machine: &Machine, line: &Line| {
            trouble(machine, line, FAULTS, fail, || control.work()).await;
        };
        world.rally(server, meanwhile, end(round)).await;
    }
    conclude(world).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_acknowledged_is_lost_on_a_disk_that_is_full() {
    if !is_inside("faults::nothing_acknowledged_is_lost_on_a_disk_that_is_full") {
        return;
    }
    let Some(layer) = Layer::failing() else {
        return;
    };
    let seed = seed();
    let mut machine = Machine::with_a_small_disk();
    // The layer fails no call here: the disk does.
    let control = machine.fail_by(&layer.path(), seed);
    let mut world = world(machine, seed);
    for round in 0..rounds() {
        let server = world.start().await.unwrap();
        let meanwhile = async |machine: &Machine, line: &Line| {
            let disk = machine.disk.as_ref().expect("a small disk");
            let fill = |_| {
                control.stand_aside();
                disk.fill();
            };
            let free = || {
                disk.free();
                control.work();
            };
            let times = [(100, what::ENOSPC, whom::ALL); 3];
            trouble(machine, line, times, fill, free).await;
        };
        world.rally(server, meanwhile, end(round)).await;
    }
    conclude(world).await;
}
