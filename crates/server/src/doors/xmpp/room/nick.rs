//! What somebody is called in a room.

/// The longest name, in bytes.
const BYTES_MAX: usize = 64;

/// Who speaks for the game. Nobody else may.
pub(super) const ARBITER: &str = "Arbiter";

/// Why a name cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BadNick {
    /// There is none.
    Missing,
    /// It has characters that others cannot see, or is too long.
    Unreadable,
    /// It is somebody else's address.
    Foreign,
    /// It is the arbiter's.
    Reserved,
}

/// Whether somebody of that bare JID may be called so, if nobody else is.
///
/// # Errors
/// Why not.
pub(super) fn check(nick: Option<&str>, bare: &str) -> Result<(), BadNick> {
    let nick = nick.filter(|nick| !nick.is_empty());
    let nick = nick.ok_or(BadNick::Missing)?;
    let is_long = nick.len() > BYTES_MAX;
    if is_long || nick.trim() != nick || nick.chars().any(is_hidden) {
        return Err(BadNick::Unreadable);
    }
    if folded(nick) == folded(ARBITER) {
        return Err(BadNick::Reserved);
    }
    // Those who come by other doors may be called by their address.
    if nick.contains('@') && folded(nick) != folded(bare) {
        return Err(BadNick::Foreign);
    }
    Ok(())
}

/// What two names have in common that look alike.
pub(super) fn folded(nick: &str) -> String {
    nick.to_lowercase()
}

/// Whether a character is not to be seen, or moves others about.
fn is_hidden(c: char) -> bool {
    let is_format = matches!(c,
        '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFF0}'..='\u{FFFF}'
        | '\u{E0000}'..='\u{E0FFF}');
    c.is_control() || is_format
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_can_be_read_and_is_nobody_elses() {
        let long = "x".repeat(BYTES_MAX + 1);
        for (nick, expected) in [
            (Some("Ann"), Ok(())),
            (Some("Änn und Bob"), Ok(())),
            (Some("ann@x.example"), Ok(())),
            (Some("bob@x.example"), Err(BadNick::Foreign)),
            (None, Err(BadNick::Missing)),
            (Some(""), Err(BadNick::Missing)),
            (Some(" "), Err(BadNick::Unreadable)),
            (Some("Ann "), Err(BadNick::Unreadable)),
            (Some("An\u{7}n"), Err(BadNick::Unreadable)),
            (Some("Ann\u{200B}"), Err(BadNick::Unreadable)),
            (Some("\u{202E}nnA"), Err(BadNick::Unreadable)),
            (Some(&long), Err(BadNick::Unreadable)),
            (Some("Arbiter"), Err(BadNick::Reserved)),
            (Some("ARBITER"), Err(BadNick::Reserved)),
        ] {
            assert_eq!(check(nick, "ann@x.example"), expected, "{nick:?}");
        }
    }
}
