//! The real binary in a process of its own, which can be killed.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::disk::Disk;
use crate::layer::Control;

const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");
/// The longest anything of a process's own may take: starting, stopping, checking.
const PATIENCE: Duration = Duration::from_secs(60);

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

/// A server that runs.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
    // Kept, so that printing goes on to work.
    _output: BufReader<ChildStdout>,
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
        command.envs(self.settings.iter().cloned());
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let mut line = String::new();
            let url = loop {
                line.clear();
                match output.read_line(&mut line) {
                    Ok(0) | Err(_) => break None,
                    Ok(_) => {
                        if let Some(url) = line.trim().strip_prefix("try it          curl ") {
                            break Some(url.replace("/health", ""));
                        }
                    }
                }
            };
            drop(tell.send(url.map(|url| (url, output))));
        });
        match told.recv_timeout(PATIENCE) {
            Ok(Some((url, output))) => Some(Server {
                child,
                url,
                _output: output,
            }),
            Ok(None) => {
                child.wait().expect("it has ended");
                None
            }
            Err(_) => {
                child.kill().expect("it can be killed");
                child.wait().expect("it has ended");
                panic!("the server does not start: {}", self.told());
            }
        }
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

impl Server {
    pub(crate) fn pid(&self) -> rustix::process::Pid {
        let id = i32::try_from(self.child.id()).expect("an id");
        rustix::process::Pid::from_raw(id).expect("an id")
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it has ended");
    }

    /// SIGTERM.
    pub(crate) fn ask_to_stop(&self) {
        rustix::process::kill_process(self.pid(), rustix::process::Signal::TERM)
            .expect("it can be told");
    }

    /// Waits until the process has ended by itself. Blocks.
    pub(crate) fn wait(mut self) -> ExitStatus {
        ended(&mut self.child)
    }

    /// Asks it to stop and waits until it has.
    pub(crate) fn stop(self) -> ExitStatus {
        self.ask_to_stop();
        self.wait()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Both fail if it has ended, which is what is wanted.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Waits until a process has ended by itself. Blocks.
fn ended(child: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a process of our own") {
            return status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill().expect("it can be killed");
            child.wait().expect("it has ended");
            panic!("a process does not end");
        }
        thread::sleep(Duration::from_millis(2));
    }
}
