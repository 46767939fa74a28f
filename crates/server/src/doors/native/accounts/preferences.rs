//! What a client keeps for its owner, and guests who are taken over.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use store::{Account, ProfileChange};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::Caller;
use crate::auth::own::Passwords;
use crate::http::Body;
use crate::http::address::ClientAddress;
use crate::http::etag;
use crate::play::{App, becoming};
use crate::problem::{Kind, Problem};

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show, replace))
        .routes(routes!(adopt))
}

/// The client's own settings: any JSON object.
#[derive(Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
struct Preferences(Map<String, Value>);

/// With the tag of what there is.
fn shown(account: &Account) -> Response {
    let preferences: Value = serde_json::from_str(&account.preferences).unwrap_or_default();
    let tag = (header::ETAG, tag(account));
    let unkept = (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    ([tag, unkept], Json(preferences)).into_response()
}

fn tag(account: &Account) -> HeaderValue {
    etag::of(account.preferences.as_bytes())
}

/// Your preferences
///
/// What your clients keep here, to be found on every device. The same object as
/// `preferences` of `/v1/me`.
#[utoipa::path(
    get,
    path = "/v1/me/preferences",
    operation_id = "show_preferences",
    responses((status = 200, description = "The object, with an `ETag`", body = Preferences)),
)]
async fn show(State(app): State<App>, caller: Caller) -> Result<Response, Problem> {
    let account = app.auth.own_account(&caller).await?;
    Ok(shown(&account))
}

/// Replace your preferences
///
/// The whole object, at most 8 KiB. With `If-Match` only if they are still what they were
/// when that `ETag` was given.
#[utoipa::path(
    put,
    path = "/v1/me/preferences",
    operation_id = "replace_preferences",
    request_body = Preferences,
    params(("If-Match" = Option<String>, Header, description = "The `ETag` they had")),
    responses(
        (status = 200, description = "As they are now", body = Preferences),
        (status = 412, description = "`preferences_changed`: read them again"),
        (status = 413, description = "`too_large`: more than 8 KiB"),
    ),
)]
async fn replace(
    State(app): State<App>,
    caller: Caller,
    ClientAddress(from): ClientAddress,
    headers: HeaderMap,
    Body(Preferences(new)): Body<Preferences>,
) -> Result<Response, Problem> {
    let preferences = Value::Object(new).to_string();
    let mut preferences_were = None;
    if headers.contains_key(header::IF_MATCH) {
        let account = app.auth.own_account(&caller).await?;
        if !etag::is_named(&headers, header::IF_MATCH, &tag(&account)) {
            return Err(changed());
        }
        preferences_were = Some(account.preferences);
    }
    let change = ProfileChange {
        preferences: Some(preferences.clone()),
        preferences_were,
        ..ProfileChange::default()
    };
    let replaced = app
        .auth
        .change_profile(&app.rates, from, &caller, change, Passwords::default())
        .await?;
    match replaced.preferences == preferences {
        true => Ok(shown(&replaced)),
        false => Err(changed()),
    }
}

fn changed() -> Problem {
    let detail = "the preferences were changed meanwhile: read them again";
    Problem::new(Kind::Stale, "preferences_changed", detail)
}

/// Whom to take over.
#[derive(Deserialize, ToSchema)]
struct Adopt {
    /// The token the guest plays with.
    guest_token: String,
}

/// What came of it.
#[derive(Serialize, ToSchema)]
struct Adopted {
    /// How many games came with the guest, now: none if it was done before.
    adopted: u32,
}

/// Take a guest over
///
/// For whoever played as a guest and signs in: the guest's seats and games, running and
/// finished, are yours from here on, the guest's id leads to you, and the guest's token is
/// dead. Streams of these games are told by `STATE` with `resync`.
#[utoipa::path(
    post,
    path = "/v1/me/adopt",
    operation_id = "adopt_guest",
    request_body = Adopt,
    responses(
        (status = 200, description = "They are yours", body = Adopted),
        (status = 409, description = "`own_game`: you have played with this guest; `not_allowed` for a guest"),
        (status = 422, description = "`bad_guest_token`"),
    ),
)]
async fn adopt(
    State(app): State<App>,
    caller: Caller,
    Body(Adopt { guest_token }): Body<Adopt>,
) -> Result<Json<Adopted>, Problem> {
    let adopted = becoming::adopt(&app, &caller, &guest_token).await?;
    Ok(Json(Adopted { adopted }))
}
