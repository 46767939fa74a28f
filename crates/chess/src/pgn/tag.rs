//! One tag of a game: `[White "Anderssen, Adolf"]`.

/// A tag that was found at the start of a text.
#[derive(Debug)]
pub(super) struct Tag {
    /// Its name.
    name: Vec<u8>,
    /// Its value, without escapes.
    value: Vec<u8>,
    /// How much of the text it takes up.
    pub(super) bytes: usize,
}

impl Tag {
    /// How long it is with what stands around name and value, on a line of its own.
    pub(super) fn written(&self) -> usize {
        self.name.len() + self.value.len() + "[ \"\"]\n".len()
    }

    /// Name and value.
    pub(super) fn decoded(&self) -> (String, String) {
        (text(&self.name), text(&self.value))
    }
}

/// UTF-8 if it is, otherwise Latin-1, in which PGN was defined. Control
/// characters become spaces, as when we write.
fn text(bytes: &[u8]) -> String {
    let decoded = match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    decoded.replace(char::is_control, " ")
}

/// Reads the tag at the start of `text`. Spaces may be anywhere, the closing
/// bracket may be missing at the end of the line, and quotes inside the value
/// may lack their backslash. `None` if it is still no tag.
pub(super) fn read_tag(text: &[u8]) -> Option<Tag> {
    let line = text.split(|b| *b == b'\n').next()?;
    let quote = line.iter().position(|b| *b == b'"')?;
    let name = line.strip_prefix(b"[")?.get(..quote - 1)?.trim_ascii();
    if name.is_empty() || !name.iter().all(|b| b.is_ascii_graphic() && *b != b']') {
        return None;
    }
    let mut value = Vec::new();
    let mut at = quote + 1;
    loop {
        match line.get(at)? {
            b'\\' => {
                let pair = line.get(at..at + 2)?;
                let is_escape = matches!(pair[1], b'\\' | b'"');
                value.extend_from_slice(if is_escape { &pair[1..] } else { pair });
                at += 2;
            }
            b'"' => match bytes_to_close(&line[at + 1..]) {
                Some(more) => {
                    let (name, bytes) = (name.to_vec(), at + 1 + more);
                    return Some(Tag { name, value, bytes });
                }
                None => {
                    value.push(b'"');
                    at += 1;
                }
            },
            byte => {
                value.push(*byte);
                at += 1;
            }
        }
    }
}

/// How far it is from the last quote to the end of the tag; `None` if this
/// was not the last quote.
fn bytes_to_close(rest: &[u8]) -> Option<usize> {
    let spaces = rest.len() - rest.trim_ascii_start().len();
    match rest.get(spaces) {
        None => Some(spaces),
        Some(b']') => Some(spaces + 1),
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(String, String)> {
        read_tag(text.as_bytes()).map(|tag| tag.decoded())
    }

    #[test]
    fn tags_are_read_as_people_write_them() {
        for (text, value) in [
            (r#"[White "Foo"]"#, "Foo"),
            (r#"[  White   "Foo"  ] "#, "Foo"),
            (r#"[White"Foo"]"#, "Foo"),
            ("[White \"Foo\"\r\n[Black", "Foo"),
            (r#"[White "Foo"][Black "Bar"]"#, "Foo"),
            (r#"[White "Foo "F" Bar"]"#, r#"Foo "F" Bar"#),
            (r#"[White "[Foo]"]"#, "[Foo]"),
            (r#"[White ""]"#, ""),
        ] {
            assert_eq!(read(text), Some(("White".into(), value.into())), "{text}");
        }
    }

    #[test]
    fn escapes_are_undone_from_left_to_right() {
        for (raw, value) in [
            (r#"a \"b\" \\"#, r#"a "b" \"#),
            (r#"\\\""#, r#"\""#),
            (r#"\\\\"#, r#"\\"#),
            (r#"C:\Chess"#, r#"C:\Chess"#),
        ] {
            let tag = format!("[White \"{raw}\"]");
            assert_eq!(read(&tag), Some(("White".into(), value.into())), "{raw}");
        }
    }

    #[test]
    fn what_is_no_tag_is_none() {
        for text in [
            "",
            "[",
            "[White]",
            "[White Foo]",
            "[\"Foo\"]",
            "[White \"Foo",
            "[A] \"",
            "\"[\"",
            "[a \"\\",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
