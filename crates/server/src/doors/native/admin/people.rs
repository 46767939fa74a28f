//! Looking for accounts, and deciding about somebody whom nobody reported.

use axum::Json;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{Account, AccountKind, Sanction, SanctionKind};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::Operator;
use crate::http::{Body, Path, Query};
use crate::play::App;
use crate::problem::Problem;
use crate::text_time::{read_rfc3339, rfc3339};

/// Accounts of a page.
const LIMIT_MAX: u32 = 200;

pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(search))
        .routes(routes!(show))
        .routes(routes!(sanction))
}

/// Which accounts.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Wanted {
    /// How the name begins; left out: everybody.
    #[serde(default)]
    search: String,
    /// The `next_cursor` of the page before.
    #[serde(default)]
    cursor: String,
    /// At most so many; 50 if not told, 200 at most.
    limit: Option<u32>,
}

/// Accounts in the order of their ids.
#[derive(Serialize, ToSchema)]
struct AccountPage {
    accounts: Vec<Person>,
    /// Where the next page begins; `null`: this was the last.
    next_cursor: Option<String>,
}

/// An account, as operators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = AdminAccount)]
struct Person {
    id: String,
    name: String,
    /// `registered`, `guest` or `outside`.
    kind: &'static str,
    title: Option<String>,
    email: Option<String>,
    is_admin: bool,
    #[schema(format = DateTime)]
    created_at: String,
    /// Since when nobody is let in to it.
    #[schema(format = DateTime)]
    barred_at: Option<String>,
    /// Since when it is closed: its name is gone.
    #[schema(format = DateTime)]
    deleted_at: Option<String>,
}

/// An account, and what was decided about it.
#[derive(Serialize, ToSchema)]
#[schema(as = AdminAccountDetails)]
struct Details {
    #[serde(flatten)]
    account: Person,
    /// Also those that hold no longer.
    sanctions: Vec<SanctionView>,
}

/// What somebody may not do.
#[derive(Serialize, ToSchema)]
#[schema(as = Sanction)]
struct SanctionView {
    /// `mute` or `bar_rated`.
    kind: &'static str,
    /// `null`: until it is lifted.
    #[schema(format = DateTime)]
    until: Option<String>,
    /// Why, as they are told.
    why: String,
    /// Who decided it.
    by: String,
    #[schema(format = DateTime)]
    at: String,
}

impl Person {
    fn of(account: Account) -> Person {
        Person {
            id: account.id,
            name: account.name,
            kind: kind_name(account.kind),
            title: account.title,
            email: account.email,
            is_admin: account.is_admin,
            created_at: rfc3339(account.created_at),
            barred_at: account.barred_at.map(rfc3339),
            deleted_at: account.deleted_at.map(rfc3339),
        }
    }
}

fn kind_name(kind: AccountKind) -> &'static str {
    match kind {
        AccountKind::Registered => "registered",
        AccountKind::Guest => "guest",
        AccountKind::Outside => "outside",
    }
}

impl SanctionView {
    fn of(sanction: Sanction) -> SanctionView {
        SanctionView {
            kind: sanction.kind.name(),
            until: sanction.until.map(rfc3339),
            why: sanction.why,
            by: sanction.by,
            at: rfc3339(sanction.at),
        }
    }
}

/// Look for accounts
///
/// Of every kind: guests too, and those that are barred or closed.
#[utoipa::path(get, path = "/v1/admin/accounts", operation_id = "admin_search_accounts",
    params(Wanted),
    responses((status = 200, description = "A page of accounts", body = AccountPage)))]
async fn search(
    operator: Operator,
    Query(wanted): Query<Wanted>,
) -> Result<Json<AccountPage>, Problem> {
    let limit = wanted.limit.unwrap_or(50).clamp(1, LIMIT_MAX);
    let found = operator
        .find_accounts(&wanted.search, &wanted.cursor, limit)
        .await?;
    let is_full = found.len() == limit as usize;
    let last = found.last().filter(|_| is_full);
    Ok(Json(AccountPage {
        next_cursor: last.map(|account| account.id.clone()),
        accounts: found.into_iter().map(Person::of).collect(),
    }))
}

/// An account of any kind, and what was decided about it
#[utoipa::path(get, path = "/v1/admin/accounts/{name}", operation_id = "admin_show_account",
    params(("name" = String, Path, description = "The account")),
    responses((status = 200, description = "The account", body = Details),
        (status = 404, description = "`not_found`")))]
async fn show(operator: Operator, Path(name): Path<String>) -> Result<Json<Details>, Problem> {
    let (account, sanctions) = operator.person(&name).await?;
    Ok(Json(Details {
        account: Person::of(account),
        sanctions: sanctions.into_iter().map(SanctionView::of).collect(),
    }))
}

/// What somebody may not do from now on.
#[derive(Deserialize, ToSchema)]
struct NewSanction {
    /// When it ends; until it is lifted, if left out.
    #[schema(format = DateTime)]
    until: Option<String>,
    /// Why: in the audit trail, and told to the player. At most 1,000 characters.
    note: String,
}

/// Mute somebody, or keep them from rated games, without a report
///
/// Lifted by `DELETE` of the same.
#[utoipa::path(put, path = "/v1/admin/accounts/{name}/sanctions/{kind}",
    operation_id = "admin_sanction", request_body = NewSanction,
    params(("name" = String, Path, description = "The account"),
        ("kind" = String, Path, description = "`mute` or `bar_rated`")),
    responses((status = 204, description = "They may not"),
        (status = 400, description = "`bad_request`: `until` is no time to come"),
        (status = 404, description = "`not_found`"),
        (status = 409, description = "`not_allowed`: it is you")))]
async fn sanction(
    operator: Operator,
    Path((name, kind)): Path<(String, String)>,
    Body(new): Body<NewSanction>,
) -> Result<StatusCode, Problem> {
    let kind = SanctionKind::named(&kind);
    let kind = kind.ok_or_else(|| Problem::not_found("there is no such sanction"))?;
    let no_time = || {
        let detail = "until: a time like 2026-01-31T18:05:09Z";
        Problem::bad_request(detail).with("field", "until")
    };
    let until = new.until.as_deref();
    let until = until.map(|text| read_rfc3339(text).ok_or_else(no_time));
    operator
        .sanction(&name, kind, until.transpose()?, &new.note)
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
