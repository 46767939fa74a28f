//! Accounts and their tokens, in an operator's hands.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{
    Account, AccountKind, Creation, NewAccount, NewToken, ProfileChange, Token, TokenKind,
};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::auth::{Scope, Scopes, names, passwords, secrets};
use crate::http::{Body, Path};
use crate::operate::operator::OPERATOR;
use crate::play::App;
use crate::problem::{Kind, Problem};
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
    tag = "admin", request_body = NewPerson,
    responses((status = 201, description = "The account", body = PersonView)))]
async fn create(
    State(app): State<App>,
    operator: Operator,
    Body(new): Body<NewPerson>,
) -> Result<(StatusCode, Json<PersonView>), Problem> {
    names::check(&new.username)?;
    let password_hash = Some(hashed(&new.password, &new.username).await?);
    let account = NewAccount {
        uuid: uuid::Uuid::new_v4().into_bytes(),
        name: new.username,
        kind: AccountKind::Registered,
        email: None,
        password_hash,
        is_admin: new.is_admin,
        outside: None,
        at: app.wall(),
    };
    let Creation::Created(account) = app.store.create_account(account).await? else {
        let detail = "somebody has this name already";
        return Err(Problem::new(Kind::Conflict, "username_taken", detail));
    };
    let detail = if account.is_admin {
        "an administrator"
    } else {
        ""
    };
    operator
        .audit(&app, "create_account", &account.id, detail.into())
        .await?;
    let view = PersonView {
        id: account.id,
        name: account.name,
        is_admin: account.is_admin,
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// Set an account's password, and end all its sessions and tokens
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/password", tag = "admin",
    params(("name" = String, Path)), request_body = NewPassword,
    responses((status = 204, description = "Set, and everything signed out")))]
async fn reset_password(
    State(app): State<App>,
    operator: Operator,
    Path(name): Path<String>,
    Body(new): Body<NewPassword>,
) -> Result<StatusCode, Problem> {
    let account = find(&app, &name).await?;
    let hash = hashed(&new.password, &account.name).await?;
    let change = ProfileChange {
        password_hash: Some(hash),
        ..ProfileChange::default()
    };
    app.store.change_profile(account.number, change).await?;
    app.auth.forget_person(account.number);
    app.auth.revoke_all(account.number).await?;
    operator
        .audit(&app, "reset_password", &account.id, String::new())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Make a token of an account
#[utoipa::path(post, path = "/v1/admin/accounts/{name}/tokens", tag = "admin",
    params(("name" = String, Path)), request_body = NewTokenBody,
    responses((status = 201, description = "The token, with its secret", body = TokenView)))]
async fn issue(
    State(app): State<App>,
    operator: Operator,
    Path(name): Path<String>,
    Body(new): Body<NewTokenBody>,
) -> Result<(StatusCode, Json<TokenView>), Problem> {
    let account = find(&app, &name).await?;
    let scopes = scopes(&new.scopes)?;
    if scopes.contains(Scope::Admin) && !account.is_admin {
        let detail = format!("scopes: {} is no administrator", account.name);
        return Err(Problem::bad_request(detail).with("field", "scopes"));
    }
    let secret = secrets::token();
    let token = NewToken {
        hash: secrets::hash(&secret),
        account: account.number,
        kind: TokenKind::Personal,
        name: new.name,
        scopes: scopes.to_bits(),
        at: app.wall(),
        expires_at: None,
    };
    let token = app.store.add_token(token).await?;
    let detail = format!("token {}: {}", token.id, scopes.names().join(" "));
    operator
        .audit(&app, "issue_token", &account.id, detail)
        .await?;
    let view = TokenView {
        token: Some(secret),
        ..view(token)
    };
    Ok((StatusCode::CREATED, Json(view)))
}

/// The tokens of an account
#[utoipa::path(get, path = "/v1/admin/accounts/{name}/tokens", tag = "admin",
    params(("name" = String, Path)),
    responses((status = 200, description = "The tokens, without their secrets", body = TokenList)))]
async fn tokens(
    State(app): State<App>,
    _operator: Operator,
    Path(name): Path<String>,
) -> Result<Json<TokenList>, Problem> {
    let account = find(&app, &name).await?;
    let tokens = app.auth.tokens_of(account.number).await?;
    Ok(Json(TokenList {
        tokens: tokens.into_iter().map(view).collect(),
    }))
}

/// End a token of an account
#[utoipa::path(delete, path = "/v1/admin/accounts/{name}/tokens/{id}", tag = "admin",
    params(("name" = String, Path), ("id" = u64, Path)),
    responses((status = 204, description = "Ended")))]
async fn revoke(
    State(app): State<App>,
    operator: Operator,
    Path((name, id)): Path<(String, u64)>,
) -> Result<StatusCode, Problem> {
    let account = find(&app, &name).await?;
    if app.auth.revoke(account.number, id).await?.is_none() {
        return Err(Problem::not_found("there is no such token"));
    }
    operator
        .audit(&app, "revoke_token", &account.id, format!("token {id}"))
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An account, but not the console's: whoever has a token of that has the machine.
pub(super) async fn find(app: &App, name: &str) -> Result<Account, Problem> {
    let account = app.store.account_by_id(&name.to_ascii_lowercase()).await?;
    account
        .filter(|account| account.deleted_at.is_none() && account.id != OPERATOR)
        .ok_or_else(|| Problem::not_found(format!("there is no account {name:?}")))
}

/// On a thread of its own: it takes a while.
async fn hashed(password: &str, name: &str) -> Result<String, Problem> {
    passwords::check(password, name)?;
    let password = password.to_owned();
    let hashed = tokio::task::spawn_blocking(move || passwords::hash(&password)).await;
    match hashed {
        Ok(Ok(hash)) => Ok(hash),
        _ => Err(Problem::unavailable()),
    }
}

fn scopes(names: &[String]) -> Result<Scopes, Problem> {
    let all: Vec<&str> = Scope::ALL.into_iter().map(Scope::name).collect();
    let scopes: Option<Vec<Scope>> = names.iter().map(|name| Scope::from_name(name)).collect();
    match scopes {
        Some(scopes) if !scopes.is_empty() => Ok(Scopes::of(&scopes)),
        _ => {
            let detail = format!("scopes: must be some of {}", all.join(", "));
            Err(Problem::bad_request(detail).with("field", "scopes"))
        }
    }
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
