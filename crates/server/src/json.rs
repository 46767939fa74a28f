//! JSON for what is said thousands of times a second.
//!
//! The same bytes as `serde_json` writes, in fewer instructions: the names of fields are
//! written as they stand, where that looks for what must be escaped in each; and texts are
//! looked through eight bytes at a time. What is rare is left to `serde_json`.

mod compound;

use std::fmt::Display;

use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::Error;

use self::compound::{List, Variant};

/// Appends a value.
///
/// # Errors
/// As those of `serde_json`: the key of a map is no text, or a value refuses.
pub(crate) fn write(out: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) -> Result<(), Error> {
    value.serialize(Json(out))
}

/// An answer: as `axum::Json`, in fewer steps, and in a buffer of so many bytes that need not
/// grow.
pub(crate) struct Answer<T>(pub(crate) T, pub(crate) usize);

impl<T: Serialize> IntoResponse for Answer<T> {
    fn into_response(self) -> Response {
        let Answer(value, bytes) = self;
        let mut body = Vec::with_capacity(bytes);
        write(&mut body, &value).expect("answers are plain JSON");
        ([(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

/// Where the next value goes.
struct Json<'a>(&'a mut Vec<u8>);

impl<'a> Json<'a> {
    fn raw(self, text: &[u8]) -> Result<(), Error> {
        self.0.extend_from_slice(text);
        Ok(())
    }

    fn number(self, number: impl itoa::Integer) -> Result<(), Error> {
        self.raw(itoa::Buffer::new().format(number).as_bytes())
    }

    /// What hardly ever occurs.
    fn rare(self, value: impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(self.0, &value)
    }

    fn list(self, begin: u8, end: u8) -> Result<List<'a>, Error> {
        self.0.push(begin);
        Ok(List::begun(self.0, end))
    }

    /// The object around a variant that has something in it.
    fn variant(self, name: &'static str) -> Json<'a> {
        self.0.push(b'{');
        name_of(self.0, name);
        self
    }
}

/// The name of a field, which in our types is a word and has nothing to escape.
fn name_of(out: &mut Vec<u8>, name: &'static str) {
    debug_assert!(!must_be_escaped(name.as_bytes()));
    out.push(b'"');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
}

/// A text between quotation marks.
fn text(out: &mut Vec<u8>, text: &str) -> Result<(), Error> {
    if must_be_escaped(text.as_bytes()) {
        return serde_json::to_writer(out, text);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
    Ok(())
}

/// Whether a text has something that must be escaped: quotation marks, backslashes and what
/// comes before a space.
fn must_be_escaped(text: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // The classic tests of eight bytes at once: a zero, and less than a number up to 128.
    let has_zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH != 0;
    let has_control = |word: u64| word.wrapping_sub(ONES * 0x20) & !word & HIGH != 0;
    let is_in = |word: &[u8; 8]| {
        let word = u64::from_ne_bytes(*word);
        has_control(word)
            || has_zero(word ^ (ONES * u64::from(b'"')))
            || has_zero(word ^ (ONES * u64::from(b'\\')))
    };
    let (words, rest) = text.as_chunks::<8>();
    let is_one = |byte: &u8| matches!(byte, ..0x20 | b'"' | b'\\');
    words.iter().any(is_in) || rest.iter().any(is_one)
}

/// Several kinds of values that are written by the same function.
macro_rules! by {
    ($way:ident: $($name:ident($kind:ty)),*) => {
        $(fn $name(self, value: $kind) -> Result<(), Error> {
            self.$way(value)
        })*
    };
}

impl<'a> Serializer for Json<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = List<'a>;
    type SerializeTuple = List<'a>;
    type SerializeTupleStruct = List<'a>;
    type SerializeTupleVariant = Variant<'a>;
    type SerializeMap = List<'a>;
    type SerializeStruct = List<'a>;
    type SerializeStructVariant = Variant<'a>;

    fn serialize_bool(self, value: bool) -> Result<(), Error> {
        self.raw(if value { b"true" } else { b"false" })
    }

    by! { number: serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64) }
    by! { number: serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64) }
    by! { rare: serialize_i128(i128), serialize_u128(u128), serialize_f32(f32), serialize_f64(f64) }

    fn serialize_char(self, value: char) -> Result<(), Error> {
        text(self.0, value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<(), Error> {
        text(self.0, value)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<(), Error> {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Result<(), Error> {
        self.raw(b"null")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Error> {
        self.raw(b"null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Error> {
        self.raw(b"null")
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Error> {
        text(self.0, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        let Json(out) = self.variant(variant);
        value.serialize(Json(out))?;
        Json(out).raw(b"}")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<List<'a>, Error> {
        self.list(b'[', b']')
    }

    fn serialize_tuple(self, _: usize) -> Result<List<'a>, Error> {
        self.list(b'[', b']')
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'a>, Error> {
        self.list(b'[', b']')
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<'a>, Error> {
        Ok(Variant(self.variant(variant).list(b'[', b']')?))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<List<'a>, Error> {
        self.list(b'{', b'}')
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<List<'a>, Error> {
        self.list(b'{', b'}')
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Variant<'a>, Error> {
        Ok(Variant(self.variant(variant).list(b'{', b'}')?))
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        text(self.0, &value.to_string())
    }
}

/// The key of a map: a text; a number and a truth value become one.
fn key(out: &mut Vec<u8>, key: &(impl Serialize + ?Sized)) -> Result<(), Error> {
    let begin = out.len();
    key.serialize(Json(out))?;
    match out.get(begin) {
        Some(b'"') => {}
        Some(b'0'..=b'9' | b'-' | b't' | b'f') => {
            out.insert(begin, b'"');
            out.push(b'"');
        }
        _ => return Err(Error::custom("the key of a map must be a text")),
    }
    out.push(b':');
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::Serialize;
    use serde_json::{Value, json};

    use super::*;

    fn ours(value: &impl Serialize) -> Result<String, String> {
        let mut out = Vec::new();
        write(&mut out, value).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(out).expect("it is a text"))
    }

    fn is_alike(value: &impl Serialize) {
        assert_eq!(ours(value).ok(), serde_json::to_string(value).ok());
    }

    #[derive(Serialize)]
    struct Unit;

    #[derive(Serialize)]
    struct New(u8);

    #[derive(Serialize)]
    struct Pair(char, Option<f64>);

    #[derive(Serialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    enum Kind {
        Plain,
        OneThing(&'static str),
        TwoThings(i8, i16),
        Fields { first: f32, r#type: u64 },
    }

    #[derive(Serialize)]
    #[serde(tag = "type")]
    enum Tagged {
        Inside(Inside),
        Empty,
    }

    #[derive(Serialize)]
    struct Inside {
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u8>,
        #[serde(flatten)]
        more: BTreeMap<String, Value>,
    }

    #[derive(Serialize)]
    struct Around<'a> {
        #[serde(flatten)]
        message: &'a Tagged,
        game_id: String,
    }

    #[test]
    fn every_shape_is_written_as_serde_json_writes_it() {
        is_alike(&(true, false, (), Unit, New(7), Pair('"', None), [0_u8; 0]));
        is_alike(&(Pair('é', Some(0.1)), f64::NAN, 1e300, -0.0_f32, [[1], [2]]));
        is_alike(&(i64::MIN, u64::MAX, i32::MIN, u16::MAX, i128::MIN, u128::MAX));
        is_alike(&(Kind::Plain, Kind::OneThing("a\"b"), Kind::TwoThings(-1, -2)));
        is_alike(&Kind::Fields {
            first: 1.5,
            r#type: 3,
        });
        is_alike(&BTreeMap::from([("a\n", Some(1)), ("b", None)]));
        is_alike(&BTreeMap::from([(-5, 'x'), (7, 'y')]));
        is_alike(&BTreeMap::from([(true, 1), (false, 2)]));
        is_alike(&BTreeMap::from([('c', 1)]));
        is_alike(&BTreeMap::from([((1, 2), 1)]));
        is_alike(&std::net::Ipv4Addr::LOCALHOST);
        for more in [
            BTreeMap::new(),
            BTreeMap::from([("k".into(), json!([null]))]),
        ] {
            let left_out = None;
            let inside = Tagged::Inside(Inside { left_out, more });
            for message in [&inside, &Tagged::Empty] {
                let game_id = "Ab3fK9xQ".into();
                is_alike(&Around { message, game_id });
            }
        }
    }

    proptest! {
        #[test]
        fn every_text_is_written_as_serde_json_writes_it(text in ".{0,40}", at in 0_usize..40) {
            is_alike(&text);
            let odd = ['"', '\\', '\u{1f}', '\u{20}', '\u{7f}', '\u{0}', '\n', 'ÿ'];
            for odd in odd {
                let mut text: Vec<char> = text.chars().collect();
                text.insert(at.min(text.len()), odd);
                is_alike(&text.iter().collect::<String>());
            }
        }
    }
}
