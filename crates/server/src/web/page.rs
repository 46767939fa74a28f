//! The one page of the client, with what a shared link shows of itself.

use std::fmt::Write;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::files::{self, Embedded};
use crate::http::etag;
use crate::http::html::escape;

/// What the page may do: load its own scripts and styles, draw, and talk to
/// this server. Nothing comes from another host and nothing is inline.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// The same for a page that others may show within theirs.
const FRAMED: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                      img-src 'self' data:; connect-src 'self'; manifest-src 'self'; \
                      worker-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors *";

/// What the page of that policy may be shown within.
const ANYWHERE: &[u8] = b"frame-ancestors *";

/// Whether a page of that policy may be shown within others.
pub(crate) fn may_be_framed(policy: &HeaderValue) -> bool {
    policy.as_bytes().ends_with(ANYWHERE)
}

/// Whether there is anything at the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    Usual,
    /// The page says so, and shows a way home.
    Nowhere,
}

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
    /// Absolute; square, with its size.
    pub(super) image: Option<(String, u16)>,
}

impl About {
    /// What there is to say of the server as a whole.
    pub(super) fn usual() -> About {
        About {
            title: "Arbiter: play chess".into(),
            description: "Play a friend by link, as a guest or signed in. Watch live games.".into(),
            ..About::default()
        }
    }

    /// What there is to say where nothing is.
    pub(super) fn nowhere() -> About {
        About {
            title: "Arbiter: there is nothing here".into(),
            ..About::usual()
        }
    }

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
        if let Some((image, size)) = &self.image {
            let size = size.to_string();
            meta("property", "og:image", image);
            meta("property", "og:image:width", &size);
            meta("property", "og:image:height", &size);
            meta("name", "twitter:card", "summary");
        }
        out
    }
}

/// The page.
pub(super) fn answer(about: &About, asked: &HeaderMap, manner: Manner) -> Response {
    match files::find("index.html") {
        Some(page) => with_policy(POLICY, written(page, about, asked, manner)),
        None => not_built(),
    }
}

/// The page as others may show it within theirs: smaller, if the build made one for that.
pub(super) fn framed(about: &About, asked: &HeaderMap, manner: Manner) -> Response {
    let page = files::find("embed.html").or_else(|| files::find("index.html"));
    match page {
        Some(page) => with_policy(FRAMED, written(page, about, asked, manner)),
        None => with_policy(FRAMED, not_built()),
    }
}

fn written(page: &Embedded, about: &About, asked: &HeaderMap, manner: Manner) -> Response {
    let page = String::from_utf8_lossy(page.plain).replace(MARK, &about.html());
    let tag = etag::of(page.as_bytes());
    let tags = [
        (header::ETAG, tag.clone()),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    match manner {
        Manner::Nowhere => (StatusCode::NOT_FOUND, tags, text(page)).into_response(),
        Manner::Usual if etag::is_known(asked, &tag) => {
            (StatusCode::NOT_MODIFIED, tags).into_response()
        }
        Manner::Usual => (tags, text(page)).into_response(),
    }
}

/// The page of the API's description.
pub(super) fn docs(asked: &HeaderMap) -> Response {
    match files::find("docs.html") {
        Some(page) => with_policy(POLICY, page.answer(asked)),
        None => not_built(),
    }
}

fn not_built() -> Response {
    with_policy(POLICY, (StatusCode::NOT_FOUND, text(NOT_BUILT.to_owned())))
}

fn text(html: String) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html)
}

fn with_policy(policy: &'static str, answer: impl IntoResponse) -> Response {
    let mut answer = answer.into_response();
    let policy = HeaderValue::from_static(policy);
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page_alone_may_be_shown_within_others() {
        let may = |policy| may_be_framed(&HeaderValue::from_static(policy));
        assert!(may(FRAMED) && !may(POLICY));
        let same = |policy: &str| policy.split("frame-ancestors").next().map(str::to_owned);
        assert_eq!(same(FRAMED), same(POLICY));
    }

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
