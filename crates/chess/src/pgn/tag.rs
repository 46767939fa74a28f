//! One tag of a game: `[White "Anderssen, Adolf"]`.

/// A tag that was found at the start of a text.
#[derive(Debug)]
pub(super) struct Tag {
    /// The tag as it should be written, on a line of its own.
    pub(super) clean: Vec<u8>,
    /// How much of the text it takes up.
    pub(super) bytes: usize,
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
    let mut clean = [b"[", name, b" \""].concat();
    let mut at = quote + 1;
    loop {
        match line.get(at)? {
            b'\\' => {
                clean.extend_from_slice(line.get(at..at + 2)?);
                at += 2;
            }
            b'"' => match bytes_to_close(&line[at + 1..]) {
                Some(more) => {
                    clean.extend_from_slice(b"\"]\n");
                    let bytes = at + 1 + more;
                    return Some(Tag { clean, bytes });
                }
                None => {
                    clean.extend_from_slice(b"\\\"");
                    at += 1;
                }
            },
            byte => {
                clean.push(*byte);
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

/// A value without its escapes. `RawTag::decode` of `pgn-reader` 0.29 will not
/// do: it takes the second backslash of a pair for the first of another.
pub(super) fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut value = Vec::with_capacity(raw.len());
    let mut rest = raw.iter();
    while let Some(&byte) = rest.next() {
        match (byte, rest.as_slice().first()) {
            (b'\\', Some(&escaped @ (b'\\' | b'"'))) => {
                value.push(escaped);
                rest.next();
            }
            _ => value.push(byte),
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> Option<String> {
        let tag = read_tag(text.as_bytes())?;
        Some(String::from_utf8(tag.clean).expect("text in, text out"))
    }

    #[test]
    fn tags_are_read_as_people_write_them() {
        for (text, meant) in [
            (r#"[White "Foo"]"#, r#"[White "Foo"]"#),
            (r#"[  White   "Foo"  ] "#, r#"[White "Foo"]"#),
            (r#"[White"Foo"]"#, r#"[White "Foo"]"#),
            ("[White \"Foo\"\r\n[Black", r#"[White "Foo"]"#),
            (r#"[White "Foo"][Black "Bar"]"#, r#"[White "Foo"]"#),
            (r#"[White "Foo \"F\" \\"]"#, r#"[White "Foo \"F\" \\"]"#),
            (r#"[White "Foo "F" Bar"]"#, r#"[White "Foo \"F\" Bar"]"#),
            (r#"[White "[Foo]"]"#, r#"[White "[Foo]"]"#),
            (r#"[White ""]"#, r#"[White ""]"#),
        ] {
            assert_eq!(clean(text), Some(format!("{meant}\n")), "{text}");
        }
    }

    #[test]
    fn escapes_are_undone_from_left_to_right() {
        for (raw, value) in [
            (r#"a \"b\" \\"#, r#"a "b" \"#),
            (r#"\\\""#, r#"\""#),
            (r#"\\\\"#, r#"\\"#),
            (r#"C:\Chess\"#, r#"C:\Chess\"#),
        ] {
            assert_eq!(unescape(raw.as_bytes()), value.as_bytes(), "{raw}");
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
            assert_eq!(clean(text), None, "{text}");
        }
    }
}
