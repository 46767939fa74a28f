//! A name for each request, so that its log lines can be found.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// The header that carries it, both ways.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest that is taken over from a client.
const LENGTH_MAX: usize = 64;

/// The name of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The one the client chose, if it is a sane one; else a new one.
    pub fn of(headers: &HeaderMap) -> RequestId {
        let chosen = headers
            .get(X_REQUEST_ID)
            .filter(|value| is_sane(value.as_bytes()));
        RequestId(chosen.cloned().unwrap_or_else(random))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// As the header's value.
    pub fn into_header(self) -> HeaderValue {
        self.0
    }
}

/// Nothing that could be mistaken for something else in a log line.
fn is_sane(text: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    (1..=LENGTH_MAX).contains(&text.len()) && text.iter().all(is_plain)
}

fn random() -> HeaderValue {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut bits = rand::random::<u64>();
    let text: [u8; 16] = std::array::from_fn(|_| {
        let digit = DIGITS[(bits & 15) as usize];
        bits >>= 4;
        digit
    });
    HeaderValue::from_bytes(&text).expect("hexadecimal digits fit into a header")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> String {
        let mut headers = HeaderMap::new();
        if let Ok(value) = HeaderValue::from_str(text) {
            headers.insert(X_REQUEST_ID, value);
        }
        RequestId::of(&headers).as_str().to_owned()
    }

    #[test]
    fn a_sane_name_is_kept_and_any_other_replaced() {
        assert_eq!(of("abc-123_4.5"), "abc-123_4.5");
        for odd in ["", "a b", "a\"b", "a=b", "ü", &"x".repeat(65)] {
            let id = of(odd);
            assert!(id != odd && id.len() == 16, "{odd}: {id}");
        }
        assert_ne!(of(""), of(""));
    }
}
