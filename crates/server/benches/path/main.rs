//! Instructions of the whole path of a move, by `POST` and over a socket, and of a game
//! that is made and joined: the server with its database and sockets, in this process,
//! counted by valgrind.
//!
//! One thing is asked for at a time, so that every move is a commit of its own and threads
//! take turns in the same order every time. What the clock brings about in between is
//! counted, too: of every few moves the least of several rounds counts. `make bench-path` runs it in the
//! profile of development, which `make test` has built anyway: our own code in it is hardly
//! optimised, so that the figures are several times those of a release. They rise with them.

#[path = "../../../chess/benches/counted/figures.rs"]
mod figures;
mod peer;
mod work;

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use figures::{Figures, PLAIN};

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Says to the process under valgrind where its files are.
const DIRECTORY: &str = "COUNTED_DIRECTORY";

fn main() -> ExitCode {
    if let Some(directory) = std::env::var_os(DIRECTORY) {
        work::run(Path::new(&directory));
        return ExitCode::SUCCESS;
    }
    match compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn compare() -> Result<(), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let directory = directory.path();
    let out = directory.join("out");
    let myself = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg("--zero-before=*begin_counting*")
        .arg("--dump-before=*end_counting*")
        .arg(myself)
        .env(DIRECTORY, directory)
        .env("GLIBC_TUNABLES", PLAIN)
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the server could not be counted\n{said}"));
    }
    let mut figures = Figures::begin();
    let mut dumps = 1..;
    for (name, times) in work::NAMES {
        let mut least = vec![u64::MAX; times / work::PIECE];
        for _ in 0..work::ROUNDS {
            for (piece, dump) in least.iter_mut().zip(&mut dumps) {
                *piece = total(&directory.join(format!("out.{dump}")))?.min(*piece);
            }
        }
        figures.note(name, least.iter().sum::<u64>() / times as u64);
    }
    figures.end()
}

/// What valgrind counted between two dumps, of all threads.
fn total(dump: &Path) -> Result<u64, String> {
    let text = fs::read_to_string(dump).map_err(|error| format!("{}: {error}", dump.display()))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let total = total.and_then(|total| total.trim().parse().ok());
    total.ok_or_else(|| format!("{} says no total", dump.display()))
}
