//! The description of the API: for programs at `/v1/openapi.json`, for people at `/docs`.
//!
//! It is made from the routes themselves. Whoever puts the routes together
//! hands them to [`publish`], which completes their description with what is
//! true of every call, and adds the routes that serve it.

mod example;
mod general;
mod html;
mod markdown;
mod operation;
mod page;
mod parameters;
mod schema;
#[cfg(test)]
mod tests;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use sha2::{Digest, Sha256};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use general::{ErrorBody, complete};

/// What the page may load: its style sheet. Nothing runs in it.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

const STYLE: &str = include_str!("docs/docs.css");

/// Completes the description of `routes` and adds the routes that serve it.
pub fn publish<S: Clone + Send + Sync + 'static>(routes: OpenApiRouter<S>) -> (Router<S>, OpenApi) {
    let (routes, described) = routes.split_for_parts();
    let document = complete(described);
    (routes.merge(serve_openapi(&document)), document)
}

/// The routes that serve a complete document: `/v1/openapi.json`, `/docs`
/// and its style sheet. Everything is rendered once, here.
pub fn serve_openapi<S: Clone + Send + Sync + 'static>(document: &OpenApi) -> Router<S> {
    let json = serde_json::to_value(document).expect("a description is JSON");
    let page = page::page(&json);
    let served = [
        ("/v1/openapi.json", "application/json", json.to_string()),
        ("/docs", "text/html; charset=utf-8", page),
        ("/docs.css", "text/css; charset=utf-8", STYLE.to_owned()),
    ];
    served
        .into_iter()
        .fold(Router::new(), |router, (path, media, text)| {
            let file = File::new(media, text);
            router.route(
                path,
                get(async move |headers: HeaderMap| file.answer(&headers)),
            )
        })
}

/// A text that stays the same as long as the server runs.
#[derive(Clone)]
struct File {
    media: &'static str,
    etag: HeaderValue,
    text: Bytes,
}

impl File {
    fn new(media: &'static str, text: String) -> File {
        let digest = Sha256::digest(text.as_bytes());
        let etag: String = digest
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        File {
            media,
            etag: HeaderValue::from_str(&format!("\"{etag}\"")).expect("hexadecimal is ASCII"),
            text: text.into(),
        }
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(self.media)),
            (
                header::CONTENT_SECURITY_POLICY,
                HeaderValue::from_static(POLICY),
            ),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
            (header::ETAG, self.etag.clone()),
        ];
        if asked.get(header::IF_NONE_MATCH) == Some(&self.etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        (headers, self.text.clone()).into_response()
    }
}
