//! The one page of the client, with what a shared link shows of itself.

use std::fmt::Write;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::files;
use crate::http::etag;
use crate::http::html::escape;

/// What the page may do: load its own scripts and styles, draw, and talk to
/// this server. Nothing comes from another host and nothing is inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Where the page's own description goes.
const MARK: &str = "<!-- about -->";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Arbiter</title>\
    <h1>The browser client is not built in</h1>\
    <p>This server was built without it. <code>make run</code> builds both; by hand: \
    <code>npm ci &amp;&amp; npm run build</code> in <code>web/</code>, then build the server again.</p>\
    <p>The API is complete: see <a href=\"/v1/openapi.json\">its description</a>.</p></html>";

/// What a link tells of the page before it is opened.
#[derive(Debug, Default)]
pub(super) struct About {
    pub(super) title: String,
    pub(super) description: String,
    /// Absolute.
    pub(super) url: Option<String>,
    /// Absolute.
    pub(super) image: Option<String>,
}

impl About {
    fn html(&self) -> String {
        let mut out = format!("<title>{}</title>", escape(&self.title));
        let mut meta = |kind: &str, name: &str, content: &str| {
            write!(
                out,
                "<meta {kind}=\"{name}\" content=\"{}\">",
                escape(content)
            )
            .expect("a string can be written to");
        };
        meta("name", "description", &self.description);
        meta("property", "og:type", "website");
        meta("property", "og:site_name", "Arbiter");
        meta("property", "og:title", &self.title);
        meta("property", "og:description", &self.description);
        if let Some(url) = &self.url {
            meta("property", "og:url", url);
        }
        if let Some(image) = &self.image {
            meta("property", "og:image", image);
            meta("property", "og:image:width", "720");
            meta("property", "og:image:height", "720");
            meta("name", "twitter:card", "summary");
        }
        out
    }
}

/// The page.
pub(super) fn answer(about: &About, asked: &HeaderMap) -> Response {
    let Some(page) = files::find("index.html") else {
        return not_built();
    };
    let page = String::from_utf8_lossy(page.plain).replace(MARK, &about.html());
    let tag = etag::of(page.as_bytes());
    let tags = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    if etag::is_known(asked, &tag) {
        return with_policy((StatusCode::NOT_MODIFIED, tags));
    }
    with_policy((tags, text(page)))
}

/// The page of the API's description.
pub(super) fn docs(asked: &HeaderMap) -> Response {
    match files::find("docs.html") {
        Some(page) => with_policy(page.answer(asked)),
        None => not_built(),
    }
}

fn not_built() -> Response {
    with_policy((StatusCode::NOT_FOUND, text(NOT_BUILT.to_owned())))
}

fn text(html: String) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html)
}

fn with_policy(answer: impl IntoResponse) -> Response {
    let policy = [(header::CONTENT_SECURITY_POLICY, POLICY)];
    (policy, answer).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_become_markup() {
        let about = About {
            title: "<script>".into(),
            description: "\" onload=\"x".into(),
            ..About::default()
        };
        let html = about.html();
        assert!(html.contains("<title>&lt;script&gt;</title>"), "{html}");
        assert!(html.contains("content=\"&quot; onload=&quot;x\""), "{html}");
        assert!(!html.contains("og:image"), "{html}");
    }
}
