//! What the server logs, and whether it panics, for as long as the tests run.

use std::io::{Result, Write};
use std::sync::{LazyLock, Mutex, PoisonError};

static LINES: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static BEGUN: LazyLock<()> = LazyLock::new(begin);

/// Writes to memory.
struct Memory;

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        lines.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Begins to listen, once.
pub(crate) fn listen() {
    LazyLock::force(&BEGUN);
}

fn begin() {
    let filter = server::operate::logs::filter("debug").expect("a filter");
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(|| Memory);
    subscriber.init();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(|at| at.file()).unwrap_or_default();
        // Tests that fail are none of the server's panics.
        if !place.contains("tests/") {
            let mut panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
            panics.push(panic.to_string());
        }
        usual(panic);
    }));
}

/// Everything that was logged so far, by every test.
pub(crate) fn text() -> String {
    let lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
    String::from_utf8_lossy(&lines).into_owned()
}

/// Panics, and lines that speak of one.
pub(crate) fn panics() -> Vec<String> {
    let panics = PANICS.lock().unwrap_or_else(PoisonError::into_inner);
    let text = text();
    let lines = text.lines().filter(|line| line.contains("panic"));
    panics
        .iter()
        .cloned()
        .chain(lines.map(str::to_owned))
        .collect()
}

/// The line of the first secret in the log: a token, or a password of the tests.
pub(crate) fn secret() -> Option<String> {
    let text = text();
    let is_token = |rest: &str| {
        let letters = rest.bytes().take_while(u8::is_ascii_alphanumeric);
        letters.count() >= 43
    };
    let is_secret = |line: &&str| {
        line.match_indices("arb_")
            .any(|(at, found)| is_token(&line[at + found.len()..]))
            || line.contains(crate::stage::PASSWORD)
    };
    text.lines().find(is_secret).map(str::to_owned)
}
