//! A small disk that can be filled, for as long as a test runs.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Says that this process may mount a disk of its own.
const INSIDE: &str = "ARBITER_CRASH_INSIDE";
/// Room for a database and all of a log that is never cut short.
const SIZE: &str = "size=48m";

/// Runs the test of that name again in a process that sees mounts of its own,
/// which go away with it. `true`: this is that process.
pub(crate) fn is_inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    // Who is not root is root among themselves.
    let ways: [&[&str]; 2] = [&["--mount"], &["--map-root-user", "--mount"]];
    let can = |way: &&[&str]| {
        let mut probe = Command::new("unshare");
        probe
            .args(*way)
            .args(["mount", "-t", "tmpfs", "tmpfs", "/tmp"]);
        probe.output().is_ok_and(|output| output.status.success())
    };
    let Some(way) = ways.into_iter().find(can) else {
        let why = "a disk that can be filled needs Linux and the right to mount one";
        assert!(std::env::var("CI").is_err(), "{why}");
        eprintln!("skipped: {why}");
        return false;
    };
    let test_binary = std::env::current_exe().expect("a path");
    let status = Command::new("unshare")
        .args(way)
        .arg(test_binary)
        .args([test, "--exact", "--nocapture"])
        .env(INSIDE, "1")
        .status();
    assert!(status.expect("it runs").success(), "{test} failed inside");
    false
}

/// A disk of its own in memory.
pub(crate) struct Disk {
    place: PathBuf,
}

impl Disk {
    /// Mounts it.
    pub(crate) fn mount(place: &Path) -> Disk {
        fs::create_dir(place).expect("a directory");
        run(Command::new("mount")
            .args(["-t", "tmpfs", "-o", SIZE, "tmpfs"])
            .arg(place));
        Disk {
            place: place.to_owned(),
        }
    }

    /// Takes all the room there is.
    pub(crate) fn fill(&self) {
        let mut filler = File::create(self.filler()).expect("a file");
        for piece in [1 << 20, 4096] {
            let zeros = vec![0; piece];
            while filler.write_all(&zeros).is_ok() {}
        }
    }

    /// Gives it back.
    pub(crate) fn free(&self) {
        fs::remove_file(self.filler()).expect("the disk was filled");
    }

    fn filler(&self) -> PathBuf {
        self.place.join("filler")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // The directory cannot be removed before. A server that still runs may
        // have a file open there.
        drop(
            Command::new("umount")
                .arg("--lazy")
                .arg(&self.place)
                .status(),
        );
    }
}

fn run(command: &mut Command) {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {output:?}");
}
