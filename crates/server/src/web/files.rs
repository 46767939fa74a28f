//! The files of the client, as the build left them.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::http::etag::is_known;

/// A file that was built into the binary.
pub(super) struct Embedded {
    /// Below `web/dist`.
    pub(super) path: &'static str,
    /// As it is.
    pub(super) plain: &'static [u8],
    /// Compressed by the build, where that made it smaller.
    pub(super) br: Option<&'static [u8]>,
    /// The same for older clients.
    pub(super) gz: Option<&'static [u8]>,
}

static FILES: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/web_files.rs"));

/// Vite puts a digest of the content into these names: what was once fetched
/// never has to be asked for again.
const HASHED: &str = "assets/";
const FOREVER: &str = "public, max-age=31536000, immutable";

/// The file at that path.
pub(super) fn find(path: &str) -> Option<&'static Embedded> {
    FILES.iter().find(|file| file.path == path)
}

impl Embedded {
    /// The file, in the best form that the client understands.
    pub(super) fn answer(&self, asked: &HeaderMap) -> Response {
        let etag = etag(self.plain);
        let caching = if self.path.starts_with(HASHED) {
            FOREVER
        } else {
            "no-cache"
        };
        let common = [
            (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
            (header::ETAG, etag.clone()),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        if is_known(asked, &etag) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        let (encoding, bytes) = self.best(asked);
        let media = [(header::CONTENT_TYPE, self.media())];
        let encoding = encoding.map(|name| [(header::CONTENT_ENCODING, name)]);
        match encoding {
            Some(encoding) => (common, media, encoding, bytes).into_response(),
            None => (common, media, bytes).into_response(),
        }
    }

    fn best(&self, asked: &HeaderMap) -> (Option<&'static str>, &'static [u8]) {
        let packed = [("br", self.br), ("gzip", self.gz)];
        packed
            .into_iter()
            .find_map(|(name, bytes)| Some((Some(name), bytes.filter(|_| accepts(asked, name))?)))
            .unwrap_or((None, self.plain))
    }

    fn media(&self) -> &'static str {
        match self.path.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("txt") => "text/plain; charset=utf-8",
            Some("webmanifest") => "application/manifest+json",
            _ => "application/octet-stream",
        }
    }
}

/// The tag of a content.
pub(super) fn etag(content: &[u8]) -> HeaderValue {
    let digest = Sha256::digest(content);
    let digest: String = digest.iter().take(8).map(|b| format!("{b:02x}")).collect();
    // Weak: the same tag stands for the file in every encoding.
    HeaderValue::from_str(&format!("W/\"{digest}\"")).expect("hexadecimal is ASCII")
}

/// Whether the client takes that encoding. `;q=0` refuses it.
fn accepts(asked: &HeaderMap, encoding: &str) -> bool {
    asked
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| {
            let mut parts = one.split(';').map(str::trim);
            let named = parts
                .next()
                .is_some_and(|n| n.eq_ignore_ascii_case(encoding));
            let refused = parts.any(|p| {
                let weight = p.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
                weight == Some(0.0)
            });
            named && !refused
        })
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    const SCRIPT: Embedded = Embedded {
        path: "assets/main-abc.js",
        plain: b"plain",
        br: Some(b"brotli"),
        gz: Some(b"gzip"),
    };

    async fn served(accept: &'static str) -> (Option<String>, Vec<u8>) {
        let mut asked = HeaderMap::new();
        asked.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accept));
        let answer = SCRIPT.answer(&asked);
        let encoding = answer.headers().get(header::CONTENT_ENCODING).cloned();
        let encoding = encoding.map(|value| value.to_str().unwrap().to_owned());
        let body = answer.into_body().collect().await.unwrap().to_bytes();
        (encoding, body.to_vec())
    }

    #[tokio::test]
    async fn a_client_gets_the_smallest_form_that_it_understands() {
        for (accept, encoding, body) in [
            ("gzip, deflate, br", Some("br"), "brotli"),
            ("gzip", Some("gzip"), "gzip"),
            ("br;q=0, GZIP;q=0.5", Some("gzip"), "gzip"),
            ("identity", None, "plain"),
            ("brotli", None, "plain"),
        ] {
            let (told, bytes) = served(accept).await;
            assert_eq!(
                (told.as_deref(), &bytes[..]),
                (encoding, body.as_bytes()),
                "{accept}"
            );
        }
    }

    #[test]
    fn what_has_its_digest_in_its_name_is_fetched_once() {
        let answer = SCRIPT.answer(&HeaderMap::new());
        assert_eq!(answer.headers()[header::CACHE_CONTROL], FOREVER);
        let icon = Embedded {
            path: "favicon.svg",
            ..SCRIPT
        };
        let answer = icon.answer(&HeaderMap::new());
        assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-cache");

        let mut again = HeaderMap::new();
        again.insert(
            header::IF_NONE_MATCH,
            answer.headers()[header::ETAG].clone(),
        );
        assert_eq!(icon.answer(&again).status(), StatusCode::NOT_MODIFIED);
    }
}
