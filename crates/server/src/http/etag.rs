//! What a client has already.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use sha2::{Digest, Sha256};

/// The tag of a content. Weak: it stands for the content in every encoding.
pub(crate) fn of(content: &[u8]) -> HeaderValue {
    let digest = Sha256::digest(content);
    let digest: String = digest.iter().take(8).map(|b| format!("{b:02x}")).collect();
    HeaderValue::from_str(&format!("W/\"{digest}\"")).expect("hexadecimal is ASCII")
}

/// Whether the client says that it has this content: `If-None-Match` names its
/// tag, perhaps among others, perhaps as a weak one, or says `*`.
pub(crate) fn is_known(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    is_named(asked, header::IF_NONE_MATCH, etag)
}

/// Whether that header names the tag, perhaps among others, or says `*`.
pub(crate) fn is_named(asked: &HeaderMap, field: HeaderName, etag: &HeaderValue) -> bool {
    let bare = |tag: &[u8]| tag.strip_prefix(b"W/").unwrap_or(tag).to_vec();
    let wanted = bare(etag.as_bytes());
    let values = asked.get_all(field).into_iter();
    let mut tags = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b','));
    tags.any(|tag| {
        let tag = tag.trim_ascii();
        tag == b"*" || bare(tag) == wanted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_among_others_weak_or_strong() {
        let knows = |asked: &str, etag: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, asked.parse().unwrap());
            is_known(&headers, &HeaderValue::from_static(etag))
        };
        assert!(knows("\"a\"", "\"a\""));
        assert!(knows("\"b\", W/\"a\"", "\"a\""));
        assert!(knows("W/\"a\"", "W/\"a\""));
        assert!(knows("*", "\"a\""));
        assert!(!knows("\"b\"", "\"a\""));
        assert!(!knows("a", "\"a\""));
        assert!(!is_known(
            &HeaderMap::new(),
            &HeaderValue::from_static("\"a\"")
        ));
    }
}
