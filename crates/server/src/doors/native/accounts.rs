//! Becoming somebody: registering, signing in, being a guest.

pub mod me;
mod preferences;
mod vacation;
pub mod view;

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::Account;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use self::view::AccountView;
use crate::auth::Caller;
use crate::auth::accounts::Applicant;
use crate::auth::tokens::Session;
use crate::http::Body;
use crate::http::address::ClientAddress;
use crate::http::described::about;
use crate::play::{App, becoming};
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// The calls of this file, and those about oneself.
pub fn routes() -> OpenApiRouter<App> {
    let calls = OpenApiRouter::new()
        .routes(routes!(register))
        .routes(routes!(sign_in))
        .routes(routes!(sign_out))
        .routes(routes!(become_guest))
        .merge(me::routes())
        .merge(preferences::routes())
        .merge(vacation::routes());
    about("accounts", calls)
}

/// Somebody, and the token to be them with.
#[derive(Serialize, ToSchema)]
pub(super) struct SignedIn {
    account: AccountView,
    /// Shown this once: `Authorization: Bearer <token>`.
    token: String,
    /// When the token ends.
    #[schema(format = DateTime)]
    expires_at: String,
}

/// 201, and nobody on the way keeps a copy of the token.
pub(super) fn signed_in((account, session): (Account, Session)) -> Response {
    let body = SignedIn {
        account: AccountView::from(account),
        token: session.token,
        expires_at: rfc3339(session.expires_at),
    };
    let unkept = [(header::CACHE_CONTROL, "no-store")];
    (StatusCode::CREATED, unkept, Json(body)).into_response()
}

/// Someone who wants an account.
#[derive(Deserialize, ToSchema)]
#[schema(as = NewAccount)]
struct Registration {
    /// 2 to 20 letters, digits, `_` and `-`; some are reserved.
    #[schema(min_length = 2, max_length = 20, pattern = "^[A-Za-z0-9_-]+$")]
    username: String,
    /// At least 8 characters, not the name, and none that everybody uses.
    #[schema(min_length = 8, max_length = 256, format = Password)]
    password: String,
    /// Only ever shown to its owner.
    email: Option<String>,
    /// Needed where registration is by invitation.
    invite: Option<String>,
}

/// Register
///
/// Makes an account and signs in. Where registration is by invitation, an
/// `invite` or a token of scope `admin` is needed. With a guest's token the guest
/// becomes the account: number, `uuid`, seats and games stay, games go on, the id that the
/// guest had leads to the account, and the guest's token is the account's as well.
#[utoipa::path(
    post,
    path = "/v1/accounts",
    request_body = Registration,
    responses(
        (status = 201, description = "Registered and signed in", body = SignedIn),
        (status = 403, description = "`registration_closed`"),
        (status = 409, description = "`username_taken`; `not_allowed`: the guest is somebody by now"),
        (status = 422, description = "`bad_username`, `weak_password`"),
        (status = 429, description = "`rate_limited`"),
    ),
    security(()),
)]
async fn register(
    State(app): State<App>,
    caller: Option<Caller>,
    ClientAddress(from): ClientAddress,
    Body(new): Body<Registration>,
) -> Result<Response, Problem> {
    let applicant = Applicant {
        username: new.username,
        password: new.password,
        email: new.email,
        invite: new.invite,
    };
    becoming::register(&app, from, caller.as_ref(), applicant)
        .await
        .map(signed_in)
}

/// A name and its password.
#[derive(Deserialize, ToSchema)]
struct Credentials {
    /// In whatever case.
    username: String,
    #[schema(format = Password)]
    password: String,
}

/// Sign in
///
/// A wrong name and a wrong password get the same answer.
#[utoipa::path(
    post,
    path = "/v1/sessions",
    request_body = Credentials,
    responses(
        (status = 201, description = "Signed in", body = SignedIn),
        (status = 401, description = "`bad_credentials`"),
        (status = 403, description = "`barred`"),
        (status = 429, description = "`rate_limited`: too many attempts"),
    ),
    security(()),
)]
async fn sign_in(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Body(Credentials { username, password }): Body<Credentials>,
) -> Result<Response, Problem> {
    app.auth
        .sign_in(&app.rates, from, &username, password)
        .await
        .map(signed_in)
}

/// Sign out
///
/// The token of this request is dead at once.
#[utoipa::path(
    delete,
    path = "/v1/sessions/current",
    responses(
        (status = 204, description = "Signed out"),
        (status = 409, description = "`not_allowed`: the token is of an outside identity service"),
    ),
)]
async fn sign_out(State(app): State<App>, caller: Caller) -> Result<StatusCode, Problem> {
    app.auth.sign_out(&caller).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Someone who wants to play without registering.
#[derive(Deserialize, ToSchema)]
struct Guest {
    /// What to be called; the beginning of it becomes part of the name.
    #[schema(max_length = 64)]
    display_name: Option<String>,
}

/// Become a guest
///
/// Plays casual games without registering, under a name like `guest-Ann-x4kf`.
#[utoipa::path(
    post,
    path = "/v1/guests",
    request_body = Guest,
    responses(
        (status = 201, description = "Welcome", body = SignedIn),
        (status = 403, description = "`registration_closed`"),
        (status = 429, description = "`rate_limited`"),
    ),
    security(()),
)]
async fn become_guest(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Body(Guest { display_name }): Body<Guest>,
) -> Result<Response, Problem> {
    app.auth
        .become_guest(&app.rates, from, display_name.as_deref())
        .await
        .map(signed_in)
}
