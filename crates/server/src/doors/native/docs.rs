//! The description of the API: for programs at `/v1/openapi.json`; the browser
//! client shows it to people at `/docs`.
//!
//! It is made from the routes themselves. Whoever puts the routes together
//! hands them to [`publish`], which completes their description with what is
//! true of every call, and adds the route that serves it.

mod general;
mod parameters;

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use crate::http::etag;
use crate::play::App;

/// Completes the description of `routes` and adds the route that serves it.
pub fn publish(routes: OpenApiRouter<App>) -> (Router<App>, OpenApi) {
    let (routes, described) = routes.split_for_parts();
    let document = general::complete(described);
    let json = serde_json::to_value(&document).expect("a description is JSON");
    let text = Bytes::from(json.to_string());
    let tag = etag::of(&text);
    let serve = async move |asked: HeaderMap| answer(&asked, &tag, &text);
    (routes.route("/v1/openapi.json", get(serve)), document)
}

/// It stays the same as long as the server runs.
fn answer(asked: &HeaderMap, tag: &HeaderValue, text: &Bytes) -> Response {
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag.clone()),
    ];
    if etag::is_known(asked, tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    let media = [(header::CONTENT_TYPE, "application/json")];
    (headers, media, text.clone()).into_response()
}
