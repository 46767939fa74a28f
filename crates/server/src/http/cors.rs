//! Which web pages may call the API from a browser.

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, Method, header};
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::request_id::X_REQUEST_ID;
use crate::settings::Settings;

const DAY: Duration = Duration::from_secs(86_400);

/// Lets in every page, as clients of a public API expect: there are no cookies.
pub fn free() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(AllowOrigin::any())
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .max_age(DAY)
}

/// Lets in the pages that the operator named; `None`: none. Cookies are never
/// used, so credentials are never allowed.
pub fn layer(settings: &Settings) -> Option<CorsLayer> {
    let origins = &settings.cors_origins;
    if origins.is_empty() {
        return None;
    }
    let origin = if origins.iter().any(|origin| origin == "*") {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|o| HeaderValue::from_str(o).ok()))
    };
    let methods = [
        Method::GET,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
    ];
    let asked = [
        header::AUTHORIZATION,
        header::CONTENT_TYPE,
        header::IF_NONE_MATCH,
        HeaderName::from_static("idempotency-key"),
        HeaderName::from_static("arbiter-version"),
        // What clients of the Model Context Protocol say of each message.
        HeaderName::from_static("mcp-protocol-version"),
        HeaderName::from_static("mcp-method"),
        HeaderName::from_static("mcp-name"),
        X_REQUEST_ID,
    ];
    let told = [
        HeaderName::from_static("arbiter-cursor"),
        header::ETAG,
        header::LINK,
        header::LOCATION,
        header::RETRY_AFTER,
        X_REQUEST_ID,
    ];
    Some(
        CorsLayer::new()
            .allow_origin(origin)
            .allow_methods(methods)
            .allow_headers(asked)
            .expose_headers(told)
            .max_age(DAY),
    )
}
