//! A server behind a script, which starts it, answers each line it is told by one
//! line, and ends it when nothing more can come.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// How a script says that its server is not installed and may not be.
const SKIPPED: i32 = 77;

pub(crate) struct Script {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What it said when its server was there.
    pub(crate) greeting: String,
    /// Never waited for: it ends after this value, or after this process.
    #[expect(dead_code, reason = "it is held, not used")]
    child: Child,
}

impl Script {
    /// Runs a script and waits until its server is there; `None` if that is not
    /// installed and may not be, which only `CI=true` forbids.
    ///
    /// # Panics
    /// If the server does not start.
    pub(crate) fn run(name: &str, arguments: &[String]) -> Option<Script> {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts");
        let mut child = Command::new(scripts.join(name))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the script is there");
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (Some(input), Some(output)) = (input, output) else {
            unreachable!("both are pipes");
        };
        let mut output = BufReader::new(output);
        let mut greeting = String::new();
        output.read_line(&mut greeting).expect("the script speaks");
        if !greeting.is_empty() {
            return Some(Script {
                input,
                output,
                greeting: greeting.trim().to_owned(),
                child,
            });
        }
        let ended = child.wait().expect("the script ends").code();
        let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(ended == Some(SKIPPED) && !is_ci, "{name} does not start");
        None
    }

    /// Says a line, and waits for the answer.
    pub(crate) fn ask(&mut self, line: &str) -> io::Result<String> {
        writeln!(self.input, "{line}")?;
        self.input.flush()?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        match answer.trim() {
            "" => Err(io::ErrorKind::UnexpectedEof.into()),
            answer => Ok(answer.to_owned()),
        }
    }
}
