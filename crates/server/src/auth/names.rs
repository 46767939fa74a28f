//! What an account may be called.

use chess::table::PlayerId;
use rand::RngExt;
use rand::distr::slice::Choose;

use crate::problem::{Kind, Problem};

/// How long a name may be.
pub const NAME_MAX: usize = 20;
const NAME_MIN: usize = 2;

const RESERVED: [&str; 2] = ["admin", "arbiter"];
/// Beginnings that tell what an account is: nobody chooses one.
const RESERVED_BEGINNINGS: [&str; 3] = ["bot-", GUEST, DELETED];
const GUEST: &str = "guest-";
const DELETED: &str = "deleted-";

/// Small letters and digits that are not taken for one another.
const PLAIN: &[u8] = b"23456789abcdefghjkmnpqrstuvwxyz";

/// Checks a name that somebody chose.
///
/// # Errors
/// `bad_username`, with the rule it breaks.
pub fn check(name: &str) -> Result<(), Problem> {
    match broken_rule(name) {
        Some(rule) => {
            Err(Problem::new(Kind::Impossible, "bad_username", rule).with("field", "username"))
        }
        None => Ok(()),
    }
}

fn broken_rule(name: &str) -> Option<&'static str> {
    if !(NAME_MIN..=NAME_MAX).contains(&name.len()) {
        return Some("a name has 2 to 20 characters");
    }
    if !name.bytes().all(is_name_byte) {
        return Some("a name consists of the letters A to Z, digits, _ and -");
    }
    let id = name.to_ascii_lowercase();
    let is_reserved = RESERVED.contains(&&*id)
        || RESERVED_BEGINNINGS
            .iter()
            .any(|beginning| id.starts_with(beginning));
    is_reserved.then_some("this name is reserved")
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// A name for a guest, with something of what they want to be called in it.
/// The beginning keeps a guest from passing for anyone else.
pub fn for_guest(display_name: Option<&str>) -> String {
    let wish = display_name.map(cleaned).unwrap_or_default();
    if wish.is_empty() {
        return format!("{GUEST}{}", random(8));
    }
    let room = NAME_MAX - GUEST.len() - 5;
    format!("{GUEST}{}-{}", shortened(&wish, room), random(4))
}

/// Names for someone from an outside identity service, the best one first.
pub fn for_outside(preferred: Option<&str>) -> impl Iterator<Item = String> {
    let preferred = preferred.filter(|name| check(name).is_ok());
    let base = shortened(preferred.unwrap_or("player"), NAME_MAX - 5).to_owned();
    let suffixed = std::iter::repeat_with(move || format!("{base}-{}", random(4)));
    preferred.map(str::to_owned).into_iter().chain(suffixed)
}

/// What is left of a name when its owner deletes the account.
pub fn for_deleted(number: PlayerId) -> String {
    format!("{DELETED}{}", number.number())
}

/// What of a wish can be part of a name.
fn cleaned(wish: &str) -> String {
    let spaced = wish
        .trim()
        .chars()
        .map(|c| if c.is_whitespace() { '_' } else { c });
    spaced
        .filter(|c| u8::try_from(*c).is_ok_and(is_name_byte))
        .collect()
}

fn shortened(ascii: &str, max: usize) -> &str {
    ascii.get(..max).unwrap_or(ascii)
}

fn random(length: usize) -> String {
    let choose = Choose::new(PLAIN).expect("there are letters");
    rand::rng()
        .sample_iter(choose)
        .take(length)
        .copied()
        .map(char::from)
        .collect()
}

#[cfg(test)]
mod tests;
