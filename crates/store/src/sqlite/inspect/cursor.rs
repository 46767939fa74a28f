//! Places in a walk as text that fits into a URL: `seats~i7~i0~i1790000000000~i55`.

use rusqlite::types::Value;

const BETWEEN: char = '~';

/// The place in that part of the walk after the row with that key.
pub(super) fn write(part: &str, key: &[Value]) -> String {
    let mut text = part.to_owned();
    for value in key {
        text.push(BETWEEN);
        text.push_str(&written(value));
    }
    text
}

/// The part, and the key if it is not the beginning.
pub(super) fn read(text: &str) -> Option<(&str, Vec<Value>)> {
    let mut pieces = text.split(BETWEEN);
    let part = pieces.next()?;
    Some((part, pieces.map(value).collect::<Option<_>>()?))
}

/// Values keep their type, even one that the column should not have.
fn written(value: &Value) -> String {
    match value {
        Value::Null => "n".to_owned(),
        Value::Integer(number) => format!("i{number}"),
        Value::Real(number) => format!("r{:x}", number.to_bits()),
        Value::Text(text) => format!("t{}", hex(text.as_bytes())),
        Value::Blob(bytes) => format!("b{}", hex(bytes)),
    }
}

fn value(piece: &str) -> Option<Value> {
    let rest = piece.get(1..)?;
    Some(match piece.as_bytes()[0] {
        b'n' => Value::Null,
        b'i' => Value::Integer(rest.parse().ok()?),
        b'r' => Value::Real(f64::from_bits(u64::from_str_radix(rest, 16).ok()?)),
        b't' => Value::Text(String::from_utf8(bytes(rest)?).ok()?),
        b'b' => Value::Blob(bytes(rest)?),
        _ => return None,
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes();
    let byte = |pair: &[u8]| {
        let pair = std::str::from_utf8(pair).ok()?;
        u8::from_str_radix(pair, 16).ok()
    };
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks(2).map(byte).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_is_written() {
        let key = [
            Value::Integer(-7),
            Value::Text("a ~ é".into()),
            Value::Blob(vec![0, 255]),
            Value::Real(1.5),
            Value::Null,
        ];
        let text = write("seats", &key);
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "~-".contains(c);
        assert!(text.chars().all(is_plain), "{text}");
        assert_eq!(read(&text), Some(("seats", key.to_vec())));
        assert_eq!(read("seats"), Some(("seats", Vec::new())));
        for bad in [
            "seats~",
            "seats~x1",
            "seats~i",
            "seats~tfff",
            "seats~tzz",
            "seats~é",
        ] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
