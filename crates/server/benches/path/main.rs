//! Instructions of the whole path of a move, by `POST` and over a socket, and of a game
//! that is made and joined: the server with its database and sockets, in this process,
//! counted by valgrind.
//!
//! One thing is asked for at a time, so that every move is a commit of its own. Of each
//! the least of several rounds counts, since some of what the clock brings about is counted
//! with it. `make bench-counts` runs it and fails if a move takes over 5 % more than
//! `bench/core.json` says; with `SAVE=1` it writes that file. It is built in the
//! profile of development, which `make test` has built anyway: our own code in it is hardly
//! optimised, so that the figures are several times those of a release. They rise with them.

mod counting;
#[path = "../../../chess/benches/counted/figures.rs"]
mod figures;
mod peer;
mod work;

use std::path::Path;
use std::process::ExitCode;

use counting::{DIRECTORY, Dumps};
use figures::Figures;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    let mut dumps = Dumps::make(directory.path())?;
    let mut figures = Figures::begin();
    for (name, rounds, times) in work::WORKS {
        let mut least = vec![u64::MAX; times];
        for _ in 0..rounds {
            for piece in &mut least {
                *piece = dumps.next()?.min(*piece);
            }
        }
        let each = least.iter().sum::<u64>() / times as u64;
        match name {
            work::SHOWN => figures.show(name, each),
            _ => figures.note(name, each),
        }
    }
    dumps.end()?;
    figures.end()
}
