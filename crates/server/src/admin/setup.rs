//! The first run: while there is no administrator, whoever can read the server's log
//! becomes it.

use std::net::IpAddr;

use rand::RngExt;
use store::Account;

use super::OPERATOR;
use crate::auth::operating::Newcomer;
use crate::auth::tokens::Session;
use crate::play::App;
use crate::problem::{Kind, Problem};

/// Letters and digits that cannot be mistaken for one another.
const LETTERS: &[u8; 32] = b"ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/// So many of them hold 60 bits: nobody guesses that, least of all ten times a minute.
const LENGTH: usize = 12;
/// They are written in groups of so many.
const GROUP: usize = 4;

/// The code for the log, if there is no administrator: the same at every node, and until
/// somebody used it.
///
/// # Errors
/// Why the store cannot say.
pub async fn code(app: &App) -> Result<Option<String>, store::Error> {
    let new = rand::rng().random::<u64>() >> (u64::BITS - 5 * LENGTH as u32);
    let code = app.store.setup_code(new, OPERATOR).await?;
    Ok(code.map(written))
}

/// Whether there is no administrator yet.
pub(crate) async fn is_needed(app: &App) -> Result<bool, Problem> {
    Ok(app.store.needs_setup(OPERATOR).await?)
}

/// Makes whoever knows the code the administrator, and lets them in.
///
/// # Errors
/// As with [`Auth::install`](crate::auth::Auth::install).
pub(crate) async fn set_up(
    app: &App,
    from: IpAddr,
    code: &str,
    name: String,
    password: String,
) -> Result<(Account, Session), Problem> {
    let newcomer = Newcomer {
        // What is no code at all is refused as any wrong one, and counts as one.
        code: read(code).unwrap_or(u64::MAX),
        name,
        password,
    };
    if newcomer.name.eq_ignore_ascii_case(OPERATOR) {
        let detail = "this name is reserved";
        return Err(Problem::new(Kind::Impossible, "bad_username", detail));
    }
    let made = app.auth.install(&app.rates, from, newcomer, OPERATOR);
    let (account, session) = made.await?;
    tracing::info!(name = account.name, "there is an administrator now");
    Ok((account, session))
}

/// A code as people read it: `K7M2-QXAB-9TRE`.
fn written(code: u64) -> String {
    let letter = |place: usize| {
        let five = (code >> (5 * (LENGTH - 1 - place))) & 31;
        char::from(LETTERS[five as usize])
    };
    let letters: Vec<char> = (0..LENGTH).map(letter).collect();
    let groups = letters.chunks(GROUP).map(String::from_iter);
    groups.collect::<Vec<_>>().join("-")
}

/// The number again, however it was typed.
fn read(text: &str) -> Option<u64> {
    let mut code = 0;
    let mut length = 0;
    for byte in text.bytes().filter(|byte| !b" -\t\r\n".contains(byte)) {
        let byte = byte.to_ascii_uppercase();
        let five = LETTERS.iter().position(|letter| *letter == byte)?;
        length += 1;
        if length > LENGTH {
            return None;
        }
        code = code << 5 | five as u64;
    }
    (length == LENGTH).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_it_was_written() {
        for code in [
            0,
            1,
            31,
            (1 << 60) - 1,
            0x0123_4567_89ab_cdef & ((1 << 60) - 1),
        ] {
            let text = written(code);
            assert_eq!(text.len(), 14, "{text}");
            assert_eq!(read(&text), Some(code), "{text}");
            let typed = format!(" {} ", text.to_lowercase().replace('-', " "));
            assert_eq!(read(&typed), Some(code), "{typed}");
        }
        for bad in [
            "",
            "K7M2",
            "K7M2-QXAB-9TREE",
            "K7M2-QXAB-9TR1",
            "ÄÄÄÄ-ÄÄÄÄ-ÄÄÄÄ",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
