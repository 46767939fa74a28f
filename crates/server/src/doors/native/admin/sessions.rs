//! Signing in to operate.

use axum::extract::State;
use axum::response::Response;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::admin;
use crate::doors::native::accounts::{SignedIn, signed_in};
use crate::http::Body;
use crate::http::address::ClientAddress;
use crate::play::App;
use crate::problem::Problem;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(open))
}

/// An administrator's name and password.
#[derive(Deserialize, ToSchema)]
struct OperatorCredentials {
    /// In whatever case.
    username: String,
    #[schema(format = Password)]
    password: String,
}

/// Sign in to operate the server
///
/// An ordinary session gives nobody this right. The token has the scope `admin` besides those
/// of a session, and ends after twelve hours; `DELETE /v1/sessions/current` ends it before.
#[utoipa::path(post, path = "/v1/admin/sessions", operation_id = "admin_sign_in", security(()),
    request_body = OperatorCredentials,
    responses(
        (status = 201, description = "Signed in", body = SignedIn),
        (status = 401, description = "`bad_credentials`"),
        (status = 403, description = "`not_administrator`, `barred`"),
        (status = 429, description = "`rate_limited`: too many attempts"),
    ))]
async fn open(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Body(who): Body<OperatorCredentials>,
) -> Result<Response, Problem> {
    let signed = admin::sign_in(&app, from, &who.username, who.password);
    signed.await.map(signed_in)
}
