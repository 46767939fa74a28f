//! How it is counted: the same work under the same scheduling, without what the clock
//! brings about.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::figures::PLAIN;

/// Says to the process under valgrind where its files are.
pub(crate) const DIRECTORY: &str = "COUNTED_DIRECTORY";

/// Where counting stops, or goes on if it had stopped, until the function returns. Moves
/// take so long under valgrind that some of this would fall into nearly every one, and into
/// more of them beside other load.
const SWITCHES: [&str; 8] = [
    // The client.
    "path::work::run",
    // Clocks, heartbeats, eviction.
    "server::operate::background::run",
    // The server's own tasks, most of which look every now and then whether there is work...
    "server::operate::supervise::keep_going::{{closure}}",
    // ... but not these two, who tell what happened.
    "server::tell::Teller::take::{{closure}}",
    "server::mailbox::Mailbox::serve::{{closure}}",
    // What those tasks read. A move reads nothing; what a join reads is left out with it.
    "store::sqlite::readers::run",
    // Threads that wait: how often, and for which timer, is chance.
    "tokio::runtime::scheduler::current_thread::Context::park",
    "tokio::runtime::scheduler::multi_thread::worker::Context::park_internal",
];
/// In SQLite; it takes a step for each time that a page was written since the log began
/// anew, which is when the clock has it. It calls nothing, so that valgrind does not name it.
const LOG_INDEX: &str = "walIndexAppend";

/// What valgrind wrote, a file for each piece.
pub(crate) struct Dumps {
    directory: PathBuf,
    next: usize,
    /// Those of the switches that were not seen.
    unseen: Vec<&'static str>,
}

impl Dumps {
    /// Does the work under valgrind, with its files in that directory.
    ///
    /// On one processor threads do not overtake each other, and in a batch none is
    /// interrupted because another has become ready: each goes on until it waits. Where two
    /// threads race, the same one is first every time.
    pub(crate) fn make(directory: &Path) -> Result<Dumps, String> {
        let myself = env::current_exe().map_err(|error| error.to_string())?;
        let out = directory.join("out");
        let output = Command::new("taskset")
            .args(["--cpu-list", &processor()?])
            .args(["chrt", "--batch", "0"])
            .args(["valgrind", "--tool=callgrind"])
            .arg(format!("--callgrind-out-file={}", out.display()))
            .args(["--zero-before=*begin_counting*"])
            .args(["--dump-before=*end_counting*", "--dump-line=no"])
            .args(SWITCHES.map(|name| format!("--toggle-collect={name}")))
            .arg(format!("--toggle-collect={LOG_INDEX}"))
            .arg("--collect-atstart=yes")
            .arg(myself)
            .env(DIRECTORY, directory)
            .env("GLIBC_TUNABLES", PLAIN)
            .output()
            .map_err(|error| format!("taskset: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("the server could not be counted\n{said}"));
        }
        Ok(Dumps {
            directory: directory.to_owned(),
            next: 1,
            unseen: SWITCHES.to_vec(),
        })
    }

    /// What was counted in the next piece, in all threads.
    pub(crate) fn next(&mut self) -> Result<u64, String> {
        let dump = self.directory.join(format!("out.{}", self.next));
        self.next += 1;
        let text =
            fs::read_to_string(&dump).map_err(|error| format!("{}: {error}", dump.display()))?;
        // Each is named once in a file, as `fn=(7) name`.
        let names = text.lines().filter_map(|line| line.split_once("fn=("));
        for (_, name) in names.filter_map(|(_, name)| name.split_once(") ")) {
            self.unseen.retain(|unseen| *unseen != name);
        }
        let total = text.lines().find_map(|line| line.strip_prefix("totals: "));
        let total = total.and_then(|total| total.trim().parse().ok());
        total.ok_or_else(|| format!("{} says no total", dump.display()))
    }

    /// A function that was renamed would no longer be left out, and nobody would know why
    /// figures have changed.
    pub(crate) fn end(self) -> Result<(), String> {
        match &self.unseen[..] {
            [] => Ok(()),
            unseen => Err(format!(
                "valgrind has seen no function of these names: {}\n\
                 where they have others by now, change SWITCHES in crates/server/benches/path/counting.rs",
                unseen.join(", ")
            )),
        }
    }
}

/// The last of those that we may run on.
fn processor() -> Result<String, String> {
    let status = fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    let last = list.and_then(|list| list.trim().rsplit([',', '-']).next());
    last.map(str::to_owned)
        .ok_or_else(|| "the system does not say which processors there are".to_owned())
}
