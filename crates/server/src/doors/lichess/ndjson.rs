//! Streams of this door: JSON, one object a line, each line a chunk of its own.
//!
//! Clients read chunks: a line that shares one, or waits for more, is read late. A
//! blank line every few seconds is what their timers and main loops turn by.

use axum::extract::ws::Utf8Bytes;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::limits::places::Place;
use crate::stream::{Out, Position, Source, lines};

/// What these streams are.
pub(super) const NDJSON: &str = "application/x-ndjson";

/// Answers with what the source says, line by line, until one side ends it.
pub(super) fn serve<S: Source>(source: S, place: Place) -> Response {
    lines::serve(source, place, NDJSON)
}

/// A line, without its end.
pub(super) fn line(value: &impl Serialize) -> Utf8Bytes {
    // What is written here is made of maps with names and plain values.
    let text = serde_json::to_string(value).unwrap_or_default();
    escaped(text).into()
}

/// A line to be said.
pub(super) fn out(value: &impl Serialize) -> Out {
    Out::Text(line(value), Position::default())
}

/// Several lines at once, for lists that end: not a stream.
pub(super) fn whole(values: impl IntoIterator<Item = impl Serialize>) -> Response {
    let mut text = String::new();
    for value in values {
        text.push_str(&line(&value));
        text.push('\n');
    }
    ([(header::CONTENT_TYPE, NDJSON)], text).into_response()
}

/// Some clients take these for the end of a line, though JSON does not.
fn escaped(text: String) -> String {
    let splits = ['\u{2028}', '\u{2029}', '\u{85}'];
    if !text.contains(splits) {
        return text;
    }
    text.replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
        .replace('\u{85}', "\\u0085")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn s11_nothing_within_a_line_ends_it() {
        let text = line(&json!({ "text": "a\u{2028}b\u{85}c\nd" }));
        assert_eq!(text.as_str(), r#"{"text":"a\u2028b\u0085c\nd"}"#);
    }
}
