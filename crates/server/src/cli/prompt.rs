//! Asking for a password.

use std::io::{IsTerminal, Write, stdin};

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};

/// The password: typed twice, unseen, on a terminal; else the first line of standard input.
pub(super) fn new_password() -> Result<String, String> {
    if !stdin().is_terminal() {
        return line();
    }
    let first = unseen("New password: ")?;
    let second = unseen("The same again: ")?;
    if first == second {
        Ok(first)
    } else {
        Err("the two passwords differ".into())
    }
}

fn line() -> Result<String, String> {
    let mut text = String::new();
    stdin()
        .read_line(&mut text)
        .map_err(|error| format!("standard input: {error}"))?;
    Ok(text.trim_end_matches(['\n', '\r']).to_owned())
}

fn unseen(question: &str) -> Result<String, String> {
    let failed = |error: rustix::io::Errno| format!("the terminal: {error}");
    eprint!("{question}");
    std::io::stderr()
        .flush()
        .map_err(|error| error.to_string())?;
    let usual = tcgetattr(stdin()).map_err(failed)?;
    let mut silent = usual.clone();
    silent.local_modes.remove(LocalModes::ECHO);
    tcsetattr(stdin(), OptionalActions::Now, &silent).map_err(failed)?;
    let answer = line();
    tcsetattr(stdin(), OptionalActions::Now, &usual).map_err(failed)?;
    eprintln!();
    answer
}
