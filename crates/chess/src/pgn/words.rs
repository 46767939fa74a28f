//! What a word among the moves means.

use shakmaty::san::San;
use shakmaty::uci::UciMove;

use super::Why;
use crate::rules::{Role, Spelled};

/// What a word can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// A number, an evaluation, `e.p.`: nothing that changes the game.
    Remark,
    /// A move, legal or not.
    Move(San),
    /// The end of the game.
    Result(&'static str),
}

/// Reads a word that holds no space, brace or parenthesis.
pub(super) fn read_word(word: &str) -> Result<Word, Why> {
    let word = word.replace(['–', '—'], "-");
    let text = without_number(&word);
    Ok(match text {
        "1-0" => Word::Result("1-0"),
        "0-1" => Word::Result("0-1"),
        "1/2-1/2" | "1/2" | "½-½" | "½" => Word::Result("1/2-1/2"),
        "*" => Word::Result("*"),
        "--" | "Z0" | "0000" | "@@@@" | "null" | "pass" => return Err(Why::NullMove),
        _ if is_remark(text) => Word::Remark,
        _ => match Spelled::read(text) {
            Ok(Spelled::San(san)) => Word::Move(san),
            Ok(Spelled::Uci(squares)) => Word::Move(as_san(squares)),
            Err(_) => return Err(Why::NotAMove(shown(word.as_bytes()))),
        },
    })
}

/// `12.Nf3`, `12...Nf6`, `12Nf3` without their numbers; `...Nf6` without its dots.
fn without_number(word: &str) -> &str {
    let move_or_dots = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = move_or_dots.trim_start_matches(['.', '…']);
    let has_dots = rest.len() < move_or_dots.len();
    let glued = rest.starts_with(|c: char| c.is_ascii_alphabetic());
    let lone = rest.is_empty() && !word.starts_with("00");
    if has_dots || glued || lone {
        rest
    } else {
        word
    }
}

/// Signs such as `!?`, `+-` and `=`, and what some write after en passant.
fn is_remark(text: &str) -> bool {
    let is_sign = |c: char| "!?+-=/#".contains(c);
    text.chars().all(is_sign) || matches!(text, "e.p." | "ep")
}

/// Two squares, `e2-e4` or `e2e4`, in the notation of the others; `replay` sees
/// to it that this is not taken for a pawn's move only.
fn as_san(squares: UciMove) -> San {
    match squares {
        UciMove::Normal {
            from,
            to,
            promotion,
        } => San::Normal {
            role: Role::Pawn,
            file: Some(from.file()),
            rank: Some(from.rank()),
            capture: false,
            to,
            promotion,
        },
        UciMove::Put { role, to } => San::Put { role, to },
        UciMove::Null => San::Null,
    }
}

/// The beginning of a text, to show where something is wrong.
pub(super) fn shown(text: &[u8]) -> String {
    let line = text.split(|b| *b == b'\n').next().unwrap_or_default();
    let start = &line[..line.len().min(24)];
    String::from_utf8_lossy(start.trim_ascii()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(text: &str) -> Option<String> {
        match read_word(text) {
            Ok(Word::Move(san)) => Some(san.to_string()),
            _ => None,
        }
    }

    #[test]
    fn a_move_is_found_behind_numbers_and_before_signs() {
        for (text, meant) in [
            ("e4", "e4"),
            ("1.e4", "e4"),
            ("12...Nf6", "Nf6"),
            ("12…Nf6", "Nf6"),
            ("...Nf6", "Nf6"),
            ("3Nf3", "Nf3"),
            ("Nf3!?", "Nf3"),
            ("Qxf7#", "Qxf7"),
            ("0-0", "O-O"),
            ("5.0-0-0+", "O-O-O"),
            ("O–O", "O-O"),
            ("e8Q", "e8=Q"),
            ("exd8=N+", "exd8=N"),
            ("e2-e4", "e2e4"),
            ("e7-e8=Q", "e7e8=Q"),
            ("Ng1-f3", "Ng1f3"),
            ("N@f3", "N@f3"),
        ] {
            assert_eq!(san(text).as_deref(), Some(meant), "{text}");
        }
    }

    #[test]
    fn results_and_remarks_are_known() {
        for text in ["1-0", "0-1", "1/2-1/2", "*"] {
            assert_eq!(read_word(text), Ok(Word::Result(text)));
        }
        for text in ["1/2", "½-½", "1/2–1/2"] {
            assert_eq!(read_word(text), Ok(Word::Result("1/2-1/2")), "{text}");
        }
        for text in ["1", "12.", "...", "1...", "!", "?!", "+-", "=", "e.p."] {
            assert_eq!(read_word(text), Ok(Word::Remark), "{text}");
        }
    }

    #[test]
    fn everything_else_is_an_error() {
        for text in ["--", "Z0", "0000", "3.--", "@@@@"] {
            assert_eq!(read_word(text), Err(Why::NullMove), "{text}");
        }
        for text in [
            "Zz9", "Sf3", "e9", "1-1", "50-0", "00", "e4e5e6", "[Event", "♘f3", "e4.", "2-0",
        ] {
            assert_eq!(read_word(text), Err(Why::NotAMove(text.into())), "{text}");
        }
    }
}
