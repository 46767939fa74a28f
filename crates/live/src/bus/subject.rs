//! Subjects: words between dots, and the patterns that name many of them.

/// Any one word of a subject.
const ANY: &str = "*";
/// One word or more, up to the end.
const REST: &str = ">";

/// Whether this can be part of a subject on every bus.
pub(super) fn is_word(word: &str) -> bool {
    let is_plain = |c: u8| c.is_ascii_alphanumeric() || c == b'-' || c == b'_';
    !word.is_empty() && word.bytes().all(is_plain)
}

/// Whether something can be published on this.
pub(super) fn is_subject(subject: &str) -> bool {
    subject.split('.').all(is_word)
}

/// Whether somebody can subscribe to this.
pub(super) fn is_pattern(pattern: &str) -> bool {
    let before = match pattern.rsplit_once('.') {
        Some((before, REST)) => before,
        None if pattern == REST => return true,
        _ => pattern,
    };
    before.split('.').all(|word| word == ANY || is_word(word))
}

/// Whether a pattern names more than one subject.
pub(super) fn is_wild(pattern: &str) -> bool {
    pattern.split('.').any(|word| word == ANY || word == REST)
}

/// Whether a pattern names a subject.
pub(super) fn matches(pattern: &str, subject: &str) -> bool {
    let mut words = subject.split('.');
    for wanted in pattern.split('.') {
        match (wanted, words.next()) {
            (REST, word) => return word.is_some(),
            (ANY, Some(_)) => {}
            (wanted, Some(word)) if wanted == word => {}
            _ => return false,
        }
    }
    words.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_plain_words_between_dots() {
        for subject in ["a", "table.5", "a-b.c_d.E"] {
            assert!(is_subject(subject), "{subject}");
            assert!(is_pattern(subject), "{subject}");
        }
        for subject in ["", ".", "a.", ".a", "a..b", "a b", "a\r\nPUB b", "ä"] {
            assert!(!is_subject(subject), "{subject}");
            assert!(!is_pattern(subject), "{subject}");
        }
    }

    #[test]
    fn a_pattern_may_leave_words_open() {
        for pattern in ["*", ">", "a.*", "*.b", "a.>", "a.*.>"] {
            assert!(is_pattern(pattern), "{pattern}");
            assert!(is_wild(pattern), "{pattern}");
            assert!(!is_subject(pattern), "{pattern}");
        }
        for pattern in ["a>", "a.b>", "a.>.b", ">.a", ">>", ".>", "a..>", "a*", "**"] {
            assert!(!is_pattern(pattern), "{pattern}");
        }
    }

    #[test]
    fn a_pattern_names_the_subjects_it_fits() {
        for (pattern, subject) in [
            ("a.b", "a.b"),
            ("a.*", "a.b"),
            ("*.b", "a.b"),
            (">", "a"),
            (">", "a.b.c"),
            ("a.>", "a.b.c"),
        ] {
            assert!(matches(pattern, subject), "{pattern} {subject}");
        }
        for (pattern, subject) in [
            ("a.b", "a"),
            ("a.b", "a.b.c"),
            ("a.*", "a"),
            ("a.*", "a.b.c"),
            ("a.>", "a"),
            ("a.>", "b.c"),
        ] {
            assert!(!matches(pattern, subject), "{pattern} {subject}");
        }
    }
}
