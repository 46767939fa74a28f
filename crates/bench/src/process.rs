//! Servers as processes of their own, and what they use.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, getrlimit, kill_process, setrlimit};

/// How long a server may take until it says where it listens.
const START: Duration = Duration::from_secs(120);

/// A server that was started here, and ends when this is dropped.
pub(crate) struct Process {
    child: Child,
    pub(crate) address: SocketAddr,
    /// From its start until it said where it listens.
    pub(crate) started_in: Duration,
}

impl Process {
    /// Starts a server that prints its address as the last word of a line
    /// with `listens on`.
    pub(crate) fn start(mut command: Command) -> Result<Process, String> {
        let name = format!("{:?}", command.get_program());
        let begun = Instant::now();
        let mut child = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{name} could not be started: {error}"))?;
        let out = child.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(out).lines();
        let address = loop {
            let line = match lines.next() {
                Some(Ok(line)) if begun.elapsed() < START => line,
                _ => {
                    end(&mut child);
                    return Err(format!("{name} did not say where it listens"));
                }
            };
            let word = line.split_once("listens on ").map(|(_, rest)| rest.trim());
            if let Some(Ok(address)) = word.map(str::parse) {
                break address;
            }
        };
        let started_in = begun.elapsed();
        // Whatever else it prints is of no interest, but must not block it.
        std::thread::spawn(move || lines.for_each(drop));
        Ok(Process {
            child,
            address,
            started_in,
        })
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        end(&mut self.child);
    }

    /// Asks it to stop and waits until it has.
    pub(crate) fn stop(mut self) -> Result<(), String> {
        kill_process(Pid::from_child(&self.child), Signal::TERM)
            .map_err(|error| format!("it cannot be stopped: {error}"))?;
        match self.child.wait() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("it ended with {status}")),
            Err(error) => Err(format!("it cannot be waited for: {error}")),
        }
    }

    /// Processor time so far.
    pub(crate) fn cpu(&self) -> Duration {
        cpu(self.pid()).unwrap_or_default()
    }

    /// Memory in bytes.
    pub(crate) fn memory(&self) -> u64 {
        memory(self.pid()).unwrap_or_default()
    }

    /// The most memory that it ever had, in bytes.
    pub(crate) fn memory_peak(&self) -> u64 {
        of_status(self.pid(), "VmHWM:")
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&mut self.child);
    }
}

/// Ends a process and those it started, as some peers do.
fn end(child: &mut Child) {
    for pid in family(child.id()) {
        if let Some(pid) = Pid::from_raw(pid as i32) {
            // It fails only if it has ended already.
            kill_process(pid, Signal::KILL).ok();
        }
    }
    child.wait().ok();
}

/// Processor time of all of them.
pub(crate) fn cpu_of(nodes: &[Process]) -> Duration {
    nodes.iter().map(Process::cpu).sum()
}

/// Memory of all of them, in bytes.
pub(crate) fn memory_of(nodes: &[Process]) -> u64 {
    nodes.iter().map(Process::memory).sum()
}

/// Processor time of a process and of the processes it started.
pub(crate) fn cpu(pid: u32) -> io::Result<Duration> {
    let mut ticks = 0;
    for pid in family(pid) {
        ticks += cpu_ticks(pid);
    }
    let per_second = rustix::param::clock_ticks_per_second() as f64;
    Ok(Duration::from_secs_f64(ticks as f64 / per_second))
}

/// Processor time of this very process, without those it started.
pub(crate) fn own_cpu() -> Duration {
    let per_second = rustix::param::clock_ticks_per_second() as f64;
    Duration::from_secs_f64(cpu_ticks(std::process::id()) as f64 / per_second)
}

fn cpu_ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    // The name in brackets may hold anything; user and system time are the
    // 12th and 13th number after it.
    let numbers = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let numbers = numbers.split_ascii_whitespace().skip(11).take(2);
    numbers.filter_map(|n| n.parse::<u64>().ok()).sum()
}

/// Memory of a process and of the processes it started.
pub(crate) fn memory(pid: u32) -> io::Result<u64> {
    let all = family(pid);
    Ok(all.into_iter().map(|pid| of_status(pid, "VmRSS:")).sum())
}

/// A size of a process, in bytes, by the name that the system has for it.
fn of_status(pid: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name));
    line.map_or(0, |line| crate::http::number(line.as_bytes()) as u64 * 1024)
}

/// A process and its children, which some peers have, and whoever runs engines.
pub(crate) fn family(pid: u32) -> Vec<u32> {
    let mut all = vec![pid];
    let mut next = 0;
    while let Some(pid) = all.get(next) {
        // A child is its thread's, whichever started it.
        let threads = fs::read_dir(format!("/proc/{pid}/task"));
        for thread in threads.into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children"));
            let children = children.unwrap_or_default();
            let children = children.split_ascii_whitespace();
            all.extend(children.filter_map(|c| c.parse::<u32>().ok()));
        }
        next += 1;
    }
    all
}

/// Lets this process and those it starts open as many files as the system
/// allows; says how many that are.
pub(crate) fn raise_open_files() -> u64 {
    let maximum = getrlimit(Resource::Nofile).maximum;
    let wanted = Rlimit {
        current: maximum,
        maximum,
    };
    if let Err(error) = setrlimit(Resource::Nofile, wanted) {
        eprintln!("bench: the limit of open files could not be raised: {error}");
    }
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// Where things are: the server's binary, its settings, and a place for data.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) arbiter: PathBuf,
    /// `None`: nothing but the defaults, and a log of what is wrong only.
    pub(crate) settings: Option<PathBuf>,
    pub(crate) data: PathBuf,
    /// What nodes share; `None`: the games are in a file beside the data.
    pub(crate) shared: Option<Shared>,
}

/// What several nodes share.
#[derive(Clone)]
pub(crate) struct Shared {
    /// The database's URL.
    pub(crate) store: String,
    /// The bus's; `None`: there is one node.
    pub(crate) bus: Option<String>,
}

impl Place {
    /// Starts Arbiter on whatever the data directory, or the database, holds.
    pub(crate) fn start(&self) -> Result<Process, String> {
        self.start_with(&[])
    }

    /// The same with more settings, as variables of the environment.
    pub(crate) fn start_with(&self, more: &[(&str, String)]) -> Result<Process, String> {
        let mut command = Command::new(&self.arbiter);
        command
            .envs(more.iter().map(|(name, value)| (name, value)))
            .args(["serve", "--listen", "127.0.0.1:0"])
            .arg("--store")
            .arg(self.store())
            .current_dir(&self.data);
        match &self.settings {
            Some(settings) => command.arg("--config").arg(settings),
            None => command.args(["--log", "error"]),
        };
        if let Some(bus) = self.shared.as_ref().and_then(|shared| shared.bus.as_ref()) {
            command.args(["--bus", bus]);
        }
        Process::start(command)
    }

    /// Runs `arbiter check` on the same; what it said, and whether all is well.
    pub(crate) fn check(&self) -> Result<(bool, String), String> {
        let output = Command::new(&self.arbiter)
            .args(["check", "--store", &self.store()])
            .current_dir(&self.data)
            .output()
            .map_err(|error| format!("arbiter check could not be started: {error}"))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let text = text + &String::from_utf8_lossy(&output.stderr);
        Ok((output.status.success(), text))
    }

    fn store(&self) -> String {
        match &self.shared {
            Some(shared) => shared.store.clone(),
            None => format!("sqlite:{}", self.data.join("bench.db").display()),
        }
    }
}

/// This very binary under another command.
pub(crate) fn myself(arguments: &[&str]) -> Result<Process, String> {
    let binary = std::env::current_exe().map_err(|e| format!("this binary is not known: {e}"))?;
    let mut command = Command::new(binary);
    command.args(arguments);
    Process::start(command)
}
