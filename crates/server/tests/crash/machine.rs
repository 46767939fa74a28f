//! A directory with a database, on which the real binary runs.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::disk::Disk;
use crate::layer::Control;
use crate::process::{ARBITER, Server, ended};

/// The database's name.
const DATABASE: &str = "arbiter.db";
/// Where a small disk is mounted.
const DISK: &str = "disk";

/// A directory with a database, and how the binary is to be run on it.
pub(crate) struct Machine {
    /// Where the database is, if that is a disk of its own. Goes before the directory.
    pub(crate) disk: Option<Disk>,
    directory: TempDir,
    /// Further variables of the environment.
    pub(crate) settings: Vec<(&'static str, String)>,
}

impl Machine {
    pub(crate) fn new() -> Machine {
        let directory = tempfile::tempdir().expect("a temporary directory");
        Machine {
            disk: None,
            directory,
            settings: Vec::new(),
        }
    }

    /// One whose database is on a small disk that can be filled.
    pub(crate) fn with_a_small_disk() -> Machine {
        let mut machine = Machine::new();
        machine.disk = Some(Disk::mount(&machine.path(DISK)));
        machine
    }

    /// The same directory, run with these variables besides.
    pub(crate) fn set(&mut self, name: &'static str, value: impl ToString) {
        self.unset(name);
        self.settings.push((name, value.to_string()));
    }

    pub(crate) fn unset(&mut self, name: &str) {
        self.settings.retain(|(known, _)| *known != name);
    }

    /// Runs on a layer that keeps in memory what is not synced.
    pub(crate) fn forget_unsynced(&mut self, layer: &Path) {
        self.set("LD_PRELOAD", layer.display());
        let directory = self.directory.path().display().to_string();
        self.set("UNSYNCED_DIR", directory);
    }

    /// Runs on a layer that fails while the control that is returned says so.
    pub(crate) fn fail_by(&mut self, layer: &Path, seed: u64) -> Control {
        let control = self.path("control");
        self.set("LD_PRELOAD", layer.display());
        self.set("FAILING_CONTROL", control.display());
        self.set("FAILING_SEED", seed);
        // The layer asks the system for the names of open files, which are real.
        let name = self.database();
        let place = name.parent().expect("a directory").canonicalize();
        let file = place.expect("a directory").join(DATABASE);
        self.set("FAILING_FILE", file.display());
        Control::new(&control)
    }

    /// The database.
    pub(crate) fn database(&self) -> PathBuf {
        match self.disk {
            Some(_) => self.path(DISK).join(DATABASE),
            None => self.path(DATABASE),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn log(&self) -> File {
        let mut options = OpenOptions::new();
        let log = options.create(true).append(true).open(self.path("log"));
        log.expect("a log")
    }

    /// Starts the server under a limit of the shell's `ulimit`, which it cannot
    /// start with: how it ends.
    pub(crate) fn start_limited(&self, limit: &str) -> ExitStatus {
        let server = self.command(&["serve"]);
        let mut command = Command::new("sh");
        command
            .args(["-c", &format!("ulimit {limit}; exec {ARBITER} serve")])
            .current_dir(self.directory.path())
            .envs(
                server
                    .get_envs()
                    .filter_map(|(name, value)| Some((name, value?))),
            )
            .stdout(Stdio::null())
            .stderr(self.log());
        ended(&mut command.spawn().expect("a shell"))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(ARBITER);
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env_clear()
            .env("ARBITER_LISTEN", "127.0.0.1:0")
            .env("ARBITER_RATE_LIMITS", "off")
            .env("ARBITER_LOG", "warn")
            .env(
                "ARBITER_STORE",
                format!("sqlite:{}", self.database().display()),
            )
            .stdin(Stdio::null())
            .stderr(self.log());
        command
    }

    /// Starts the server; `None` if it died before it answered.
    pub(crate) fn start(&self) -> Option<Server> {
        let mut command = self.command(&["serve"]);
        Server::start(command.envs(self.settings.iter().cloned()))
    }

    /// Starts the server, which must work.
    pub(crate) fn must_start(&self) -> Server {
        self.start()
            .unwrap_or_else(|| panic!("the server does not start: {}", self.told()))
    }

    /// Starts the server and kills it a moment later, wherever it is by then.
    pub(crate) fn start_in_vain(&self, moment: Duration) {
        let mut command = self.command(&["serve"]);
        command.envs(self.settings.iter().cloned());
        let started = command.stdout(Stdio::null()).spawn();
        let mut child = started.expect("the binary runs");
        thread::sleep(moment);
        child.kill().expect("it can be killed");
        child.wait().expect("it has ended");
    }

    /// Runs another command of the binary on the plain file layer: its exit
    /// code and what it printed.
    pub(crate) fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = self.command(arguments);
        let started = command.stdout(Stdio::piped()).spawn();
        let mut child = started.expect("the binary runs");
        let status = ended(&mut child);
        let mut text = String::new();
        let mut output = child.stdout.take().expect("its output");
        output.read_to_string(&mut text).expect("a text");
        (status.code(), text)
    }

    /// `arbiter check` of a database here; the number of its games.
    pub(crate) fn check(&self, database: &Path) -> Result<u64, String> {
        let store = format!("sqlite:{}", database.display());
        let (code, text) = self.run(&["check", "--store", &store]);
        let games = text.split(' ').next().and_then(|n| n.trim().parse().ok());
        match (code, games) {
            (Some(0), Some(games)) => Ok(games),
            _ => Err(format!(
                "check of {}: {code:?} {text}{}",
                database.display(),
                self.told()
            )),
        }
    }

    /// The numbers of the changes that are in the journal and perhaps nowhere
    /// else, as a backup has them that the running server makes.
    pub(crate) fn journal(&self) -> Vec<u64> {
        let copy = self.path("copy.db");
        let name = copy.to_str().expect("a path");
        let (code, text) = self.run(&["backup", name]);
        assert_eq!(code, Some(0), "{text}");
        let inspector = store::Inspector::open(&format!("sqlite:{name}")).expect("a backup");
        let now = chess::Timestamp(u64::MAX >> 1);
        let journal = tokio::runtime::Handle::current().block_on(inspector.journal(now));
        drop(inspector);
        std::fs::remove_file(copy).expect("the backup");
        let records = journal.expect("a journal").records;
        records.iter().map(|record| record.seq).collect()
    }

    /// What the servers logged.
    pub(crate) fn told(&self) -> String {
        std::fs::read_to_string(self.path("log")).unwrap_or_default()
    }
}
