//! Deaths at chosen moments: while the database is made, while the log is
//! copied into it, while a backup is taken. What was not synced is lost, or
//! half of it.

use std::path::Path;

use crate::layer::Layer;
use crate::machine::Machine;
use crate::process::Server;
use crate::world::World;
use crate::{is_long, seed};

const DIE: &str = "UNSYNCED_DIE";
const TEAR: &str = "UNSYNCED_TEAR";

/// So many changes that the log must have been copied.
const ENOUGH: u64 = 5_000;

/// 1, 2, 3, 5, 8, ...
fn ever_later() -> impl Iterator<Item = u64> {
    let next = |(a, b): &(u64, u64)| Some((*b, a + b));
    std::iter::successors(Some((1, 2)), next).map(|(n, _)| n)
}

#[test]
fn a_database_can_be_made_after_a_death_at_any_step() {
    let Some(layer) = Layer::unsynced() else {
        return;
    };
    let mut deaths = 0;
    for op in ["w", "s"] {
        let steps: Box<dyn Iterator<Item = u64>> = match is_long() {
            true => Box::new(1..),
            false => Box::new(ever_later()),
        };
        for n in steps {
            let mut machine = Machine::new();
            machine.forget_unsynced(&layer.path());
            machine.set(DIE, format!("any:{op}:{n}"));
            if n % 2 == 1 {
                machine.set(TEAR, n);
            }
            if machine.start().is_some() {
                break;
            }
            deaths += 1;
            machine.unset(DIE);
            assert!(machine.must_start().stop().success(), "{op} {n}");
            assert_eq!(machine.check(&machine.database()), Ok(0), "{op} {n}");
        }
    }
    println!("{deaths} deaths while the database is made");
    assert!(deaths > 10, "it dies: {deaths}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_lost_by_a_death_while_the_log_is_copied() {
    let Some(layer) = Layer::unsynced() else {
        return;
    };
    let mut machine = Machine::new();
    machine.forget_unsynced(&layer.path());
    let mut world = World::new(machine, seed());
    // A clean stop copies all of the log into the database; many changes make
    // the server copy while it works.
    let moments = [
        (0, "w", 60),
        (3, "w", 60),
        (20, "w", 60),
        (1, "s", 60),
        (7, "w", ENOUGH),
    ];
    for (n, op, changes) in moments {
        // What earlier deaths have left in the log comes first: if that is much, copying it
        // is what a server begins with, and it would die before anybody plays.
        let server = world.start().await.unwrap();
        assert!(tokio::task::block_in_place(|| server.stop().success()));
        world.other_settings();
        world.machine.set(DIE, format!("db:{op}:{n}"));
        world.machine.set(TEAR, n);
        let server = world.start().await.unwrap();
        let has_ended = |server: Server| assert_eq!(server.stop().success(), n == 0, "{op} {n}");
        world.play(server, changes, has_ended).await;
        world.machine.unset(DIE);
    }
    assert!(
        world.changes < ENOUGH,
        "the log is copied while the server works"
    );
    world.conclude().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_is_whole_or_not_there() {
    let Some(layer) = Layer::unsynced() else {
        return;
    };
    let mut machine = Machine::new();
    machine.forget_unsynced(&layer.path());
    let mut world = World::new(machine, seed());
    let server = world.start().await.unwrap();
    world.play(server, 100, Server::kill).await;
    let mut deaths = 0;
    for (n, op) in [(1, "w"), (7, "w"), (40, "w"), (1, "s"), (0, "s")] {
        world.machine.set(DIE, format!("partial:{op}:{n}"));
        world.machine.set(TEAR, n);
        let server = world.start().await.unwrap();
        let name = format!("backup-{op}-{n}.db");
        let file = world.machine.path(&name);
        let file = file.to_str().expect("a path");
        let is_made = world.machine.run(&["backup", file]).0 == Some(0);
        if is_made {
            server.kill();
        } else {
            deaths += 1;
            assert!(!server.wait().success());
        }
        // An empty file keeps the name; a restore refuses it.
        let length = std::fs::metadata(file).map_or(0, |file| file.len());
        assert!(is_made == (length > 0), "{name}: {length}");
        if is_made {
            let games = world.machine.check(Path::new(file)).unwrap();
            assert!(games > 0);
        } else {
            let fresh = format!("sqlite:{}", world.machine.path("restored").display());
            let restore = ["restore", file, "--store", &fresh];
            assert_eq!(world.machine.run(&restore).0, Some(1), "{name}");
        }
        world.machine.unset(DIE);
    }
    assert!(deaths >= 3, "it dies: {deaths}");
    world.conclude().await.unwrap();
}
