//! Personal tokens: made by their owner, for programs.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::{Token, TokenKind};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::auth::{Caller, Scope, Scopes};
use crate::http::{Body, Path};
use crate::limits::rates::Rate;
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::rfc3339;

/// The calls of this file.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(revoke))
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
    /// Some of `read`, `play`, `challenge` and `bot`; `service` and `admin` are given
    /// by the operator.
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

/// How long a token's name may be.
const NAME_MAX: usize = 64;

/// Make a personal token
///
/// Needs a session: a personal token makes no other.
#[utoipa::path(
    post,
    path = "/v1/tokens",
    operation_id = "create_token",
    tag = "tokens",
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
    app.rates.check(Rate::Command, caller.number())?;
    let name = name(&new.name)?;
    let scopes = scopes(&new.scopes)?;
    let (token, text) = app.auth.issue(&caller, name, scopes).await?;
    let body = Issued {
        about: TokenView::of(&token, &caller),
        token: text,
    };
    let mut response = (StatusCode::CREATED, Json(body)).into_response();
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

fn name(text: &str) -> Result<String, Problem> {
    let name = text.trim();
    let is_good =
        (1..=NAME_MAX).contains(&name.chars().count()) && !name.chars().any(char::is_control);
    if is_good {
        return Ok(name.to_owned());
    }
    let detail = format!("name: 1 to {NAME_MAX} characters");
    Err(Problem::bad_request(detail).with("field", "name"))
}

fn scopes(names: &[String]) -> Result<Scopes, Problem> {
    let wrong = |detail: String| Problem::bad_request(detail).with("field", "scopes");
    let known = |name: &String| {
        Scope::from_name(name).ok_or_else(|| wrong(format!("scopes: there is no scope {name:?}")))
    };
    let scopes: Scopes = names.iter().map(known).collect::<Result<_, _>>()?;
    if scopes.is_empty() {
        Err(wrong("scopes: at least one".into()))
    } else {
        Ok(scopes)
    }
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
    tag = "tokens",
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
    tag = "tokens",
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
    let no_such = || Problem::not_found("you have no such token");
    let id: u64 = id.parse().map_err(|_| no_such())?;
    let tokens = app.auth.tokens_of(caller.number()).await?;
    let token = tokens
        .iter()
        .find(|token| token.id == id)
        .ok_or_else(no_such)?;
    if !caller.scopes.covers(Scopes::SESSION) {
        caller.require_all(Scopes::from_bits(token.scopes))?;
    }
    app.auth
        .revoke(caller.number(), id)
        .await?
        .ok_or_else(no_such)?;
    Ok(StatusCode::NO_CONTENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_named_and_there_is_at_least_one() {
        let read =
            |names: &[&str]| scopes(&names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>());
        assert_eq!(
            read(&["play", "read", "play"]).unwrap().names(),
            ["read", "play"]
        );
        for bad in [&[][..], &["write"], &["play", "Read"], &[""]] {
            let error = read(bad).unwrap_err();
            assert_eq!(
                (error.status().as_u16(), error.code),
                (400, "bad_request"),
                "{bad:?}"
            );
            assert_eq!(error.context["field"], "scopes");
        }
    }

    #[test]
    fn a_name_is_short_and_printable() {
        assert_eq!(name("  my bot ").unwrap(), "my bot");
        for bad in ["", "   ", "a\nb", &"x".repeat(65)] {
            assert_eq!(name(bad).unwrap_err().code, "bad_request", "{bad:?}");
        }
    }
}
