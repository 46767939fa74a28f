//! Personal tokens: made by their owner, for programs.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::{Token, TokenKind};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::personal::no_such;
use crate::auth::{Caller, Scopes};
use crate::http::described::about;
use crate::http::{Body, Path};
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    let calls = OpenApiRouter::new().routes(routes!(list, create));
    about("tokens", calls.routes(routes!(revoke)))
}

/// A token, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Token)]
pub struct TokenView {
    /// By which it is revoked.
    id: u64,
    /// `session` or `personal`.
    kind: &'static str,
    /// What its owner calls it.
    name: String,
    /// What it may do.
    scopes: Vec<&'static str>,
    #[schema(format = DateTime)]
    created_at: String,
    /// `null`: never by itself.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
    /// Whether it is the one this request came with.
    current: bool,
}

impl TokenView {
    /// What its owner sees of a token.
    pub fn of(token: &Token, caller: &Caller) -> TokenView {
        TokenView {
            id: token.id,
            kind: match token.kind {
                TokenKind::Session => "session",
                TokenKind::Personal => "personal",
            },
            name: token.name.clone(),
            scopes: Scopes::from_bits(token.scopes).names(),
            created_at: rfc3339(token.created_at),
            expires_at: token.expires_at.map(rfc3339),
            current: caller.token == Some(token.hash),
        }
    }
}

/// A token to be made.
#[derive(Deserialize, ToSchema)]
struct NewToken {
    /// What to call it.
    #[schema(min_length = 1, max_length = 64)]
    name: String,
    /// Some of `read`, `play`, `challenge` and `bot`, or by Lichess's names `bot:play`,
    /// `board:play`, `challenge:read` and `challenge:write`; `service` and `admin` are
    /// given by the operator.
    scopes: Vec<String>,
}

/// A new token, with its secret.
#[derive(Serialize, ToSchema)]
#[schema(as = IssuedToken)]
struct Issued {
    #[serde(flatten)]
    about: TokenView,
    /// Shown this once: `Authorization: Bearer <token>`.
    #[schema(pattern = "^[A-Za-z0-9_]+$")]
    token: String,
}

/// Make a personal token
///
/// Needs a session: a personal token makes no other.
#[utoipa::path(
    post,
    path = "/v1/tokens",
    operation_id = "create_token",
    request_body = NewToken,
    responses(
        (status = 201, description = "The token, shown this once", body = Issued),
        (status = 403, description = "`session_required`; `missing_scope`: nobody gives more than they have"),
        (status = 409, description = "`too_many_tokens`"),
    ),
)]
async fn create(
    State(app): State<App>,
    caller: Caller,
    Body(new): Body<NewToken>,
) -> Result<Response, Problem> {
    let issued = app.auth.issue(&app.rates, &caller, &new.name, &new.scopes);
    let (token, text) = issued.await?;
    let body = Issued {
        about: TokenView::of(&token, &caller),
        token: text,
    };
    let unkept = [(header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::CREATED, unkept, Json(body)).into_response())
}

/// All tokens of an account.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnTokens)]
struct Tokens {
    /// Sessions included, oldest first.
    tokens: Vec<TokenView>,
}

/// List your tokens
#[utoipa::path(
    get,
    path = "/v1/tokens",
    operation_id = "list_tokens",
    responses((status = 200, description = "Tokens and sessions, without their secrets", body = Tokens)),
)]
async fn list(State(app): State<App>, caller: Caller) -> Result<Json<Tokens>, Problem> {
    let tokens = app.auth.tokens_of(caller.number()).await?;
    Ok(Json(Tokens {
        tokens: tokens.iter().map(|t| TokenView::of(t, &caller)).collect(),
    }))
}

/// Revoke a token
///
/// It is dead at once. Needs all that a session may do, or all that the token may.
#[utoipa::path(
    delete,
    path = "/v1/tokens/{id}",
    operation_id = "revoke_token",
    params(("id" = u64, Path, description = "The token's id")),
    responses(
        (status = 204, description = "Revoked"),
        (status = 403, description = "`missing_scope`"),
        (status = 404, description = "`not_found`"),
    ),
)]
async fn revoke(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    let id: u64 = id.parse().map_err(|_| no_such())?;
    app.auth.take_back(&caller, id).await?;
    Ok(StatusCode::NO_CONTENT)
}
