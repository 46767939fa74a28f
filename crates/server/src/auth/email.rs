//! Where to write to.

use crate::problem::Problem;

/// The longest address there can be.
const EMAIL_MAX: usize = 254;

/// Whether one could write there; whether somebody reads it is not known.
///
/// # Errors
/// `bad_request`.
pub fn check(email: &str) -> Result<(), Problem> {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control();
    let is_address = email.len() <= EMAIL_MAX
        && email.chars().all(is_plain)
        && email.split_once('@').is_some_and(|(user, host)| {
            !user.is_empty() && !host.is_empty() && !host.contains('@')
        });
    if is_address {
        return Ok(());
    }
    Err(Problem::bad_request("email: this is no address").with("field", "email"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_two_sides() {
        for good in ["a@b", "Ann.Lee+x@mail.example.org", "ö@ü.de"] {
            assert!(check(good).is_ok(), "{good}");
        }
        let long = format!("{}@b", "a".repeat(254));
        for bad in [
            "", "a", "@", "a@", "@b", "a b@c", "a@b@c", "a@b\n", "a\0@b", &long,
        ] {
            let error = check(bad).unwrap_err();
            assert_eq!(
                (error.status().as_u16(), error.code),
                (400, "bad_request"),
                "{bad:?}"
            );
        }
    }
}
