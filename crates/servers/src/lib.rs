//! Real servers for tests and benchmarks (development only).
//!
//! One PostgreSQL per process, started by `scripts/postgres` when the first test
//! asks for it. It stops when its standard input ends, which is when this process
//! does, however that comes about. A NATS server ([`nats()`]) is one test's own.

mod nats;
mod script;

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

pub use nats::{Nats, nats, nats_with};

/// How the script says that the server is not installed and may not be.
const SKIPPED: i32 = 77;

struct Postgres {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Never waited for: it ends after this process.
    #[expect(dead_code, reason = "it is held, not used")]
    script: Child,
}

/// The URL of a new, empty database; `None` if there is no PostgreSQL on this
/// machine and none may be installed, which only `CI=true` forbids.
///
/// # Panics
/// If the server does not start.
pub fn postgres() -> Option<String> {
    static SERVER: OnceLock<Option<Mutex<Postgres>>> = OnceLock::new();
    let server = SERVER.get_or_init(|| start().map(Mutex::new)).as_ref()?;
    let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
    Some(server.database().expect("PostgreSQL is running"))
}

fn start() -> Option<Postgres> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/postgres");
    let mut script = Command::new(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the script is there");
    let (input, output) = (script.stdin.take(), script.stdout.take());
    let (Some(input), Some(output)) = (input, output) else {
        unreachable!("both are pipes");
    };
    let mut output = BufReader::new(output);
    let mut ready = String::new();
    output.read_line(&mut ready).expect("the script speaks");
    if ready.trim() == "ready" {
        return Some(Postgres {
            input,
            output,
            script,
        });
    }
    let ended = script.wait().expect("the script ends").code();
    let is_ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
    assert!(
        ended == Some(SKIPPED) && !is_ci,
        "PostgreSQL does not start"
    );
    None
}

impl Postgres {
    fn database(&mut self) -> std::io::Result<String> {
        self.input.write_all(b"database\n")?;
        self.input.flush()?;
        let mut url = String::new();
        self.output.read_line(&mut url)?;
        Ok(url.trim().to_owned())
    }
}
