//! The real binary in a process of its own, which can be killed.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The binary.
pub(crate) const ARBITER: &str = env!("CARGO_BIN_EXE_arbiter");
/// The longest anything of a process's own may take: starting, stopping, checking.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that runs.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
    // Kept, so that printing goes on to work.
    _output: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a server and waits until it says where it is; `None` if it died
    /// before, or never did.
    pub(crate) fn start(command: &mut Command) -> Option<Server> {
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
        if let Ok(Some((url, output))) = told.recv_timeout(PATIENCE) {
            return Some(Server {
                child,
                url,
                _output: output,
            });
        }
        // It fails if it has ended, which is what is wanted.
        drop(child.kill());
        child.wait().expect("it has ended");
        None
    }

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
pub(crate) fn ended(child: &mut Child) -> ExitStatus {
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
