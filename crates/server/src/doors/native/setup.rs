//! The first run: whoever can read the server's log becomes its administrator.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::accounts::{SignedIn, signed_in};
use crate::admin::setup;
use crate::http::Body;
use crate::http::address::ClientAddress;
use crate::http::described::about;
use crate::play::App;
use crate::problem::Problem;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    about("admin", OpenApiRouter::new().routes(routes!(look, set_up)))
}

/// Whether something is to be done.
#[derive(Serialize, ToSchema)]
struct Setup {
    /// There is no administrator, and the server's log has a code to become it with.
    needed: bool,
}

/// Somebody who wants to be the administrator.
#[derive(Deserialize, ToSchema)]
struct Newcomer {
    /// From the server's log: `K7M2-QXAB-9TRE`.
    code: String,
    /// 2 to 20 letters, digits, `_` and `-`; some are reserved.
    #[schema(min_length = 2, max_length = 20, pattern = "^[A-Za-z0-9_-]+$")]
    name: String,
    /// At least 8 characters, not the name, and none that everybody uses.
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
}

/// Whether the server has no administrator yet
#[utoipa::path(get, path = "/v1/setup", operation_id = "show_setup", security(()),
    responses((status = 200, description = "Whether somebody is to become it", body = Setup)))]
async fn look(State(app): State<App>) -> Result<Response, Problem> {
    let needed = setup::is_needed(&app).await?;
    let unkept = [(header::CACHE_CONTROL, "no-store")];
    Ok((unkept, Json(Setup { needed })).into_response())
}

/// Become the first administrator
///
/// With the code that the server's log shows at every start while there is none. It counts
/// once, at every node. The token is one to operate with, as of `POST /v1/admin/sessions`.
#[utoipa::path(post, path = "/v1/setup", operation_id = "set_up", security(()),
    request_body = Newcomer,
    responses(
        (status = 201, description = "The administrator, signed in", body = SignedIn),
        (status = 403, description = "`wrong_code`"),
        (status = 409, description = "`already_set_up`, `username_taken`"),
        (status = 422, description = "`bad_username`, `weak_password`"),
        (status = 429, description = "`rate_limited`: too many wrong codes"),
    ))]
async fn set_up(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Body(new): Body<Newcomer>,
) -> Result<Response, Problem> {
    let made = setup::set_up(&app, from, &new.code, new.name, new.password);
    made.await.map(signed_in)
}
