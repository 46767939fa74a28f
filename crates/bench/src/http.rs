//! Just enough of HTTP/1.1 to ask quickly and to understand the answer.

use std::io::Write;

/// Appends a request with a JSON body (none if it is empty) to `out`.
pub(crate) fn request(out: &mut Vec<u8>, method: &str, path: &str, token: &str, body: &[u8]) {
    out.extend_from_slice(method.as_bytes());
    out.push(b' ');
    out.extend_from_slice(path.as_bytes());
    head(out, token, body);
}

/// Appends what follows the path of a request.
/// A look at something by somebody who has seen that version of it.
pub(crate) fn request_seen(out: &mut Vec<u8>, path: &str, version: u32) {
    write!(
        out,
        "GET {path} HTTP/1.1\r\nHost: bench\r\nArbiter-Version: {version}\r\nContent-Length: 0\r\n\r\n"
    )
    .expect("a Vec takes it all");
}

pub(crate) fn head(out: &mut Vec<u8>, token: &str, body: &[u8]) {
    out.extend_from_slice(b" HTTP/1.1\r\nHost: bench\r\n");
    if !token.is_empty() {
        out.extend_from_slice(b"Authorization: Bearer ");
        out.extend_from_slice(token.as_bytes());
        out.extend_from_slice(b"\r\n");
    }
    if !body.is_empty() {
        out.extend_from_slice(b"Content-Type: application/json\r\n");
    }
    write!(out, "Content-Length: {}\r\n\r\n", body.len()).expect("a Vec takes it all");
    out.extend_from_slice(body);
}

/// Appends a move of a game.
pub(crate) fn move_request(out: &mut Vec<u8>, game: &str, token: &str, uci: &str, ply: u32) {
    let mut body = [0; 64];
    let mut rest = &mut body[..];
    write!(rest, "{{\"move\":\"{uci}\",\"ply\":{ply}}}").expect("a move is short");
    let left = rest.len();
    let length = body.len() - left;
    out.extend_from_slice(b"POST /v1/games/");
    out.extend_from_slice(game.as_bytes());
    out.extend_from_slice(b"/moves");
    head(out, token, &body[..length]);
}

/// Where the parts of a whole answer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub(crate) status: u16,
    pub(crate) body_at: usize,
    /// The length of head and body.
    pub(crate) length: usize,
}

/// Finds the answer at the start of `bytes`; `None` if some of it is missing.
pub(crate) fn parse(bytes: &[u8]) -> Option<Parsed> {
    let body_at = find(bytes, b"\r\n\r\n")? + 4;
    let head = &bytes[..body_at];
    let digits = head.get(9..12)?;
    let status = digits
        .iter()
        .fold(0, |n, d| n * 10 + u16::from(d.wrapping_sub(b'0')));
    let length = header(head, b"content-length:").map_or(0, number);
    let whole = body_at + length;
    (bytes.len() >= whole).then_some(Parsed {
        status,
        body_at,
        length: whole,
    })
}

/// The value of a header, given with its colon in lower case.
fn header<'a>(head: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let mut lines = head.split(|b| *b == b'\n');
    let line = lines
        .find(|line| line.len() > name.len() && line[..name.len()].eq_ignore_ascii_case(name))?;
    Some(&line[name.len()..])
}

/// The first number in `text`; zero if there is none.
pub(crate) fn number(text: &[u8]) -> usize {
    let digits = text.iter().skip_while(|b| !b.is_ascii_digit());
    digits
        .take_while(|b| b.is_ascii_digit())
        .fold(0, |n, d| n * 10 + usize::from(d - b'0'))
}

/// The number that follows `"key":` in a flat piece of JSON.
pub(crate) fn number_of(json: &[u8], key: &str) -> Option<usize> {
    let pattern = format!("\"{key}\":");
    let at = find(json, pattern.as_bytes())? + pattern.len();
    json.get(at)
        .is_some_and(u8::is_ascii_digit)
        .then(|| number(&json[at..]))
}

/// The text that follows `"key":"`, up to the next quote.
pub(crate) fn text_of<'a>(json: &'a [u8], key: &str) -> Option<&'a str> {
    let pattern = format!("\"{key}\":\"");
    let at = find(json, pattern.as_bytes())? + pattern.len();
    let length = json[at..].iter().position(|b| *b == b'"')?;
    std::str::from_utf8(&json[at..at + length]).ok()
}

/// Where `needle` begins in `hay`.
pub(crate) fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let mut from = 0;
    while let Some(at) = hay[from..].iter().position(|b| *b == first) {
        let at = from + at;
        if hay[at..].starts_with(needle) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_found_once_it_is_whole() {
        let answer = b"HTTP/1.1 409 Conflict\r\nContent-Type: a\r\nContent-Length: 5\r\n\r\nhello";
        for length in 0..answer.len() {
            assert_eq!(parse(&answer[..length]), None);
        }
        let parsed = parse(answer).unwrap();
        assert_eq!((parsed.status, parsed.length), (409, answer.len()));
        assert_eq!(&answer[parsed.body_at..], b"hello");
        assert_eq!(parse(b"HTTP/1.1 204 No\r\n\r\n").unwrap().length, 19);
    }

    #[test]
    fn a_move_is_a_whole_request() {
        let mut out = Vec::new();
        move_request(&mut out, "Ab3fK9xQ", "secret", "e2e4", 1);
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with("POST /v1/games/Ab3fK9xQ/moves HTTP/1.1\r\n"));
        assert!(
            text.ends_with("Content-Length: 23\r\n\r\n{\"move\":\"e2e4\",\"ply\":1}"),
            "{text}"
        );
    }

    #[test]
    fn fields_are_found_without_reading_it_all() {
        let json = br#"{"type":"MOVE","ply":12,"id":"Ab","next":null}"#;
        assert_eq!(number_of(json, "ply"), Some(12));
        assert_eq!(number_of(json, "next"), None);
        assert_eq!(text_of(json, "id"), Some("Ab"));
        assert_eq!(text_of(json, "gone"), None);
    }
}
