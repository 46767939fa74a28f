//! `/mcp`: the Model Context Protocol, by which language models play.
//!
//! Streamable HTTP without sessions: every message is a request of its own, and
//! whatever node it comes to can answer it. Who asks is said by the header
//! `Authorization`, or by the argument `token` that every tool takes. What a model may
//! do is in `tools/`, one file per group of tools; `resources.rs` has what it may read.
//! Here it is decided which pages and names a request may come by: a name that somebody
//! else's page made to stand for this machine must not lead to it.

mod answer;
mod call;
mod resources;
mod server;
mod tools;

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use url::{Host, Url};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::server::Models;
use crate::http::ClientAddress;
use crate::play::App;
use crate::problem::{Kind, Problem};
use crate::settings::Settings;

/// Names of this very machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];
/// More than a refusal of the library's says.
const REFUSAL_BYTES: usize = 4 << 10;

/// Every route of this door.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(ask))
}

/// Speak the Model Context Protocol
///
/// One JSON-RPC message per request, without sessions: `initialize`, `tools/list`,
/// `tools/call`, `resources/read`, ... A tool that fails answers with 200 and `isError`,
/// a code and a sentence. See docs/mcp.md.
#[utoipa::path(
    post,
    path = "/mcp",
    operation_id = "speak_mcp",
    tag = "models",
    request_body(content = Object, description = "A message of JSON-RPC 2.0", content_type = "application/json"),
    security((), ("token" = [])),
    responses(
        (status = 200, description = "The answer to a request", body = Object),
        (status = 202, description = "A notification was taken"),
        (status = 400, description = "No message of the protocol, or of a revision of it that is not known here", body = Object),
        (status = 403, description = "`host_not_allowed`, `origin_not_allowed`: not by a name or page of this server"),
        (status = 406, description = "`not_acceptable`: a client accepts both `application/json` and `text/event-stream`"),
        (status = 413, description = "`too_large`"),
        (status = 415, description = "`unsupported_media_type`: it is no JSON"),
    ),
)]
async fn ask(State(app): State<App>, address: ClientAddress, mut request: Request) -> Response {
    request.extensions_mut().insert(address);
    let config = config(&app.settings);
    let bytes_max = app.settings.body_bytes;
    let models = move || Ok(Models::new(app.clone()));
    let service = StreamableHttpService::new(models, Arc::<NeverSessionManager>::default(), config);
    let response = service.handle(request).await;
    in_our_words(response.map(Body::new), bytes_max).await
}

fn config(settings: &Settings) -> StreamableHttpServerConfig {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(settings.body_bytes)
        .with_allowed_hosts(hosts(settings));
    if settings.cors_origins.iter().any(|origin| origin == "*") {
        return config.disable_allowed_origins();
    }
    config
        .with_allowed_origins(origins(settings))
        .enforce_origin_validation()
}

/// The names that lead here: this machine's own, and what the operator says is the
/// server's.
fn hosts(settings: &Settings) -> Vec<String> {
    let public = settings.public_url.as_deref().and_then(address);
    let public = public.and_then(|url| url.host_str().map(str::to_owned));
    LOOPBACK
        .map(str::to_owned)
        .into_iter()
        .chain(public)
        .collect()
}

/// The pages that may ask: the server's own and those that the operator named; those of
/// this machine while nobody said how the server is called.
fn origins(settings: &Settings) -> Vec<String> {
    let public = settings.public_url.iter();
    let named = public.chain(&settings.cors_origins).map(String::as_str);
    let named = named.filter_map(address).filter_map(|url| origin(&url));
    let own = LOOPBACK
        .iter()
        .flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:*")));
    let own = own.filter(|_| settings.public_url.is_none());
    named.chain(own).collect()
}

fn address(text: &str) -> Option<Url> {
    Url::parse(text).ok()
}

/// With its port, without which the library takes any.
fn origin(url: &Url) -> Option<String> {
    let (host, port): (Host<&str>, u16) = (url.host()?, url.port_or_known_default()?);
    Some(format!("{}://{host}:{port}", url.scheme()))
}

/// What the library refuses it says in plain text; here every error has a code and a
/// sentence.
async fn in_our_words(response: Response, bytes_max: usize) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if status.is_success() || is_json {
        return response;
    }
    let said = to_bytes(response.into_body(), REFUSAL_BYTES).await;
    let said = String::from_utf8_lossy(&said.unwrap_or_default()).into_owned();
    match status {
        StatusCode::FORBIDDEN if said.contains("Origin") => {
            let detail = "pages of another site may not ask here: see the setting cors_origins";
            Problem::new(Kind::Forbidden, "origin_not_allowed", detail).into_response()
        }
        StatusCode::FORBIDDEN => {
            let detail = "the server is not called that: set public_url to how clients reach it";
            Problem::new(Kind::Forbidden, "host_not_allowed", detail).into_response()
        }
        StatusCode::PAYLOAD_TOO_LARGE => Problem::too_large(bytes_max).into_response(),
        _ => {
            let code = match status {
                StatusCode::NOT_ACCEPTABLE => "not_acceptable",
                StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
                _ if status.is_server_error() => "internal",
                _ => "bad_request",
            };
            (status, Json(json!({ "error": code, "detail": said }))).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(public_url: Option<&str>, cors: &[&str]) -> Settings {
        Settings {
            public_url: public_url.map(str::to_owned),
            cors_origins: cors.iter().map(|&origin| origin.to_owned()).collect(),
            ..Settings::default()
        }
    }

    #[test]
    fn a_server_without_a_name_is_this_machine_s() {
        let alone = settings(None, &[]);
        assert_eq!(hosts(&alone), LOOPBACK);
        let origins = origins(&alone);
        assert!(origins.contains(&"http://localhost:*".to_owned()));
        assert_eq!(origins.len(), 6);
    }

    #[test]
    fn a_server_with_a_name_is_asked_by_it_and_its_pages() {
        let named = settings(Some("https://chess.example/play"), &["https://lab.example"]);
        assert_eq!(hosts(&named)[3..], ["chess.example"]);
        let expected = ["https://chess.example:443", "https://lab.example:443"];
        assert_eq!(origins(&named), expected);
        let with_port = settings(Some("http://[2001:db8::1]:8080"), &[]);
        assert_eq!(hosts(&with_port)[3..], ["[2001:db8::1]"]);
        assert_eq!(origins(&with_port), ["http://[2001:db8::1]:8080"]);
    }
}
