//! How the door of skill matches spells things.

use serde_json::{Value, json};

use crate::rng::Rng;

/// `e2` as row and column.
pub(crate) fn at(square: &str) -> Value {
    let bytes = square.as_bytes();
    json!({ "row": bytes[1] - b'1', "column": bytes[0] - b'a' })
}

/// An id as a client makes one for itself.
pub(crate) fn uuid(rng: &mut Rng) -> String {
    let (a, b) = (rng.next(), rng.next());
    let (group, rest) = (b >> 48 & 0x3fff | 0x8000, b & 0xffff_ffff_ffff);
    let version = a & 0xfff | 0x4000;
    format!(
        "{:08x}-{:04x}-{version:04x}-{group:04x}-{rest:012x}",
        a >> 32,
        a >> 16 & 0xffff
    )
}
