//! Accounts and their tokens, in an operator's hands.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{Token, TokenKind};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::auth::Scopes;
use crate::http::{Body, Path};
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::rfc3339;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(reset_password))
        .routes(routes!(issue, tokens))
        .routes(routes!(revoke))
}

/// An account to be made by an operator, whatever `registration` says.
#[derive(Deserialize, ToSchema)]
struct NewPerson {
    /// 2 to 20 letters, digits, `_` and `-`.
    username: String,
    /// At least 8 characters.
    password: String,
    /// Whether it may hold tokens of scope `admin`.
    #[serde(default)]
    is_admin: bool,
}

/// An account.
#[derive(Serialize, ToSchema)]
struct PersonView {
    /// Its id.
    id: String,
    /// Its name as its owner writes it.
    name: String,
    /// Whether it may hold tokens of scope `admin`.
    is_admin: bool,
}

/// A new password.
#[derive(Deserialize, ToSchema)]
struct NewPassword {
    /// At least 8 characters.
    password: String,
}

/// A token to be made.
#[derive(Deserialize, ToSchema)]
struct NewTokenBody {
    /// What it is called.
    name: String,
    /// What it may do.
    scopes: Vec<String>,
}

/// A token.
#[derive(Serialize, ToSchema)]
struct TokenView {
    /// Its public number.
    id: u64,
    /// What it is called.
    name: String,
    /// `session` or `personal`.
    kind: &'static str,
    /// What it may do.
    scopes: Vec<&'static str>,
    /// When it was made.
    created_at: String,
    /// When it ends.
    expires_at: Option<String>,
    /// The token itself, shown this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

/// The tokens of an account.
#[derive(Serialize, ToSchema)]
struct TokenList {
    /// The oldest first.
    tokens: Vec<TokenView>,
}

/// Make an account
#[utoipa::path(post, path = "/v1/admin/accounts", operation_id = "admin_create_account",
    request_body = NewPerson,
    responses((status = 201, description = "The account", body = PersonView)))]
async fn create(
    operator: Operator,
    Body(new): Body<NewPerson>,
) -> Result<(StatusCode, Json<PersonView>), Problem> {
    let created = operator.create_account(new.username, new.password, new.is_admin);
    let account = created.await?;
    let view = PersonView {
        id: account.id,
        name: account.name,
        is_admin: account.is_admin,
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Set an account's password, and end all its sessions and tokens
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/password",
    params(("name" = String, Path)), request_body = NewPassword,
    responses((status = 204, description = "Set, and everything signed out")))]
async fn reset_password(
    operator: Operator,
    Path(name): Path<String>,
    Body(new): Body<NewPassword>,
) -> Result<StatusCode, Problem> {
    operator.reset_password(&name, new.password).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a token of an account
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/tokens",
    params(("name" = String, Path)), request_body = NewTokenBody,
    responses((status = 201, description = "The token, with its secret", body = TokenView)))]
async fn issue(
    operator: Operator,
    Path(name): Path<String>,
    Body(new): Body<NewTokenBody>,
) -> Result<(StatusCode, Json<TokenView>), Problem> {
    let issued = operator.issue_token(&name, new.name, &new.scopes);
    let (token, secret) = issued.await?;
    let view = TokenView {
        token: Some(secret),
        ..view(token)
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// The tokens of an account
#[utoipa::path(get, path = "/v1/admin/accounts/{name}/tokens",
    params(("name" = String, Path)),
    responses((status = 200, description = "The tokens, without their secrets", body = TokenList)))]
async fn tokens(operator: Operator, Path(name): Path<String>) -> Result<Json<TokenList>, Problem> {
    let tokens = operator.tokens_of(&name).await?;
    Ok(Json(TokenList {
        tokens: tokens.into_iter().map(view).collect(),
    }))
}

/// End a token of an account
#[utoipa::path(delete, path = "/v1/admin/accounts/{name}/tokens/{id}",
    params(("name" = String, Path), ("id" = u64, Path)),
    responses((status = 204, description = "Ended")))]
async fn revoke(
    operator: Operator,
    Path((name, id)): Path<(String, u64)>,
) -> Result<StatusCode, Problem> {
    operator.revoke_token(&name, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn view(token: Token) -> TokenView {
    TokenView {
        id: token.id,
        name: token.name,
        kind: match token.kind {
            TokenKind::Session => "session",
            TokenKind::Personal => "personal",
        },
        scopes: Scopes::from_bits(token.scopes).names(),
        created_at: rfc3339(token.created_at),
        expires_at: token.expires_at.map(rfc3339),
        token: None,
    }
}
