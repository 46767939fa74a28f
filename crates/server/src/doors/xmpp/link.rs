//! `/v1/me/xmpp`: linking a local account with a JID.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use store::OutsideIdentity;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Config;
use super::identity::LINKED;
use crate::auth::{Caller, Scopes};
use crate::http::Path;
use crate::play::App;
use crate::problem::{Kind, Problem};
use crate::text_time::rfc3339;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show, ask))
        .routes(routes!(unlink))
}

/// The JIDs by which you play.
#[derive(Debug, Serialize, ToSchema)]
struct XmppLinks {
    /// At most one: a new link takes the place of the one before.
    jids: Vec<String>,
}

/// A code to be sent from one's JID.
#[derive(Debug, Serialize, ToSchema)]
struct XmppCode {
    /// To be sent as `<link code=''/>`.
    code: String,
    /// How long it is good for.
    #[schema(format = DateTime)]
    expires_at: String,
    /// Where to send it.
    arbiter: String,
}

/// Show the JID by which you play
#[utoipa::path(
    get,
    path = "/v1/me/xmpp",
    operation_id = "show_xmpp_links",
    tag = "accounts",
    security(("token" = [])),
    responses((status = 200, description = "The links", body = XmppLinks)),
)]
async fn show(State(app): State<App>, caller: Caller) -> Result<Json<XmppLinks>, Problem> {
    let linked = app.auth.linked(caller.number(), LINKED).await?;
    Ok(Json(XmppLinks {
        jids: linked.into_iter().collect(),
    }))
}

/// Link your account with a JID
///
/// Answers with a code; whoever sends it to the arbiter by XMPP within ten minutes plays
/// as you from then on. See docs/xmpp.md.
#[utoipa::path(
    post,
    path = "/v1/me/xmpp",
    operation_id = "link_xmpp",
    tag = "accounts",
    security(("token" = [])),
    responses(
        (status = 200, description = "The code", body = XmppCode),
        (status = 403, description = "`missing_scope`, `not_for_guests`"),
        (status = 409, description = "`xmpp_off`: this server speaks no XMPP"),
        (status = 429, description = "`rate_limited`"),
    ),
)]
async fn ask(State(app): State<App>, caller: Caller) -> Result<Json<XmppCode>, Problem> {
    caller.require_all(Scopes::SESSION)?;
    let config = Config::of(&app.settings)
        .ok_or_else(|| Problem::new(Kind::Conflict, "xmpp_off", "this server speaks no XMPP"))?;
    let (code, until) = app.auth.link_code(&app.rates, &caller).await?;
    Ok(Json(XmppCode {
        code,
        expires_at: rfc3339(until),
        arbiter: config.arbiter.to_string(),
    }))
}

/// End the link with a JID
///
/// From then on it has an account of its own, as before.
#[utoipa::path(
    delete,
    path = "/v1/me/xmpp/{jid}",
    operation_id = "unlink_xmpp",
    tag = "accounts",
    params(("jid" = String, Path, description = "The bare JID")),
    security(("token" = [])),
    responses(
        (status = 204, description = "It is linked no more"),
        (status = 403, description = "`missing_scope`"),
        (status = 404, description = "`not_found`"),
        (status = 429, description = "`rate_limited`"),
    ),
)]
async fn unlink(
    State(app): State<App>,
    caller: Caller,
    Path(jid): Path<String>,
) -> Result<StatusCode, Problem> {
    let who = OutsideIdentity {
        issuer: LINKED.into(),
        subject: jid,
    };
    app.auth.unlink(&app.rates, &caller, &who).await?;
    Ok(StatusCode::NO_CONTENT)
}
