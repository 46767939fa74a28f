//! The files of the client, as the build left them.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::http::etag;

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
    files().iter().find(|file| file.path == path)
}

#[cfg(not(debug_assertions))]
fn files() -> &'static [Embedded] {
    FILES
}

#[cfg(debug_assertions)]
fn files() -> &'static [Embedded] {
    static READ: std::sync::LazyLock<Option<Vec<Embedded>>> =
        std::sync::LazyLock::new(folder::read);
    READ.as_deref().unwrap_or(FILES)
}

impl Embedded {
    /// The file, in the best form that the client understands.
    pub(super) fn answer(&self, asked: &HeaderMap) -> Response {
        let tag = etag::of(self.plain);
        let caching = if self.path.starts_with(HASHED) {
            FOREVER
        } else {
            "no-cache"
        };
        let common = [
            (header::CACHE_CONTROL, HeaderValue::from_static(caching)),
            (header::ETAG, tag.clone()),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        if etag::is_known(asked, &tag) {
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
            Some("ico") => "image/x-icon",
            Some("json" | "map") => "application/json",
            Some("webp") => "image/webp",
            Some("woff2") => "font/woff2",
            Some("txt") => "text/plain; charset=utf-8",
            Some("webmanifest") => "application/manifest+json",
            _ => "application/octet-stream",
        }
    }
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

#[cfg(debug_assertions)]
mod folder;
#[cfg(test)]
mod tests;
