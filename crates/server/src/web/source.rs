//! Where the source is, as the licence asks.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};

use crate::play::App;

const LICENCE: &str = include_str!("../../../../LICENSE");

/// Leads to where the operator offers the source; without that, says what
/// the licence grants.
pub(super) async fn answer(State(app): State<App>) -> Response {
    if let Some(url) = &app.settings.source_url {
        return Redirect::to(url).into_response();
    }
    let version = env!("CARGO_PKG_VERSION");
    let text = format!(
        "Arbiter {version} is free software under AGPL-3.0-or-later.\n\
         Whoever runs it for others offers them its source: ask the operator of this server,\n\
         who can name the place with the setting source_url.\n\n{LICENCE}"
    );
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}
