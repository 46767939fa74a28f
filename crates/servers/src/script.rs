//! A script that starts a server, says so, and does what it is told line by line.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::SKIPPED;

pub(crate) struct Script {
    /// Nothing once the script was told to end, which is by closing it.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    child: Child,
}

impl Script {
    /// Starts it and gives what it says besides `ready`; `None` if what it needs is not
    /// on this machine and may not be installed, which only `CI=true` forbids.
    ///
    /// # Panics
    /// If the server does not start.
    pub(crate) fn start(name: &str, options: &[&str]) -> Option<(Script, String)> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
        let mut child = Command::new(directory.join(name))
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the script is there");
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let mut script = Script {
            input,
            output: BufReader::new(output.expect("its output is a pipe")),
            child,
        };
        let first = script.line();
        if let Some(said) = first.strip_prefix("ready") {
            return Some((script, said.trim().to_owned()));
        }
        let ended = script.child.wait().expect("the script ends").code();
        let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(ended == Some(SKIPPED) && !is_ci, "{name} does not start");
        None
    }

    /// Tells it something, and gives its answer.
    ///
    /// # Panics
    /// If the script has ended.
    pub(crate) fn tell(&mut self, line: &str) -> String {
        let mut input = self.input.as_ref().expect("it is open until the end");
        writeln!(input, "{line}").expect("the script listens");
        self.line()
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the script speaks");
        line.trim().to_owned()
    }
}

impl Drop for Script {
    fn drop(&mut self) {
        self.input = None;
        self.child.wait().expect("the script ends");
    }
}
