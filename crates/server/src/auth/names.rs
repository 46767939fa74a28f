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
mod tests {
    use super::*;

    #[test]
    fn a_name_has_2_to_20_letters_digits_and_dashes() {
        for good in [
            "ab",
            "A-b_9",
            "player_42",
            "abcdefghijklmnopqrst",
            "--",
            "botany",
            "guests",
        ] {
            assert!(check(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "a",
            "abcdefghijklmnopqrstu",
            "a b",
            "a.b",
            "é9",
            "a\0b",
            "name\n",
            "Ω_omega",
            "a/b",
        ] {
            let error = check(bad).unwrap_err();
            assert_eq!(
                (error.status().as_u16(), error.code),
                (422, "bad_username"),
                "{bad}"
            );
        }
    }

    #[test]
    fn some_names_are_reserved_in_whatever_case() {
        for bad in [
            "admin",
            "Admin",
            "ARBITER",
            "bot-1",
            "Bot-x",
            "guest-a",
            "Deleted-7",
        ] {
            assert_eq!(check(bad).unwrap_err().code, "bad_username", "{bad}");
        }
    }

    #[test]
    fn a_guest_is_always_seen_to_be_one() {
        let none = for_guest(None);
        assert_eq!(none.len(), 14);
        for wish in [
            "Bob",
            "  Bob  ",
            "Magnus Carlsen the Great",
            "Łukasz",
            "日本",
            "",
            "a/../b",
        ] {
            let name = for_guest(Some(wish));
            assert!(
                name.starts_with("guest-") && name.len() <= NAME_MAX,
                "{wish}: {name}"
            );
            assert!(name.bytes().all(is_name_byte), "{wish}: {name}");
        }
        assert!(for_guest(Some("Bob")).starts_with("guest-Bob-"));
        assert!(for_guest(Some("日本")).len() == 14);
    }

    #[test]
    fn an_outside_name_is_tried_as_it_is_and_then_with_suffixes() {
        let names: Vec<_> = for_outside(Some("Ann")).take(3).collect();
        assert_eq!(names[0], "Ann");
        assert!(
            names[1].starts_with("Ann-") && names[1] != names[2],
            "{names:?}"
        );
        for bad in [None, Some("admin"), Some("a b"), Some("bot-1"), Some("")] {
            let name = for_outside(bad).next().unwrap();
            assert!(name.starts_with("player-"), "{bad:?}: {name}");
        }
        for name in for_outside(Some("abcdefghijklmnopqrst")).take(4) {
            assert!(check(&name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_deleted_account_leaves_a_name_that_fits() {
        let last = PlayerId::new(u32::MAX).unwrap();
        assert!(for_deleted(last).len() <= NAME_MAX);
    }
}
